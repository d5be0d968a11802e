"""Whose rows a branch reads: its own, then those of the branches it descends from, nearest first.

Above: `entries`, `ordinals`, `alternatives`, `search`. Below: `tables`. Invariant: the reach of a
level (`upto`) never grows with its distance, so that a reader from the end opens a far level only
when it gets there.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, insert, select

from foreword.storage.keys import EVERYWHERE, NOW
from foreword.storage.tables import lineage


@dataclass(frozen=True, slots=True)
class Level:
    """Rows of one branch, up to a position, as of a revision."""

    source: int
    upto: int = EVERYWHERE
    as_of: int = NOW

    @property
    def own(self) -> bool:
        """Say whether these are the live rows of the reading branch itself."""
        return self.as_of == NOW


Levels = tuple[Level, ...]
"""Nearest first; the first is the branch itself."""

_READ = (
    select(lineage.c.source_id, lineage.c.upto_pos, lineage.c.as_of_rev)
    .where(lineage.c.branch_id == bindparam("branch"))
    .order_by(lineage.c.depth)
)
_ADD = insert(lineage)


def levels_of(connection: Connection, branch: int) -> Levels:
    """Return the levels of a fork."""
    rows = connection.execute(_READ, {"branch": branch})
    return (Level(branch), *(Level(source, upto, as_of) for source, upto, as_of in rows))


def fork_of(parent: Levels, branch: int, fork_pos: int, rev: int) -> Levels:
    """Return the levels of a new branch that reads `parent` up to `fork_pos` as of `rev`."""
    inherited = (Level(parent[0].source, fork_pos, rev), *parent[1:])
    return (
        Level(branch),
        *(Level(level.source, min(level.upto, fork_pos), level.as_of) for level in inherited),
    )


def add_levels(connection: Connection, levels: Levels) -> None:
    """Store the levels of a fork."""
    rows = [
        {
            "branch_id": levels[0].source,
            "depth": depth,
            "source_id": level.source,
            "upto_pos": level.upto,
            "as_of_rev": level.as_of,
        }
        for depth, level in enumerate(levels)
        if depth
    ]
    connection.execute(_ADD, rows)
