"""File formats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from foreword.domain.interchange import Bundle, Chat


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file to be read, with its bytes."""

    path: str
    """As the user gave it; for messages and for the title where the file names none."""
    data: bytes


class Format(Protocol):
    """Reads one kind of file."""

    @property
    def name(self) -> str:
        """The word for it in commands and messages, for example `sillytavern`."""
        ...

    def recognises(self, file: SourceFile) -> bool:
        """Say by content, not by name, whether this format reads the file."""
        ...

    def read(self, file: SourceFile) -> Chat | Bundle:
        """Read the file, keeping all that can be kept.

        Raises:
            FileUnreadable: nothing in it can be used.
            BundleTooNew: a later Foreword wrote it.
        """
        ...
