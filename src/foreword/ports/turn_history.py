"""What turns were, revision by revision.

Above: `ports.store`, whose sessions have these methods too. Below: domain.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from foreword.domain.ids import BranchId, Rev, TurnId
from foreword.domain.ops import Op
from foreword.domain.standing import Standing


class TurnHistory(Protocol):
    """Reading what stood at earlier revisions."""

    def standings(self, branch: BranchId, turn_id: TurnId) -> tuple[Standing, ...]:
        """Return what a turn was on the branch and when, oldest first.

        A fork shows what its parent showed until the fork. A turn that never stood there has none.
        """
        ...

    def ops_at(self, revs: Collection[Rev]) -> Mapping[Rev, Op]:
        """Return the ops of these revisions; unknown ones are left out."""
        ...
