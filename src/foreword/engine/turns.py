"""Use cases on turns: append, edit, delete, hide, pin, choose an alternative, show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from foreword.domain.ids import POSITION_GAP, PlanId, Pos, Rev, SummaryId, speaker_id
from foreword.domain.ops import OpKind
from foreword.domain.storable import storable_name, storable_text
from foreword.domain.turn import (
    Alternative,
    Content,
    Entry,
    Role,
    TextPart,
    Turn,
    Version,
    with_text,
)
from foreword.engine.context import Engine, Place, Reading, Writing, reading, writing
from foreword.engine.references import find_turn
from foreword.engine.settling import Settled, settle
from foreword.engine.turn_parts import alternatives_of, entry_of, new_version, turn_views
from foreword.errors import AlternativeNotFound, EmptyText


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnChange:
    """The turns as they are after a change, and what it did to the summaries."""

    turns: tuple[Turn, ...]
    stale: tuple[SummaryId, ...] = ()
    """Summaries that are out of force now, since their text changed."""
    back: tuple[SummaryId, ...] = ()
    """Summaries that are in force again."""
    rev: Rev = Rev(0)
    """Of an append: the revision that it made."""


def append(
    engine: Engine,
    place: Place,
    text: str,
    *,
    role: Role,
    speaker: str | None = None,
) -> TurnChange:
    """Put a turn at the end of the branch.

    Args:
        engine: the engine.
        place: where.
        text: what is said; not empty.
        role: who it is from.
        speaker: the name to show; by default the conversation's name for the role.

    Raises:
        EmptyText: there is no text.
    """
    with writing(engine, place) as to:
        name = _speaker(to, role) if speaker is None else storable_name(speaker)
        content = _content(engine, role=role, name=name, text=text, sent_at=engine.now())
        return _put_last(to, content, name)


def append_reply(
    engine: Engine,
    place: Place,
    text: str,
    *,
    reasoning: str,
    answers: TurnChange | None,
    written_from: PlanId | None = None,
) -> TurnChange:
    """Put what a model wrote at the end of the branch.

    Args:
        engine: the engine.
        place: where.
        text: what it wrote; not empty.
        reasoning: what it thought before; kept, never sent.
        answers: what the same command appended before, so that one undo takes back both; None for
            nothing. What was taken back meanwhile does not count.
        written_from: the kept prompt that the model was sent.

    Raises:
        EmptyText: there is no text.
    """
    with writing(engine, place) as to:
        name = _speaker(to, Role.ASSISTANT)
        said = _content(engine, role=Role.ASSISTANT, name=name, text=text, sent_at=engine.now())
        content = replace(said, reasoning=storable_text(reasoning))
        group = answers.rev if answers is not None and _stands(to, answers) else None
        done = _put_last(to, content, name, group=group)
        if written_from is not None:
            to.session.link_reply(written_from, done.turns[0].entry.version_id)
        return done


def _stands(to: Writing, appended: TurnChange) -> bool:
    turn_id = appended.turns[0].entry.turn_id
    return to.session.entry(to.branch.id, turn_id) is not None


def _put_last(to: Writing, content: Content, name: str, *, group: Rev | None = None) -> TurnChange:
    rev = to.begin(OpKind.APPEND, group=group)
    to.session.ensure_speakers({content.speaker: name})
    (turn_id,) = to.session.new_turn_ids(1)
    (version,) = to.session.add_versions([new_version(to, turn_id, 1, content, name)])
    entry = entry_of(version, Pos(to.branch.tip_pos + POSITION_GAP))
    to.session.put_entries([entry])
    turn = Turn(order=to.branch.turns + 1, entry=entry, content=content, speaker_name=name)
    return TurnChange(turns=(turn,), rev=rev)


def edit(engine: Engine, place: Place, reference: str, text: str) -> TurnChange:
    """Give a turn another text; the alternative that was shown is replaced by it.

    Raises:
        TurnNotFound: no turn stands there.
        EmptyText: there is no text.
    """
    with writing(engine, place) as to:
        entry = find_turn(to.session, to.branch.id, reference)
        old = to.session.versions([entry.version_id])[entry.version_id]
        if old.content.text == text:
            return _changed(to, [entry], Settled())
        _refuse_empty(text)
        content = replace(old.content, parts=with_text(old.content.parts, storable_text(text)))
        return _show(to, entry, content, old.alt_no, OpKind.EDIT)


def add_alternative(engine: Engine, place: Place, reference: str, text: str) -> TurnChange:
    """Add another version of a turn and show it.

    Raises:
        TurnNotFound: no turn stands there.
        EmptyText: there is no text.
    """
    _refuse_empty(text)
    with writing(engine, place) as to:
        entry = find_turn(to.session, to.branch.id, reference)
        old = to.session.versions([entry.version_id])[entry.version_id]
        known = alternatives_of(to.session, to.branch, [entry])[entry.turn_id]
        content = Content(
            role=old.content.role,
            speaker=old.content.speaker,
            parts=(TextPart(text=storable_text(text)),),
            sent_at=engine.now(),
        )
        return _show(to, entry, content, known[-1].alt_no + 1, OpKind.CHOOSE)


def choose(engine: Engine, place: Place, reference: str, alternative: int) -> TurnChange:
    """Show another alternative of a turn.

    Raises:
        TurnNotFound: no turn stands there.
        AlternativeNotFound: the turn has none of that number.
    """
    with writing(engine, place) as to:
        entry = find_turn(to.session, to.branch.id, reference)
        known = alternatives_of(to.session, to.branch, [entry])[entry.turn_id]
        wanted = [one.version_id for one in known if one.alt_no == alternative]
        if not wanted:
            raise AlternativeNotFound(str(alternative))
        if wanted[0] == entry.version_id:
            return _changed(to, [entry], Settled())
        version = to.session.versions(wanted)[wanted[0]]
        to.begin(OpKind.CHOOSE)
        return _put(to, replace(entry_of(version, entry.pos), hidden=entry.hidden), entry)


def delete(engine: Engine, place: Place, reference: str, *, following: bool = False) -> TurnChange:
    """Take a turn off the branch, and all that follow it if wanted. Nothing is destroyed.

    Returns:
        The deleted turns as they were.

    Raises:
        TurnNotFound: no turn stands there.
    """
    with writing(engine, place) as to:
        first = find_turn(to.session, to.branch.id, reference)
        last = to.branch.tip_pos if following else first.pos
        gone = list(to.session.between(to.branch.id, first.pos, last))
        order = to.session.order(to.branch.id, first.pos)
        at = Reading(session=to.session, branch=to.branch)
        turns = turn_views(at, gone, first_order=order)
        to.begin(OpKind.DELETE_FOLLOWING if following else OpKind.DELETE)
        to.session.drop_entries([entry.pos for entry in gone])
        broken = any(not entry.hidden for entry in gone) and not following
        settled = settle(to.session, to.branch.id, first.pos, last, broken=broken)
        return TurnChange(turns=turns, stale=settled.stale, back=settled.back)


def set_hidden(
    engine: Engine, place: Place, references: Sequence[str], *, hidden: bool
) -> TurnChange:
    """Exclude turns from everything a model reads, or take them in again.

    Raises:
        TurnNotFound: one of the turns is not there; none is changed.
    """
    with writing(engine, place) as to:
        entries = _find_all(to, references)
        wanted = [replace(entry, hidden=hidden) for entry in entries if entry.hidden != hidden]
        if not wanted:
            return _changed(to, entries, Settled())
        to.begin(OpKind.HIDE if hidden else OpKind.UNHIDE)
        to.session.put_entries(wanted)
        settled = settle(to.session, to.branch.id, wanted[0].pos, wanted[-1].pos)
        return _changed(to, [replace(entry, hidden=hidden) for entry in entries], settled)


def set_pinned(
    engine: Engine, place: Place, references: Sequence[str], *, pinned: bool
) -> TurnChange:
    """Send turns word for word always, even when a summary covers them, or no longer.

    Raises:
        TurnNotFound: one of the turns is not there; none is changed.
    """
    with writing(engine, place) as to:
        entries = _find_all(to, references)
        held = {entry.turn_id for entry in to.session.pins(to.branch.id)}
        wanted = [entry.turn_id for entry in entries if (entry.turn_id in held) != pinned]
        if wanted:
            to.begin(OpKind.PIN if pinned else OpKind.UNPIN)
            if pinned:
                to.session.put_pins(wanted)
            else:
                to.session.drop_pins(wanted)
        return _changed(to, entries, Settled())


def list_turns(
    engine: Engine, place: Place, *, first: int = 1, last: int | None = None
) -> tuple[Turn, ...]:
    """Return the turns from one ORDER to another, both included; to the end by default."""
    with reading(engine, place) as at:
        stop = at.branch.turns if last is None else min(last, at.branch.turns)
        start = max(first, 1)
        low = at.session.nth(at.branch.id, start)
        high = at.session.nth(at.branch.id, stop)
        if low is None or high is None or start > stop:
            return ()
        entries = list(at.session.between(at.branch.id, low.pos, high.pos))
        return turn_views(at, entries, first_order=start)


def show_turn(engine: Engine, place: Place, reference: str) -> tuple[Turn, tuple[Version, ...]]:
    """Return a turn and all its alternatives, by number.

    Raises:
        TurnNotFound: no turn stands there.
    """
    with reading(engine, place) as at:
        entry = find_turn(at.session, at.branch.id, reference)
        (turn,) = turn_views(at, [entry])
        ids = [one.version_id for one in turn.alternatives]
        versions = at.session.versions(ids)
        return turn, tuple(versions[version_id] for version_id in ids)


def _show(to: Writing, entry: Entry, content: Content, alt_no: int, kind: OpKind) -> TurnChange:
    """Store a new version of a turn, as an alternative of this number, and show it."""
    known = alternatives_of(to.session, to.branch, [entry])[entry.turn_id]
    to.begin(kind)
    name = to.session.speaker_names([content.speaker])[content.speaker]
    (version,) = to.session.add_versions([new_version(to, entry.turn_id, alt_no, content, name)])
    if len(known) > 1 or alt_no > 1:
        rows = [one for one in known if one.alt_no != alt_no] if len(known) == 1 else []
        new = Alternative(turn_id=entry.turn_id, alt_no=alt_no, version_id=version.id)
        to.session.put_alternatives([*rows, new])
    return _put(to, replace(entry_of(version, entry.pos), hidden=entry.hidden), entry)


def _put(to: Writing, new: Entry, old: Entry) -> TurnChange:
    to.session.put_entries([new])
    broken = not new.hidden and new.digest != old.digest
    settled = settle(to.session, to.branch.id, new.pos, new.pos, broken=broken)
    return _changed(to, [new], settled)


def _changed(to: Writing, entries: Sequence[Entry], settled: Settled) -> TurnChange:
    turns = turn_views(Reading(session=to.session, branch=to.branch), entries)
    return TurnChange(turns=turns, stale=settled.stale, back=settled.back)


def _find_all(to: Writing, references: Sequence[str]) -> list[Entry]:
    found = {
        entry.turn_id: entry
        for entry in (find_turn(to.session, to.branch.id, one) for one in references)
    }
    return sorted(found.values(), key=lambda entry: entry.pos)


def _content(engine: Engine, *, role: Role, name: str, text: str, sent_at: str) -> Content:
    _refuse_empty(text)
    return Content(
        role=role,
        speaker=speaker_id(engine.account, name),
        parts=(TextPart(text=storable_text(text)),),
        sent_at=sent_at,
    )


def _speaker(to: Writing, role: Role) -> str:
    """Return the conversation's name for a role, or the role itself."""
    settings = to.session.conversation.settings
    names = {Role.USER: settings.get("user", ""), Role.ASSISTANT: settings.get("char", "")}
    return names.get(role) or role.value


def _refuse_empty(text: str) -> None:
    if not text.strip():
        raise EmptyText("turn")
