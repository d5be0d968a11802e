"""Look for the words of a message among many turns: in one conversation, and in one of many.

Every other message is one that was said, so that it can be found. A sample is one call.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import foreword
from benchmarks.chat_files import write_chat
from benchmarks.corpus import messages, texts
from benchmarks.race import Entry, Lap, race
from benchmarks.records import Outcome, Row, Target, rounded
from benchmarks.samples import Sample, median, p99, timed
from benchmarks.scales import Scale
from benchmarks.stories import prepared

WORDS = 20
WANTED_MS = 15.0
ASKED = 20
"""Conversations that are asked, one after the other."""
SAID = 100
"""So many of the first messages of each are asked for."""


def samples(entry: Entry, folder: Path) -> Iterator[Sample]:
    """Prepare, ask once; yield an empty sample, then one for each query."""
    conversations = int(entry.given)
    chats = [folder / f"chat-{number}.jsonl" for number in range(conversations)]
    for number, chat in enumerate(chats):
        said = messages(_seed(number), entry.turns // conversations)
        write_chat(chat, said, slug=chat.stem)
    ids = prepared(chats, folder / "memory")
    for chat in chats:
        chat.unlink()
    with foreword.open(folder / "memory") as memory:
        stories = [memory.conversation(found) for found in ids[:ASKED]]
        stories[0].search("reference")
        yield Sample(wall_ms=0, cpu_ms=0)
        for number, query in enumerate(_queries(len(stories), entry.samples)):
            story = stories[number % len(stories)]
            yield timed(lambda story=story, query=query: len(story.search(query)))  # type: ignore[misc]


def run(scale: Scale, work: Path) -> Iterator[Outcome]:
    """Measure both; yield what is known after every round."""
    entries = [
        Entry(
            system="Foreword",
            turns=scale.search_turns,
            samples=scale.search_samples,
            given=str(conversations),
        )
        for conversations in (1, scale.search_conversations)
    ]
    outcome = Outcome(name="search", rows=(), complete=False)
    for laps in race(__name__, entries, scale.turn_pace, work):
        rows = [_row(lap) for lap in laps]
        outcome = replace(outcome, rows=rows, targets=tuple(_targets(rows)))
        yield outcome
    yield replace(outcome, complete=True)


def _seed(number: int) -> str:
    return f"story {number}"


def _queries(stories: int, count: int) -> Iterator[str]:
    """Yield messages' first words, of what was said and of what was not, by turns.

    Without quotation marks, which would make a phrase of what stands in them.
    """
    said = [[one.text for one in messages(_seed(number), SAID)] for number in range(stories)]
    unsaid = texts("unsaid")
    for number in range(count):
        known = said[number % stories][number % SAID]
        words = (known if number % 2 else next(unsaid)).replace('"', "").split()
        yield " ".join(words[:WORDS])


def _row(lap: Lap) -> Row:
    walls = [one.wall_ms for one in lap.samples]
    return {
        "system": lap.entry.system,
        "turns": lap.entry.turns,
        "conversations": int(lap.entry.given),
        "words": WORDS,
        "median_ms": rounded(median(walls)),
        "p99_ms": rounded(p99(walls)),
        "cpu_ms": rounded(median([one.cpu_ms for one in lap.samples])),
        "found_percent": rounded(100 * sum(one.size > 0 for one in lap.samples) / len(walls)),
        "rss_mb": rounded(lap.resident_mb),
        "samples": len(walls),
    }


def _targets(rows: Sequence[Row]) -> Iterator[Target]:
    for row in rows:
        where = "one conversation" if row["conversations"] == 1 else "one of many"
        yield Target(
            what=f"a {WORDS}-word message over {int(row['turns']):,} turns, {where}",
            limit=WANTED_MS,
            measured=float(row["median_ms"]),
            unit="ms",
        )
