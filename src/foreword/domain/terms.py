"""Search terms: how text is cut into words so that every database finds the same.

Terms are plain ASCII, so that no database's own tokenizer can cut them differently.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import pairwise

UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x9FFF),  # CJK radicals, kana, ideographs
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
"""Ranges of scripts that put no space between words; they are indexed as pairs of characters."""


def search_terms(text: str) -> tuple[str, ...]:
    """Return the terms of `text` in order, repeated ones included.

    Case, accents and compatibility forms do not count: `Öra`, `ora` and `ＯＲＡ` are one term.
    """
    return tuple(_terms(text))


def _terms(text: str) -> Iterator[str]:
    word: list[str] = []
    run: list[str] = []
    for char in unicodedata.normalize("NFKD", text.casefold()):
        if unicodedata.combining(char):
            continue
        if _unspaced(char):
            yield from _word(word)
            run.append(char)
            continue
        yield from _pairs(run)
        if char.isalnum():
            word.append(char)
        else:
            yield from _word(word)
    yield from _word(word)
    yield from _pairs(run)


def _word(word: list[str]) -> Iterator[str]:
    """Yield the collected word, if any, and start the next."""
    if word:
        yield _ascii("".join(word))
        word.clear()


def _pairs(run: list[str]) -> Iterator[str]:
    """Yield each pair of neighbours in a run of unspaced characters, or its only one."""
    if len(run) == 1:
        yield _ascii(run[0])
    for left, right in pairwise(run):
        yield _ascii(left + right)
    run.clear()


def _unspaced(char: str) -> bool:
    code = ord(char)
    return code >= UNSPACED[0][0] and any(lo <= code <= hi for lo, hi in UNSPACED)


def _ascii(term: str) -> str:
    return "".join(char if char.isascii() else f"u{ord(char):x}" for char in term)
