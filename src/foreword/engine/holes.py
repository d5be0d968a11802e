"""Holes: uncovered visible turns between summaries in use.

Above: whatever merges neighbours. Below: `loading`.
"""

from __future__ import annotations

from itertools import pairwise

from foreword.domain.ids import Pos
from foreword.engine.loading import Loaded


def holes_of(loaded: Loaded) -> list[Pos]:
    """Return the position of one turn of each hole between summaries in use."""
    session, branch = loaded.at.session, loaded.at.branch
    found = (
        next(
            (
                entry.pos
                for entry in session.newest(branch.id, before=right.from_pos, after=left.to_pos)
                if not entry.hidden
            ),
            None,
        )
        for left, right in pairwise(loaded.pile.cover)
    )
    return [pos for pos in found if pos is not None]
