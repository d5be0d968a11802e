"""Use cases on kept prompts: keep the one that was made, show, compare and forget them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from foreword.domain.ids import BranchId, ConversationId, PlanId, TurnId
from foreword.domain.message import Message
from foreword.engine.context import Engine, Place, Writing, reading, writing
from foreword.engine.prompting import Prompt, prompt
from foreword.engine.references import find_turn
from foreword.errors import PromptNotFound, StoreError
from foreword.planning.prompt_diff import PromptDiff, SentPrompt, diff
from foreword.planning.records import (
    KEPT,
    NewRecord,
    Record,
    joined,
    kept_messages,
    messages_digest,
)
from foreword.ports.store import ReadSession

LISTED = 2 * KEPT
"""So many prompts of a branch a list shows; every one is shown by its number or its reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A prompt, and the number it is kept under."""

    prompt: Prompt
    number: PlanId | None
    """None where it could not be kept."""
    problem: str = ""
    """Why it was not kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A kept prompt, and what came of it."""

    record: Record
    replies: tuple[TurnId, ...]
    """The turns that a model wrote from it, by id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown(Listed):
    """A kept prompt with its texts."""

    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A kept prompt beside the one before it on its branch."""

    before: Record | None
    """None: it is the first that is kept of the branch."""
    after: Record
    diff: PromptDiff
    orders: Mapping[TurnId, int | None]
    """Where the turns that the difference names stand now; None for nowhere on the branch."""


def print_prompt(engine: Engine, place: Place, *, context: int | None = None) -> Printed:
    """Assemble the prompt for the next reply and keep it; what cannot be kept is made all the same.

    Raises:
        ContextTooSmall, InvalidSetting: see `prompting.prompt`.
    """
    made = prompt(engine, place, context=context)
    try:
        return Printed(prompt=made, number=keep(engine, place.conversation, made))
    except StoreError as error:
        return Printed(prompt=made, number=None, problem=str(error))


def keep(engine: Engine, conversation: ConversationId, made: Prompt) -> PlanId:
    """Keep a prompt and return its number: that of the newest one where both say the same.

    Of each branch the newest `KEPT` stay that no reply was written from, and all others.
    """
    with writing(engine, Place(conversation=conversation, branch=made.branch)) as to:
        new = _record(to, made)
        for newest in to.session.records(to.session.record_ids(made.branch, limit=1)):
            if newest.says_the_same(new):
                return newest.id
        number = to.session.add_record(new)
        to.session.drop_records(to.session.unanswered_records(made.branch, skip=KEPT))
        return number


def list_prompts(engine: Engine, place: Place) -> tuple[Listed, ...]:
    """Return the kept prompts of a branch, newest first, the newest `LISTED` of them."""
    with reading(engine, place) as at:
        found = at.session.records(at.session.record_ids(at.branch.id, limit=LISTED))
        return tuple(
            Listed(record=one, replies=_replies(at.session, one)) for one in reversed(found)
        )


def show(engine: Engine, place: Place, number: PlanId) -> Shown:
    """Return a kept prompt, of whatever branch.

    Raises:
        PromptNotFound: none of that number is kept.
    """
    with reading(engine, place) as at:
        return _shown(at.session, _found(at.session, number))


def show_for_reply(engine: Engine, place: Place, reference: str) -> Shown:
    """Return the prompt that the shown version of a turn was written from.

    Raises:
        TurnNotFound: no turn stands there.
        PromptNotFound: no prompt of it is kept: nobody asked a model for it here.
    """
    with reading(engine, place) as at:
        entry = find_turn(at.session, at.branch.id, reference)
        number = at.session.record_of_reply(entry.version_id)
        if number is None:
            raise PromptNotFound(f"for turn {reference}")
        return _shown(at.session, _found(at.session, number))


def compare(engine: Engine, place: Place, number: PlanId | None = None) -> Comparison:
    """Compare a kept prompt, by default the newest of the branch, with the one before it.

    Raises:
        PromptNotFound: none of that number is kept.
    """
    with reading(engine, place) as at:
        session = at.session
        if number is None:
            newest = session.record_ids(at.branch.id, limit=1)
            if not newest:
                raise PromptNotFound("for this branch")
            number = newest[0]
        after = _found(session, number)
        older = [one for one in session.record_ids(after.branch) if one < number]
        before = _found(session, older[0]) if older else None
        nothing = SentPrompt(turns={})
        old = nothing if before is None else _sent(session, before)
        found = diff(old, _sent(session, after), count=engine.counter.count)
        named = (*found.turns_entered, *found.turns_left, *found.turns_changed)
        orders = {turn: _order(session, after.branch, turn) for turn in named}
        return Comparison(before=before, after=after, diff=found, orders=orders)


def forget_prompts(engine: Engine, place: Place) -> int:
    """Take all kept prompts of a conversation away for good; return how many there were."""
    with writing(engine, place) as to:
        ids = [one for branch in to.session.branches() for one in to.session.record_ids(branch.id)]
        to.session.drop_records(ids)
        return len(ids)


def _record(to: Writing, made: Prompt) -> NewRecord:
    plan, session = made.plan, to.session
    entries = (*plan.holes, *plan.pinned, *plan.verbatim)
    versions = session.versions([entry.version_id for entry in entries])
    messages = kept_messages(
        plan,
        made.messages,
        turns={one: version.content.text for one, version in versions.items()},
        summaries=session.summary_texts(plan.summaries),
    )
    return NewRecord(
        branch=made.branch,
        rev=made.rev,
        cover_version=made.cover_version,
        at=to.engine.now(),
        messages=messages,
        sections=plan.sections,
        coverage=plan.coverage,
        dropped=plan.dropped,
        limit=plan.limit,
        context=made.context,
        reply=made.reply,
        prefix_digest=messages_digest(made.messages),
    )


def _found(session: ReadSession, number: PlanId) -> Record:
    for record in session.records([number]):
        return record
    raise PromptNotFound(str(number))


def _shown(session: ReadSession, record: Record) -> Shown:
    messages = record_messages(session, record)
    return Shown(record=record, replies=_replies(session, record), messages=messages)


def _replies(session: ReadSession, record: Record) -> tuple[TurnId, ...]:
    versions = session.versions(record.replies)
    return tuple(dict.fromkeys(versions[one].turn_id for one in record.replies))


def _sent(session: ReadSession, record: Record) -> SentPrompt:
    versions = session.versions(record.versions)
    return SentPrompt(
        messages=record_messages(session, record),
        sections=record.sections,
        turns={versions[one].turn_id: one for one in record.versions},
        summaries=tuple(dict.fromkeys(record.summaries)),
    )


def record_messages(session: ReadSession, record: Record) -> tuple[Message, ...]:
    """Return the messages of a prompt as they were sent."""
    versions = session.versions(record.versions)
    return joined(
        record.messages,
        turns={one: version.content.text for one, version in versions.items()},
        summaries=session.summary_texts(record.summaries),
    )


def _order(session: ReadSession, branch: BranchId, turn: TurnId) -> int | None:
    entry = session.entry(branch, turn)
    return None if entry is None else session.order(branch, entry.pos)
