"""Text without speakers: stretches of about 200 words that end where paragraphs end.

Below `plain_text` and `chapters`. Invariant: the stretches hold every word of the text, in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

TARGET_WORDS = 200
MAX_PARAGRAPH_WORDS = 400
"""A longer paragraph is divided: at its lines, else at its sentences."""

_PARAGRAPH = re.compile(r"\n[ \t]*\n+")
_SENTENCE = re.compile(r"""[.!?…。!?][\])"'”’»』」)]*(?:\s+|(?<=[。!?」』]))""")
_WORD = re.compile(r"[^\W぀-ヿ㐀-鿿]+")
_UNSPACED = re.compile(r"[぀-ヿ㐀-鿿]")
_NUMBERED = re.compile(
    r"""
    \#{1,6}\s+\S                                              # a heading in Markdown
    | (?: chapter|part|book|act|scene|prologue|epilogue|interlude
        | kapitel|teil|prolog|epilog|chapitre|partie|capítulo|capitulo|parte|capitolo|capitol
        | hoofdstuk|rozdział|глава|часть|пролог|эпилог ) \b .{0,60} $
    | 第 .{1,9} [章回节節話话幕部] .{0,40} $
    | [ivxlc]{1,7} \.? $ | \d{1,3} \.? $                      # a number alone
    """,
    re.VERBOSE | re.IGNORECASE,
)


def stretches(text: str) -> Iterator[str]:
    """Yield `text` in stretches; a chapter heading begins a new one."""
    gathered: list[str] = []
    words = 0
    for paragraph in _paragraphs(text):
        size = word_count(paragraph)
        heading = is_heading(paragraph)
        if gathered and (heading or words + size > TARGET_WORDS * 5 // 4):
            yield "\n\n".join(gathered)
            gathered, words = [], 0
        gathered.append(paragraph)
        words += size
        if words >= TARGET_WORDS:
            yield "\n\n".join(gathered)
            gathered, words = [], 0
    if gathered:
        yield "\n\n".join(gathered)


def is_heading(paragraph: str) -> bool:
    """Say whether a paragraph is the heading of a chapter."""
    first = paragraph.split("\n", 1)[0].strip().strip("*_").strip()
    if not first or len(first) > 80:
        return False
    if _NUMBERED.match(first):
        return "\n" not in paragraph or first.startswith("#")
    shouted = first.isupper() and len(first) > 3 and first[-1] not in ".!?,…\"'”"
    return shouted and "\n" not in paragraph


def _paragraphs(text: str) -> Iterator[str]:
    for part in _PARAGRAPH.split(text):
        paragraph = part.strip("\n").rstrip()
        if paragraph.strip():
            yield from divided(paragraph)


def divided(paragraph: str) -> Iterator[str]:
    """Yield a paragraph, in pieces of about `TARGET_WORDS` where it is too long for one turn."""
    if word_count(paragraph) <= MAX_PARAGRAPH_WORDS:
        yield paragraph
    elif "\n" in paragraph:
        yield from _gathered(paragraph.split("\n"), "\n")
    else:
        yield from _gathered(_sentences(paragraph), "")


def _gathered(pieces: Iterable[str], between: str) -> Iterator[str]:
    """Join neighbouring pieces to about the target; divide a line that is too long by itself."""
    held: list[str] = []
    words = 0
    for piece in pieces:
        size = word_count(piece)
        if held and words + size > TARGET_WORDS:
            yield between.join(held).strip()
            held, words = [], 0
        if between and size > MAX_PARAGRAPH_WORDS:
            yield from _gathered(_sentences(piece), "")
            continue
        held.append(piece)
        words += size
    if "".join(held).strip():
        yield between.join(held).strip()


def _sentences(paragraph: str) -> Iterator[str]:
    start = 0
    for found in _SENTENCE.finditer(paragraph):
        yield paragraph[start : found.end()]
        start = found.end()
    if start < len(paragraph):
        yield paragraph[start:]


def word_count(text: str) -> int:
    """Count words; in scripts without spaces two signs count as one."""
    signs = len(text) - len(_UNSPACED.sub("", text))
    return len(_WORD.findall(text)) + (signs + 1) // 2
