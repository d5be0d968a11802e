"""Chapters to turns: blocks of a book, gathered to about 200 words as in plain text.

Below `markdown` and `epub`, above `prose`. Invariant: the parts hold every block, in order; a
heading or a scene break never stands apart from what it opens or ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from foreword.formats.prose import TARGET_WORDS, divided, word_count

MAX_WHOLE_WORDS: Final = 2000
"""Code or a table that is longer is divided too: a turn of that size still fits a small context."""
LONGEST_TITLE: Final = 200
"""Signs; what is longer is no name of a chapter or of anybody."""
_EMPHASIS: Final = re.compile(r"(\*\*|__|\*|`)(?=\S)(.*?)(?<=\S)\1")


class Kind(StrEnum):
    """What a block is, as far as it matters where turns begin and end."""

    HEADING = "heading"
    BREAK = "break"
    """A line across: another scene begins."""
    START = "start"
    """Not in the text: another file of the book begins."""
    PROSE = "prose"
    """May be divided at its lines and sentences."""
    WHOLE = "whole"
    """Code, a table or HTML: divided only when it is very long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A block of a text with its lines."""

    kind: Kind
    text: str
    line: int = 0
    """Its first line, from 1; 0 where the text has no lines of its own."""
    level: int = 0
    """Of a heading that says so, 1 to 6; else 0."""
    tight: bool = False
    """It follows the block before it without an empty line."""

    @property
    def title(self) -> str:
        """The words of a heading, at most `LONGEST_TITLE` signs of them."""
        words = self.text.split("\n", 1)[0].strip()
        if words.startswith("#"):
            words = words.lstrip("#").strip()
            bare = words.rstrip("#")
            words = bare if bare != bare.rstrip() else words
        return _EMPHASIS.sub(r"\2", words.strip()[:LONGEST_TITLE])


def parts_of(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the texts of turns: a heading begins one, a scene break may end one."""
    held: list[Block] = []
    words = 0
    """Of what is no heading."""
    for block in _pieces(blocks):
        size = word_count(block.text)
        if words and _begins_another(block.kind, words, size):
            yield _joined(held)
            held, words = [], 0
        if block.kind is Kind.START:
            continue
        held.append(block)
        words += 0 if block.kind is Kind.HEADING else size
        if words >= TARGET_WORDS or (block.kind is Kind.BREAK and words >= TARGET_WORDS // 2):
            yield _joined(held)
            held, words = [], 0
    if held:
        yield _joined(held)


def _begins_another(kind: Kind, words: int, size: int) -> bool:
    match kind:
        case Kind.HEADING:
            return True
        case Kind.START:
            return words >= TARGET_WORDS // 2
        case _:
            return words + size > TARGET_WORDS * 5 // 4


def _pieces(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the blocks, divided where they are too long for one turn."""
    for block in blocks:
        keep = block.kind is Kind.WHOLE and word_count(block.text) <= MAX_WHOLE_WORDS
        if keep or block.kind in {Kind.HEADING, Kind.START, Kind.BREAK}:
            yield block
            continue
        for number, piece in enumerate(divided(block.text)):
            yield replace(block, text=piece, tight=block.tight and not number)


def _joined(blocks: Sequence[Block]) -> str:
    first, *others = blocks
    return first.text + "".join(("\n" if one.tight else "\n\n") + one.text for one in others)
