"""Reading the entries of a branch: its own rows over its lineage's.

Above: `read_session`, `entry_changes`, `search`. Below: `lineage`, `tables`. Invariant: at each
position the nearest level with a row there decides; a row without version means that nothing
stands there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, select
from sqlalchemy.sql.elements import BindParameter, ColumnElement

from foreword.domain.ids import Pos, SpeakerId, TurnId, VersionId
from foreword.domain.turn import Entry, Role
from foreword.storage.keys import EVERYWHERE, LIVE, id_of
from foreword.storage.lineage import Level, Levels
from foreword.storage.prepared import Listed, Prepared
from foreword.storage.tables import entry, version
from foreword.storage.versioned import unindexed

FIRST_PORTION = 32
LARGEST_PORTION = 256
"""Rows read at once: few for a caller that stops early, more for one that goes on."""

EntryRow = Sequence[Any]
"""What `SHOWN` selects."""
_POS, _VERSION = 0, 2
"""Where a row has its position, and the key of its version."""
_ROLES = {role.value: role for role in Role}
SHOWN = (
    entry.c.pos,
    entry.c.turn_id,
    entry.c.version_id,
    version.c.role,
    version.c.speaker_id,
    entry.c.tokens,
    entry.c.digest,
    entry.c.hidden,
)


def standing(*, own: bool) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for rows of a level; see `of_level` for the parameters."""
    here = entry.c.branch_id == bindparam("branch")
    if own:
        return (here, entry.c.rev_to == LIVE)
    as_of: BindParameter[int] = bindparam("as_of")
    return (here, unindexed(entry.c.rev_from) <= as_of, unindexed(entry.c.rev_to) > as_of)


def of_level(level: Level) -> dict[str, int]:
    """Return the parameters that `standing` asks for."""
    if level.own:
        return {"branch": level.source}
    return {"branch": level.source, "as_of": level.as_of}


EntrySelect = Select[int, int, int | None, str, str, int, bytes, int]


def _at(*, own: bool) -> Listed:
    """Select the rows at some positions."""
    shown = select(*SHOWN).select_from(entry.outerjoin(version, version.c.id == entry.c.version_id))
    return Listed(entry.c.pos, lambda listed: shown.where(*standing(own=own), listed))


def _places(*, own: bool) -> Listed:
    """Select the positions of some turns."""
    return Listed(
        entry.c.turn_id,
        lambda listed: select(entry.c.pos).where(
            *standing(own=own), listed, unindexed(entry.c.pos) <= bindparam("upto")
        ),
    )


def _walk(*, own: bool, newest: bool) -> EntrySelect:
    """Select the next rows on a stretch.

    They are found in an index first, which for own rows holds no closed ones between them.
    """
    places = (
        select(entry.c.branch_id, entry.c.pos, entry.c.rev_from)
        .where(
            *standing(own=own),
            entry.c.pos > bindparam("above"),
            entry.c.pos < bindparam("below"),
        )
        .order_by(entry.c.pos.desc() if newest else entry.c.pos.asc())
        .limit(bindparam("size"))
        .subquery("places")
    )
    row = and_(
        entry.c.branch_id == places.c.branch_id,
        entry.c.pos == places.c.pos,
        entry.c.rev_from == places.c.rev_from,
    )
    return (
        select(*SHOWN)
        .select_from(places.join(entry, row).outerjoin(version, version.c.id == entry.c.version_id))
        .order_by(places.c.pos.desc() if newest else places.c.pos.asc())
    )


_WALKS = {
    (own, newest): Prepared(_walk(own=own, newest=newest))
    for own in (True, False)
    for newest in (True, False)
}
_AT = {own: _at(own=own) for own in (True, False)}
_PLACES = {own: _places(own=own) for own in (True, False)}


@dataclass(frozen=True, slots=True)
class Stretch:
    """The positions between two others, both excluded."""

    above: int = 0
    below: int = EVERYWHERE


def newest_first(connection: Connection, levels: Levels, stretch: Stretch) -> Iterator[Entry]:
    """Yield what stands on the stretch, newest first, reading little more than is asked for."""
    for row in _deciding(connection, levels, stretch, newest=True):
        if row[_VERSION] is not None:
            yield entry_of_row(row)


def oldest_first(connection: Connection, levels: Levels, stretch: Stretch) -> Iterator[Entry]:
    """Yield what stands on the stretch, oldest first, reading little more than is asked for."""
    for row in _deciding(connection, levels, stretch, newest=False):
        if row[_VERSION] is not None:
            yield entry_of_row(row)


def entries_at(
    connection: Connection, levels: Levels, positions: Collection[int]
) -> dict[int, Entry]:
    """Return what stands at the positions; where nothing does, there is no key."""
    found: dict[int, Entry] = {}
    rest = set(positions)
    for level in levels:
        asked = [pos for pos in rest if pos <= level.upto]
        for row in _AT[level.own].rows(connection, of_level(level), asked):
            pos, _, version_key, *_ = row
            rest.discard(pos)
            if version_key is not None:
                found[pos] = entry_of_row(row)
        if not rest:
            break
    return found


def entries_of_turns(
    connection: Connection, levels: Levels, turns: Collection[TurnId]
) -> tuple[Entry, ...]:
    """Return the entries of those of the turns that stand on the branch, oldest first."""
    wanted = set(turns)
    places: set[int] = set()
    for level in levels:
        there = {**of_level(level), "upto": level.upto}
        places.update(pos for (pos,) in _PLACES[level.own].rows(connection, there, wanted))
    found = entries_at(connection, levels, places)
    return tuple(found[pos] for pos in sorted(found) if found[pos].turn_id in wanted)


def _deciding(
    connection: Connection, levels: Levels, stretch: Stretch, *, newest: bool
) -> Iterator[EntryRow]:
    """Yield the nearest row at each position; a far level is opened when it can have the next."""
    if len(levels) == 1:
        yield from _stream(connection, levels[0], stretch, newest=newest)
        return
    waiting = deque(enumerate(levels))
    heads: list[tuple[int, int, EntryRow, Iterator[EntryRow]]] = []
    last = None
    while True:
        while waiting and (not newest or not heads or waiting[0][1].upto >= -heads[0][0]):
            depth, level = waiting.popleft()
            _push(heads, depth, _stream(connection, level, stretch, newest=newest), newest=newest)
        if not heads:
            return
        _, depth, row, stream = heappop(heads)
        if row[_POS] != last:
            last = row[_POS]
            yield row
        _push(heads, depth, stream, newest=newest)


def _push(
    heads: list[tuple[int, int, EntryRow, Iterator[EntryRow]]],
    depth: int,
    stream: Iterator[EntryRow],
    *,
    newest: bool,
) -> None:
    row = next(stream, None)
    if row is not None:
        heappush(heads, (-row[_POS] if newest else row[_POS], depth, row, stream))


def _stream(
    connection: Connection, level: Level, stretch: Stretch, *, newest: bool
) -> Iterator[EntryRow]:
    """Yield a level's rows on the stretch, read in growing portions."""
    statement = _WALKS[level.own, newest]
    above, below = stretch.above, min(stretch.below, level.upto + 1)
    size = FIRST_PORTION
    while above + 1 < below:
        parameters = {**of_level(level), "above": above, "below": below, "size": size}
        rows = statement.rows(connection, parameters)
        yield from rows
        if len(rows) < size:
            return
        last = rows[-1][_POS]
        above, below = (above, last) if newest else (last, below)
        size = min(2 * size, LARGEST_PORTION)


def entry_of_row(row: Sequence[Any]) -> Entry:
    """Return the entry of a row that was selected as `SHOWN`."""
    pos, turn_id, version_key, role, speaker, tokens, digest, hidden = row
    return Entry(
        pos=Pos(pos),
        turn_id=TurnId(turn_id),
        version_id=VersionId(id_of(version_key or 0)),
        role=_ROLES[role],
        speaker=SpeakerId(speaker),
        tokens=tokens,
        digest=digest,
        hidden=bool(hidden),
    )
