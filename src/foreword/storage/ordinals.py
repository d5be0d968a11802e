"""Counting entries and finding the n-th, without reading them one by one.

Above: `read_session`, `write_session`. Below: `entries`, `lineage`. Each level is the base of a
segment of positions, from the reach of the next farther one to its own; rows of nearer levels in
it are the exceptions, and few. The database counts the base, the exceptions are set right here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, select

from foreword.domain.ids import Pos
from foreword.storage.entries import of_level, standing
from foreword.storage.lineage import Level, Levels
from foreword.storage.prepared import Listed, Prepared
from foreword.storage.tables import entry
from foreword.storage.tallies import (
    BLOCK,
    NOTHING,
    Range,
    Tally,
    count_rows,
    position_behind,
    tally_of,
)


@dataclass(frozen=True, slots=True)
class Segment:
    """Positions above one and up to another whose base is one level."""

    level: Level
    above: int
    upto: int
    exceptions: Mapping[int, tuple[Tally, Tally]]
    """By position: what counts there, and what the base has there."""


_RANGE = (entry.c.pos > bindparam("above"), entry.c.pos <= bindparam("upto"))
_SHOWN = (entry.c.pos, entry.c.tokens, entry.c.hidden)
_ROWS = {own: Prepared(select(*_SHOWN).where(*standing(own=own), *_RANGE)) for own in (True, False)}


def _rows_at(*, own: bool) -> Listed:
    return Listed(entry.c.pos, lambda listed: select(*_SHOWN).where(*standing(own=own), listed))


_ROWS_AT = {own: _rows_at(own=own) for own in (True, False)}


def count_entries(connection: Connection, levels: Levels, *, above: int, upto: int) -> Tally:
    """Count what stands on the branch behind `above` and up to `upto`."""
    total = NOTHING
    for segment in _segments(connection, levels, above=above, upto=upto):
        total += _count(connection, segment)
    return total


def orders_of(connection: Connection, levels: Levels, positions: Collection[Pos]) -> dict[Pos, int]:
    """Count what stands on the branch up to each position, what is before all of them once."""
    found: dict[Pos, int] = {}
    above, before = 0, 0
    for pos in sorted(positions):
        start = pos // BLOCK * BLOCK - 1
        if start > above:
            before += count_entries(connection, levels, above=above, upto=start).turns
            above = start
        found[pos] = before + count_entries(connection, levels, above=above, upto=pos).turns
    return found


def nth_position(connection: Connection, levels: Levels, skip: int, upto: int) -> int | None:
    """Return the position of the entry that `skip` others stand before."""
    segments = list(_segments(connection, levels, above=0, upto=upto))
    while segments:
        segment = segments.pop()
        if segments:
            turns = _count(connection, segment).turns
            if skip >= turns:
                skip -= turns
                continue
        return _position_in(connection, segment, skip)
    return None


def _segments(
    connection: Connection, levels: Levels, *, above: int, upto: int
) -> Iterator[Segment]:
    """Yield the segments that meet the range, newest first."""
    nearer: dict[int, Tally] = {}
    for level, farther in zip(levels, (*levels[1:], None), strict=True):
        border = above if farther is None else max(above, farther.upto)
        top = min(upto, level.upto)
        if border < top:
            yield Segment(level, border, top, _exceptions(connection, level, nearer, border))
        if border > above:
            parameters = {**of_level(level), "above": above, "upto": min(top, border)}
            for pos, tokens, hidden in _ROWS[level.own].rows(connection, parameters):
                nearer.setdefault(pos, tally_of(tokens, hidden))


def _exceptions(
    connection: Connection, level: Level, nearer: Mapping[int, Tally], above: int
) -> dict[int, tuple[Tally, Tally]]:
    """Return, for rows of nearer levels in the segment, what counts and what the base has."""
    positions = sorted(pos for pos in nearer if above < pos <= level.upto)
    rows = _ROWS_AT[level.own].rows(connection, of_level(level), positions)
    base = {pos: tally_of(tokens, hidden) for pos, tokens, hidden in rows}
    return {pos: (nearer[pos], base.get(pos, NOTHING)) for pos in positions}


def _count(connection: Connection, segment: Segment) -> Tally:
    total = _count_base(connection, segment, segment.upto)
    for counts, base in segment.exceptions.values():
        total = total + counts - base
    return total


def _count_base(connection: Connection, segment: Segment, upto: int) -> Tally:
    return count_rows(connection, segment.level, Range(segment.above, upto))


def _position_in(connection: Connection, segment: Segment, skip: int) -> int | None:
    """Return the position in the segment that `skip` entries of it stand before.

    Between two exceptions that make a difference to the number of entries the base alone counts.
    """
    differing = sorted(
        pos for pos, (counts, base) in segment.exceptions.items() if counts.turns != base.turns
    )

    def before(place: int) -> int:
        gained = sum(
            segment.exceptions[pos][0].turns - segment.exceptions[pos][1].turns
            for pos in differing[:place]
        )
        return gained + _count_base(connection, segment, differing[place] - 1).turns

    place = bisect_right(range(len(differing)), skip, key=before) - 1
    above = segment.above
    if place >= 0:
        above = differing[place]
        skip -= before(place)
        standing_there = segment.exceptions[above][0].turns
        if skip < standing_there:
            return above
        skip -= standing_there
    return position_behind(connection, segment.level, Range(above, segment.upto), skip)
