"""Whose rows a branch reads: its own, then those of the branches it descends from, nearest first.

Above: `entries`, `ordinals`, `alternatives`, `search`. Below: `tables`. Invariant: the reach of a
level (`upto`) never grows with its distance, so that a reader from the end opens a far level only
when it gets there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy import Connection, bindparam, insert, select

from foreword.storage.keys import EVERYWHERE, NOW
from foreword.storage.tables import cover_heir, lineage


@dataclass(frozen=True, slots=True)
class Level:
    """Rows of one branch, up to a position, as of a revision."""

    source: int
    upto: int = EVERYWHERE
    as_of: int = NOW
    merged: bool = False
    """Of another branch, whose merged cover rows are read too."""

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
_HEIRS = select(cover_heir.c.branch_id).where(
    cover_heir.c.branch_id.in_(bindparam("branches", expanding=True))
)
_ADD_HEIR = insert(cover_heir)


def levels_of(connection: Connection, branch: int) -> Levels:
    """Return the levels of a fork."""
    rows = connection.execute(_READ, {"branch": branch}).all()
    readers = [branch, *(source for source, *_ in rows)]
    heirs = set(connection.scalars(_HEIRS, {"branches": readers}))
    levels = [Level(branch)]
    merged = True
    for reader, (source, upto, as_of) in zip(readers, rows, strict=False):
        merged = merged and reader in heirs
        levels.append(Level(source, upto, as_of, merged))
    return tuple(levels)


def fork_of(parent: Levels, branch: int, fork_pos: int, rev: int, *, merged: bool) -> Levels:
    """Return the levels of a new branch that reads `parent` up to `fork_pos` as of `rev`."""
    inherited = (Level(parent[0].source, fork_pos, rev, merged), *parent[1:])
    return (
        Level(branch),
        *(
            replace(level, upto=min(level.upto, fork_pos), merged=merged and level.merged)
            for level in inherited
        ),
    )


def add_levels(connection: Connection, levels: Levels) -> None:
    """Store the levels of a fork."""
    if levels[1].merged:
        connection.execute(_ADD_HEIR, {"branch_id": levels[0].source})
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
