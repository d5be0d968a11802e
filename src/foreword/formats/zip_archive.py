"""A ZIP archive from a stranger, read in memory and within limits.

Below `epub`, above `zipfile`. Invariant: nothing is ever written to a disk, no more is
ever unpacked than `LARGEST_TOTAL` and than its size explains, and only errors of `foreword.errors`
come out.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from foreword.errors import FileUnreadable

MOST_ENTRIES: Final = 20_000
"""The largest illustrated books have some thousands of files."""
LARGEST_DIRECTORY: Final = 16 * 1024 * 1024
"""Bytes of the list of files: room for `MOST_ENTRIES` with long names."""
LARGEST_ENTRY: Final = 32 * 1024 * 1024
"""Bytes, unpacked; a long novel in one file has about two million."""
LARGEST_TOTAL: Final = 256 * 1024 * 1024
"""Bytes, unpacked, of all files that are read: more is no text that people wrote."""
LARGEST_RATIO: Final = 200
"""Unpacked to packed; text reaches about 5, markup that repeats itself 50, a bomb 1 000."""
LARGEST_WHOLE_RATIO: Final = 50
"""The same for all files that are read together, to the whole archive."""
SMALL: Final = 1024 * 1024
"""Bytes; below it no ratio does harm."""

_MAGIC: Final = b"PK\x03\x04"
_END: Final = b"PK\x05\x06"
_END_SIZE: Final = 22
_LONGEST_COMMENT: Final = 65_535
_KNOWN_PACKING: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_DAMAGES: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    IndexError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)
_AGAIN: Final = "Get it again from where it came."


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpacked:
    """A file of an archive, or why there is none."""

    data: bytes = b""
    problem: str = ""


def is_zip(data: bytes) -> bool:
    """Say whether `data` begins as a ZIP archive does."""
    return data.startswith(_MAGIC)


class Archive:
    """The files of an archive by name; of two with the same name the later counts."""

    def __init__(self, data: bytes, path: str) -> None:
        """Read the list of files.

        Raises:
            FileUnreadable: it is damaged, or names more files than `MOST_ENTRIES`.
        """
        self._path = path
        self._unpacked = 0
        self._most = min(LARGEST_TOTAL, max(LARGEST_ENTRY, LARGEST_WHOLE_RATIO * len(data)))
        _check_directory(data, path)
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
            entries = self._zip.infolist()
        except _DAMAGES as error:
            reason = f"the archive is damaged or cut off. {_AGAIN}"
            raise FileUnreadable(path=path, reason=reason) from error
        if len(entries) > MOST_ENTRIES:
            raise FileUnreadable(path=path, reason=_too_many(len(entries)))
        self._entries = {_plain(entry.filename): entry for entry in entries}
        self._folded = {name.casefold(): name for name in reversed(self._entries)}
        self.repeated = len(entries) - len(self._entries)
        """How many files have the name of another."""

    @property
    def names(self) -> Iterator[str]:
        """The names, in the order of the list."""
        yield from self._entries

    def found(self, name: str) -> str:
        """Return the name of a file as it is written here, whatever its case; empty for none."""
        plain = _plain(name)
        return plain if plain in self._entries else self._folded.get(plain.casefold(), "")

    def read(self, name: str) -> Unpacked:
        """Return a file.

        Raises:
            FileUnreadable: it is larger than the limits allow, or needs a password.
        """
        entry = self._entries.get(self.found(name))
        if entry is None:
            return Unpacked(problem="the archive has no such file")
        if entry.flag_bits & 1:
            reason = "its files need a password. Get a copy without one."
            raise FileUnreadable(path=self._path, reason=reason)
        if entry.compress_type not in _KNOWN_PACKING:
            return Unpacked(problem="it is packed in a way that books do not use")
        room = min(LARGEST_ENTRY, self._most - self._unpacked)
        try:
            with self._zip.open(entry) as packed:
                data = packed.read(room + 1)
        except _DAMAGES:
            return Unpacked(problem="it is damaged")
        self._unpacked += len(data)
        bomb = len(data) > SMALL and len(data) > LARGEST_RATIO * max(entry.compress_size, 1)
        if len(data) > room or bomb:
            reason = (
                f"{entry.filename[:200]!r} in it unpacks to more than a book can hold. "
                "Make a new file from the book's text."
            )
            raise FileUnreadable(path=self._path, reason=reason)
        return Unpacked(data=data)


def _plain(name: str) -> str:
    return name.replace("\\", "/").lstrip("/")


def _too_many(number: int) -> str:
    return f"the archive lists {number} files, no book has so many. {_AGAIN}"


def _check_directory(data: bytes, path: str) -> None:
    """Look at what the archive says of its list before anything reads the list."""
    at = data.rfind(_END, max(0, len(data) - _END_SIZE - _LONGEST_COMMENT))
    if at < 0 or at + _END_SIZE > len(data):
        return
    number, size = struct.unpack_from("<HI", data, at + 10)
    if number > MOST_ENTRIES or size > LARGEST_DIRECTORY:
        raise FileUnreadable(path=path, reason=_too_many(number))
