"""What turns were at earlier revisions.

Above: `read_session`. Below: `entries`. Rows are never changed but to be closed, so that they tell
all that ever stood.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, select

from foreword.domain.ids import Rev, TurnId
from foreword.domain.standing import EntryRow, RowsOfLevel, Standing, standings
from foreword.storage.entries import SHOWN, entry_of_row
from foreword.storage.keys import LIVE
from foreword.storage.lineage import Level, Levels
from foreword.storage.tables import entry, version

_POSITIONS = (
    select(entry.c.pos)
    .distinct()
    .where(
        entry.c.branch_id == bindparam("branch"),
        entry.c.turn_id == bindparam("turn"),
        entry.c.pos <= bindparam("upto"),
        entry.c.rev_from <= bindparam("as_of"),
    )
)
_ROWS = (
    select(*SHOWN, entry.c.rev_from, entry.c.rev_to)
    .select_from(entry.outerjoin(version, version.c.id == entry.c.version_id))
    .where(
        entry.c.branch_id == bindparam("branch"),
        entry.c.pos == bindparam("pos"),
        entry.c.rev_from <= bindparam("as_of"),
    )
    .order_by(entry.c.rev_from)
)


def standings_of(connection: Connection, levels: Levels, turn_id: TurnId) -> tuple[Standing, ...]:
    """Return what a turn was on a branch and when, oldest first."""
    found = [
        one
        for pos in sorted(_positions(connection, levels, turn_id))
        for one in standings(_rows(connection, levels, pos))
        if one.entry.turn_id == turn_id
    ]
    return tuple(sorted(found, key=lambda one: one.since))


def _positions(connection: Connection, levels: Levels, turn_id: TurnId) -> set[int]:
    """Return the positions at which the turn ever stood, on the branch or before it was one."""
    found: set[int] = set()
    for level in levels:
        parameters = {**_bounds(level), "turn": turn_id, "upto": level.upto}
        found.update(connection.scalars(_POSITIONS, parameters))
    return found


def _rows(connection: Connection, levels: Levels, pos: int) -> list[RowsOfLevel]:
    return [
        RowsOfLevel(
            rows=tuple(
                _row(row) for row in connection.execute(_ROWS, {**_bounds(level), "pos": pos})
            ),
            as_of=None if level.own else Rev(level.as_of),
        )
        for level in levels
        if pos <= level.upto
    ]


def _row(row: Sequence[object]) -> EntryRow:
    *shown, rev_from, rev_to = row
    stands = shown[2] is not None
    return EntryRow(
        since=Rev(_number(rev_from)),
        until=None if rev_to == LIVE else Rev(_number(rev_to)),
        entry=entry_of_row(shown) if stands else None,
    )


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError("revisions are numbers")
    return value


def _bounds(level: Level) -> dict[str, int]:
    return {"branch": level.source, "as_of": level.as_of}
