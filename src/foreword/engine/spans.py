"""What a summariser is given: a stretch of turns with its context, or summaries to merge."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from foreword.domain.digest import span_digest
from foreword.domain.ids import Pos, SummaryId
from foreword.domain.policy import Policy
from foreword.domain.scene_time import first_time
from foreword.domain.summarising import MergeRequest, Passage, SummaryRequest
from foreword.domain.summary import CoverRow, SourceTurn
from foreword.domain.turn import MESSAGE_OVERHEAD, Entry
from foreword.engine.context import Engine, Reading, policy_of
from foreword.engine.rooms import NO_LIMIT, Room, answer_room
from foreword.engine.scene_times import replies_of, time_after, time_before, time_of_rows
from foreword.engine.templates import compiled, in_force
from foreword.errors import SpanTooLong
from foreword.planning.sizes import span_target
from foreword.planning.splitting import newest_that_fit
from foreword.planning.validity import SpanState, span_state
from foreword.ports.store import ReadSession
from foreword.prompts.passages import rendered
from foreword.prompts.rendering import CompiledTemplate
from foreword.prompts.templates import TemplateName, TemplateScope
from foreword.prompts.variables import TemplateValues
from foreword.quality.findings import Source

SEPARATOR_TOKENS = 1
"""What stands between two summaries."""

CONTEXT_HEADING = 48
"""Tokens of what a template says around the earlier summaries, at most."""

_ENVELOPE = re.compile(r"<(narrative)>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What a request holds as context beside the summaries in use, and without which of them."""

    pending: tuple[str, ...] = ()
    """Texts that are drafted and come into force in the same commit."""
    without: frozenset[SummaryId] = frozenset()
    """Summaries that go in the same commit."""
    scene_time: str = ""
    """When the last of `pending` ends in the story; empty where nothing says so."""


PLAIN = Beside()


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
    source: Source
    """What gates compare a draft with."""
    begins: str = ""
    scene_time: str = ""
    """When it begins and ends in the story; empty where nothing says so."""

    @property
    def layer(self) -> int:
        """Of a summary of it."""
        return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """Neighbouring summaries as they were read, to be compared again before a commit."""

    rows: tuple[CoverRow, ...]
    depth: int
    """Of the deepest of them."""
    state: SpanState
    """Of all turns that it is to stand for."""
    request: MergeRequest
    source: Source
    """What gates compare a draft with."""
    rolled: tuple[Entry, ...] = ()
    """Visible turns behind the summaries that are taken in too."""
    scene_time: str = ""
    """When its newest part ends in the story; empty where nothing says so."""
    begins: str = ""
    """Not known of summaries."""

    @property
    def span(self) -> tuple[Pos, Pos]:
        """First and last position of what it is to stand for."""
        last = self.rolled[-1].pos if self.rolled else self.rows[-1].to_pos
        return self.rows[0].from_pos, last

    @property
    def layer(self) -> int:
        """Of a summary of it; one that was rolled on keeps its layer."""
        highest = max((row.layer for row in self.rows), default=0)
        return max(1, highest) if self.rolled else 1 + highest

    @property
    def turns(self) -> tuple[SourceTurn, ...]:
        """The turns of `rolled`, as sources."""
        return source_turns(self.rolled)


def read_span(
    engine: Engine,
    at: Reading,
    entries: Sequence[Entry],
    *,
    target_tokens: int,
    room: Room = NO_LIMIT,
    beside: Beside = PLAIN,
) -> Span:
    """Return visible neighbouring turns, at least one, as a request for a summary.

    Earlier summaries are context: the oldest of them are left out where room is short.

    Args:
        engine: for the template.
        at: the branch.
        entries: oldest first; hidden ones are left out.
        target_tokens: what the summary may take; halved sources take less.
        room: what the route that will be asked can read.
        beside: what other drafts of the same commit change about the context.

    Raises:
        SpanTooLong: the turns alone do not fit.
    """
    visible = [entry for entry in entries if not entry.hidden]
    asking = _asking(engine, at, visible, target_tokens, known=beside.scene_time)
    free = _free(engine, room, asking)
    if free is not None and free < 0:
        fits = _turns_that_fit(engine, at, visible, target_tokens, room)
        raise SpanTooLong(
            needed=(room.tokens or 0) - free,
            limit=room.tokens or 0,
            last_order_that_fits=fits and at.session.order(at.branch.id, visible[fits - 1].pos),
            route=room.route,
        )
    earlier = _earlier(engine, at, visible[0].pos, free, beside)
    request = replace(asking.request, earlier=earlier)
    context = (*asking.source.context, *earlier)
    state = span_state(visible)
    return Span(
        from_pos=visible[0].pos,
        to_pos=visible[-1].pos,
        state=state,
        turns=source_turns(visible),
        request=asking.rendered(request),
        context_digest=span_digest(text.encode() for text in earlier) if earlier else b"",
        source=replace(asking.source, context=context),
        begins=asking.base.scene_time,
        scene_time=time_after(request.passages, carried=asking.carried),
    )


def read_stack(
    engine: Engine,
    at: Reading,
    rows: Sequence[CoverRow],
    *,
    room: Room = NO_LIMIT,
    target_tokens: int | None = None,
) -> Stack:
    """Return neighbouring summaries, at least two, as a request for a meta summary.

    Args:
        engine: for the template.
        at: the branch.
        rows: the summaries, oldest first.
        room: what the route that will be asked can read.
        target_tokens: what the summary may take; half of what it is made from, unless told less.

    Raises:
        SpanTooLong: they do not fit into the room.
    """
    summaries = at.session.summaries([row.summary_id for row in rows])
    written = [summaries[row.summary_id].text for row in rows]
    request = merge_request(engine, at, written, target_tokens=target_tokens)
    needed = engine.counter.count(request.prompt) + answer_room(request.target_tokens)
    if not room.holds(needed):
        fits = rows_that_fit(engine, at, rows, room)
        raise SpanTooLong(
            needed=needed,
            limit=room.tokens or 0,
            last_order_that_fits=fits and at.session.order(at.branch.id, rows[fits - 1].to_pos),
            route=room.route,
        )
    span = at.session.between(at.branch.id, rows[0].from_pos, rows[-1].to_pos)
    return Stack(
        rows=tuple(rows),
        depth=max(summary.depth for summary in summaries.values()),
        state=span_state(span),
        request=request,
        source=merge_source(engine, at, request),
        scene_time=time_of_rows(at, rows),
    )


def merge_source(engine: Engine, at: Reading, request: MergeRequest) -> Source:
    """Return what gates compare a meta summary with."""
    template = in_force(engine, at.session, TemplateName.META)
    return Source(
        blocks=request.blocks,
        context=known_words(policy_of(at.session)),
        tokens=sum(map(engine.counter.count, request.blocks)),
        target_tokens=request.target_tokens,
        request=template.text,
        envelope=envelope_of(template.text),
        strict_size=template.scope is TemplateScope.BUILTIN,
    )


def rows_that_fit(engine: Engine, at: Reading, rows: Sequence[CoverRow], room: Room) -> int:
    """Return how many of the oldest summaries, at least two, fit together; 0 for not even two."""
    written = texts(at.session, [row.summary_id for row in rows])

    def fits(n: int) -> bool:
        request = merge_request(engine, at, written[:n])
        tokens = engine.counter.count(request.prompt) + answer_room(request.target_tokens)
        return room.holds(tokens)

    found = _most(len(rows), fits)
    return found if found > 1 else 0


def request_tokens(
    engine: Engine, at: Reading, entries: Sequence[Entry], *, target_tokens: int
) -> int:
    """Return what a request for a summary of visible turns and its answer take together."""
    asking = _asking(engine, at, entries, target_tokens)
    taken = engine.counter.count(asking.request.prompt) + MESSAGE_OVERHEAD
    return taken + answer_room(asking.request.target_tokens)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asking:
    """A request without earlier summaries, and how to render it with them."""

    request: SummaryRequest
    source: Source
    template: CompiledTemplate
    base: TemplateValues
    carried: str
    """The last scene time that is known before its turns."""

    def rendered(self, request: SummaryRequest) -> SummaryRequest:
        return replace(request, prompt=rendered(self.template, request, self.base))


def _asking(
    engine: Engine, at: Reading, visible: Sequence[Entry], target_tokens: int, *, known: str = ""
) -> _Asking:
    policy = policy_of(at.session)
    template = in_force(engine, at.session, TemplateName.SUMMARY)
    source_tokens = sum(entry.cost for entry in visible)
    request = SummaryRequest(
        passages=passages(at, visible), target_tokens=span_target(target_tokens, source_tokens)
    )
    carried = known or time_before(at, visible[0].pos)
    begins = carried or first_time(replies_of(request.passages))
    asking = _Asking(
        request=request,
        source=Source(
            passages=request.passages,
            context=(*known_words(policy), *filter(None, (begins,))),
            tokens=source_tokens,
            target_tokens=request.target_tokens,
            request=template.text,
            envelope=envelope_of(template.text),
            strict_size=template.scope is TemplateScope.BUILTIN,
        ),
        template=compiled(engine, at.session, TemplateName.SUMMARY),
        base=replace(template_values(policy), scene_time=begins),
        carried=carried,
    )
    return replace(asking, request=asking.rendered(request))


def _free(engine: Engine, room: Room, asking: _Asking) -> int | None:
    """Return the tokens that a request leaves of its room; None where there is no limit."""
    if room.tokens is None:
        return None
    taken = engine.counter.count(asking.request.prompt) + MESSAGE_OVERHEAD
    return room.tokens - taken - answer_room(asking.request.target_tokens)


def _turns_that_fit(
    engine: Engine, at: Reading, visible: Sequence[Entry], target_tokens: int, room: Room
) -> int:
    def fits(n: int) -> bool:
        free = _free(engine, room, _asking(engine, at, visible[:n], target_tokens))
        return free is None or free >= 0

    return _most(len(visible), fits)


def _most(limit: int, fits: Callable[[int], bool]) -> int:
    """Return the largest number from 1 to `limit` that fits, 0 for none; more never fits better."""
    return bisect_left(range(1, limit + 1), 1, key=lambda n: 0 if fits(n) else 1)


def _earlier(
    engine: Engine, at: Reading, before: Pos, free: int | None, beside: Beside
) -> tuple[str, ...]:
    """Return the newest summaries before a position that fit beside the turns, oldest first."""
    rows = [
        row
        for row in at.session.cover(at.branch.id)
        if row.to_pos < before and row.summary_id not in beside.without
    ]
    if free is None:
        return (*texts(at.session, [row.summary_id for row in rows]), *beside.pending)
    pending = [engine.counter.count(text) for text in beside.pending]
    sizes = [tokens + SEPARATOR_TOKENS for tokens in (*(row.tokens for row in rows), *pending)]
    left_out = len(sizes) - newest_that_fit(sizes, max(0, free - CONTEXT_HEADING))
    held = texts(at.session, [row.summary_id for row in rows[left_out:]])
    return (*held, *beside.pending[max(0, left_out - len(rows)) :])


def merge_request(
    engine: Engine, at: Reading, blocks: Sequence[str], *, target_tokens: int | None = None
) -> MergeRequest:
    """Return a request to merge texts; its target is half of them, unless it is told less."""
    tokens = sum(map(engine.counter.count, blocks))
    wanted = tokens if target_tokens is None else target_tokens
    request = MergeRequest(blocks=tuple(blocks), target_tokens=span_target(wanted, tokens))
    template = compiled(engine, at.session, TemplateName.META)
    prompt = rendered(template, request, template_values(policy_of(at.session)))
    return replace(request, prompt=prompt)


def source_turns(entries: Sequence[Entry]) -> tuple[SourceTurn, ...]:
    """Return turns as the sources of a summary."""
    return tuple(SourceTurn(turn_id=one.turn_id, digest=one.digest) for one in entries)


def known_words(policy: Policy) -> tuple[str, ...]:
    """Return the texts beside the story that a summary may take names from."""
    words = (policy.char, policy.user, policy.personas, policy.system)
    return tuple(word for word in words if word.strip())


def envelope_of(template: str) -> str:
    """Return the tag that a template asks the summary to stand in; empty for none."""
    found = _ENVELOPE.search(template)
    return found[1] if found else ""


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
