"""Finds the specifics of a text: names, numbers, dates, sums, quotes, objects, paths, errors.

Above: `planning` (what a summary must keep), `quality` (what it kept). Below: the patterns, number
words and language guess beside it. Invariant: any string is accepted, in time linear in its length,
and the result stands in text order; only a quote may contain others.
"""

import re
from collections.abc import Iterator
from typing import Final

from foreword.domain.language import guess_language
from foreword.domain.number_words import combine, han_value, number_value
from foreword.domain.specific_kinds import Specific, SpecificKind
from foreword.domain.specific_patterns import quotes, shaped
from foreword.domain.specific_words import worded

__all__ = ["Specific", "SpecificKind", "normalised", "specifics"]

_SPACES: Final = re.compile(r"\s+")
_PIECE: Final = re.compile(
    r"(?P<digits>\d[\d.,'’\u00a0\u202f]{0,30})|(?P<han>[〇零一二两兩三四五六七八九十百千万萬]{1,16})"
    r"|(?P<word>[^\W\d_]+(?:-[^\W\d_]+)*)|(?P<other>.)",
    re.DOTALL,
)
_GROUPING: Final = re.compile(r"(?<=\d)[,'’\u00a0\u202f.](?=\d{3}(?!\d))")
_MAX_KEY: Final = 240


def specifics(text: str) -> tuple[Specific, ...]:
    """Find every specific of `text`, in text order.

    Returns:
        Values with `value.text == text[value.start:value.end]`; those of other kinds than quote do
        not overlap each other.
    """
    language = guess_language(text)
    mask = bytearray(len(text))
    found = [span for span in shaped(text) if _claim(mask, span[1], span[2])]
    found.extend(span for span in worded(text, language) if _claim(mask, span[1], span[2]))
    found.extend((SpecificKind.QUOTE, start, end) for start, end in quotes(text))
    found.sort(key=lambda span: (span[1], -span[2], span[0]))
    return tuple(
        Specific(
            kind=kind,
            text=text[start:end],
            key=normalised(text[start:end], language) or text[start:end],
            start=start,
            end=end,
        )
        for kind, start, end in found
    )


def normalised(text: str, language: str = "en") -> str:
    """Fold case, spaces and ways of writing a number: "Thirty-four  years" becomes "34 years"."""
    pieces: list[str] = []
    values: list[int] = []
    spaced = False
    for kind, piece in _pieces(_SPACES.sub(" ", text[:_MAX_KEY].strip(" '’\"“”*_`"))):
        value = number_value(piece, language) if kind == "word" else None
        if value is not None:
            values.append(value)
            spaced = False
            continue
        if values and (piece == " " or (piece in {"and", "und", "y", "et"} and spaced)):
            spaced = True
            continue
        if values:
            pieces.append(str(combine(values)) + (" " if spaced else ""))
            values, spaced = [], False
        pieces.append(_folded(kind, piece))
    if values:
        pieces.append(str(combine(values)))
    return "".join(pieces).strip()


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    for match in _PIECE.finditer(text):
        yield match.lastgroup or "other", match.group()


def _folded(kind: str, piece: str) -> str:
    match kind:
        case "digits":
            return _ascii_digits(_GROUPING.sub("", piece))
        case "han":
            return str(han_value(piece))
        case _:
            return piece.casefold()


def _ascii_digits(text: str) -> str:
    return "".join(str(int(char)) if char.isdecimal() else char for char in text)


def _claim(mask: bytearray, start: int, end: int) -> bool:
    """Mark a place as taken; False when part of it was already."""
    if mask.find(1, start, end) >= 0:
        return False
    mask[start:end] = b"\x01" * (end - start)
    return True
