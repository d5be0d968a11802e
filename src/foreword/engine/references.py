"""From what people type to what it names: conversations, branches, turns, summaries."""

from __future__ import annotations

from foreword.domain.conversation import Branch, Conversation
from foreword.domain.ids import BranchId, ConversationId, SummaryId, TurnId
from foreword.domain.turn import Entry
from foreword.engine.context import Engine, Place
from foreword.errors import (
    AmbiguousReference,
    BranchNotFound,
    ConversationNotFound,
    SummaryNotFound,
    TurnNotFound,
)
from foreword.ports.store import ReadSession


def find_conversation(engine: Engine, reference: str) -> Conversation:
    """Return the conversation with that id, title or unique beginning of either.

    Raises:
        ConversationNotFound: nothing answers to it.
        AmbiguousReference: several do.
    """
    known = engine.store.conversations(engine.account)
    wanted = reference.strip().casefold()
    attempts = (
        [one for one in known if one.id == reference],
        [one for one in known if one.title == reference],
        [one for one in known if one.title.casefold() == wanted],
        [one for one in known if wanted and one.id.startswith(wanted)],
        [one for one in known if wanted and one.title.casefold().startswith(wanted)],
    )
    for found in attempts:
        if len(found) == 1:
            return found[0]
        if found:
            shown = [f"{one.id} ({one.title})" for one in found]
            raise AmbiguousReference(reference, shown)
    raise ConversationNotFound(reference)


def find_place(engine: Engine, conversation: str, branch: str | None = None) -> Place:
    """Return the place that a conversation and, perhaps, a branch reference name.

    Raises:
        ConversationNotFound, BranchNotFound, AmbiguousReference: see the two look-ups.
    """
    found = find_conversation(engine, conversation)
    if branch is None:
        return Place(conversation=found.id)
    return Place(
        conversation=found.id, branch=find_branch(engine, found.id, branch, removed=True).id
    )


def find_branch(
    engine: Engine, conversation: ConversationId, reference: str, *, removed: bool = False
) -> Branch:
    """Return the branch with that name or id.

    Args:
        engine: where to look.
        conversation: whose branches to look through.
        reference: a name, or a number.
        removed: also find branches whose fork was undone, by number.

    Raises:
        BranchNotFound: nothing answers to it.
        AmbiguousReference: several branches have that name.
    """
    with engine.store.read(engine.account, conversation) as session:
        branches = session.branches()
    present = [branch for branch in branches if not branch.removed]
    named = [branch for branch in present if branch.name == reference.strip()]
    if len(named) > 1:
        raise AmbiguousReference(reference, [f"{branch.id} ({branch.name})" for branch in named])
    number = _number(reference)
    numbered = [branch for branch in (branches if removed else present) if branch.id == number]
    for branch in (*named, *numbered):
        return branch
    raise BranchNotFound(reference)


def find_turn(session: ReadSession, branch: BranchId, reference: str) -> Entry:
    """Return the entry at an ORDER (from 1) or with an id (`id:N`).

    Raises:
        TurnNotFound: no turn stands there.
    """
    text = reference.strip()
    if text.startswith("id:"):
        number = _number(text.removeprefix("id:"))
        entry = None if number is None else session.entry(branch, TurnId(number))
    else:
        number = _number(text)
        entry = None if number is None else session.nth(branch, number)
    if entry is None:
        raise TurnNotFound(reference)
    return entry


def summary_number(reference: str) -> SummaryId:
    """Return the id that `S7` or `7` names.

    Raises:
        SummaryNotFound: it is no number.
    """
    number = _number(reference.strip().removeprefix("S").removeprefix("s"))
    if number is None:
        raise SummaryNotFound(reference)
    return SummaryId(number)


def _number(text: str) -> int | None:
    """Return a positive whole number that a database can hold, or None."""
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) <= 15 and int(text) > 0:
        return int(text)
    return None
