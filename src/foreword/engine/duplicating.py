"""Use case: an independent copy of a whole conversation, as exporting and importing a bundle gives.

Above: the doors. Below: `bundles`, whose way of filling a conversation it shares. Invariants: the
copy is there as a whole or not at all; it has the state and the ids of the original, a journal of
its own, and nothing in common with it that either could change.
"""

from __future__ import annotations

from itertools import chain, count

from foreword.domain.conversation import Conversation
from foreword.domain.ids import MAIN_BRANCH, ConversationId
from foreword.domain.storable import storable_text
from foreword.domain.summary import CoverState
from foreword.engine.bundles import fill_from_session
from foreword.engine.context import Engine, Place, Writing, reading, writing
from foreword.engine.importing import Imported
from foreword.errors import EmptyText
from foreword.ports.store import ReadSession
from foreword.prompts.templates import TemplateName


def duplicate(
    engine: Engine, conversation: ConversationId, *, title: str | None = None
) -> Imported:
    """Copy a conversation: branches, turns, alternatives, summaries, pins, settings, templates.

    The journal begins anew, so that nothing of the copy can be undone that was done before; kept
    prompts and costs stay with the original.

    Args:
        engine: the engine.
        conversation: the original; it may be used meanwhile, the copy is what it was at one moment.
        title: of the copy; by default the original's with `(copy)`, counted where that is taken.

    Raises:
        EmptyText: the title is empty.
    """
    if title is not None and not title.strip():
        raise EmptyText("title")
    with reading(engine, Place(conversation=conversation)) as at:
        original, session = at.session.conversation, at.session
        copy = engine.store.create(
            engine.account,
            ConversationId(engine.new_id()),
            title=storable_text(_free_title(engine, original) if title is None else title.strip()),
            at=engine.now(),
            settings=original.settings,
            deleted=True,
        )
        _copy_templates(engine, session, copy)
        with writing(engine, Place(conversation=copy.id, branch=MAIN_BRANCH)) as to:
            fill_from_session(to, session)
            _acknowledge(to, session)
            to.session.change_conversation(
                source=session.source(),
                origin=original.origin,
                current_branch=original.current_branch,
                deleted=False,
            )
            current = to.session.branch(original.current_branch)
            summaries = tuple(row.summary_id for row in to.session.cover_rows(current.id))
    return Imported(
        conversation=copy.id,
        title=copy.title,
        branch=current.id,
        turns=current.turns,
        summaries=summaries,
        losses=(),
        created=True,
        forked=False,
    )


def _free_title(engine: Engine, original: Conversation) -> str:
    """Return the title of the next copy that no conversation has."""
    taken = {known.title for known in engine.store.conversations(engine.account)}
    first = f"{original.title} (copy)"
    others = (f"{original.title} (copy {number})" for number in count(2))
    return next(title for title in chain([first], others) if title not in taken)


def _copy_templates(engine: Engine, session: ReadSession, copy: Conversation) -> None:
    for name in TemplateName:
        text = session.template(f"conversation:{session.conversation.id}", name)
        if text is not None:
            engine.store.set_template(f"conversation:{copy.id}", name, text)


def _acknowledge(to: Writing, session: ReadSession) -> None:
    """Ask nobody again about summaries that the user knows to be out of force."""
    for branch in session.branches():
        stale = session.cover(branch.id, CoverState.STALE)
        if all(row.since <= branch.acknowledged for row in stale):
            to.session.acknowledge(branch.id, to.session.conversation.rev)
