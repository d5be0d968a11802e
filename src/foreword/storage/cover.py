"""Pins, alternatives and cover rows of a branch.

Above: `read_session`, `write_session`. Below: `versioned`, `tables`. Pins, and cover rows in use or
stale, are a branch's own; alternatives and merged cover rows are read over its lineage, the nearest
level that has one deciding. A merged row that is inherited and dropped is blanked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, select

from foreword.domain.ids import Pos, Rev, SummaryId, TurnId, VersionId
from foreword.domain.ops import RowKind
from foreword.domain.summary import CoverRow, CoverState
from foreword.domain.turn import Alternative
from foreword.storage.keys import EVERYWHERE, LIVE, Keys, id_of
from foreword.storage.lineage import Level, Levels
from foreword.storage.prepared import Listed, Prepared
from foreword.storage.tables import alternative, cover, pin
from foreword.storage.versioned import Key, Place, Values, Versioned, unindexed

PINS = Versioned(RowKind.PIN, pin, "turn_id")
ALTERNATIVES = Versioned(RowKind.ALTERNATIVE, alternative, "turn_id", "alt_no")
COVER = Versioned(RowKind.COVER, cover, "summary_id")

_PINNED = Prepared(
    select(pin.c.turn_id).where(pin.c.branch_id == bindparam("branch"), pin.c.rev_to == LIVE)
)
_ALTERNATIVES = Listed(
    alternative.c.turn_id,
    lambda listed: select(
        alternative.c.turn_id, alternative.c.alt_no, alternative.c.version_id
    ).where(
        alternative.c.branch_id == bindparam("branch"),
        listed,
        unindexed(alternative.c.rev_from) <= bindparam("as_of"),
        unindexed(alternative.c.rev_to) > bindparam("as_of"),
    ),
)
_SHOWN = (
    cover.c.summary_id,
    cover.c.rev_from,
    cover.c.state,
    cover.c.layer,
    cover.c.from_pos,
    cover.c.to_pos,
    cover.c.n_turns,
    cover.c.src_tokens,
    cover.c.tokens,
    cover.c.branch_id,
)


class _Row(NamedTuple):
    """What `_SHOWN` selects."""

    key: int
    rev_from: int
    state: str
    layer: int
    from_pos: int
    to_pos: int
    n_turns: int
    src_tokens: int
    tokens: int
    branch_id: int


_NOBODY = -1
"""A branch without rows."""
GONE = "gone"
"""The state of a row that blanks what a fork would inherit."""
_STANDING = (cover.c.branch_id == bindparam("branch"), cover.c.rev_to == LIVE)
_THEN = (
    cover.c.branch_id == bindparam("branch"),
    unindexed(cover.c.rev_from) <= bindparam("as_of"),
    cover.c.rev_to > bindparam("as_of"),
)
_IN_STATE = Prepared(
    select(*_SHOWN)
    .where(*_STANDING, cover.c.state == bindparam("state"))
    .order_by(cover.c.from_pos, cover.c.layer.desc(), cover.c.summary_id)
)
_OF_STATE_OVER = (
    *_STANDING,
    cover.c.state == bindparam("state"),
    unindexed(cover.c.to_pos) >= bindparam("lo"),
    cover.c.from_pos <= bindparam("hi"),
)
_OVER = Prepared(
    select(*_SHOWN)
    .where(*_OF_STATE_OVER)
    .order_by(cover.c.from_pos, cover.c.layer.desc(), cover.c.summary_id)
)
_before = cover.alias("before")
_USED_OVER = Prepared(
    select(*_SHOWN)
    .where(
        *_OF_STATE_OVER,
        # Used rows never overlap: what begins before the last one that does is over.
        cover.c.from_pos
        >= func.coalesce(
            select(func.max(_before.c.from_pos))
            .where(
                _before.c.branch_id == bindparam("branch"),
                _before.c.rev_to == LIVE,
                _before.c.state == bindparam("state"),
                _before.c.from_pos <= bindparam("lo"),
            )
            .scalar_subquery(),
            0,
        ),
    )
    .order_by(cover.c.from_pos)
)
_MEETING = Prepared(
    select(*_SHOWN).where(
        *_STANDING, cover.c.to_pos >= bindparam("lo"), cover.c.from_pos <= bindparam("hi")
    )
)
_MEETING_THEN = Prepared(
    select(*_SHOWN).where(
        *_THEN, cover.c.to_pos >= bindparam("lo"), cover.c.from_pos <= bindparam("hi")
    )
)
_OF_SUMMARIES = Listed(cover.c.summary_id, lambda listed: select(*_SHOWN).where(*_STANDING, listed))
_OF_SUMMARIES_THEN = Listed(
    cover.c.summary_id, lambda listed: select(*_SHOWN).where(*_THEN, listed)
)
_EVER = select(cover.c.summary_id).where(cover.c.branch_id == bindparam("branch")).distinct()


def pinned_turns(connection: Connection, branch: int) -> Sequence[TurnId]:
    """Return the turns pinned on the branch, whether they stand on it or not."""
    return [TurnId(turn) for (turn,) in _PINNED.rows(connection, {"branch": branch})]


def alternatives_of(
    connection: Connection, levels: Levels, turns: Collection[TurnId]
) -> dict[TurnId, tuple[Alternative, ...]]:
    """Return the alternatives of each turn that has some, by number."""
    found: dict[tuple[int, int], int] = {}
    for level in levels:
        there = {"branch": level.source, "as_of": level.as_of}
        for turn_id, alt_no, key in _ALTERNATIVES.rows(connection, there, turns):
            found.setdefault((turn_id, alt_no), key)
    of_turns: dict[TurnId, tuple[Alternative, ...]] = {}
    for (number, alt_no), key in sorted(found.items()):
        turn = TurnId(number)
        one = Alternative(turn_id=turn, alt_no=alt_no, version_id=VersionId(id_of(key)))
        of_turns[turn] = (*of_turns.get(turn, ()), one)
    return of_turns


def cover_in_state(connection: Connection, branch: int, state: CoverState) -> tuple[CoverRow, ...]:
    """Return the rows of one state, oldest span first."""
    parameters = {"branch": branch, "state": state.value}
    return tuple(_cover_row(_Row._make(row)) for row in _IN_STATE.rows(connection, parameters))


def cover_over(
    connection: Connection, branch: int, state: CoverState, span: tuple[Pos, Pos]
) -> tuple[CoverRow, ...]:
    """Return the rows of one state whose span meets the positions, oldest span first."""
    parameters = {"branch": branch, "state": state.value, "lo": span[0], "hi": span[1]}
    query = _USED_OVER if state is CoverState.USED else _OVER
    return tuple(_cover_row(_Row._make(row)) for row in query.rows(connection, parameters))


def cover_meeting(
    connection: Connection, levels: Levels, lo: Pos | None, hi: Pos | None
) -> tuple[CoverRow, ...]:
    """Return the rows of every state whose span meets the positions."""
    wanted = {
        "branch": levels[0].source,
        "lo": 0 if lo is None else lo,
        "hi": EVERYWHERE if hi is None else hi,
    }
    own = {row[0]: _Row._make(row) for row in _MEETING.rows(connection, wanted)}
    found: dict[int, _Row] = {}
    for level in _merged(levels):
        there = {**wanted, "branch": level.source, "as_of": level.as_of}
        for row in _MEETING_THEN.rows(connection, there):
            found.setdefault(row[0], _Row._make(row))
    if found and (lo is not None or hi is not None):
        # What decides may stand elsewhere.
        held = _of_summaries(connection, levels[0].source, found.keys() - own.keys())
        found = inherited_rows(connection, levels, found.keys() - held.keys())
        found = {key: row for key, row in found.items() if _meets(row, wanted)}
    return _rows(own, found, levels)


def cover_of_summaries(
    connection: Connection, levels: Levels, summaries: Collection[int]
) -> tuple[CoverRow, ...]:
    """Return the rows of every state of these summaries, named by their keys."""
    own = _of_summaries(connection, levels[0].source, set(summaries))
    found = inherited_rows(connection, levels, set(summaries) - own.keys())
    return _rows(own, found, levels)


def inherited_rows(
    connection: Connection, levels: Levels, summaries: Collection[int]
) -> dict[int, _Row]:
    """Return the row of each of these summaries that decides what a fork reads of it."""
    found: dict[int, _Row] = {}
    for level in _merged(levels):
        there = {"branch": level.source, "as_of": level.as_of}
        wanted = set(summaries) - found.keys()
        for row in _OF_SUMMARIES_THEN.rows(connection, there, wanted):
            found[row[0]] = _Row._make(row)
    return found


def _of_summaries(
    connection: Connection, branch: int, summaries: Collection[int]
) -> dict[int, _Row]:
    rows = _OF_SUMMARIES.rows(connection, {"branch": branch}, summaries)
    return {row[0]: _Row._make(row) for row in rows}


def covered_ever(connection: Connection, levels: Levels) -> frozenset[SummaryId]:
    """Return every summary that ever had a row on the branch."""
    keys = connection.scalars(_EVER, {"branch": levels[0].source})
    own = {SummaryId(id_of(key)) for key in keys}
    if not _merged(levels):
        return frozenset(own)
    inherited = cover_meeting(connection, (Level(_NOBODY), *levels[1:]), None, None)
    return frozenset(own | {row.summary_id for row in inherited})


def drop_cover(place: Place, levels: Levels, keys: Collection[Key]) -> int:
    """Close the rows of these summaries, blank those that are inherited; return how many stood."""
    own = COVER.own(place, keys)
    inherited = inherited_rows(place.connection, levels, {key for key, _ in keys})
    beneath = {(key, 0): row for key, row in inherited.items() if _is_read(row, levels)}
    stood = {key for key in keys if (own[key]["state"] != GONE if key in own else key in beneath)}
    COVER.close(place, [own[key] for key in stood if key in own])
    COVER.open(place, [_blank(beneath[key]) for key in sorted(stood & beneath.keys())])
    return len(stood)


def _blank(row: _Row) -> Values:
    key, _, _, layer, from_pos, to_pos, n_turns, src_tokens, tokens, _ = row
    return {
        "summary_id": key,
        "state": GONE,
        "layer": layer,
        "from_pos": from_pos,
        "to_pos": to_pos,
        "n_turns": n_turns,
        "src_tokens": src_tokens,
        "tokens": tokens,
    }


def _merged(levels: Levels) -> Levels:
    return tuple(level for level in levels[1:] if level.merged)


def _is_read(row: _Row, levels: Levels) -> bool:
    """Say whether a fork reads a row of a branch it descends from."""
    upto = next(level.upto for level in levels[1:] if level.source == row.branch_id)
    return bool(row.state == CoverState.MERGED.value and row.to_pos <= upto)


def _meets(row: _Row, wanted: Mapping[str, int]) -> bool:
    return bool(row.to_pos >= wanted["lo"] and row.from_pos <= wanted["hi"])


def _rows(
    own: Mapping[int, _Row], inherited: Mapping[int, _Row], levels: Levels
) -> tuple[CoverRow, ...]:
    """Return what stands: own rows that blank nothing, and inherited ones that are merged."""
    shown = [row for row in own.values() if row.state != GONE]
    shown += [row for key, row in inherited.items() if key not in own and _is_read(row, levels)]
    rows = map(_cover_row, shown)
    return tuple(sorted(rows, key=lambda row: (row.from_pos, -row.layer, row.summary_id)))


def pin_values(turns: Iterable[TurnId]) -> list[Values]:
    """Return rows that pin the turns."""
    return [{"turn_id": turn} for turn in turns]


def alternative_values(keys: Keys, alternatives: Iterable[Alternative]) -> list[Values]:
    """Return the rows of alternatives."""
    return [
        {"turn_id": one.turn_id, "alt_no": one.alt_no, "version_id": keys.of(one.version_id)}
        for one in alternatives
    ]


def cover_values(keys: Keys, rows: Iterable[CoverRow]) -> list[Values]:
    """Return the rows of a cover."""
    return [
        {
            "summary_id": keys.of(row.summary_id),
            "state": row.state.value,
            "layer": row.layer,
            "from_pos": row.from_pos,
            "to_pos": row.to_pos,
            "n_turns": row.n_turns,
            "src_tokens": row.src_tokens,
            "tokens": row.tokens,
        }
        for row in rows
    ]


def _cover_row(row: _Row) -> CoverRow:
    key, rev_from, state, layer, from_pos, to_pos, n_turns, src_tokens, tokens, _ = row
    return CoverRow(
        summary_id=SummaryId(id_of(key)),
        state=CoverState(state),
        layer=layer,
        from_pos=Pos(from_pos),
        to_pos=Pos(to_pos),
        n_turns=n_turns,
        src_tokens=src_tokens,
        tokens=tokens,
        since=Rev(rev_from),
    )
