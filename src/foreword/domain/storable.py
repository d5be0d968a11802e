"""What every database can store: text without lone surrogates and NUL characters.

Readers of files replace such characters first; stores call this too, so that text from anywhere
else (a command line with broken bytes) is kept in the same form by each of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import assert_never

from foreword.domain.turn import Content, MediaPart, Part, TextPart, ToolCallPart, ToolResultPart

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_SHORT = 200
"""Names up to this length are remembered: there are few, and each is met often."""


def storable_text(text: str) -> str:
    """Return `text` with U+FFFD in the place of each NUL and each half of a surrogate pair."""
    return text if _is_storable(text) else _UNSTORABLE.sub("\ufffd", text)


def _is_storable(text: str) -> bool:
    """Say whether any database can store `text`; quicker than looking at each character."""
    if "\x00" in text:
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def storable_name(name: str) -> str:
    """Return the name of a speaker as one storable line, so that none looks like another turn."""
    return _short_line(name) if len(name) <= _SHORT else _one_line(name)


def _one_line(name: str) -> str:
    return " ".join(storable_text(name).split())


_short_line = lru_cache(maxsize=1024)(_one_line)


def storable_texts(texts: Mapping[str, str]) -> dict[str, str]:
    """Return a copy of named texts with names and texts that can be stored."""
    return {storable_text(name): storable_text(text) for name, text in texts.items()}


def storable_content(content: Content) -> Content:
    """Return `content` with every text in it storable; the same object when all were."""
    if all(map(_is_storable, _texts(content))):
        return content
    return replace(
        content,
        parts=tuple(_storable_part(part) for part in content.parts),
        reasoning=storable_text(content.reasoning),
        sent_at=storable_text(content.sent_at),
        extra=storable_text(content.extra),
    )


def _texts(content: Content) -> Iterator[str]:
    yield from (content.reasoning, content.sent_at, content.extra)
    for part in content.parts:
        match part:
            case TextPart():
                yield part.text
            case ToolCallPart():
                yield from (part.call_id, part.name, part.arguments)
            case ToolResultPart():
                yield from (part.call_id, part.text)
            case MediaPart():
                yield from (part.media_type, part.reference)
            case _:
                assert_never(part)


def _storable_part(part: Part) -> Part:
    match part:
        case TextPart():
            return TextPart(text=storable_text(part.text))
        case ToolCallPart():
            return ToolCallPart(
                call_id=storable_text(part.call_id),
                name=storable_text(part.name),
                arguments=storable_text(part.arguments),
            )
        case ToolResultPart():
            return ToolResultPart(
                call_id=storable_text(part.call_id), text=storable_text(part.text)
            )
        case MediaPart():
            return MediaPart(
                media_type=storable_text(part.media_type),
                reference=storable_text(part.reference),
            )
        case _:
            assert_never(part)
