"""The blocks of a text in Markdown: headings, scene breaks, paragraphs, and what they leave open.

Below `markdown` and `markdown_export`, above `markdown-it-py`. Invariant: the blocks hold every
line of the text, in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

_CLOSINGS: Final = ("-->", "</pre>", "</script>", "</style>", "</textarea>", "?>", "]]>", ">")
"""What ends each block of HTML that an empty line does not end (CommonMark 0.31, 4.6)."""
_SENTENCE_END: Final = (".", "!", "?", ",", ";", ":", "…", '"', "”", "’", "»")
_LONGEST_UNDERLINED: Final = 80
_HEADING: Final = re.compile(r"[ \t]*#{1,6}(?:[ \t]+|$)(.*?)(?:[ \t]+#+)?[ \t]*$")


class Kind(StrEnum):
    """What a block is, as far as it matters where turns begin and end."""

    HEADING = "heading"
    BREAK = "break"
    """A line across: another scene begins."""
    PROSE = "prose"
    """May be divided at its lines."""
    WHOLE = "whole"
    """Code, a table or HTML: is not divided unless it is very long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A block of a text with its lines."""

    kind: Kind
    text: str
    line: int
    """Its first line, from 1."""
    level: int = 0
    """Of a heading, 1 to 6; else 0."""

    @property
    def title(self) -> str:
        """The words of a heading."""
        first = self.text.split("\n", 1)[0]
        found = _HEADING.match(first)
        return (found[1] if found else first).strip()


def blocks_of(text: str) -> Iterator[Block]:
    r"""Yield the blocks of a text whose lines end in `\n`."""
    lines = text.split("\n")
    tokens = [token for token in _parser().parse(text) if token.level == 0 and token.map]
    starts = [token.map[0] for token in tokens if token.map]
    ends = [*starts[1:], len(lines)]
    if not starts or starts[0]:
        yield from _block(None, lines[: starts[0] if starts else None], 0)
    for token, start, end in zip(tokens, starts, ends, strict=True):
        yield from _block(token, lines[start:end], start)


def closing_of(text: str) -> str:
    """Return the line that ends what `text` leaves open, empty where it leaves nothing open."""
    if "<" not in text and "```" not in text and "~~~" not in text:
        return ""
    tokens = _parser().parse(text)
    fences = [token.markup for token in tokens[-1:] if token.type == "fence"]
    for closing in ("", *fences, *_CLOSINGS):
        if _stands_alone(f"{text}\n{closing}" if closing else text):
            return closing
    return ""


def _stands_alone(text: str) -> bool:
    """Say whether a paragraph behind `text` would be one."""
    tokens = _parser().parse(f"{text}\n\nx")
    last = [token.type for token in tokens if token.level == 0 and token.nesting >= 0]
    return last[-1:] == ["paragraph_open"]


def _block(token: Token | None, lines: Sequence[str], start: int) -> Iterator[Block]:
    blank = next((place for place, line in enumerate(lines) if line.strip()), len(lines))
    text = "\n".join(lines[blank:]).rstrip()
    if not text:
        return
    kind = _kind(token, text)
    level = int(token.tag[1:]) if token is not None and kind is Kind.HEADING else 0
    yield Block(kind=kind, text=text, line=start + blank + 1, level=level)


def _kind(token: Token | None, text: str) -> Kind:
    match token.type if token else "":
        case "heading_open" if token and (token.markup.startswith("#") or _is_underlined(text)):
            return Kind.HEADING
        case "hr":
            return Kind.BREAK
        case "fence" | "code_block" | "html_block":
            return Kind.WHOLE
        case _:
            return Kind.PROSE


def _is_underlined(text: str) -> bool:
    """Say whether an underlined text is a heading; in stories most are a sentence and a break."""
    lines = text.split("\n")
    first = lines[0].strip()
    return (
        len(lines) == 2 and len(first) <= _LONGEST_UNDERLINED and not first.endswith(_SENTENCE_END)
    )


@cache
def _parser() -> MarkdownIt:
    """Return a parser that finds blocks only: what stands in them takes most of the time."""
    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser
