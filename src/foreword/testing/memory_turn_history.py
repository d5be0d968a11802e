"""What turns were at earlier revisions, in the in-memory store: by looking at every revision.

Above: `memory_read`, which is this too. Below: `memory_state`. See `ports.turn_history`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from foreword.domain.ids import BranchId, Rev, TurnId
from foreword.domain.ops import Op
from foreword.domain.standing import Standing
from foreword.domain.turn import Entry
from foreword.testing.memory_state import Row, Rows, Story, inherited_rows


class MemoryTurnHistory:
    """See `ports.turn_history.TurnHistory`."""

    _story: Story

    def standings(self, branch: BranchId, turn_id: TurnId) -> tuple[Standing, ...]:
        """See `TurnHistory.standings`."""
        found: list[Standing] = []
        before: Row | None = None
        for number in range(self._story.info.rev + 1):
            row = _row_of(rows_at(self._story, branch, Rev(number)), turn_id)
            if row is before:
                continue
            if before is not None:
                last = found.pop()
                found.append(Standing(since=last.since, until=Rev(number), entry=last.entry))
            if row is not None and isinstance(row.value, Entry):
                found.append(Standing(since=Rev(number), until=None, entry=row.value))
            before = row
        return tuple(found)

    def ops_at(self, revs: Collection[Rev]) -> Mapping[Rev, Op]:
        """See `TurnHistory.ops_at`."""
        return {op.rev: op for op in self._story.journal if op.rev in revs}


def rows_at(story: Story, branch: BranchId, rev: Rev) -> Rows:
    """Return what a branch showed at a revision; before it was forked, what its parent did."""
    path = story.paths[branch]
    if path.info.parent is None or rev > path.info.fork_rev:
        return path.just_before(Rev(rev + 1))
    rows = rows_at(story, path.info.parent, rev)
    return inherited_rows(rows, path.info.fork_pos, merged=False)


def _row_of(rows: Rows, turn_id: TurnId) -> Row | None:
    shown = [
        row
        for row in rows.values()
        if isinstance(row.value, Entry) and row.value.turn_id == turn_id
    ]
    return shown[0] if shown else None
