"""Use case: add what a file says to a conversation that is there: a card, a lorebook, memories.

Beside `importing`. Invariant: texts are appended to settings, never put in the place of others, and
the same text is not appended twice.
"""

from __future__ import annotations

from dataclasses import replace

from foreword.domain.ids import Pos, SummaryId
from foreword.domain.interchange import Chat, Loss
from foreword.domain.storable import storable_text
from foreword.domain.turn import Role
from foreword.engine.carrying import put_summaries
from foreword.engine.context import Engine, Place, Writing, writing
from foreword.engine.importing import Imported
from foreword.engine.locating import located
from foreword.errors import FileUnreadable
from foreword.ports.format import SourceFile


def add_file(engine: Engine, file: SourceFile, place: Place) -> Imported:
    """Add a card's or a lorebook's texts and summaries to a branch.

    Raises:
        FileUnreadable: it is a chat or a bundle, or see the formats.
        FormatUnknown, BundleTooNew: see the formats.
    """
    read = engine.read_file(file)
    if not isinstance(read, Chat) or not (read.settings or read.summaries) or _is_chat(read):
        reason = "it is a conversation of its own: import it without --into."
        raise FileUnreadable(path=file.path, reason=reason)
    losses = read.losses
    if read.turns:
        why = "the conversation has begun; import the card alone for one that opens with it"
        losses = (*losses, Loss(where="the card", what="the greetings", why=why))
    with writing(engine, place) as to:
        return _added(to, replace(read, losses=losses))


def _is_chat(read: Chat) -> bool:
    """Say whether it is more than a card, which has its texts and a greeting."""
    greets = len(read.turns) == 1 and read.turns[0].role is Role.ASSISTANT
    return bool(read.turns) and not (greets and read.settings)


def _added(to: Writing, read: Chat) -> Imported:
    known = to.session.conversation
    before = dict(known.settings)
    settings = dict(before)
    for name, text in read.settings.items():
        settings[name] = _joined(settings.get(name, ""), storable_text(text))
    if settings != before:
        to.session.change_conversation(settings=settings)
    made: tuple[SummaryId, ...] = ()
    losses: tuple[Loss, ...] = ()
    if read.summaries:
        found, unlike = located(read.summaries, _texts(to))
        made, losses = put_summaries(to, found, begun=False)
        losses = (*unlike, *losses)
    return Imported(
        conversation=known.id,
        title=known.title,
        branch=to.branch.id,
        turns=0,
        summaries=made,
        losses=(*read.losses, *losses),
        created=False,
        forked=False,
        settings=tuple(name for name in settings if settings[name] != before.get(name)),
    )


def _texts(to: Writing) -> list[str | None]:
    """Return what the turns of the branch say; None for hidden ones."""
    entries = tuple(to.session.between(to.branch.id, Pos(1), to.branch.tip_pos))
    versions = to.session.versions([entry.version_id for entry in entries])
    return [None if entry.hidden else versions[entry.version_id].content.text for entry in entries]


def _joined(text: str, more: str) -> str:
    if more in text:
        return text
    return f"{text}\n\n{more}" if text.strip() else more
