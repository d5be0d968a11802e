"""The conversations in what a chat service gives out: a JSON file, or the ZIP that it comes in.

Below `chatgpt` and `claude`, above `json_items`. Invariant: of an archive only the files with
conversations are read, never more of them than `MOST_BYTES` and than its own size explains,
whatever it says of itself.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Final

from foreword.domain.interchange import Loss
from foreword.errors import FileUnreadable
from foreword.formats.decoding import decode
from foreword.formats.json_items import Item, json_items
from foreword.formats.json_lines import JsonValue
from foreword.ports.format import SourceFile

MOST_BYTES: Final = 1 << 30
"""So much of an archive is unpacked, all its conversations together."""
LARGEST_RATIO: Final = 50
"""Unpacked to packed; conversations reach about 15, a bomb 1 000."""
SMALL: Final = 4 << 20
"""Bytes; below it no ratio does harm."""
_HEAD: Final = 1 << 20
_LOOKED_AT: Final = 20
_MOST_MEMBERS: Final = 100_000
_ARCHIVE: Final = b"PK\x03\x04"
_MEMBER: Final = re.compile(r"(?:.*[/\\])?conversations(?:[-_. ]?\d+)?\.json", re.IGNORECASE)
_NAMED: Final = re.compile(rb"conversations(?:[-_. ]?\d+)?\.json", re.IGNORECASE)
_PACKINGS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_BROKEN: Final = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    IndexError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
    struct.error,
)
"""What reading a broken archive raises; `RuntimeError` is for one with a password."""


def holds(file: SourceFile, key: re.Pattern[str], is_one: Callable[[JsonValue], bool]) -> bool:
    """Say whether a file or archive has a conversation near its beginning.

    Args:
        file: any file.
        key: matches the JSON key that conversations have, as it stands in the file.
        is_one: says whether a value is a conversation.
    """
    if file.data.startswith(_ARCHIVE):
        try:
            return any(_begins_with(head, key) for _, head in _members(file, _HEAD, cut=True))
        except FileUnreadable:  # cut off, most likely: reading it says so
            return _NAMED.search(file.data) is not None
    if not _begins_with(file.data[:_HEAD], key):
        return False
    number = 0
    for number, item in enumerate(json_items(decode(file.data).text, []), start=1):
        if is_one(item.value) or number == _LOOKED_AT:
            return is_one(item.value)
    return number == 0


def conversations_in(file: SourceFile, losses: list[Loss]) -> Iterator[Item]:
    """Yield the values in a file, or in an archive's files with conversations.

    Raises:
        FileUnreadable: the archive is damaged, or its conversations are too large.
    """
    if not file.data.startswith(_ARCHIVE):
        decoded = decode(file.data)
        losses += decoded.losses
        yield from json_items(decoded.text, losses)
        return
    left = MOST_BYTES
    for name, data in _members(file, MOST_BYTES):
        left -= len(data)
        if left < 0:
            raise FileUnreadable(path=file.path, reason=_too_large(name))
        own: list[Loss] = []
        decoded = decode(data)
        for item in json_items(decoded.text, own):
            yield Item(where=f"{name}, {item.where}", value=item.value)
        losses += [
            Loss(where=f"{name}, {loss.where}", what=loss.what, why=loss.why)
            for loss in (*decoded.losses, *own)
        ]


def _begins_with(data: bytes, key: re.Pattern[str]) -> bool:
    text = decode(data).text.lstrip("\ufeff\x00 \t\r\n")
    return text.startswith(("[", "{")) and key.search(text) is not None


def _members(file: SourceFile, most: int, *, cut: bool = False) -> Iterator[tuple[str, bytes]]:
    """Yield the files with conversations, by name, each with at most `most` bytes.

    Args:
        file: the archive.
        most: see above.
        cut: yield what there is of a larger file; it is refused unread otherwise.
    """
    try:
        if file.data.count(b"PK\x01\x02") > _MOST_MEMBERS:
            raise FileUnreadable(path=file.path, reason="the archive has too many files.")
        with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
            found = [one for one in archive.infolist() if _MEMBER.fullmatch(one.filename)]
            for member in sorted(found, key=lambda one: one.filename):
                if member.file_size > most and not cut:
                    raise FileUnreadable(path=file.path, reason=_too_large(member.filename))
                packed = min(member.compress_size, len(file.data))
                room = max(SMALL, LARGEST_RATIO * packed)
                data = _unpacked(archive, member, min(most, room + 1))
                if len(data) > room:
                    raise FileUnreadable(path=file.path, reason=_too_packed(member.filename))
                yield member.filename, data
    except _BROKEN as error:
        reason = f"the archive is damaged ({error}). Get it again from where it came."
        raise FileUnreadable(path=file.path, reason=reason) from error


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes:
    if member.compress_type not in _PACKINGS:
        msg = f"{member.filename} is packed in an unusual way"
        raise zipfile.BadZipFile(msg)
    with archive.open(member) as stream:
        return stream.read(most)


def _too_packed(name: str) -> str:
    return (
        f"{name} in it unpacks to more than {LARGEST_RATIO} times its size, as no conversations "
        "do. Get it again from where it came."
    )


def _too_large(name: str) -> str:
    return (
        f"up to {name} it unpacks to more than {MOST_BYTES >> 20} MiB. Unpack it yourself, and "
        "import the files in it."
    )
