"""Prepares conversations of Foreword as long use would leave them. Run in a process of its own.

    python -m benchmarks.stories FOLDER CHAT... [--forks 3] [--summaries]

Every CHAT is imported into the memory in FOLDER; the ids of the conversations are printed. With
forks, a story goes on from branch to branch: each parent ends with a turn of its own. With
summaries, the branch has those that recaps in a context of 8 192 tokens would have left: four turns
each, merged by threes while more than 32 are in use, what was merged kept. Their texts are given,
since to write 36 000 of them would take an hour; they are put into a bundle, which the import
checks.
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import foreword
from benchmarks.chat_files import read_chat, write_chat
from benchmarks.corpus import Message, texts
from foreword.domain.digest import span_digest

SPAN = 4
MERGED = 3
IN_USE = 32
MESSAGE_TOKENS = 4
TEXT_TOKENS = 180
END = Message(role="user", text="Here this telling ends, and another goes on from the turn before.")

Json = dict[str, object]


def prepared(
    chats: Sequence[Path], folder: Path, *, forks: int = 0, summaries: bool = False
) -> list[str]:
    """Prepare conversations in another process and return their ids."""
    command = [sys.executable, "-m", "benchmarks.stories", str(folder), *map(str, chats)]
    command += ["--forks", str(forks), *(["--summaries"] if summaries else [])]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.split()


def prepare(chat: Path, folder: Path, *, forks: int, summaries: bool) -> str:
    """Prepare a conversation and return its id."""
    if not summaries:
        return _imported(chat, folder, forks)
    scratch = folder / "scratch"
    bundle = scratch / "story.json"
    _imported(chat, scratch, forks, bundle)
    written = json.loads(bundle.read_text("utf-8"))
    _summarise(written)
    bundle.write_text(json.dumps(written), encoding="utf-8")
    del written
    with foreword.open(folder) as memory:
        made = str(memory.import_file(bundle).id)
    shutil.rmtree(scratch)
    return made


def _imported(chat: Path, folder: Path, forks: int, bundle: Path | None = None) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / "part.jsonl"
    slug = f"{folder.name}-{chat.stem}"
    messages = tuple(read_chat(chat))
    with foreword.open(folder) as memory:
        for number in range(forks):
            shared = islice(messages, len(messages) * (number + 1) // (forks + 1))
            write_chat(part, (*shared, END), slug=slug)
            memory.import_file(part)
        write_chat(part, messages, slug=slug)
        story = memory.import_file(part)
        newest = max(branch.id for branch in story.branches())
        if forks:
            story.switch(newest)
        if bundle is not None:
            story.export(bundle)
    part.unlink()
    return str(story.id)


@dataclass(slots=True)
class _Cover:
    """The summaries of a branch, as a bundle has them."""

    entries: Sequence[Json]
    texts: Iterator[str]
    summaries: list[Json] = field(default_factory=list)
    rows: dict[int, Json] = field(default_factory=dict)
    """By summary."""
    spans: dict[int, range] = field(default_factory=dict)
    """The indexes in `entries` that each summary stands for."""
    used: list[int] = field(default_factory=list)
    """In span order; layers fall."""

    def add(self, span: range, children: Sequence[int] = ()) -> None:
        """Put a summary over turns, or over the summaries `children`."""
        number = len(self.summaries) + 1
        below = [self.rows[child]["layer"] for child in children]
        layer = max((one + 1 for one in below if isinstance(one, int)), default=0)
        self.summaries.append(self._summary(number, layer, span, children))
        self.rows[number] = self._row(number, layer, span)
        self.spans[number] = span
        at = self.used.index(children[0]) if children else len(self.used)
        self.used[at : at + len(children)] = [number]
        for child in children:
            self.rows[child]["state"] = "merged"

    def merge(self) -> None:
        """Merge the oldest three of the lowest layer that has three."""
        layers = [self.rows[number]["layer"] for number in self.used]
        starts = range(len(layers) - MERGED + 1)
        alike = [at for at in starts if len(set(layers[at : at + MERGED])) == 1]
        at = min(alike, key=lambda at: (layers[at], at))
        children = self.used[at : at + MERGED]
        self.add(range(self.spans[children[0]].start, self.spans[children[-1]].stop), children)

    def _summary(self, number: int, layer: int, span: range, children: Sequence[int]) -> Json:
        turns = [self.entries[index] for index in span]
        digests = [str(turn["digest"]) for turn in turns]
        sources = [{"turn_id": turn["turn_id"], "digest": turn["digest"]} for turn in turns]
        return {
            "id": number,
            "layer": layer,
            "depth": layer + 1,
            "text": next(self.texts),
            "tokens": TEXT_TOKENS,
            "first_digest": digests[0],
            "n_turns": len(turns),
            "span_digest": span_digest(map(bytes.fromhex, digests)).hex(),
            "maker": "benchmark",
            "turns": [] if children else sources,
            "children": list(children),
            "reasoning": "",
            "context_digest": "",
            "edited_from": None,
        }

    def _row(self, number: int, layer: int, span: range) -> Json:
        turns = [self.entries[index] for index in span]
        return {
            "summary_id": number,
            "state": "used",
            "layer": layer,
            "from_pos": turns[0]["pos"],
            "to_pos": turns[-1]["pos"],
            "n_turns": len(turns),
            "src_tokens": sum(int(str(turn["tokens"])) + MESSAGE_TOKENS for turn in turns),
            "tokens": TEXT_TOKENS,
            "since": 0,
        }


def _summarise(bundle: Json) -> None:
    """Cover the newest branch of a bundle up to its last turns."""
    branches = bundle["branches"]
    assert isinstance(branches, list)
    state = branches[-1]
    cover = _Cover(entries=state["entries"], texts=summary_texts("summaries"))
    for start in range(0, len(state["entries"]) - 2 * SPAN, SPAN):
        cover.add(range(start, start + SPAN))
        while len(cover.used) > IN_USE:
            cover.merge()
    bundle["summaries"] = cover.summaries
    state["cover"] = list(cover.rows.values())


def summary_texts(seed: str) -> Iterator[str]:
    """Yield texts as long as summaries are."""
    source = texts(seed)
    while True:
        yield f"{next(source)} {next(source)}"


def main() -> None:
    """Read the arguments, prepare, print the ids."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("chats", type=Path, nargs="+")
    parser.add_argument("--forks", type=int, default=0)
    parser.add_argument("--summaries", action="store_true")
    given = parser.parse_args()
    for chat in given.chats:
        print(prepare(chat, given.folder, forks=given.forks, summaries=given.summaries))


if __name__ == "__main__":
    main()
