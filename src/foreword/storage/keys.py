"""Database keys: ids that count per conversation, made unique among all of them.

A key is the conversation's number and the id side by side, so that one conversation is one range
of keys in every table.

Source: DECISIONS D1.
"""

from __future__ import annotations

from dataclasses import dataclass

LIVE = 1 << 62
"""`rev_to` of a row that is not closed; an ordinary number, so that indexes find live rows."""
NOW = LIVE - 1
"""As-of revision at which live rows, and only those, stand."""
EVERYWHERE = LIVE
"""Above every position."""
_ID_BITS = 32
_ID_MASK = (1 << _ID_BITS) - 1


@dataclass(frozen=True, slots=True)
class Keys:
    """Makes keys of one conversation."""

    no: int

    def of(self, number: int) -> int:
        """Return the key of a version, branch or summary."""
        return self.no << _ID_BITS | number

    @property
    def first(self) -> int:
        """The lowest key of the conversation."""
        return self.no << _ID_BITS

    @property
    def last(self) -> int:
        """The highest key of the conversation."""
        return self.first | _ID_MASK


def id_of(key: int) -> int:
    """Return the id within its conversation."""
    return key & _ID_MASK
