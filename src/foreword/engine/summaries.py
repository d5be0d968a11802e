"""Use cases on summaries: make, edit, regenerate, merge, unwind, delete.

A summariser is asked outside any transaction; what it wrote is committed only when its source still
reads as it did. A failed or stopped call changes nothing.

Source: DESIGN rules 4 and 5, spec/summaries.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from foreword.domain.ids import Pos, Rev, SummaryId, TurnId
from foreword.domain.ops import OpKind
from foreword.domain.routes import RouteName
from foreword.domain.storable import storable_text
from foreword.domain.summarising import SummaryDraft
from foreword.domain.summary import CoverRow, CoverState, NewSummary, Summary
from foreword.domain.turn import Entry
from foreword.engine.asking import Listen
from foreword.engine.committing import (
    ATTEMPTS,
    Made,
    Watch,
    checked_text,
    commit_span,
    commit_stack,
    made_of,
    refuse_changed,
    span_row,
)
from foreword.engine.context import (
    USER,
    Engine,
    Place,
    Reading,
    Writing,
    reading,
    writing,
)
from foreword.engine.drafting import Asking, Drafted
from foreword.engine.portions import portions_by_hand, read_again, stack_portions, target_of
from foreword.engine.references import find_turn
from foreword.engine.remembering import fitting, remember
from foreword.engine.rooms import Room, asked_room
from foreword.engine.settling import apply, settle, visible_between
from foreword.engine.spans import Span, read_span, read_stack
from foreword.engine.summary_views import SummaryView, branch_summaries, summary_view
from foreword.engine.surviving import survived_anew
from foreword.errors import (
    EmptyText,
    NothingToSummarise,
    SpanCovered,
    StoreConflict,
)
from foreword.planning import covers


async def make(
    engine: Engine,
    place: Place,
    through: str,
    *,
    reuse: bool = False,
    listen: Listen | None = None,
    group: Rev | None = None,
) -> Made:
    """Summarise from the end of the summary before up to a turn.

    Args:
        engine: the engine.
        place: the branch.
        through: the last turn to cover.
        reuse: take an earlier summary of exactly these words, when there is one.
        listen: told of every piece as a model writes it.
        group: the command that this belongs to.

    Raises:
        TurnNotFound: no turn stands there.
        SpanCovered: the turn is covered already.
        NothingToSummarise: there is no visible turn to cover.
        SpanTooLong: the route cannot read so much at once.
        ModelError: see `drafting.draft`.
        StoreConflict: the turns kept changing meanwhile.
    """

    async def attempt(asking: Asking) -> Made:
        with reading(engine, place) as at:
            span = _span_through(engine, at, through, asking.room)
            offered = _same_words(at, span)
        if reuse and offered is not None:
            return _commit_reused(engine, place, span, offered)
        made = await remember(
            engine,
            place,
            span,
            lambda drafted: commit_span(
                engine, place, span, drafted, OpKind.SUMMARISE, group=group
            ),
            asking,
        )
        return replace(made, offered=None if offered is None else offered.id)

    return await _persistently(engine, RouteName.SUMMARISE, Asking(listen=listen), attempt)


async def make_several(
    engine: Engine,
    place: Place,
    through: str,
    *,
    watch: Watch | None = None,
    listen: Listen | None = None,
) -> tuple[Made, ...]:
    """Summarise up to a turn in as few summaries as the route can read; one undo takes all back.

    Each is committed by itself and `watch` is told of it: those made before a failure stay.

    Raises:
        SpanTooLong: a single turn is longer than the route can read.
        ModelError and others: see `make`.
    """
    room = await asked_room(engine, RouteName.SUMMARISE)
    with reading(engine, place) as at:
        ends = _cuts(engine, at, through, room)
    made: list[Made] = []
    for turn in ends:
        group = made[0].rev if made else None
        made.append(await make(engine, place, f"id:{turn}", listen=listen, group=group))
        if watch is not None:
            watch(made[-1])
    return tuple(made)


async def merge(
    engine: Engine,
    place: Place,
    ticked: Sequence[SummaryId],
    *,
    listen: Listen | None = None,
    group: Rev | None = None,
) -> Made:
    """Condense the summaries from the oldest to the newest ticked one into a meta summary.

    Raises:
        MergeRefused: fewer than two were ticked, or turns without a summary stand between.
        SummaryNotInUse, SummaryNotFound: one of them is not in use.
        SpanTooLong: the route cannot read so much at once.
        ModelError: see `drafting.draft`.
        StoreConflict: the summaries kept changing meanwhile.
    """

    async def attempt(asking: Asking) -> Made:
        with reading(engine, place) as at:
            stack = read_stack(engine, at, _rows_to_merge(at, ticked), room=asking.room)
        return await remember(
            engine,
            place,
            stack,
            lambda drafted: commit_stack(engine, place, stack, drafted, OpKind.MERGE, group=group),
            asking,
        )

    return await _persistently(engine, RouteName.MERGE, Asking(listen=listen), attempt)


async def merge_several(
    engine: Engine,
    place: Place,
    ticked: Sequence[SummaryId],
    *,
    watch: Watch | None = None,
    listen: Listen | None = None,
) -> tuple[Made, ...]:
    """Condense summaries into as few meta summaries as the route can read; see `make_several`.

    Raises:
        SpanTooLong: not even two of them fit.
        ModelError and others: see `merge`.
    """
    room = await asked_room(engine, RouteName.MERGE)
    with reading(engine, place) as at:
        portions = stack_portions(engine, at, _rows_to_merge(at, ticked), room)
    made: list[Made] = []
    for portion in portions:
        group = made[0].rev if made else None
        made.append(await merge(engine, place, portion, listen=listen, group=group))
        if watch is not None:
            watch(made[-1])
    return tuple(made)


async def regenerate(
    engine: Engine, place: Place, summary_id: SummaryId, *, listen: Listen | None = None
) -> Made:
    """Write a summary in use anew from its sources; its place and span stay.

    Raises:
        SummaryNotInUse, SummaryNotFound: it is not in use.
        SpanTooLong: the route cannot read its sources at once.
        ModelError: see `drafting.draft`.
        StoreConflict: it changed meanwhile.
    """
    with reading(engine, place) as at:
        row = used_summary(at, summary_id)
        children = at.session.summaries([summary_id])[summary_id].children

    def commit(drafted: Drafted) -> Made:
        with writing(engine, place) as to:
            if row not in to.session.cover(to.branch.id):
                raise StoreConflict(f"S{summary_id}")
            text = checked_text(drafted)
            return _replace(to, row, replace(drafted, draft=text), OpKind.REGENERATE)

    async def attempt(asking: Asking) -> Made:
        with reading(engine, place) as at:
            source = read_again(engine, at, row, children, asking.room)
        return await remember(engine, place, source, commit, asking)

    job = RouteName.MERGE if children else RouteName.SUMMARISE
    return await fitting(engine, job, Asking(listen=listen, fresh=True), attempt)


async def _persistently(
    engine: Engine,
    job: RouteName,
    asking: Asking,
    attempt: Callable[[Asking], Awaitable[Made]],
) -> Made:
    """Read and ask again while what was read changes meanwhile, up to `ATTEMPTS` times."""
    for _ in range(ATTEMPTS - 1):
        try:
            return await fitting(engine, job, asking, attempt)
        except StoreConflict:
            continue
    return await fitting(engine, job, asking, attempt)


def edit(engine: Engine, place: Place, summary_id: SummaryId, text: str) -> Made:
    """Give a summary in use another text; it stays valid and keeps its sources.

    Raises:
        EmptyText: there is no text.
        SummaryNotInUse, SummaryNotFound: it is not in use.
    """
    if not text.strip():
        raise EmptyText("summary")
    draft = SummaryDraft(text=storable_text(text.strip()))
    with reading(engine, place) as at:
        kept = survived_anew(at, used_summary(at, summary_id), draft.text)
    with writing(engine, place) as to:
        at = Reading(session=to.session, branch=to.branch)
        row = used_summary(at, summary_id)
        edited = Drafted(draft=draft, maker=USER, survival=kept)
        return _replace(to, row, edited, OpKind.EDIT_SUMMARY)


def delete(engine: Engine, place: Place, summary_id: SummaryId) -> tuple[SummaryView, ...]:
    """Take a summary out of use and return those that are in use again.

    Of a meta summary, the one whose place it took goes with it.

    Raises:
        SummaryNotInUse, SummaryNotFound: it is not in use.
    """
    return _open(engine, place, summary_id, OpKind.DELETE_SUMMARY)


def unwind(engine: Engine, place: Place, summary_id: SummaryId) -> tuple[SummaryView, ...]:
    """Take a meta summary away and return what it merged, which is in use again.

    Raises:
        SummaryNotInUse, SummaryNotFound: it is not in use.
        NotAMetaSummary: it was made from turns.
    """
    return _open(engine, place, summary_id, OpKind.UNWIND)


def _open_entries(at: Reading, through: str) -> list[Entry]:
    """Return the turns from the end of the summary before up to a turn, hidden ones too."""
    last = find_turn(at.session, at.branch.id, through)
    cover = at.session.cover(at.branch.id)
    for row in cover:
        if row.overlaps(last.pos, last.pos):
            order = at.session.order(at.branch.id, last.pos)
            raise SpanCovered(order=order, summary_id=row.summary_id)
    start = max((row.to_pos for row in cover if row.to_pos < last.pos), default=Pos(0))
    entries = list(at.session.between(at.branch.id, Pos(start + 1), last.pos))
    if all(entry.hidden for entry in entries):
        raise NothingToSummarise(at.session.order(at.branch.id, last.pos))
    return entries


def _span_through(engine: Engine, at: Reading, through: str, room: Room) -> Span:
    entries = _open_entries(at, through)
    return read_span(engine, at, entries, target_tokens=target_of(engine, at, entries), room=room)


def _cuts(engine: Engine, at: Reading, through: str, room: Room) -> list[TurnId]:
    """Return the last turn of each of the summaries that a long stretch takes."""
    entries = _open_entries(at, through)
    portions = portions_by_hand(engine, at, entries, room)
    return [portion[-1].turn_id for portion in portions]


def _same_words(at: Reading, span: Span) -> Summary | None:
    """Return an earlier summary of these words that the branch does not need elsewhere."""
    state = span.state
    known = at.session.summaries_of_span(state.first_digest, state.n_turns, state.digest)
    held = {
        row.summary_id
        for row in at.session.cover_rows(at.branch.id)
        if row.state is not CoverState.STALE
    }
    plain = [summary for summary in known if summary.layer == 0 and summary.id not in held]
    return plain[-1] if plain else None


def _commit_reused(engine: Engine, place: Place, span: Span, summary: Summary) -> Made:
    with writing(engine, place) as to:
        refuse_changed(to, span)
        rev = to.begin(OpKind.SUMMARISE)
        to.session.put_cover([span_row(span, summary)])
        made = made_of(to, summary.id, rev)
        return Made(summary=made.summary, rev=rev, reused=True, offered=summary.id)


def _rows_to_merge(at: Reading, ticked: Sequence[SummaryId]) -> tuple[CoverRow, ...]:
    for summary_id in ticked:
        used_summary(at, summary_id)
    return covers.merge_range(
        at.session.cover(at.branch.id),
        ticked,
        hole_between=lambda lo, hi: visible_between(at.session, at.branch.id, lo, hi),
    )


def used_summary(at: Reading, summary_id: SummaryId) -> CoverRow:
    """Return the row of a summary in use, or raise SummaryNotInUse or SummaryNotFound."""
    for row in at.session.cover(at.branch.id):
        if row.summary_id == summary_id:
            return row
    rows, summaries = branch_summaries(at)
    return covers.used_row(rows.values(), summary_id, covers.list_states(rows.values(), summaries))


def _replace(to: Writing, row: CoverRow, drafted: Drafted, kind: OpKind) -> Made:
    draft = drafted.draft
    old = to.session.summaries([row.summary_id])[row.summary_id]
    rev = to.begin(kind)
    new = to.session.add_summary(
        NewSummary(
            layer=old.layer,
            depth=old.depth,
            text=draft.text,
            reasoning=draft.reasoning,
            tokens=to.engine.counter.count(draft.text),
            first_digest=old.first_digest,
            n_turns=old.n_turns,
            span_digest=old.span_digest,
            maker=drafted.maker,
            turns=old.turns,
            children=old.children,
            context_digest=old.context_digest,
            edited_from=old.id,
            scene_time=draft.scene_time or old.scene_time,
            survival=drafted.survival,
        )
    )
    apply(to.session, covers.replaced_cover(row, new))
    return made_of(to, new.id, rev)


def _open(
    engine: Engine, place: Place, summary_id: SummaryId, kind: OpKind
) -> tuple[SummaryView, ...]:
    with writing(engine, place) as to:
        at = Reading(session=to.session, branch=to.branch)
        row = used_summary(at, summary_id)
        rows, summaries = branch_summaries(at)
        if kind is OpKind.UNWIND:
            change = covers.unwound(summaries[summary_id], row, rows)
        else:
            change = covers.deleted(summaries[summary_id], row, rows, summaries)
        to.begin(kind)
        apply(to.session, change)
        if kind is OpKind.UNWIND:
            settle(to.session, to.branch.id, row.from_pos, row.to_pos)
        used = {top.summary_id for top in to.session.cover(to.branch.id)}
        back = [child.summary_id for child in change.put if child.summary_id in used]
        return tuple(summary_view(at, one) for one in back)
