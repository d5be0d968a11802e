"""File formats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from foreword.domain.ids import BranchId
from foreword.domain.interchange import Bundle, FileContents, Loss


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

    def read(self, file: SourceFile) -> FileContents:
        """Read the file, keeping all that can be kept.

        Raises:
            FileUnreadable: nothing in it can be used.
            BundleTooNew: a later Foreword wrote it.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A file that was made, not yet on any disk."""

    data: bytes
    losses: tuple[Loss, ...] = ()
    """What the conversation has and the file has not; `where` is a place in the conversation."""


class Writer(Protocol):
    """Writes one kind of file."""

    @property
    def name(self) -> str:
        """The word for it in `--format`."""
        ...

    def write(self, bundle: Bundle, branch: BranchId) -> Written:
        """Return the conversation as this kind of file.

        Args:
            bundle: everything of the conversation.
            branch: the one to write, for formats that hold only one; it is in the bundle.
        """
        ...
