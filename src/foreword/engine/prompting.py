"""Use case: the exact prompt of a branch, with every turn accounted for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from foreword.domain.ids import BranchId, Rev, SummaryId, TurnId
from foreword.domain.message import Message
from foreword.domain.summary import CoverState
from foreword.domain.turn import Entry, Role
from foreword.engine.context import Engine, Place, Reading, reading, writing
from foreword.engine.loading import Loaded, load
from foreword.engine.system import message_tokens
from foreword.planning.coverage import PromptPlan, SectionName
from foreword.planning.outdated import Outdated, outdated
from foreword.planning.placement import layout
from foreword.planning.window import Costs, Material, Totals, plan_window
from foreword.ports.store import ReadSession
from foreword.prompts.messages import (
    HOLES_MARKER,
    PINNED_MARKER,
    WINDOW_MARKER,
    turn_message,
)

MARKERS = {
    SectionName.HOLES: HOLES_MARKER,
    SectionName.PINNED: PINNED_MARKER,
    SectionName.VERBATIM: WINDOW_MARKER,
}
"""What stands before the turns of a section."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What a model is sent, and how it came about."""

    messages: tuple[Message, ...]
    plan: PromptPlan
    memory: str
    """The summaries alone."""
    context: int
    """Size of the model's context, in the model's tokens."""
    context_source: str
    """Where the size of the context comes from: `given`, `setting`, `route` or `default`."""
    reply: int
    """Tokens kept for the reply."""
    token_source: str
    outdated: Outdated | None
    """Summaries that went out of force since the user was last told; None for none."""
    branch: BranchId = field(compare=False)
    rev: Rev = field(compare=False)
    """Revision of the conversation that it was made at; two that say the same are equal."""
    cover_version: int = field(compare=False)


def prompt(engine: Engine, place: Place, *, context: int | None = None) -> Prompt:
    """Assemble the prompt for the next reply.

    Args:
        engine: the engine.
        place: the branch.
        context: size of the context in tokens, instead of the setting.

    Raises:
        ContextTooSmall: what must be sent does not fit.
        InvalidSetting: `context` is out of range.
    """
    with reading(engine, place) as at:
        loaded = load(engine, at, context=context)
        policy = loaded.policy
        plan = plan_window(_material(engine, loaded), limit=policy.context - policy.reply_reserve)
        return Prompt(
            messages=tuple(_messages(engine, loaded, plan)),
            plan=plan,
            memory=loaded.system.memory,
            context=loaded.context,
            context_source=loaded.context_source,
            reply=policy.reply_reserve,
            token_source=engine.counter.name,
            outdated=outdated_of(at),
            branch=at.branch.id,
            rev=at.session.conversation.rev,
            cover_version=at.branch.cover_version,
        )


def acknowledge(engine: Engine, place: Place) -> Outdated | None:
    """Go on without the summaries that went out of force: they are not asked about again."""
    with writing(engine, place) as to:
        known = outdated_of(Reading(session=to.session, branch=to.branch))
        if known is not None:
            to.session.acknowledge(to.branch.id, to.session.conversation.rev)
        return known


def _material(engine: Engine, loaded: Loaded) -> Material:
    branch, pile = loaded.at.branch, loaded.pile

    def cost(message: Message) -> int:
        return message_tokens(engine.counter.count, message.content)

    return Material(
        fixed=loaded.system.sections,
        cover=pile.cover,
        pins=loaded.pins,
        pile=pile.newest_first(),
        totals=Totals(
            visible=branch.visible_turns,
            hidden=branch.hidden_turns,
            pile_turns=pile.turns,
            pile_tokens=pile.tokens,
        ),
        costs=Costs(
            holes_marker=cost(HOLES_MARKER),
            pinned_marker=cost(PINNED_MARKER),
            window_marker=cost(WINDOW_MARKER),
        ),
        summary_tokens=loaded.system.summaries,
        own_memory=loaded.system.place,
    )


def _messages(engine: Engine, loaded: Loaded, plan: PromptPlan) -> Iterator[Message]:
    turns = iter(_turn_messages(engine, loaded, (*plan.holes, *plan.pinned, *plan.verbatim)))
    system = loaded.system
    for slot in layout(plan, has_system=bool(system.text)):
        if slot.entry is not None:
            yield next(turns)
        elif slot.section is SectionName.SYSTEM:
            yield Message(role=Role.SYSTEM, content=system.text)
        elif slot.section is SectionName.SUMMARIES:
            assert system.own is not None  # the plan has it from there
            yield system.own
        else:
            yield MARKERS[slot.section]


def _turn_messages(engine: Engine, loaded: Loaded, entries: Sequence[Entry]) -> list[Message]:
    """Return the messages of turns; those sent lately are not read again."""
    session, kept = loaded.at.session, engine.sent
    conversation = session.conversation.id
    names = session.speaker_names({entry.speaker for entry in entries})
    keys = [(conversation, one.version_id, one.digest, names[one.speaker]) for one in entries]
    found = list(map(kept.get, keys))
    missing = [at for at, message in enumerate(found) if message is None]
    versions = session.versions([entries[at].version_id for at in missing]) if missing else {}
    for at in missing:
        entry = entries[at]
        content = versions[entry.version_id].content
        message = turn_message(content, speaker_name=names[entry.speaker])
        found[at] = message
        kept.keep(keys[at], message)
    return [message for message in found if message is not None]


def outdated_of(at: Reading) -> Outdated | None:
    """Return the stale summaries of which the user does not know, whose turns lie open."""
    session, branch = at.session, at.branch
    stale = [
        row for row in session.cover(branch.id, CoverState.STALE) if row.since > branch.acknowledged
    ]
    if not stale:
        return None
    last_turns = {row.summary_id: _last_turn(session, row.summary_id) for row in stale}
    return outdated(
        (*session.cover(branch.id), *stale), last_turns, acknowledged=branch.acknowledged
    )


def _last_turn(session: ReadSession, summary_id: SummaryId) -> TurnId:
    """Return the turn that a summary belongs to: the last one it was made from."""
    summary = session.summaries([summary_id])[summary_id]
    while summary.replaced is not None:
        summary = session.summaries([summary.replaced])[summary.replaced]
    return summary.turns[-1].turn_id
