"""Use case: take a file in. Importing the same chat again adds what is new, and never twice.

A chat is recognised (see `recognising`), and then taken in turn by turn. Other answers to the last
turn become its alternatives. What else differs from every branch becomes a branch of its own;
nothing is overwritten.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from foreword.domain.conversation import Conversation
from foreword.domain.digest import content_digest
from foreword.domain.ids import (
    MAIN_BRANCH,
    POSITION_GAP,
    BranchId,
    ConversationId,
    Pos,
    SummaryId,
    TurnId,
    VersionId,
    speaker_id,
)
from foreword.domain.interchange import Bundle, Chat, ChatTurn, Loss
from foreword.domain.ops import OpKind
from foreword.domain.policy import policy_from
from foreword.domain.storable import storable_name, storable_text
from foreword.domain.turn import Alternative, Entry, Version
from foreword.engine.branches import fork_after
from foreword.engine.bundles import fill_from_bundle, usable_templates
from foreword.engine.carrying import put_summaries
from foreword.engine.context import Engine, Place, Reading, Writing, writing
from foreword.engine.matching import Match, contents_of, longest_match
from foreword.engine.recognising import (
    NO_OTHERS,
    Others,
    Taken,
    matching,
    same_sources,
    title_of,
)
from foreword.engine.scene_headers import share_of_chat
from foreword.engine.settling import settle
from foreword.engine.sources import from_header, with_branch
from foreword.engine.turn_parts import alternatives_of, entry_of, new_version
from foreword.engine.verifying import verify_opened
from foreword.errors import FileUnreadable, InvalidSetting, UnknownSetting
from foreword.ports.format import SourceFile
from foreword.ports.store import NewVersion

PORTION = 2_000
"""Turns stored at once: few enough that a long chat takes little memory beside its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import did."""

    conversation: ConversationId
    title: str
    branch: BranchId
    turns: int
    """Turns that were added; 0 when all were there."""
    summaries: tuple[SummaryId, ...]
    losses: tuple[Loss, ...]
    created: bool
    """Whether the conversation is new."""
    forked: bool
    """Whether the file became a branch of a conversation that was there."""
    settings: tuple[str, ...] = ()
    """Names of settings of a conversation that was there, to which text was added."""
    scene_time: float | None = None
    """Share of the replies in it with a date header that memory can use; None without replies."""


def import_file(engine: Engine, file: SourceFile) -> Imported:
    """Take a file in, and return what became of the first conversation in it.

    Raises:
        FileUnreadable, FormatUnknown, BundleTooNew: see the formats.
    """
    first, *_ = import_each(engine, file)
    return first


def import_each(engine: Engine, file: SourceFile, taken: Taken | None = None) -> Iterator[Imported]:
    """Take a file in, one conversation or branch after the other; at least one is in it.

    Args:
        engine: the engine.
        file: the file.
        taken: the conversations of files of the same import; those of this file are added.

    Raises:
        FileUnreadable, FormatUnknown, BundleTooNew: see the formats.
    """
    taken = {} if taken is None else taken
    others = Others(taken=taken, path=file.path)
    read = engine.read_file(file)
    for one in read if isinstance(read, tuple) else (read,):
        done = _import_one(engine, one, others)
        if done.created or not from_header(one.source, "main_chat"):
            taken.setdefault(done.conversation, file.path)
        yield done


def _import_one(engine: Engine, read: Chat | Bundle, others: Others) -> Imported:
    if isinstance(read, Bundle):
        return _import_bundle(engine, read, others.path)
    if read.summaries and not (read.turns or read.settings):
        reason = "it holds summaries of a story: say with --into which one."
        raise FileUnreadable(path=others.path, reason=reason)
    return import_chat(engine, read, others)


def import_chat(engine: Engine, chat: Chat, others: Others = NO_OTHERS) -> Imported:
    """Take a chat in: into a new conversation, or the one it was imported into before."""
    if not chat.turns:
        for known in same_sources(engine, chat, others):
            return _imported(known, known.current_branch, chat, 0)
    return (
        _import_again(engine, chat, others)
        or _refill(engine, chat, others)
        or _import_new(engine, chat, others)
    )


def _refill(engine: Engine, chat: Chat, others: Others) -> Imported | None:
    """Take a chat into the conversation that had it and is empty now; None when there is none."""
    for known in same_sources(engine, chat, others):
        with writing(engine, Place(conversation=known.id, branch=MAIN_BRANCH)) as to:
            if not any(branch.turns for branch in to.session.branches()):
                to.begin(OpKind.IMPORT)
                return _filled(to, known, chat)
    return None


def _import_new(engine: Engine, chat: Chat, others: Others) -> Imported:
    conversation = _create(engine, title_of(chat), _settings(chat), engine.now())
    place = Place(conversation=conversation.id, branch=MAIN_BRANCH)
    with writing(engine, place) as to:
        if not matching(engine, chat, others):
            to.begin(OpKind.IMPORT)
            to.session.change_conversation(
                source=chat.source, origin=from_header(chat.source, "integrity"), deleted=False
            )
            return replace(_filled(to, conversation, chat), created=True)
    # Somebody else took the chat in meanwhile; the empty conversation stays off the list.
    return import_chat(engine, chat, others)


def _filled(to: Writing, known: Conversation, chat: Chat) -> Imported:
    """Put everything of a chat on an empty branch."""
    _append(to, chat.turns)
    return _remembered(to, chat, _imported(known, to.branch.id, chat, len(chat.turns)))


def _remembered(to: Writing, chat: Chat, done: Imported) -> Imported:
    """Put the chat's summaries into force too, as part of the op that took in its turns."""
    made, losses = put_summaries(to, chat.summaries)
    return replace(done, summaries=made, losses=(*done.losses, *losses))


def _import_again(engine: Engine, chat: Chat, others: Others) -> Imported | None:
    """Bring a conversation that has the chat up to date; None when there is none."""
    for known, branch in matching(engine, chat, others):
        with writing(engine, Place(conversation=known.id, branch=branch)) as to:
            match = longest_match(engine, Reading(session=to.session, branch=to.branch), chat)
            if match is not None:
                return _take_in(to, known, chat, match)
    return None


def _take_in(to: Writing, known: Conversation, chat: Chat, match: Match) -> Imported:
    """Put what the chat has more than its branch onto that branch, or onto a fork of it."""
    new = chat.turns[match.turns :]
    place = Writing(engine=to.engine, session=to.session, branch=to.session.branch(match.branch))
    if match.whole_branch:
        added = _import_at_end(place, chat.turns[match.turns - 1], new, match)
        done = _imported(known, match.branch, chat, added)
        return _remembered(place, chat, done) if added else done
    if not new:
        return _imported(known, match.branch, chat, 0)
    name = None if title_of(chat) == known.title else title_of(chat)
    current = to.session.conversation.current_branch
    fork = fork_after(place, match.last, name)
    # Nobody asked to leave the branch that is open.
    to.session.change_conversation(
        current_branch=current, source=with_branch(to.session.source(), fork.id, chat.source)
    )
    forked = Writing(engine=to.engine, session=to.session, branch=to.session.branch(fork.id))
    group = next(to.session.ops(fork.id)).group
    forked.begin(OpKind.IMPORT, group=group)
    _append(forked, new)
    return _remembered(forked, chat, _imported(known, fork.id, chat, len(new), forked=True))


def _import_at_end(to: Writing, last: ChatTurn, new: Sequence[ChatTurn], match: Match) -> int:
    """Bring the last turn of a branch up to date and append what is new."""
    texts = contents_of(to.engine, last)
    rows = alternatives_of(to.session, to.branch, [match.last])[match.last.turn_id]
    versions = to.session.versions([row.version_id for row in rows])
    held = {versions[row.version_id].digest: row for row in rows}
    missing = [text for text in texts if content_digest(text) not in held]
    wanted = content_digest(texts[last.chosen])
    if not (missing or new or wanted != match.last.digest):
        return 0
    to.begin(OpKind.IMPORT)
    name = storable_name(last.speaker)
    added = to.session.add_versions(
        [
            new_version(to, match.last.turn_id, number, text, name)
            for number, text in enumerate(missing, start=rows[-1].alt_no + 1)
        ]
    )
    if added:
        to.session.put_alternatives([*rows, *map(_alternative, added)])
    if wanted != match.last.digest:
        _show(to, match.last, wanted, (*versions.values(), *added))
    _append(to, new)
    return len(new)


def _show(to: Writing, entry: Entry, digest: bytes, versions: Iterable[Version]) -> None:
    shown = next(version for version in versions if version.digest == digest)
    to.session.put_entries([replace(entry_of(shown, entry.pos), hidden=entry.hidden)])
    settle(to.session, to.branch.id, entry.pos, entry.pos)


def _append(to: Writing, turns: Sequence[ChatTurn]) -> None:
    """Put turns at the end of the branch, with their alternatives, flags and pins."""
    account = to.engine.account
    names = {storable_name(turn.speaker) for turn in turns}
    to.session.ensure_speakers({speaker_id(account, name): name for name in names})
    for start in range(0, len(turns), PORTION):
        _append_portion(to, turns[start : start + PORTION])


def _append_portion(to: Writing, turns: Sequence[ChatTurn]) -> None:
    session = to.session
    ids = session.new_turn_ids(len(turns))
    versions = iter(session.add_versions(list(_new_versions(to, turns, ids))))
    tip = session.branch(to.branch.id).tip_pos
    entries: list[Entry] = []
    alternatives: list[Alternative] = []
    for place, turn in enumerate(turns, start=1):
        own = [next(versions) for _ in turn.texts]
        pos = Pos(tip + place * POSITION_GAP)
        entries.append(entry_of(own[turn.chosen], pos, hidden=turn.hidden))
        if len(own) > 1:
            alternatives.extend(map(_alternative, own))
    session.put_entries(entries)
    session.put_alternatives(alternatives)
    session.put_pins([turn_id for turn, turn_id in zip(turns, ids, strict=True) if turn.pinned])


def _new_versions(
    to: Writing, turns: Iterable[ChatTurn], ids: Iterable[TurnId]
) -> Iterable[NewVersion]:
    for turn, turn_id in zip(turns, ids, strict=True):
        for number, content in enumerate(contents_of(to.engine, turn), start=1):
            yield new_version(to, turn_id, number, content, storable_name(turn.speaker))


def _alternative(version: Version) -> Alternative:
    return Alternative(
        turn_id=version.turn_id, alt_no=version.alt_no, version_id=VersionId(version.id)
    )


def _settings(chat: Chat) -> dict[str, str]:
    names = {"char": storable_name(chat.char), "user": storable_name(chat.user)}
    return {**chat.settings, **{name: value for name, value in names.items() if value}}


def _create(engine: Engine, title: str, settings: dict[str, str], at: str) -> Conversation:
    """Make a conversation that is not listed before it is filled."""
    return engine.store.create(
        engine.account,
        ConversationId(engine.new_id()),
        title=title,
        at=at,
        settings=settings,
        deleted=True,
    )


def _usable_settings(bundle: Bundle) -> tuple[dict[str, str], tuple[Loss, ...]]:
    """Return the settings that this Foreword knows and takes, and what became of the others."""
    kept: dict[str, str] = {}
    losses: list[Loss] = []
    for name, value in bundle.settings.items():
        try:
            policy_from({name: value})
        except (UnknownSetting, InvalidSetting) as error:
            losses.append(Loss(where="settings", what=f"{name} = {value[:80]}", why=str(error)))
        else:
            kept[name] = value
    return kept, tuple(losses)


def _import_bundle(engine: Engine, bundle: Bundle, path: str) -> Imported:
    """Take a bundle in whole, or not at all when its parts contradict each other.

    Raises:
        FileUnreadable: counts or covers in it do not fit its turns.
    """
    settings, losses = _usable_settings(bundle)
    created = storable_text(bundle.created_at)
    conversation = _create(engine, title_of(bundle), settings, created)
    templates, broken = usable_templates(bundle)
    for name, text in templates.items():
        engine.store.set_template(f"conversation:{conversation.id}", name, text)
    with writing(engine, Place(conversation=conversation.id, branch=MAIN_BRANCH)) as to:
        fill_from_bundle(to, bundle)
        to.session.change_conversation(
            source=bundle.source,
            origin=from_header(bundle.source, "integrity"),
            deleted=False,
            current_branch=bundle.current_branch,
        )
        for problem in verify_opened(to.session).problems:
            raise FileUnreadable(path=path, reason=f"it contradicts itself: {problem}.")
    current = next(one for one in bundle.branches if one.branch.id == bundle.current_branch)
    return Imported(
        conversation=conversation.id,
        title=conversation.title,
        branch=bundle.current_branch,
        turns=len(current.entries),
        summaries=tuple(summary.id for summary in bundle.summaries),
        losses=(*losses, *broken),
        created=True,
        forked=False,
    )


def _imported(
    conversation: Conversation,
    branch: BranchId,
    chat: Chat,
    turns: int,
    *,
    created: bool = False,
    forked: bool = False,
) -> Imported:
    return Imported(
        conversation=conversation.id,
        title=conversation.title,
        branch=branch,
        turns=turns,
        summaries=(),
        losses=chat.losses,
        created=created,
        forked=forked,
        scene_time=share_of_chat(chat.turns),
    )
