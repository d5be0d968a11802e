"""The commit protocol: a draft becomes a summary only where its source still reads as it did.

Above: the use cases that ask a summariser. Below: planning and the store. One transaction compares
what was read with what is there now, and writes all or nothing.

Source: DESIGN rules 4 and 5.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from foreword.domain.ids import Rev, SummaryId
from foreword.domain.ops import OpKind, commands, taken_back
from foreword.domain.storable import storable_text
from foreword.domain.summarising import SummaryDraft
from foreword.domain.summary import CoverRow, CoverState, NewSummary, Summary
from foreword.engine.context import Engine, Place, Reading, Writing, writing
from foreword.engine.drafting import Drafted
from foreword.engine.settling import apply, span_between
from foreword.engine.spans import Span, Stack
from foreword.engine.summary_views import SummaryView, summary_view
from foreword.errors import AlreadyUndone, StoreConflict, SummaryUnusable
from foreword.planning import covers
from foreword.planning.covers import CoverChange

ATTEMPTS = 3
"""How often a summary is made anew when its source changed under it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A summary that was made, and whether it was an earlier one of the same words."""

    summary: SummaryView
    rev: Rev
    reused: bool = False
    offered: SummaryId | None = None
    """An earlier summary of exactly these words that could have been taken."""


Watch = Callable[[Made], None]
"""Told of every summary that a command with several has made."""


def commit_span(
    engine: Engine,
    place: Place,
    span: Span,
    drafted: Drafted,
    kind: OpKind,
    *,
    group: Rev | None = None,
) -> Made:
    """Put a new summary of turns into force.

    Raises:
        SummaryUnusable: the draft is empty.
        AlreadyUndone: the command that this belongs to was undone meanwhile.
        StoreConflict: the turns read differently now, or are covered.
    """
    new = span_summary(engine, span, drafted)
    with writing(engine, place) as to:
        _refuse_undone(to, group)
        refuse_changed(to, span)
        rev = to.begin(kind, group=group)
        summary = to.session.add_summary(new)
        to.session.put_cover([span_row(span, summary)])
        return made_of(to, summary.id, rev)


def commit_stack(
    engine: Engine,
    place: Place,
    stack: Stack,
    drafted: Drafted,
    kind: OpKind,
    *,
    group: Rev | None = None,
) -> Made:
    """Put a meta summary into force over the summaries it was made from.

    Raises:
        SummaryUnusable: the draft is empty.
        AlreadyUndone: the command that this belongs to was undone meanwhile.
        StoreConflict: those summaries are not in use any more.
    """
    new = stack_summary(engine, stack, drafted)
    with writing(engine, place) as to:
        _refuse_undone(to, group)
        _refuse_changed_stack(to, stack)
        rev = to.begin(kind, group=group)
        meta = to.session.add_summary(new)
        apply(to.session, covers.merged_cover(meta, stack.rows, rolled=stack.rolled))
        return made_of(to, meta.id, rev)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A draft that comes into force together with others."""

    source: Span | Stack
    drafted: Drafted
    merges: tuple[int, ...] = ()
    """Places of earlier parts that it merges, which are not in use then; its source is a stack."""
    replaces: SummaryId | None = None
    """The summary whose place it takes, where it is one."""


def commit_together(
    engine: Engine,
    place: Place,
    parts: Sequence[Part],
    kind: OpKind,
    *,
    instead_of: Sequence[CoverRow] = (),
    group: Rev | None = None,
) -> tuple[Made, ...]:
    """Put several summaries into force at once, some of them in the place of others.

    Args:
        engine: the engine.
        place: the branch.
        parts: what was drafted, oldest span first, merges behind what they merge.
        kind: of the op.
        instead_of: rows in use that go, with everything under them that no part keeps.
        group: the command that this belongs to.

    Raises:
        SummaryUnusable: a draft is empty.
        AlreadyUndone: the command that this belongs to was undone meanwhile.
        StoreConflict: something that was read is not as it was.
    """
    with writing(engine, place) as to:
        _refuse_undone(to, group)
        _refuse_changed_parts(to, parts, instead_of)
        rev = to.begin(kind, group=group)
        going = [row.summary_id for row in instead_of]
        apply(to.session, CoverChange(drop=(*going, *_under(to, going, parts))))
        ids: list[SummaryId] = []
        for part in parts:
            ids.append(_put(engine, to, part, ids))
        return tuple(made_of(to, summary_id, rev) for summary_id in ids)


def _put(engine: Engine, to: Writing, part: Part, earlier: Sequence[SummaryId]) -> SummaryId:
    """Store a part and put it into force; return its id."""
    source, drafted = part.source, part.drafted
    if isinstance(source, Span):
        new = replace(span_summary(engine, source, drafted), edited_from=part.replaces)
        summary = to.session.add_summary(new)
        to.session.put_cover([span_row(source, summary)])
        return summary.id
    merged = [earlier[place] for place in part.merges]
    rows = (*source.rows, *to.session.cover_of(to.branch.id, merged))
    over = stack_summary(engine, replace(source, rows=rows), drafted)
    meta = to.session.add_summary(replace(over, edited_from=part.replaces))
    apply(to.session, covers.merged_cover(meta, rows, rolled=source.rolled))
    return meta.id


def _under(to: Writing, going: Sequence[SummaryId], parts: Sequence[Part]) -> tuple[SummaryId, ...]:
    """Return what stands merged under the rows that go, and is no source of a part."""
    kept = {
        row.summary_id
        for part in parts
        if isinstance(part.source, Stack)
        for row in part.source.rows
    }
    found: list[SummaryId] = []
    waiting = list(going)
    while waiting:
        summaries = to.session.summaries(waiting)
        waiting = [
            child
            for summary in summaries.values()
            for child in summary.children
            if child not in kept
        ]
        found.extend(waiting)
    return tuple(found)


def _refuse_changed_parts(
    to: Writing, parts: Sequence[Part], instead_of: Sequence[CoverRow]
) -> None:
    cover = to.session.cover(to.branch.id)
    going = {row.summary_id for row in instead_of}
    if not set(instead_of) <= set(cover):
        raise StoreConflict("The summaries to replace")
    for part in parts:
        source = part.source
        if isinstance(source, Stack):
            if not part.merges:
                _refuse_changed_stack(to, source, going)
        else:
            refuse_changed(to, source, going)


def refuse_changed(to: Writing, span: Span, going: Collection[SummaryId] = ()) -> None:
    """Refuse turns that read differently now, or that a summary covers that is not to go.

    Raises:
        StoreConflict: they do.
    """
    state = span_between(to.session, to.branch.id, span.from_pos, span.to_pos)
    covered = any(
        row.overlaps(span.from_pos, span.to_pos) and row.summary_id not in going
        for row in to.session.cover(to.branch.id)
    )
    if covered or state != span.state:
        raise StoreConflict("The turns to summarise")


def _refuse_changed_stack(to: Writing, stack: Stack, going: Collection[SummaryId] = ()) -> None:
    """Refuse summaries that do not stand as they did, or over whose span something changed."""
    wanted = {row.summary_id for row in stack.rows}
    held = set(stack.rows) <= set(to.session.cover_of(to.branch.id, wanted))
    lo, hi = stack.span
    changed = span_between(to.session, to.branch.id, lo, hi) != stack.state
    others = any(
        row.overlaps(lo, hi) and row.summary_id not in wanted and row.summary_id not in going
        for row in to.session.cover(to.branch.id)
    )
    if not held or changed or others:
        raise StoreConflict("The summaries to merge")


def span_summary(engine: Engine, span: Span, drafted: Drafted) -> NewSummary:
    """Return a summary of turns as it is stored.

    Raises:
        SummaryUnusable: the draft is empty.
    """
    draft = checked_text(drafted)
    return NewSummary(
        layer=0,
        depth=1,
        text=draft.text,
        reasoning=draft.reasoning,
        tokens=engine.counter.count(draft.text),
        first_digest=span.state.first_digest,
        n_turns=span.state.n_turns,
        span_digest=span.state.digest,
        maker=drafted.maker,
        turns=span.turns,
        context_digest=drafted.context_digest or span.context_digest,
        scene_time=draft.scene_time or span.scene_time,
        survival=drafted.survival,
    )


def stack_summary(engine: Engine, stack: Stack, drafted: Drafted) -> NewSummary:
    """Return a summary of summaries as it is stored; one that was rolled on keeps its layer.

    Raises:
        SummaryUnusable: the draft is empty.
    """
    draft = checked_text(drafted)
    return NewSummary(
        layer=stack.layer,
        depth=1 + stack.depth,
        text=draft.text,
        reasoning=draft.reasoning,
        tokens=engine.counter.count(draft.text),
        first_digest=stack.state.first_digest,
        n_turns=stack.state.n_turns,
        span_digest=stack.state.digest,
        maker=drafted.maker,
        turns=stack.turns,
        children=tuple(row.summary_id for row in stack.rows),
        scene_time=draft.scene_time or stack.scene_time,
        survival=drafted.survival,
    )


def span_row(span: Span, summary: Summary) -> CoverRow:
    """Return the row that puts a summary of turns into force."""
    return CoverRow(
        summary_id=summary.id,
        state=CoverState.USED,
        layer=summary.layer,
        from_pos=span.from_pos,
        to_pos=span.to_pos,
        n_turns=span.state.n_turns,
        src_tokens=span.state.src_tokens,
        tokens=summary.tokens,
    )


def made_of(to: Writing, summary_id: SummaryId, rev: Rev) -> Made:
    """Return what a commit made, as people see it."""
    at = Reading(session=to.session, branch=to.branch)
    return Made(summary=summary_view(at, summary_id), rev=rev)


def checked_text(drafted: Drafted) -> SummaryDraft:
    """Return the draft as it can be stored.

    Raises:
        SummaryUnusable: it is empty.
    """
    text = storable_text(drafted.draft.text.strip())
    if not text:
        raise SummaryUnusable(maker=drafted.maker, reason="it is empty")
    time = storable_text(drafted.draft.scene_time)
    reasoning = storable_text(drafted.draft.reasoning)
    return SummaryDraft(text=text, reasoning=reasoning, scene_time=time)


def _refuse_undone(to: Writing, group: Rev | None) -> None:
    """Refuse to go on with a command that the user took back while it ran."""
    if group is not None and group in taken_back(commands(to.session.ops(to.branch.id))):
        raise AlreadyUndone(group)
