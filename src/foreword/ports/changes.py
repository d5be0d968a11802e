"""Noticing what others change, in this process or in another one.

Above: `Store.changes`, which begins to look. Revisions are compared, not counted: several changes
of a conversation may be told as one, with the newest revision, and none is lost. What is told is
committed; what is undone by its transaction is never told.

Every implementation passes `foreword.testing.store_contract.changes`.

Source: DECISIONS D4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from foreword.domain.ids import ConversationId, Rev


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A conversation is at another revision than it was."""

    conversation: ConversationId
    rev: Rev


class Changes(Protocol):
    """The changes since it was made. One thread waits at a time, any thread may close it."""

    @property
    def closed(self) -> bool:
        """Whether waiting is over for good."""
        ...

    def wait(self, seconds: float | None = None) -> tuple[Change, ...]:
        """Wait until something was changed and return it, each conversation once.

        Args:
            seconds: at most so long; None: until something is changed.

        Returns:
            Nothing when the time is over, or when it was closed.

        Raises:
            StoreError: the time is over and the database does not answer.
        """
        ...

    def close(self) -> None:
        """End the waiting at once, and let go of connections."""
        ...


def news(
    known: Mapping[ConversationId, Rev], found: Mapping[ConversationId, Rev]
) -> tuple[Change, ...]:
    """Return what differs from what was known; a conversation that was unknown was at 0."""
    return tuple(
        Change(conversation=conversation, rev=rev)
        for conversation, rev in found.items()
        if rev != known.get(conversation, 0)
    )
