"""What use cases on turns are made of: entries, versions and views of turns.

Above: `turns`, `importing`. Below: the store.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from foreword.domain.conversation import Branch
from foreword.domain.digest import content_digest
from foreword.domain.ids import Pos, TurnId
from foreword.domain.turn import Alternative, Content, Entry, Turn, Version
from foreword.engine.context import Reading, Writing
from foreword.ports.store import NewVersion, ReadSession
from foreword.prompts.messages import needs_name, turn_message


def turn_views(
    at: Reading, entries: Sequence[Entry], *, first_order: int | None = None
) -> tuple[Turn, ...]:
    """Return entries with everything a reader wants to know of them.

    Args:
        at: the branch.
        entries: in branch order.
        first_order: given, the entries are neighbours and the first stands at this order.
    """
    session, branch = at.session, at.branch
    versions = session.versions([entry.version_id for entry in entries])
    names = session.speaker_names({entry.speaker for entry in entries})
    pins = {entry.turn_id for entry in session.pins(branch.id)}
    alternatives = alternatives_of(session, branch, entries)
    return tuple(
        Turn(
            order=(
                session.order(branch.id, entry.pos) if first_order is None else first_order + place
            ),
            entry=entry,
            content=versions[entry.version_id].content,
            speaker_name=names[entry.speaker],
            alternatives=alternatives[entry.turn_id],
            pinned=entry.turn_id in pins,
        )
        for place, entry in enumerate(entries)
    )


def entry_of(version: Version, pos: Pos, *, hidden: bool = False) -> Entry:
    """Return the entry that shows a version at a position."""
    return Entry(
        pos=pos,
        turn_id=version.turn_id,
        version_id=version.id,
        role=version.content.role,
        speaker=version.content.speaker,
        tokens=version.tokens,
        digest=version.digest,
        hidden=hidden,
    )


def alternatives_of(
    session: ReadSession, branch: Branch, entries: Sequence[Entry]
) -> dict[TurnId, tuple[Alternative, ...]]:
    """Return the alternatives of each turn; a turn with one version has that one."""
    rows = session.alternatives(branch.id, [entry.turn_id for entry in entries])
    return {
        entry.turn_id: rows.get(
            entry.turn_id,
            (Alternative(turn_id=entry.turn_id, alt_no=1, version_id=entry.version_id),),
        )
        for entry in entries
    }


def new_version(
    to: Writing, turn_id: TurnId, alt_no: int, content: Content, speaker_name: str
) -> NewVersion:
    """Return a version to store, with the tokens and the digest that it keeps for good."""
    settings = to.session.conversation.settings
    named = needs_name(
        content.role,
        speaker_name,
        char=settings.get("char", ""),
        user=settings.get("user", ""),
    )
    if content.named != named:
        content = replace(content, named=named)
    message = turn_message(content, speaker_name=speaker_name)
    return NewVersion(
        turn_id=turn_id,
        alt_no=alt_no,
        content=content,
        tokens=to.engine.counter.count(message.content),
        digest=content_digest(content),
    )
