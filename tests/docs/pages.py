"""Reads the pages: their fenced blocks, the commands in them, and what the commands should print.

    ```console
    $ foreword status inn            a command; a line that ends with \\ goes on
    chat more first                  what it prints; … stands for any text, alone for any lines
    ```

A block of `console` or `python` is run. `<!-- not run: REASON -->` before it says why it is not,
`<!-- output -->` before a `text` block that it is what the block before it prints.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = tuple(sorted((ROOT / "docs").rglob("*.md")))
READABLE = (ROOT / "README.md", ROOT / "AGENTS.md", *PAGES)
RUN = frozenset({"console", "python"})

_FENCE = re.compile(r"^```(\S*)(?:\s.*)?$")
_NOT_RUN = re.compile(r"^<!-- not run: (.+) -->$")
_HEREDOC = re.compile(r"<<'(\w+)'")
PROMPT = "$ "
DOTS = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A fenced block; `first` is the index of the first line inside it."""

    language: str
    first: int
    lines: tuple[str, ...]
    reason: str | None
    """Why it is not run; None where nothing says so."""
    is_output: bool

    @property
    def is_run(self) -> bool:
        return self.language in RUN and self.reason is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What is typed, and the lines of the page that show what it prints."""

    text: str
    first: int
    """Index, in the page, of the first line shown."""
    shown: tuple[str, ...]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks_of(text: str) -> tuple[Block, ...]:
    """Return the fenced blocks of a page, in order."""
    return tuple(_blocks(text.splitlines()))


def _blocks(lines: list[str]) -> Iterator[Block]:
    at, before = 0, ""
    while at < len(lines):
        opening = _FENCE.match(lines[at])
        if opening:
            end = lines.index("```", at + 1)
            marked = _NOT_RUN.match(before)
            yield Block(
                language=opening[1],
                first=at + 1,
                lines=tuple(lines[at + 1 : end]),
                reason=marked[1] if marked else None,
                is_output=before == "<!-- output -->",
            )
            at, before = end + 1, ""
            continue
        before = lines[at].strip() or before
        at += 1


def commands_of(block: Block) -> tuple[Command, ...]:
    """Return the commands of a console block with what they should print."""
    return tuple(_commands(block))


def _commands(block: Block) -> Iterator[Command]:
    lines, at = block.lines, 0
    while at < len(lines):
        if not lines[at].startswith(PROMPT):
            raise ValueError(f"a console block begins with a command: {lines[at]!r}")
        end = at + 1
        while lines[end - 1].endswith("\\"):
            end += 1
        typed = [lines[at].removeprefix(PROMPT), *lines[at + 1 : end]]
        document = _HEREDOC.search(typed[-1])
        if document:
            after = lines.index(document[1], end) + 1
            typed += lines[end:after]
            end = after
        at = end
        while at < len(lines) and not lines[at].startswith(PROMPT):
            at += 1
        yield Command(text="\n".join(typed), first=block.first + end, shown=lines[end:at])


def matches(shown: Sequence[str], printed: str) -> bool:
    """Say whether a page shows what was printed; blank lines and trailing blanks do not count."""
    wanted = [line.rstrip() for line in shown if line.strip()]
    pattern = "".join(
        r"(?:[^\n]*\n)*" if line == DOTS else _any_text(line) + r"\n" for line in wanted
    )
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in lines_of(printed))) is not None


def lines_of(printed: str) -> list[str]:
    """Return the lines that count."""
    return [line.rstrip() for line in printed.splitlines() if line.strip()]


def shown_now(shown: Sequence[str], printed: str) -> list[str]:
    """Return what a page should show of what was printed, with its dots where they can stay."""
    if DOTS not in shown:
        return _kept(shown, lines_of(printed))
    lines = lines_of(printed)
    first = list(shown).index(DOTS)
    last = list(reversed(shown)).index(DOTS)
    middle = [
        line
        for line in shown[first : len(shown) - last]
        if line == DOTS or any(matches([line], one) for one in lines)
    ]
    end = lines[len(lines) - last :]
    return [*_kept(shown[:first], lines[:first]), *middle, *_kept(shown[len(shown) - last :], end)]


def _kept(shown: Sequence[str], lines: list[str]) -> list[str]:
    """Return the lines; where one is shown with dots and is still met by them, as it is shown."""
    if len(shown) != len(lines):
        return lines
    return [old if matches([old], new) else new for old, new in zip(shown, lines, strict=True)]


def _any_text(line: str) -> str:
    """Return a pattern in which … stands for any text; columns beside it may be of other widths."""
    if DOTS not in line:
        return re.escape(line)
    words = r" +".join(re.escape(word) for word in re.split(" +", line))
    return words.replace(DOTS, r"[^\n]*")
