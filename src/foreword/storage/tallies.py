"""What the own rows of a branch count, block by block, so that long stretches need no counting.

Above: `ordinals`, `entry_changes`. Below: `entries`, `tables`. Invariants: a tally that stands at a
revision equals what the rows that stand at it count; a block may have none, and then its rows are
counted. The block of the tip has none, so that an append writes nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, bindparam, func, insert, select, update
from sqlalchemy.sql.elements import ColumnElement

from foreword.domain.ids import POSITION_GAP
from foreword.domain.turn import MESSAGE_OVERHEAD
from foreword.storage.entries import of_level, standing
from foreword.storage.keys import LIVE
from foreword.storage.lineage import Level
from foreword.storage.prepared import Prepared
from foreword.storage.tables import entry, tally
from foreword.storage.versioned import Place, Values

BLOCK: Final = 1024 * POSITION_GAP
"""Positions of a block; the migration that filled the table knows it too."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Entries counted."""

    turns: int = 0
    hidden: int = 0
    visible_tokens: int = 0
    """Message overhead included."""

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.turns + other.turns,
            self.hidden + other.hidden,
            self.visible_tokens + other.visible_tokens,
        )

    def __sub__(self, other: Tally) -> Tally:
        return Tally(
            self.turns - other.turns,
            self.hidden - other.hidden,
            self.visible_tokens - other.visible_tokens,
        )


NOTHING: Final = Tally()


def tally_of(tokens: int | None, hidden: int) -> Tally:
    """Return what one row counts; without tokens nothing stands there."""
    if tokens is None:
        return NOTHING
    return Tally(1, 1, 0) if hidden else Tally(1, 0, tokens + MESSAGE_OVERHEAD)


@dataclass(frozen=True, slots=True)
class Range:
    """Positions above one and up to another."""

    above: int
    upto: int

    @property
    def blocks(self) -> range:
        """The blocks that lie in it altogether; at position 0 nothing ever stands."""
        first = self.above // BLOCK + 1 if self.above else 0
        return range(first, (self.upto + 1) // BLOCK)


_IN_RANGE = (entry.c.pos > bindparam("above"), entry.c.pos <= bindparam("upto"))
_COUNT = {
    own: Prepared(
        select(
            func.count(entry.c.tokens),
            func.coalesce(func.sum(entry.c.hidden), 0),
            func.coalesce(func.sum((entry.c.tokens + MESSAGE_OVERHEAD) * (1 - entry.c.hidden)), 0),
        ).where(*standing(own=own), *_IN_RANGE)
    )
    for own in (True, False)
}
_SKIP = {
    own: select(entry.c.pos)
    .where(*standing(own=own), *_IN_RANGE, entry.c.tokens.is_not(None))
    .order_by(entry.c.pos)
    .limit(1)
    .offset(bindparam("skip"))
    for own in (True, False)
}


def _standing(*, own: bool) -> tuple[ColumnElement[bool], ...]:
    here = tally.c.branch_id == bindparam("branch")
    if own:
        return (here, tally.c.rev_to == LIVE)
    as_of: Any = bindparam("as_of")
    return (here, tally.c.rev_from <= as_of, tally.c.rev_to > as_of)


_TALLIES = {
    own: Prepared(
        select(tally.c.block, tally.c.turns, tally.c.hidden, tally.c.tokens, tally.c.rev_from)
        .where(*_standing(own=own), tally.c.block.between(bindparam("first"), bindparam("last")))
        .order_by(tally.c.block)
    )
    for own in (True, False)
}
_SUMS = {
    own: Prepared(
        select(
            func.count(tally.c.block),
            func.coalesce(func.sum(tally.c.turns), 0),
            func.coalesce(func.sum(tally.c.hidden), 0),
            func.coalesce(func.sum(tally.c.tokens), 0),
        ).where(*_standing(own=own), tally.c.block.between(bindparam("first"), bindparam("last")))
    )
    for own in (True, False)
}
_ADD = Prepared(insert(tally), names=[column.name for column in tally.c])
_LAST = (
    tally.c.branch_id == bindparam("b_branch"),
    tally.c.block == bindparam("b_block"),
    tally.c.rev_to == LIVE,
)
_CLOSE = Prepared(
    update(tally).where(*_LAST).values(rev_to=bindparam("b_rev")),
    names=["b_branch", "b_block", "b_rev"],
)
_CHANGE = Prepared(
    update(tally).where(*_LAST),
    names=["b_branch", "b_block", "turns", "hidden", "tokens"],
)


def count_rows(connection: Connection, level: Level, wanted: Range) -> Tally:
    """Count what a level's own rows in a range are."""
    blocks = wanted.blocks
    if blocks:
        parameters = {**of_level(level), "first": blocks[0], "last": blocks[-1]}
        known, *sums = map(int, _SUMS[level.own].rows(connection, parameters)[0])
        if known == len(blocks):
            start, end = blocks[0] * BLOCK - 1, (blocks[-1] + 1) * BLOCK - 1
            below = _count(connection, level, Range(wanted.above, start))
            above = _count(connection, level, Range(end, wanted.upto))
            return below + Tally(*sums) + above
    total = NOTHING
    for _, count in _counts(connection, level, wanted):
        total += count
    return total


def position_behind(connection: Connection, level: Level, wanted: Range, skip: int) -> int | None:
    """Return the position in a range that `skip` entries of a level stand before; None for none."""
    for part, count in _counts(connection, level, wanted) if wanted.blocks else [(wanted, None)]:
        if count is None or skip < count.turns:
            parameters = {**of_level(level), "above": part.above, "upto": part.upto, "skip": skip}
            found: int | None = connection.scalar(_SKIP[level.own], parameters)
            return found
        skip -= count.turns
    return None


def recount(place: Place, opened: Iterable[Values], closed: Iterable[Values]) -> None:
    """Bring the tallies of the branch of an op up to date with rows that it opened and closed."""
    changed: dict[int, Tally] = {}
    for row in opened:
        _add(changed, row, 1)
    for row in closed:
        _add(changed, row, -1)
    changed = {block: change for block, change in changed.items() if change != NOTHING}
    if not changed:
        return
    parameters = {"branch": place.branch, "first": min(changed), "last": max(changed)}
    for block, *counts, since in _TALLIES[True].rows(place.connection, parameters):
        if block in changed:
            here = {"b_branch": place.branch, "b_block": block}
            count = Tally(*counts) + changed[block]
            if since == place.rev:
                _CHANGE.run(place.connection, {**here, **_values(count)})
            else:
                _CLOSE.run(place.connection, {**here, "b_rev": place.rev})
                _open(place, block, count)


def complete(place: Place, blocks: Iterable[int]) -> None:
    """Count blocks that the tip has left behind, so that nobody has to count them again."""
    here = Level(place.branch)
    for block in blocks:
        part = Range(block * BLOCK - 1, (block + 1) * BLOCK - 1)
        _open(place, block, _count(place.connection, here, part))


def _counts(connection: Connection, level: Level, wanted: Range) -> Iterator[tuple[Range, Tally]]:
    """Yield what parts of a range count, lowest first; a part is a block, or has to be counted."""
    blocks = wanted.blocks
    known = _known(connection, level, blocks) if blocks else {}
    above = wanted.above
    for block, count in known.items():
        start, end = block * BLOCK - 1, (block + 1) * BLOCK - 1
        if above < start:
            part = Range(above, start)
            yield part, _count(connection, level, part)
        yield Range(start, end), count
        above = end
    if above < wanted.upto:
        part = Range(above, wanted.upto)
        yield part, _count(connection, level, part)


def _known(connection: Connection, level: Level, blocks: range) -> Mapping[int, Tally]:
    parameters = {**of_level(level), "first": blocks[0], "last": blocks[-1]}
    rows = _TALLIES[level.own].rows(connection, parameters)
    return {block: Tally(*counts) for block, *counts, _ in rows}


def _count(connection: Connection, level: Level, part: Range) -> Tally:
    if part.above >= part.upto:
        return NOTHING
    parameters = {**of_level(level), "above": part.above, "upto": part.upto}
    (counted,) = _COUNT[level.own].rows(connection, parameters)
    return Tally(*map(int, counted))  # PostgreSQL adds 64 bits up to a decimal


def _add(changed: dict[int, Tally], row: Values, sign: int) -> None:
    pos, tokens, hidden = row["pos"], row["tokens"], row["hidden"]
    if tokens is None:
        return
    if not isinstance(pos, int) or not isinstance(tokens, int) or not isinstance(hidden, int):
        raise TypeError("positions, tokens and hidden are numbers")
    block, one = pos // BLOCK, tally_of(tokens, hidden)
    before = changed.get(block, NOTHING)
    changed[block] = before + one if sign > 0 else before - one


def _open(place: Place, block: int, count: Tally) -> None:
    """Let a tally stand from now on; the block must have none."""
    row = {"branch_id": place.branch, "block": block, "rev_from": place.rev, "rev_to": LIVE}
    _ADD.run(place.connection, {**row, **_values(count)})


def _values(count: Tally) -> dict[str, int]:
    return {"turns": count.turns, "hidden": count.hidden, "tokens": count.visible_tokens}
