"""Cuts a sentence at its commas, dashes and inner full stops, and mends what is taken out of it.

Above: `sentences` and `narrative`. Below: nothing. Invariant: the clauses of a sentence, joined,
are the sentence; a mended fragment has balanced quotation marks and no word of its own.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_CUT: Final = re.compile(
    r"(?<=[,;:])[\"”’»]?\s+(?=\S)"
    r"|\s+(?=[–—]\s)|(?<=\w)\s*—\s*(?=\w)"
    r"|(?<=[.!?…])[\"”’»*]*\s+(?=\S)"
    r"|(?<=[，；：。！？])[”」』]?(?=[^”」』，；：。！？])"
)
_STOP: Final = re.compile(r"[.!?…。！？][\"”’»」』*)]*\Z")
_ABBREVIATION: Final = re.compile(r"(?:^|[\s(\"“])[^\W\d_]{1,3}\.\Z")
_CLOSERS: Final = {"“": "”", "„": "“", "«": "»", "「": "」", "『": "』"}
_TRAILING: Final = " \t,;:–—-，；：、"
_MIN_WORDS: Final = 2
_MAX_CLAUSES: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A piece of a sentence with what is needed to show it alone."""

    text: str
    fresh: bool
    """Begins a sentence, if only inside a quotation."""
    quote_before: str
    """The quotation mark that is open where the clause begins; empty outside quotations."""
    quote_after: str
    """The quotation mark that is open where it ends."""


def cut(sentence: str) -> tuple[Clause, ...]:
    """Cut a sentence into clauses, in order."""
    pieces = _pieces(sentence)
    clauses: list[Clause] = []
    quote, fresh = "", True
    for piece in pieces:
        after = _open_quote(piece, quote)
        clauses.append(
            Clause(text=piece, fresh=fresh, quote_before=quote, quote_after=after)
        )
        quote, fresh = after, bool(_STOP.search(piece))
    return tuple(clauses)


def mend(clauses: Sequence[Clause]) -> str:
    """Write neighbouring clauses of one sentence as a fragment that can stand alone."""
    text = " ".join(clause.text for clause in clauses) if _spaced(clauses) else "".join(
        clause.text for clause in clauses
    )
    if not _STOP.search(text):
        text = text.rstrip(_TRAILING)
    text = text.lstrip(" –—-,;，；")
    first, last = clauses[0], clauses[-1]
    if first.quote_before and not text.startswith(first.quote_before):
        text = first.quote_before + text
    if last.quote_after and not text.endswith(_closer(last.quote_after)):
        text += _closer(last.quote_after)
    return text


def _spaced(clauses: Sequence[Clause]) -> bool:
    return not any(ord(clause.text[-1]) > 0x2FFF for clause in clauses[:-1])


def _pieces(sentence: str) -> list[str]:
    pieces: list[str] = []
    at = 0
    for match in _CUT.finditer(sentence):
        end = match.end()
        piece = sentence[at:end].rstrip()
        if len(piece.split()) < _MIN_WORDS and piece.isascii() and not _STOP.search(piece):
            continue
        if _ABBREVIATION.search(piece) or len(pieces) >= _MAX_CLAUSES:
            continue
        pieces.append(piece)
        at = end
    pieces.append(sentence[at:].rstrip())
    return [piece for piece in pieces if piece]


def _closer(mark: str) -> str:
    return _CLOSERS.get(mark, mark)


def _open_quote(piece: str, quote: str) -> str:
    for char in piece:
        if quote:
            quote = "" if char == _closer(quote) else quote
        elif char == '"' or char in _CLOSERS:
            quote = char
    return quote
