"""JSON that people's programs wrote: one value a line, broken lines among them.

Below `sillytavern`, above `decoding`. Invariant: a line that cannot be read costs that line and is
named by its number; a line that can be read can be written again byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from json.encoder import encode_basestring as _quoted

from foreword.domain.interchange import Loss
from foreword.domain.storable import storable_text

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]
JsonObject = dict[str, JsonValue]

MAX_DEPTH = 100
"""Deeper nesting is nobody's chat; Python itself gives up at about a thousand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a program spaces and escapes the JSON it writes."""

    spaced: bool = False
    """`", "` and `": "` instead of `","` and `":"`."""
    ascii: bool = False

    def write(self, value: JsonValue) -> str:
        """Return `value` as one line of JSON in this style."""
        return _encoder(self.spaced, self.ascii).encode(value)


@cache
def _encoder(spaced: bool, ascii_only: bool) -> json.JSONEncoder:  # noqa: FBT001 - quick to cache
    separators = (", ", ": ") if spaced else (",", ":")
    return json.JSONEncoder(ensure_ascii=ascii_only, separators=separators)


STYLES = (
    Style(),
    Style(spaced=True),
    Style(spaced=True, ascii=True),
    Style(ascii=True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An object in its place."""

    number: int
    """From 1, blank lines counted."""
    value: JsonObject
    raw: str
    """The line as it stood."""
    style: Style | None
    """The first style that writes the line again as it stood; none does when its writer had its
    own way with numbers or escapes."""
    end: str = ""
    """All that stands between the line and the next one that is used: what ends it, and lines that
    are blank or cannot be read."""

    @property
    def where(self) -> str:
        """The place as a person would look for it."""
        return f"line {self.number}"


def split_lines(text: str) -> tuple[list[str], str]:
    r"""Return the lines of `text` and what ends them: `\n`, `\r\n` or `\r`."""
    if "\n" not in text and "\r" in text:
        return text.split("\r"), "\r"
    lines = text.split("\n")
    ending = "\r\n" if lines[0].endswith("\r") else "\n"
    return [line.removesuffix("\r") for line in lines], ending


def read_lines(lines: Iterable[str], losses: list[Loss]) -> Iterator[Line]:
    """Yield the objects among `lines`; add what is skipped or changed to `losses`."""
    expected = STYLES[0]
    for number, raw in enumerate(lines, start=1):
        if not raw.strip(" \t\r\n\x00\ufeff"):
            continue
        value = _read(raw, number, losses)
        if not isinstance(value, dict):
            continue
        style = _style_of(value, raw, expected)
        expected = style or expected
        yield Line(number=number, value=value, raw=raw, style=style)


def parse(text: str) -> JsonValue:
    """Return the value that `text` writes; raise `ValueError` with the reason where it is none."""
    try:
        value = _loads(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        raise ValueError(_TOO_DEEP)
    return value


def parse_at(text: str, start: int) -> tuple[JsonValue, int]:
    """Return the value that begins at `start`, however deep, and where it ends.

    Raises:
        ValueError: there is none, with the reason.
    """
    try:
        try:
            return _DECODER.raw_decode(text, start)
        except json.JSONDecodeError as error:
            raise ValueError(_reason(error, text)) from None
        except ValueError:  # an integer too long for Python to read
            return _PATIENT.raw_decode(text, start)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None


def refuse_deep(value: JsonValue) -> None:
    """Raise `ValueError` where a value is nested too deep to be kept."""
    if _depth(value) > MAX_DEPTH:
        raise ValueError(_TOO_DEEP)


def to_json(value: JsonValue) -> str:
    """Return compact JSON that any database stores: lone surrogates stay escaped."""
    text = Style().write(value)
    return text if storable_text(text) == text else Style(ascii=True).write(value)


def kept_json(of: str, **texts: str) -> str:
    """Return the texts that are not empty as one object under `of`, as `to_json` would write it.

    This takes a tenth of the time; every message of an export is written so.
    """
    inside = ",".join(f'"{name}":{_quoted(text)}' for name, text in texts.items() if text)
    return f'{{"{of}":{{{inside}}}}}'


_TOO_DEEP = f"it is nested more than {MAX_DEPTH} levels deep"


def _no_number(_name: str) -> None:
    """Read NaN and Infinity, which JSON does not know, as null."""


_DECODER = json.JSONDecoder(strict=False, parse_constant=_no_number)


def _loads(text: str) -> JsonValue:
    try:
        value: JsonValue = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise ValueError(_reason(error, text)) from None
    except ValueError:  # an integer too long for Python to read
        value = _PATIENT.decode(text)
    return value


def _reason(error: json.JSONDecodeError, text: str) -> str:
    cut = "it is cut off" if error.pos >= len(text.rstrip()) else "it is not valid JSON"
    if error.msg.startswith("Unterminated"):
        cut = "it is cut off"
    line = f"line {error.lineno}, " if "\n" in text else ""
    return f"{cut} ({error.msg}, {line}column {error.colno})"


def _any_int(digits: str) -> JsonValue:
    return int(digits) if len(digits) < 4000 else digits


_PATIENT = json.JSONDecoder(strict=False, parse_constant=_no_number, parse_int=_any_int)


def _read(raw: str, number: int, losses: list[Loss]) -> JsonValue:
    try:
        value = parse(raw)
    except ValueError as error:
        losses.append(Loss(where=f"line {number}", what="the whole line", why=str(error)))
        return None
    if not isinstance(value, dict):
        why = "it holds no JSON object"
        losses.append(Loss(where=f"line {number}", what="the whole line", why=why))
        return None
    return value


def _style_of(value: JsonObject, raw: str, expected: Style) -> Style | None:
    for style in (expected, *STYLES):
        if style.write(value) == raw:
            return style
    return None


def _depth(value: JsonValue) -> int:
    level: list[JsonValue] = [value]
    depth = 0
    while level and depth <= MAX_DEPTH:
        depth += 1
        level = [child for item in level for child in _children(item)]
    return depth


def _children(value: JsonValue) -> Iterable[JsonValue]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
