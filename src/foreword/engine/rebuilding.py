"""Use case: write summaries in use anew from the turns themselves.

However often their material was summarised since, what comes out went through one pass, or two
where the turns are too many to be read at once.

Source: spec/cadence; issue 5, section 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from foreword.domain.ids import Pos, SummaryId
from foreword.domain.jobs import JobProgress
from foreword.domain.ops import OpKind
from foreword.domain.routes import RouteName
from foreword.domain.summary import CoverRow
from foreword.engine.asking import Listen
from foreword.engine.committing import Made
from foreword.engine.context import Engine, Place, Reading, reading
from foreword.engine.portions import portions_of
from foreword.engine.pricing import estimate, template_tokens
from foreword.engine.references import find_turn
from foreword.engine.rooms import model_route, room_of
from foreword.engine.steps import Carrier, carry_out
from foreword.engine.summaries import used_summary
from foreword.engine.upkeep import Looked, Watch, look
from foreword.planning.batches import batches
from foreword.planning.sizes import span_target
from foreword.planning.steps import Rebuild


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Which summaries in use are meant; all of them when nothing is said."""

    ids: tuple[SummaryId, ...] = ()
    first: str = ""
    """A turn: those that cover it or a later one."""
    last: str = ""
    """A turn: those that cover it or an earlier one."""


EVERYTHING = Chosen()


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuildPrice:
    """What a rebuild would replace, read and write."""

    summaries: tuple[SummaryId, ...]
    turns: int
    """Visible turns that are read."""
    calls: int
    tokens_in: int
    tokens_out: int
    """As expected."""
    model: str
    money: int | None
    """Micro-dollars, as estimated; None where the price is not known."""


def price(engine: Engine, place: Place, chosen: Chosen = EVERYTHING) -> RebuildPrice:
    """Say what a rebuild would take, and change nothing.

    Raises:
        SummaryNotInUse, SummaryNotFound, TurnNotFound: see `Chosen`.
        SpanTooLong: a single turn is longer than the route can read.
    """
    route = model_route(engine, RouteName.SUMMARISE)
    room = room_of(engine, route)
    with reading(engine, place) as at:
        looked = look(engine, at)
        target = looked.budgets.summary_target
        rows = _rows(at, chosen)
        sizes: list[list[int]] = []
        turns = 0
        for row in rows:
            entries = [
                entry
                for entry in at.session.between(at.branch.id, row.from_pos, row.to_pos)
                if not entry.hidden
            ]
            turns += len(entries)
            pieces = batches([entries], cut=row.to_pos, budgets=looked.budgets)
            sizes.append(
                [
                    sum(entry.cost for entry in portion)
                    for piece in pieces
                    for portion in portions_of(
                        engine, at, piece.entries, target_tokens=target, room=room
                    )
                ]
            )
        around = template_tokens(engine, at)
    several = [portions for portions in sizes if len(portions) > 1]
    written = [span_target(target, size) for portions in sizes for size in portions]
    merged = sum(len(portions) for portions in several) * target
    tokens_in = sum(map(sum, sizes)) + merged
    tokens_out = sum(written) + len(several) * target
    calls = len(written) + len(several)
    return RebuildPrice(
        summaries=tuple(row.summary_id for row in rows),
        turns=turns,
        calls=calls,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        model=engine.summariser.maker if route is None else route.maker,
        money=estimate(engine, route, tokens_in=tokens_in + calls * around, tokens_out=tokens_out),
    )


async def rebuild(
    engine: Engine,
    place: Place,
    chosen: Chosen = EVERYTHING,
    *,
    watch: Watch | None = None,
    listen: Listen | None = None,
) -> tuple[Made, ...]:
    """Write each of the chosen summaries anew from its turns, oldest first; one undo takes all.

    Each is committed by itself, so that a run that is stopped keeps those it has made.

    Raises:
        SummaryNotInUse, SummaryNotFound, TurnNotFound: see `Chosen`.
        SpanTooLong, ModelError: earlier ones stay.
        StoreConflict: the turns changed meanwhile; earlier ones stay.
    """
    with reading(engine, place) as at:
        looked = look(engine, at)
        rows = _rows(at, chosen)
    made: list[Made] = []
    for number, row in enumerate(rows):
        left = sum(one.src_tokens for one in rows[number:])
        carrier = _carrier(engine, place, looked, made, listen)
        if watch is not None:
            carrier = replace(carrier, doing=_telling(watch, number, left))
        made += await carry_out(carrier, Rebuild(rows=(row,)))
    return tuple(made)


def _carrier(
    engine: Engine, place: Place, looked: Looked, made: Sequence[Made], listen: Listen | None
) -> Carrier:
    return Carrier(
        engine=engine,
        place=place,
        budgets=looked.budgets,
        by_hand=OpKind.REBUILD,
        group=made[0].rev if made else None,
        listen=listen,
    )


def _telling(watch: Watch, made: int, left: int) -> Callable[[str], None]:
    return lambda text: watch(JobProgress(made=made, left_tokens=left, doing=text))


def _rows(at: Reading, chosen: Chosen) -> tuple[CoverRow, ...]:
    """Return the summaries in use that are meant, oldest span first."""
    cover = at.session.cover(at.branch.id)
    for summary_id in chosen.ids:
        used_summary(at, summary_id)
    lo = find_turn(at.session, at.branch.id, chosen.first).pos if chosen.first else Pos(0)
    hi = find_turn(at.session, at.branch.id, chosen.last).pos if chosen.last else at.branch.tip_pos
    return tuple(
        row
        for row in cover
        if row.overlaps(lo, hi) and (not chosen.ids or row.summary_id in chosen.ids)
    )
