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
_ABBREVIATION: Final = re.compile(r"(?:^|[\s(\"“])(?:[^\W\d_]{1,3}|\d{1,3})\.\Z")
_CLOSERS: Final = {"“": "”", "„": "“", "«": "»", "»": "«", "「": "」", "『": "』"}
_OPENERS: Final = frozenset({*_CLOSERS, '"'})
_CLOSING: Final = frozenset({*_CLOSERS.values(), '"'})
_TRAILING: Final = " \t,;:–—-，；：、"
_LEADING: Final = " –—-,;，；"
_QUOTES: Final = '"“”„’'
_WIDE: Final = 0x2FFF
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
    clauses: list[Clause] = []
    quote, before = "", ""
    for piece in _pieces(sentence):
        after = _open_quote(piece, quote)
        fresh = not before or (bool(_STOP.search(before)) and not continues(before, piece))
        clauses.append(Clause(text=piece, fresh=fresh, quote_before=quote, quote_after=after))
        quote, before = after, piece
    return tuple(clauses)


def continues(before: str, text: str) -> bool:
    """True for the "she said" behind a quotation that ends with a mark of its own."""
    return before.rstrip()[-1:] in _CLOSING and text[:1].islower()


def mend(clauses: Sequence[Clause]) -> str:
    """Write neighbouring clauses of one sentence as a fragment that can stand alone."""
    text = clauses[0].text
    for clause in clauses[1:]:
        text += glue(text) + clause.text
    text = text.lstrip(_LEADING) or text
    first, last = clauses[0], clauses[-1]
    if first.quote_before and not text.startswith(first.quote_before):
        text = first.quote_before + text
    text = _without_trailing(text)
    if last.quote_after and not text.endswith(_closer(last.quote_after)):
        text += _closer(last.quote_after)
    for opener, closer in _CLOSERS.items():
        if text.count(closer) > text.count(opener) and closer not in _CLOSERS:
            text = opener + text
    return text


def join_fragments(fragments: Sequence[str], *, opens: bool) -> str:
    """Join mended fragments of one sentence; ellipses stand where words were left out."""
    text = fragments[0]
    for fragment in fragments[1:]:
        mark, rest = fragment[0], fragment
        if len(text) > 1 and (text[-1] == mark == '"' or _CLOSERS.get(mark) == text[-1]):
            text, rest = text[:-1], fragment[1:]
        text += glue(text) + rest if _STOP.search(text) else f" … {rest}"
    if not opens:
        text = f"{text[0]}… {text[1:]}" if text[0] in _OPENERS else f"… {text}"
    return _ended(text)


def glue(before: str) -> str:
    """What stands between `before` and the next words: nothing after Chinese or Japanese."""
    return "" if ord(before.rstrip(_QUOTES)[-1:] or "x") > _WIDE else " "


def _ended(text: str) -> str:
    """Give a fragment the full stop it lacks."""
    if _STOP.search(text):
        return text
    stop = "。" if ord(text[-1]) > _WIDE or ord(text[0]) > _WIDE else "."
    inside = text[-1] in _CLOSING and text[0] in _OPENERS
    return f"{text[:-1]}{stop}{text[-1]}" if inside else f"{text}{stop}"


def _without_trailing(text: str) -> str:
    """Drop the comma or dash a cut left behind, also just inside a closing quotation mark."""
    if _STOP.search(text):
        return text
    if text[-1:] in _CLOSING:
        return text[:-1].rstrip(_TRAILING) + text[-1]
    return text.rstrip(_TRAILING) or text


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
