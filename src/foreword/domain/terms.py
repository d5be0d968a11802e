"""Search terms: how text is cut into words so that every database finds the same.

Terms are plain ASCII, so that no database's own tokenizer can cut them differently, and the terms
of a term are that term alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Literal

_UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f"  # Myanmar
    "\u1780-\u17ff"  # Khmer
    "\u2e80-\u9fff"  # CJK radicals, kana, ideographs
    "\uac00-\ud7a3"  # Hangul: a word and its particles are written together
    "\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Scripts that put no space between words; their characters are terms alone and in pairs."""

_JAMO = re.compile("[\u1100-\u11ff]")
_RUNS = re.compile(f"([{_UNSPACED}]+)|[^\\W_{_UNSPACED}][^ {_UNSPACED}]*")
"""In folded text: a run of unspaced characters, or a word."""


def search_terms(text: str) -> tuple[str, ...]:
    """Return the terms of `text` in order, repeated ones included.

    Case, accents and compatibility forms do not count: `Öra`, `ora` and `ＯＲＡ` are one term.
    """
    folded = composed(text).translate(_FOLDED)
    if folded.isascii():
        return tuple(folded.split())
    return tuple(term for _, term in _terms(folded))


@dataclass(frozen=True, slots=True)
class Sought:
    """A term to look for, as a query gives it."""

    term: str
    written: str
    """As people write it, folded."""
    beside: str = ""
    """The terms of a text where the one before it and this stand side by side, with spaces."""


def sought_terms(text: str) -> tuple[Sought, ...]:
    """Return the terms by which a query is best answered, in order, repeated ones included.

    Words, and of scripts without spaces the pairs of characters; a character that stands alone is
    a term, one in a pair is not.
    """
    found: list[Sought] = []
    last: list[str] = []
    for run in _RUNS.finditer(composed(text).translate(_FOLDED)):
        word = run[0]
        if run[1] is None or len(word) == 1:
            term = _ascii(word)
            found.append(Sought(term, word, " ".join([*last, term] if last else [])))
            last = [term]
            continue
        if last:
            last.append(_ascii(word[0]))
        for first, second in pairwise(word):
            pair = _ascii(first + second)
            found.append(Sought(pair, first + second, " ".join([*last, pair] if last else [])))
            last = [pair, _ascii(second)]
    return tuple(found)


def composed(text: str) -> str:
    """Return `text` with its Hangul as whole syllables, the form in which they are terms."""
    return unicodedata.normalize("NFC", text) if _JAMO.search(text) else text


def located_terms(text: str, among: frozenset[str] | None = None) -> Iterator[tuple[int, str]]:
    """Yield the terms of a `composed` text in order, each with the index of its first character.

    Args:
        text: any text.
        among: only these terms, which is faster.
    """
    places: Sequence[int] = range(len(text))
    if not text.isascii() and any(len(_FOLDED[ord(char)]) != 1 for char in set(text)):
        places = [place for place, char in enumerate(text) for _ in _FOLDED[ord(char)]]
    folded = text.translate(_FOLDED)
    if among is not None and folded.isascii():
        words = "|".join(sorted(filter(str.isalnum, among), key=len, reverse=True))
        alone = f"(?<![^ ])(?:{words})(?![^ ])"
        for found in re.finditer(alone, folded) if words else ():
            yield places[found.start()], found[0]
        return
    for place, term in _terms(folded):
        if among is None or term in among:
            yield places[place], term


def _terms(folded: str) -> Iterator[tuple[int, str]]:
    for run in _RUNS.finditer(folded):
        if run[1] is None:
            yield run.start(), _ascii(run[0])
            continue
        singles = [_ascii(char) for char in run[1]]
        for place, (char, after) in enumerate(zip_longest(singles, singles[1:], fillvalue="")):
            yield run.start() + place, char
            if after:
                yield run.start() + place, char + after


def _ascii(term: str) -> str:
    return term if term.isascii() else term.translate(_SPELLED)


class _Spelling(dict[int, str]):
    """Each character in ASCII, worked out when it is first met: for `str.translate`."""

    def __missing__(self, code: int) -> str:
        spelled = chr(code) if code < 128 else f"u{code:x}"
        self[code] = spelled
        return spelled


class _Folding(dict[int, str]):
    """What each character becomes, worked out when it is first met: for `str.translate`."""

    def __missing__(self, code: int) -> str:
        decomposed = unicodedata.normalize("NFKD", chr(code)).casefold()
        form: Literal["NFC", "NFKD"] = "NFC" if _JAMO.search(decomposed) else "NFKD"
        folded = "".join(map(_kept, unicodedata.normalize(form, decomposed)))
        self[code] = folded
        return folded


def _kept(char: str) -> str:
    """Return a letter, digit or vowel sign itself, nothing for an accent, else a space."""
    kind = unicodedata.category(char)
    if unicodedata.combining(char) or kind == "Me" or unicodedata.name(char, "") in _INVISIBLE:
        return ""
    if char.isalnum() or kind[0] == "M":
        return char
    return " "


_INVISIBLE = frozenset(
    {"SOFT HYPHEN", *(f"VARIATION SELECTOR-{number}" for number in range(1, 257))}
)
_FOLDED = _Folding()
_SPELLED = _Spelling()
