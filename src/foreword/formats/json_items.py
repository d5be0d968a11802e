"""The values of a JSON file one after the other: of a list, of lines, or the only one.

Above: the formats that hold many conversations. Below: `json_lines`. Invariant: a value that cannot
be read costs itself, or in a list that is cut off all after it, and is named; the ones before it
are there, and nobody has to read the whole file to see what its first value is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from foreword.domain.interchange import Loss
from foreword.formats.json_lines import JsonValue, parse_at, split_lines

_BLANK = re.compile(r"[\s\x00\ufeff]*")
_BETWEEN = re.compile(r"\s*,?\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A value in its place."""

    where: str
    """The place as a person would look for it."""
    value: JsonValue


def json_items(text: str, losses: list[Loss]) -> Iterator[Item]:
    """Yield the values of a list, of lines of JSON, or of a file that is one value.

    What cannot be read is added to `losses` when its turn comes.
    """
    start = _end(_BLANK, text, 0)
    if text.startswith("[", start):
        return _listed(text, start + 1, losses)
    return _single(text, start) or _lines(text, losses)


def _single(text: str, start: int) -> Iterator[Item] | None:
    """Return the one value of the file, or None when there is more, or none."""
    try:
        value, end = parse_at(text, start)
    except ValueError:
        return None
    if _end(_BLANK, text, end) < len(text):
        return None
    return iter((Item(where="the document", value=value),))


def _listed(text: str, at: int, losses: list[Loss]) -> Iterator[Item]:
    number = 1
    at = _end(_BLANK, text, at)
    while at < len(text) and text[at] != "]":
        try:
            value, end = parse_at(text, at)
        except ValueError as error:
            why = str(error)
            losses.append(Loss(where=f"item {number}", what="it and all after it", why=why))
            return
        yield Item(where=f"item {number}", value=value)
        at = _end(_BETWEEN, text, end)
        number += 1
    if at >= len(text):
        losses.append(Loss(where="the end of the file", what="certainty", why="it is cut off"))
    elif _end(_BLANK, text, at + 1) < len(text):
        why = "it stands behind the end of the list"
        losses.append(Loss(where="the end of the file", what="some text", why=why))


def _lines(text: str, losses: list[Loss]) -> Iterator[Item]:
    for number, raw in enumerate(split_lines(text)[0], start=1):
        start = _end(_BLANK, raw, 0)
        if start == len(raw):
            continue
        where = f"line {number}"
        try:
            value, end = parse_at(raw, start)
        except ValueError as error:
            losses.append(Loss(where=where, what="the whole line", why=str(error)))
            continue
        if _end(_BLANK, raw, end) < len(raw):
            why = "it stands behind the end of the value"
            losses.append(Loss(where=where, what="some text", why=why))
        yield Item(where=where, value=value)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
