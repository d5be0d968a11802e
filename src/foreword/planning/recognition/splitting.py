"""Where a request's instructions end, where its history ends, and what stands behind that.

Below `recognise`. Invariant: the three parts follow each other and hold every message.

Source: recordings of clients, parts 1.1 and 4.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foreword.domain.turn import Role
from foreword.planning.recognition.aligning import Sent


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """The parts of a request."""

    head: int
    """So many messages are the leading instructions and examples."""
    newest: int | None
    """The newest line of the user that is not known to be an injection."""


def split(messages: Sequence[Sent], injected: frozenset[bytes] = frozenset()) -> Split:
    """Say where the leading instructions of a request end, and which line is the newest."""
    head = next(
        (at for at, message in enumerate(messages) if message.role is not Role.SYSTEM),
        len(messages),
    )
    lines = [
        at
        for at in range(head, len(messages))
        if messages[at].role is Role.USER and messages[at].key not in injected
    ]
    return Split(head=head, newest=lines[-1] if lines else None)
