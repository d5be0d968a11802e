"""The text chunks of a PNG picture, where character cards keep their JSON.

Below `character_card`. Invariant: a length that lies costs the chunk, a chunk that unpacks to more
than `LARGEST_TEXT` is refused, and no more than that is ever unpacked.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final

from foreword.errors import FileUnreadable

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
LARGEST_TEXT: Final = 32 * 1024 * 1024
"""Bytes; the largest cards that people share are below a tenth of it."""


def is_png(data: bytes) -> bool:
    """Say whether `data` begins as a PNG picture does."""
    return data.startswith(SIGNATURE)


def text_chunks(data: bytes, path: str, keywords: frozenset[str]) -> dict[str, bytes]:
    """Return the texts under some keywords; the first of each counts.

    Args:
        data: the picture.
        path: for the error.
        keywords: in lower case.

    Raises:
        FileUnreadable: such a text is larger than `LARGEST_TEXT`, or is packed and damaged.
    """
    found: dict[str, bytes] = {}
    for kind, body in _chunks(data):
        keyword, separator, rest = body.partition(b"\x00")
        name = keyword.decode("latin-1").lower()
        if separator and name in keywords and name not in found:
            found[name] = _text(kind, rest, path)
    return found


def has_text(data: bytes, keywords: frozenset[str]) -> bool:
    """Say whether a text stands under one of the keywords, without unpacking any."""
    return any(
        body.partition(b"\x00")[0].decode("latin-1").lower() in keywords
        for _, body in _chunks(data)
    )


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the kind and the body of each chunk with text; stop where a length goes too far."""
    at = len(SIGNATURE)
    while at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        kind = data[at + 4 : at + 8]
        end = at + 8 + length
        if end + 4 > len(data) or kind == b"IEND":
            return
        if kind in {b"tEXt", b"zTXt", b"iTXt"}:
            yield kind, data[at + 8 : end]
        at = end + 4


def _text(kind: bytes, rest: bytes, path: str) -> bytes:
    if kind == b"tEXt":
        return _bounded(rest, path)
    if kind == b"zTXt":
        return _unpacked(rest[1:], path)
    packed, fields = rest[:1] == b"\x01", rest[2:].split(b"\x00", 2)
    text = fields[2] if len(fields) == 3 else b""
    return _unpacked(text, path) if packed else _bounded(text, path)


def _bounded(text: bytes, path: str) -> bytes:
    if len(text) > LARGEST_TEXT:
        raise FileUnreadable(path=path, reason="the card in the picture is too large to be one.")
    return text


def _unpacked(data: bytes, path: str) -> bytes:
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(data, LARGEST_TEXT + 1)
    except zlib.error as error:
        reason = "the card in the picture is damaged. Get it again from where it came."
        raise FileUnreadable(path=path, reason=reason) from error
    return _bounded(text, path)
