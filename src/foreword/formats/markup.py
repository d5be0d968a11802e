"""XML and HTML from strangers as a flat row of tags and texts.

Below `epub_package` and `markup_text`. No tree is built and no entity is defined here, so nesting
without end, expanding entities and references to other files have nothing to work on; a parser
that builds trees would need a limit for each. Invariant: any text gives tags in a time that grows
with its length only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from html import escape, unescape
from typing import Final

from foreword.domain.storable import storable_text
from foreword.formats.decoding import decode

_TAG: Final = re.compile(
    r"""<(?P<close>/?)(?P<name>[A-Za-z_][^\s/<>"'=]*+)
    (?P<rest>(?:[^<>"']|"[^"<]*"|'[^'<]*')*+|[^<>]*+)>""",
    re.VERBOSE,
)
_ATTRIBUTE: Final = re.compile(
    r"""(?P<name>[^\s=/"'<>]+)(?:\s*=\s*(?P<value>"[^"]*"|'[^']*'|[^\s"'<>]+))?"""
)
_ASIDE: Final = re.compile(r"<!--|<!\[CDATA\[|<\?|<!DOCTYPE\b[^<>\[]*\[?", re.IGNORECASE)
_SUBSET_END: Final = re.compile(r"\][ \t\r\n]{0,20}>")
_ENDS: Final = {"<!--": "-->", "<![cdata[": "]]>", "<?": ">", "<!doctype": ">"}
_SUBSET: Final = "["
"""A document type that defines entities of its own begins with one."""
_CODEC: Final = re.compile(
    rb"""^[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.:-]{2,40})["']
    |<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?([\w.:-]{2,40})""",
    re.VERBOSE | re.IGNORECASE,
)
_CHARSETS: Final = re.compile(
    r"(?:windows|iso|cp|koi8|shift|sjis|euc|gb|big5|mac|latin|x-)[\w.:-]+"
)
_HEAD: Final = 1024
"""Bytes in which a document says its encoding."""


class Side(Enum):
    """Which end of an element a tag is."""

    OPEN = "open"
    CLOSE = "close"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A tag in lower case, without the prefix of its namespace."""

    side: Side
    name: str
    attributes: Mapping[str, str]
    """By name in lower case, prefixes kept."""

    def has(self, kind: str, *roles: str) -> bool:
        """Say whether an attribute lists one of these words: `epub:type`, `role`."""
        return not set(roles).isdisjoint(self.attributes.get(kind, "").lower().split())


def tags_of(text: str) -> Iterator[Tag | str]:
    """Yield the tags of a document and the texts between them, entities resolved."""
    text = _without_asides(text)
    at = 0
    for found in _TAG.finditer(text):
        if at < found.start():
            yield storable_text(unescape(text[at : found.start()]))
        at = found.end()
        rest = found["rest"]
        empty = Side.EMPTY if rest.endswith("/") else Side.OPEN
        yield Tag(
            side=Side.CLOSE if found["close"] else empty,
            name=found["name"].rpartition(":")[2].lower(),
            attributes=_attributes(rest),
        )
    if at < len(text):
        yield storable_text(unescape(text[at:]))


def text_of_document(data: bytes) -> str:
    """Return the text of a document: UTF-8 where it is that, else what it says it is."""
    head = data[:_HEAD]
    if b"\x00" not in head:
        declared = _CODEC.search(head)
        name = (declared[1] or declared[2]).decode("ascii", "ignore").lower() if declared else ""
        for codec in ("utf-8-sig", name if _CHARSETS.fullmatch(name) else "utf-8"):
            try:
                return data.decode(codec)
            except (LookupError, UnicodeError):
                continue
    return decode(data).text


def _attributes(text: str) -> dict[str, str]:
    if not text.strip(" \t\r\n/"):
        return {}
    return {
        found["name"].lower(): storable_text(unescape(_unquoted(found["value"] or "")))
        for found in _ATTRIBUTE.finditer(text)
    }


def _unquoted(value: str) -> str:
    return value[1:-1] if value[:1] in {'"', "'"} else value


def _without_asides(text: str) -> str:
    """Return a document without comments, instructions and document types.

    What one of these opens and nothing closes is text.
    """
    kept: list[str] = []
    at = 0
    endless: set[str] = set()
    while found := _ASIDE.search(text, at):
        kept.append(text[at : found.start()])
        kind, at = _kind_of(found[0]), found.end()
        end = -1 if kind in endless else _end_of(text, kind, at)
        if end < 0:
            endless.add(kind)
            continue
        if kind == "<![cdata[":
            kept.append(escape(text[at : end - 3]))
        at = end
    kept.append(text[at:])
    return "".join(kept)


def _kind_of(opening: str) -> str:
    lower = opening.lower()
    if lower.startswith("<!doctype"):
        return _SUBSET if lower.endswith(_SUBSET) else "<!doctype"
    return lower


def _end_of(text: str, kind: str, at: int) -> int:
    """Return where the text goes on behind a comment or the like, -1 where it has no end."""
    if kind == _SUBSET:
        found = _SUBSET_END.search(text, at)
        return found.end() if found else -1
    end = text.find(_ENDS[kind], at)
    return end + len(_ENDS[kind]) if end >= 0 else -1
