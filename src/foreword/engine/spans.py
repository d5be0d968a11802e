"""What a summariser is given: a stretch of turns with its context, or summaries to merge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from foreword.domain.digest import span_digest
from foreword.domain.ids import Pos, SummaryId
from foreword.domain.policy import Policy
from foreword.domain.summarising import MergeRequest, Passage, SummaryRequest
from foreword.domain.summary import CoverRow, SourceTurn
from foreword.domain.turn import Entry
from foreword.engine.context import Engine, Reading, policy_of
from foreword.engine.templates import compiled
from foreword.planning.sizes import span_target
from foreword.planning.validity import SpanState, span_state
from foreword.ports.store import ReadSession
from foreword.prompts.passages import merge_values, summary_values
from foreword.prompts.templates import TemplateName
from foreword.prompts.variables import TemplateValues


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of turns as it was read, to be compared again before a commit."""

    from_pos: Pos
    to_pos: Pos
    state: SpanState
    turns: tuple[SourceTurn, ...]
    request: SummaryRequest
    context_digest: bytes
    """Digest of the earlier summaries in the request; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """Neighbouring summaries as they were read, to be compared again before a commit."""

    rows: tuple[CoverRow, ...]
    depth: int
    """Of the deepest of them."""
    state: SpanState
    request: MergeRequest


def read_span(engine: Engine, at: Reading, entries: Sequence[Entry], *, target_tokens: int) -> Span:
    """Return visible neighbouring turns, at least one, as a request for a summary.

    Args:
        engine: for the template.
        at: the branch.
        entries: oldest first; hidden ones are left out.
        target_tokens: what the summary may take; halved sources take less.
    """
    visible = [entry for entry in entries if not entry.hidden]
    state = span_state(visible)
    earlier = earlier_texts(at, visible[0].pos)
    request = SummaryRequest(
        passages=passages(at, visible),
        earlier=earlier,
        target_tokens=span_target(target_tokens, state.src_tokens),
    )
    values = summary_values(request, template_values(policy_of(at.session)))
    prompt = compiled(engine, at.session, TemplateName.SUMMARY).render(values)
    return Span(
        from_pos=visible[0].pos,
        to_pos=visible[-1].pos,
        state=state,
        turns=tuple(SourceTurn(turn_id=one.turn_id, digest=one.digest) for one in visible),
        request=replace(request, prompt=prompt),
        context_digest=span_digest(text.encode() for text in earlier) if earlier else b"",
    )


def read_stack(engine: Engine, at: Reading, rows: Sequence[CoverRow]) -> Stack:
    """Return neighbouring summaries, at least two, as a request for a meta summary."""
    summaries = at.session.summaries([row.summary_id for row in rows])
    tokens = sum(row.tokens for row in rows)
    request = MergeRequest(
        blocks=tuple(summaries[row.summary_id].text for row in rows),
        target_tokens=span_target(tokens, tokens),
    )
    values = merge_values(request, template_values(policy_of(at.session)))
    prompt = compiled(engine, at.session, TemplateName.META).render(values)
    span = at.session.between(at.branch.id, rows[0].from_pos, rows[-1].to_pos)
    return Stack(
        rows=tuple(rows),
        depth=max(summary.depth for summary in summaries.values()),
        state=span_state(span),
        request=replace(request, prompt=prompt),
    )


def passages(at: Reading, entries: Sequence[Entry]) -> tuple[Passage, ...]:
    """Return visible turns as a summariser reads them."""
    session = at.session
    versions = session.versions([entry.version_id for entry in entries])
    names = session.speaker_names({entry.speaker for entry in entries})
    pins = {entry.turn_id for entry in session.pins(at.branch.id)}
    return tuple(
        Passage(
            speaker=names[entry.speaker],
            role=entry.role,
            text=versions[entry.version_id].content.text,
            pinned=entry.turn_id in pins,
        )
        for entry in entries
    )


def earlier_texts(at: Reading, before: Pos) -> tuple[str, ...]:
    """Return the texts of the summaries in force before a position, oldest first."""
    rows = [row for row in at.session.cover(at.branch.id) if row.to_pos < before]
    return texts(at.session, [row.summary_id for row in rows])


def texts(session: ReadSession, ids: Sequence[SummaryId]) -> tuple[str, ...]:
    """Return the texts of summaries in the order given."""
    found = session.summary_texts(ids)
    return tuple(found[summary_id] for summary_id in ids)


def template_values(policy: Policy) -> TemplateValues:
    """Return what templates get from the settings alone."""
    return TemplateValues(
        system=policy.system,
        personas=policy.personas,
        char=policy.char,
        user=policy.user,
        narrative_pov=policy.narrative_pov,
        narrative_tense=policy.narrative_tense,
        style=policy.style,
    )
