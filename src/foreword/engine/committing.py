"""The commit protocol: a draft becomes a summary only where its source still reads as it did.

Above: the use cases that ask a summariser. Below: planning and the store. One transaction compares
what was read with what is there now, and writes all or nothing.

Source: DESIGN rules 4 and 5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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
    draft = checked_text(drafted)
    with writing(engine, place) as to:
        _refuse_undone(to, group)
        refuse_changed(to, span)
        rev = to.begin(kind, group=group)
        summary = to.session.add_summary(
            NewSummary(
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
                context_digest=span.context_digest,
            )
        )
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
    draft = checked_text(drafted)
    with writing(engine, place) as to:
        _refuse_undone(to, group)
        _refuse_changed_stack(to, stack)
        rev = to.begin(kind, group=group)
        meta = to.session.add_summary(
            NewSummary(
                layer=1 + max(row.layer for row in stack.rows),
                depth=1 + stack.depth,
                text=draft.text,
                reasoning=draft.reasoning,
                tokens=engine.counter.count(draft.text),
                first_digest=stack.state.first_digest,
                n_turns=stack.state.n_turns,
                span_digest=stack.state.digest,
                maker=drafted.maker,
                children=tuple(row.summary_id for row in stack.rows),
            )
        )
        apply(to.session, covers.merged_cover(meta, stack.rows))
        return made_of(to, meta.id, rev)


def refuse_changed(to: Writing, span: Span) -> None:
    """Refuse turns that read differently now, or that a summary covers meanwhile.

    Raises:
        StoreConflict: they do.
    """
    state = span_between(to.session, to.branch.id, span.from_pos, span.to_pos)
    covered = any(
        row.overlaps(span.from_pos, span.to_pos) for row in to.session.cover(to.branch.id)
    )
    if covered or state != span.state:
        raise StoreConflict("The turns to summarise")


def _refuse_changed_stack(to: Writing, stack: Stack) -> None:
    """Refuse summaries that are not in use any more, or between which a turn was shown again."""
    held = set(stack.rows) <= set(to.session.cover(to.branch.id))
    lo, hi = stack.rows[0].from_pos, stack.rows[-1].to_pos
    if not held or span_between(to.session, to.branch.id, lo, hi) != stack.state:
        raise StoreConflict("The summaries to merge")


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
    return SummaryDraft(text=text, reasoning=storable_text(drafted.draft.reasoning))


def _refuse_undone(to: Writing, group: Rev | None) -> None:
    """Refuse to go on with a command that the user took back while it ran."""
    if group is not None and group in taken_back(commands(to.session.ops(to.branch.id))):
        raise AlreadyUndone(group)
