"""What stood somewhere over time, from rows that stand from one revision until another.

A branch reads its own rows over its ancestors', nearest first, each ancestor as of the revision at
which the branch left it; before that revision it shows what the ancestor showed then.

Source: DECISIONS D1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foreword.domain.ids import Rev
from foreword.domain.turn import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRow:
    """A row of a branch: an entry, or that what would be inherited stands there no more."""

    since: Rev
    until: Rev | None
    """The first revision at which it stands no more; None where it stands now."""
    entry: Entry | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsOfLevel:
    """The rows of one position on a branch, or on one it descends from."""

    rows: tuple[EntryRow, ...]
    as_of: Rev | None
    """The revision as of which it is read; None for the branch itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """An entry of a turn, and when it stood on a branch."""

    since: Rev
    until: Rev | None
    """The first revision at which it stood no more; None where it stands now."""
    entry: Entry


def standings(levels: Sequence[RowsOfLevel]) -> tuple[Standing, ...]:
    """Return what stood when, oldest first.

    Args:
        levels: of one position, the branch itself first, then its ancestors, nearest first. Rows
            of a level do not overlap, and begin after the revision that the next one is read as of.
    """
    moments = sorted({moment for level in levels for moment in _moments(level)})
    found: list[Standing] = []
    before: EntryRow | None = None
    for moment in moments:
        row = _row_at(levels, moment)
        if before is not None and before.entry is not None:
            last = found.pop()
            found.append(Standing(since=last.since, until=moment, entry=last.entry))
        if row is not None and row.entry is not None:
            found.append(Standing(since=moment, until=None, entry=row.entry))
        before = row
    return tuple(found)


def _moments(level: RowsOfLevel) -> list[Rev]:
    """Return the revisions at which something may have changed, as far as they are read."""
    moments = [row.since for row in level.rows]
    moments += [row.until for row in level.rows if row.until is not None]
    return [one for one in moments if level.as_of is None or one <= level.as_of]


def _row_at(levels: Sequence[RowsOfLevel], moment: Rev) -> EntryRow | None:
    for level in levels:
        seen = moment if level.as_of is None else min(moment, level.as_of)
        for row in level.rows:
            if row.since <= seen and (row.until is None or seen < row.until):
                return row
    return None
