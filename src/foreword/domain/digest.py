"""Digests: what makes two turns, or two stretches of turns, the same to a model.

Canonical form v1 holds role, speaker id and parts, nothing else: no reasoning, dates or ids. A
different form needs another version number, since stored digests are compared for years.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b
from typing import assert_never

from foreword.domain.ids import SpeakerId
from foreword.domain.turn import (
    Content,
    MediaPart,
    Part,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)

DIGEST_VERSION = 1
DIGEST_SIZE = 16


def content_digest(content: Content) -> bytes:
    """Return the 16-byte BLAKE2b digest of what a model would read of `content`.

    Source: DECISIONS D3.
    """
    head = _head(content.role, content.speaker)
    return _digest(head + b"".join(_framed(_part_fields(part)) for part in content.parts))


def span_digest(digests: Iterable[bytes]) -> bytes:
    """Return the digest of a stretch of visible turns from theirs, in order."""
    return _digest(b"".join(digests))


def match_key(text: str) -> bytes:
    """Return a key that survives what clients do to a text: spacing, case, Unicode form.

    It recognises turns; it never validates a summary.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _digest(_framed([" ".join(folded.split())]))[:8]


@lru_cache(maxsize=1024)
def _head(role: Role, speaker: SpeakerId) -> bytes:
    return _framed((str(DIGEST_VERSION), role.value, speaker))


def _part_fields(part: Part) -> tuple[str, ...]:
    match part:
        case TextPart():
            return ("text", part.text)
        case ToolCallPart():
            return ("tool_call", part.call_id, part.name, part.arguments)
        case ToolResultPart():
            return ("tool_result", part.call_id, part.text)
        case MediaPart():
            return ("media", part.media_type, part.reference)
        case _:
            assert_never(part)


def _framed(fields: Iterable[str]) -> bytes:
    """Join fields with their lengths, so that no two lists of fields give the same bytes."""
    framed: list[bytes] = []
    for field in fields:
        data = field.encode("utf-8", "surrogatepass")
        framed += (len(data).to_bytes(8, "big"), data)
    return b"".join(framed)


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=DIGEST_SIZE).digest()
