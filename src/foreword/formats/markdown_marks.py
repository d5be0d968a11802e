r"""The marks in Foreword's Markdown: comments that viewers do not show, at the head and a turn.

Below `markdown_export` and `markdown_own`. Invariant: `unquoted(quoted(text))` is `text`, a quoted
text holds no mark and no carriage return, and a mark never ends its comment early.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from foreword.domain.storable import storable_text
from foreword.formats.json_lines import JsonObject, parse, to_json

MARKDOWN_FORMAT: Final = 1
HEAD_KEY: Final = "markdown"
ENDS_KEY: Final = "ends"
CRLF: Final = "crlf"
"""Under `ENDS_KEY`: each newline of the text stands for a carriage return and a newline."""
_OPEN, _CLOSE = "<!-- foreword ", " -->"
_HEAD: Final = re.compile(r'^<!-- foreword \{"markdown":[^\n]*\} -->$', re.MULTILINE)
_IN_JSON: Final = {"<": r"\u003c", ">": r"\u003e", "--": r"-\u002d"}
_MARK_IN_TEXT: Final = re.compile(r"<!-- (\\*)foreword")
_QUOTED_MARK: Final = re.compile(r"<!-- \\(\\*)foreword")
_RETURN_IN_TEXT: Final = re.compile(r"&((?:amp;)*)#13;")
_QUOTED_RETURN: Final = re.compile(r"&amp;((?:amp;)*)#13;|&#13;")
_SPECIAL: Final = re.compile(r"[\\`*_\[\]<>&~|#!$]")
_ESCAPED: Final = re.compile(r"\\([\\`*_\[\]<>&~|#!$])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A mark in its place, with the text behind it up to the next one."""

    line: int
    """From 1."""
    lead: str
    """What stands before the mark in its line, for people."""
    value: JsonObject | None
    """Its fields; None where somebody's hand broke them."""
    body: str
    """Quoted, without the empty lines that frame it."""


def head_of(text: str) -> int:
    """Return where the mark at the head of Foreword's Markdown begins, -1 where there is none."""
    found = _HEAD.search(text)
    return found.start() if found else -1


def written(value: JsonObject) -> str:
    """Return a mark with these fields."""
    json = to_json(value)
    for sign, escaped in _IN_JSON.items():
        json = json.replace(sign, escaped)
    return f"{_OPEN}{json}{_CLOSE}"


def marks_in(text: str, start_line: int = 1) -> Iterator[Mark]:
    r"""Yield the marks of a text whose lines end in `\n`; what stands before the first is left."""
    lines = text.split("\n")
    places = [number for number, line in enumerate(lines) if _is_mark(line)]
    for place, after in zip(places, [*places[1:], len(lines)], strict=True):
        lead, _, json = lines[place].rpartition(_OPEN)
        yield Mark(
            line=start_line + place,
            lead=lead.strip(),
            value=_fields(json.removesuffix(_CLOSE)),
            body="\n".join(lines[place + 1 : after]).removeprefix("\n").removesuffix("\n"),
        )


def quoted(text: str) -> str:
    """Return a text so that nothing in it looks like a mark and every line ends in a newline."""
    text = _MARK_IN_TEXT.sub(r"<!-- \\\1foreword", text)
    return _RETURN_IN_TEXT.sub(r"&amp;\1#13;", text).replace("\r", "&#13;")


def unquoted(text: str) -> str:
    """Return the text that was quoted."""
    text = _QUOTED_RETURN.sub(lambda found: _unquoted_return(found[1]), text)
    return _QUOTED_MARK.sub(r"<!-- \1foreword", text)


def escaped(line: str) -> str:
    """Return words as one line of Markdown that shows them as they are."""
    return _SPECIAL.sub(r"\\\g<0>", " ".join(line.split()))


def unescaped(line: str) -> str:
    """Return the words that a line of Markdown shows, as far as `escaped` made it."""
    return _ESCAPED.sub(r"\1", line)


def text_at(value: JsonObject, key: str) -> str:
    """Return a text field that a database can store, empty for anything else."""
    found = value.get(key)
    return storable_text(found) if isinstance(found, str) else ""


def _is_mark(line: str) -> bool:
    return line.endswith(_CLOSE) and _OPEN + "{" in line


def _fields(json: str) -> JsonObject | None:
    try:
        value = parse(json)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _unquoted_return(more: str | None) -> str:
    return "\r" if more is None else f"&{more}#13;"
