"""A request for a summary behind the chat's own prompt, so that the provider's cache pays for it.

Above: drafting. Below: kept prompts and templates. Invariants: the messages before the instruction
are, byte for byte, the beginning of a prompt of the chat, through the last turn to be summarised;
every turn and summary in them still stands. Where that cannot be had there is no such request, and
the turns are sent by themselves.

Source: research/agents.md b4; issue 5, section 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from foreword.domain.ids import VersionId
from foreword.domain.message import Message
from foreword.domain.policy import Placement
from foreword.domain.routes import Route, RouteName
from foreword.domain.summary import CoverState
from foreword.domain.turn import Role
from foreword.engine.asking import counted_tokens
from foreword.engine.context import Engine, Place, Reading, policy_of, reading
from foreword.engine.kept_prompts import record_messages
from foreword.engine.prompting import prompt
from foreword.engine.rooms import answer_room, model_route, room_of
from foreword.engine.spans import Span, envelope_of, source_turns, template_values
from foreword.engine.templates import compiled, in_force
from foreword.errors import ContextTooSmall
from foreword.planning.placement import layout
from foreword.planning.records import Record, TurnText, messages_digest
from foreword.prompts.passages import suffix_values
from foreword.prompts.templates import TemplateName, TemplateScope
from foreword.quality.findings import Source

LOOKED_AT = 8
"""Among so many of the newest kept prompts one that was answered is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suffix:
    """What is asked, and behind what."""

    messages: tuple[Message, ...]
    """The chat's prompt through the last turn to be summarised."""
    prompt: str
    """The instruction, with the fence that is replaced when it is sent."""
    source: Source
    """What gates compare a draft with: the same turns, the template of this request."""
    context_digest: bytes
    """Of the messages before the turns."""
    tokens: int
    """Of all messages, counted here."""


def suffix_of(engine: Engine, place: Place, route: Route, span: Span) -> Suffix | None:
    """Return the request for a summary behind the chat's prompt; None where it cannot be had.

    Args:
        engine: the engine.
        place: the branch.
        route: who is to be asked.
        span: the turns, as they were read.
    """
    chat = model_route(engine, RouteName.CHAT)
    if not route.suffix or chat is None or not route.same_model(chat):
        return None
    if any(passage.pinned for passage in span.request.passages):
        return None  # only a request that marks them can ask to pass them over
    with reading(engine, place) as at:
        instruction = _instruction(engine, at, span)
        wanted = _versions(at, span)
        if instruction is None or not wanted:
            return None
        kept = at.session.record_ids(at.branch.id, limit=LOOKED_AT)
        found = next(_kept(at, at.session.records(kept), wanted), None)
    if found is None and kept:
        found = _planned(engine, place, wanted)
    return None if found is None else _fitting(engine, route, span, found, instruction)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Instruction:
    prompt: str
    source: Source


def _instruction(engine: Engine, at: Reading, span: Span) -> _Instruction | None:
    """Return what is asked; None where the user words requests or places summaries otherwise."""
    policy = policy_of(at.session)
    own = in_force(engine, at.session, TemplateName.SUMMARY)
    template = in_force(engine, at.session, TemplateName.SUFFIX)
    builtin = template.scope is TemplateScope.BUILTIN
    if policy.placement is Placement.IN_CHAT or (builtin and own.scope is not template.scope):
        return None
    base = replace(template_values(policy), scene_time=span.begins)
    text = compiled(engine, at.session, TemplateName.SUFFIX)
    return _Instruction(
        prompt=text.render(suffix_values(span.request, base)),
        source=replace(
            span.source,
            request=template.text,
            envelope=envelope_of(template.text),
            strict_size=builtin,
        ),
    )


def _versions(at: Reading, span: Span) -> tuple[VersionId, ...]:
    """Return the texts of a span by id; none when it changed since it was read."""
    between = at.session.between(at.branch.id, span.from_pos, span.to_pos)
    visible = [entry for entry in between if not entry.hidden]
    if source_turns(visible) != span.turns:
        return ()
    return tuple(entry.version_id for entry in visible)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    messages: tuple[Message, ...]
    turns: int
    """How many of the last of them are to be summarised."""


def _kept(
    at: Reading, records: Sequence[Record], wanted: tuple[VersionId, ...]
) -> Iterator[_Found]:
    """Yield what the newest prompt that was answered, and the newest of all, send of the turns.

    Older ones are hardly in a cache any more.
    """
    answered = [record for record in records if record.replies]
    for record in (*answered[-1:], *records[-1:]):
        shown = [
            next((piece.version_id for piece in one.pieces if isinstance(piece, TurnText)), None)
            for one in record.messages
        ]
        end = _end(shown, wanted)
        if end and _stands(at, record, shown[:end]):
            messages = record_messages(at.session, record)[:end]
            yield _Found(messages=messages, turns=len(wanted))


def _planned(engine: Engine, place: Place, wanted: tuple[VersionId, ...]) -> _Found | None:
    """Return what the prompt of the next reply sends of the turns; None when none can be made."""
    try:
        made = prompt(engine, place)
    except ContextTooSmall:
        return None
    has_system = len(made.messages) > len(layout(made.plan, has_system=False))
    slots = layout(made.plan, has_system=has_system)
    shown = [None if slot.entry is None else slot.entry.version_id for slot in slots]
    end = _end(shown, wanted)
    return _Found(messages=made.messages[:end], turns=len(wanted)) if end else None


def _end(shown: Sequence[VersionId | None], wanted: tuple[VersionId, ...]) -> int:
    """Return the place behind the turns where a prompt holds them side by side; 0 for nowhere."""
    for end in range(len(shown), len(wanted) - 1, -1):
        if tuple(shown[end - len(wanted) : end]) == wanted:
            return end
    return 0


def _stands(at: Reading, record: Record, shown: Sequence[VersionId | None]) -> bool:
    """Say whether the turns and summaries that a kept prompt shows are not out of date."""
    rows = at.session.cover_of(at.branch.id, set(record.summaries))
    stale = [row for row in rows if row.state is CoverState.STALE]
    if stale or len(rows) < len(set(record.summaries)):
        return False
    versions = at.session.versions([one for one in shown if one is not None])
    for number, version in versions.items():
        entry = at.session.entry(at.branch.id, version.turn_id)
        if entry is None or entry.hidden or entry.version_id != number:
            return False
    return True


def _fitting(
    engine: Engine, route: Route, span: Span, found: _Found, instruction: _Instruction
) -> Suffix | None:
    """Return the request, if it and its answer fit into the route's context."""
    messages = found.messages
    before = messages[: len(messages) - found.turns]
    asked = Message(role=Role.USER, content=instruction.prompt)
    tokens = counted_tokens(engine, (*messages, asked))
    if not room_of(engine, route).holds(tokens + answer_room(span.request.target_tokens)):
        return None
    return Suffix(
        messages=messages,
        prompt=instruction.prompt,
        source=instruction.source,
        context_digest=messages_digest(before),
        tokens=tokens,
    )
