"""Pins, alternatives and cover rows of a branch.

Above: `read_session`, `write_session`. Below: `versioned`, `tables`. Pins and cover rows are a
branch's own; alternatives are read over its lineage, the nearest level that has one deciding.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import Connection, Row, bindparam, select

from foreword.domain.ids import Pos, Rev, SummaryId, TurnId, VersionId
from foreword.domain.ops import RowKind
from foreword.domain.summary import CoverRow, CoverState
from foreword.domain.turn import Alternative
from foreword.storage.keys import EVERYWHERE, LIVE, Keys, id_of
from foreword.storage.lineage import Levels
from foreword.storage.portions import portions
from foreword.storage.tables import alternative, cover, pin
from foreword.storage.versioned import Values, Versioned, unindexed

PINS = Versioned(RowKind.PIN, pin, "turn_id")
ALTERNATIVES = Versioned(RowKind.ALTERNATIVE, alternative, "turn_id", "alt_no")
COVER = Versioned(RowKind.COVER, cover, "summary_id")

_PINNED = select(pin.c.turn_id).where(pin.c.branch_id == bindparam("branch"), pin.c.rev_to == LIVE)
_ALTERNATIVES = select(alternative.c.turn_id, alternative.c.alt_no, alternative.c.version_id).where(
    alternative.c.branch_id == bindparam("branch"),
    alternative.c.turn_id.in_(bindparam("turns", expanding=True)),
    unindexed(alternative.c.rev_from) <= bindparam("as_of"),
    unindexed(alternative.c.rev_to) > bindparam("as_of"),
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
)
_STANDING = (cover.c.branch_id == bindparam("branch"), cover.c.rev_to == LIVE)
_IN_STATE = (
    select(*_SHOWN)
    .where(*_STANDING, cover.c.state == bindparam("state"))
    .order_by(cover.c.from_pos, cover.c.layer.desc(), cover.c.summary_id)
)
_MEETING = (
    select(*_SHOWN)
    .where(*_STANDING, cover.c.to_pos >= bindparam("lo"), cover.c.from_pos <= bindparam("hi"))
    .order_by(cover.c.from_pos, cover.c.layer.desc(), cover.c.summary_id)
)
_OF_SUMMARIES = select(*_SHOWN).where(
    *_STANDING, cover.c.summary_id.in_(bindparam("summaries", expanding=True))
)
_EVER = select(cover.c.summary_id).where(cover.c.branch_id == bindparam("branch")).distinct()


def pinned_turns(connection: Connection, branch: int) -> Sequence[TurnId]:
    """Return the turns pinned on the branch, whether they stand on it or not."""
    return [TurnId(turn) for turn in connection.scalars(_PINNED, {"branch": branch})]


def alternatives_of(
    connection: Connection, levels: Levels, turns: Collection[TurnId]
) -> dict[TurnId, tuple[Alternative, ...]]:
    """Return the alternatives of each turn that has some, by number."""
    found: dict[tuple[int, int], int] = {}
    for level in levels:
        for portion in portions(set(turns)):
            parameters = {"branch": level.source, "turns": portion, "as_of": level.as_of}
            for turn_id, alt_no, key in connection.execute(_ALTERNATIVES, parameters):
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
    return tuple(map(_cover_row, connection.execute(_IN_STATE, parameters)))


def cover_meeting(
    connection: Connection, branch: int, lo: Pos | None, hi: Pos | None
) -> tuple[CoverRow, ...]:
    """Return the rows of every state whose span meets the positions."""
    parameters = {
        "branch": branch,
        "lo": 0 if lo is None else lo,
        "hi": EVERYWHERE if hi is None else hi,
    }
    return tuple(map(_cover_row, connection.execute(_MEETING, parameters)))


def cover_of_summaries(
    connection: Connection, branch: int, summaries: Collection[int]
) -> tuple[CoverRow, ...]:
    """Return the rows of every state of these summaries, named by their keys."""
    rows = [
        _cover_row(row)
        for portion in portions(set(summaries))
        for row in connection.execute(_OF_SUMMARIES, {"branch": branch, "summaries": portion})
    ]
    return tuple(sorted(rows, key=lambda row: (row.from_pos, -row.layer, row.summary_id)))


def covered_ever(connection: Connection, branch: int) -> frozenset[SummaryId]:
    """Return every summary that ever had a row on the branch."""
    keys = connection.scalars(_EVER, {"branch": branch})
    return frozenset(SummaryId(id_of(key)) for key in keys)


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


def _cover_row(row: Row[int, int, str, int, int, int, int, int, int]) -> CoverRow:
    key, rev_from, state, layer, from_pos, to_pos, n_turns, src_tokens, tokens = row
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
