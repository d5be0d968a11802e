"""A way to tell a store a story in few words: what the checks of the contract arrange with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from foreword.domain.conversation import Branch
from foreword.domain.digest import content_digest
from foreword.domain.ids import (
    DEFAULT_ACCOUNT,
    MAIN_BRANCH,
    POSITION_GAP,
    AccountId,
    BranchId,
    ConversationId,
    Pos,
    Rev,
    SpeakerId,
    SummaryId,
    TurnId,
    speaker_id,
)
from foreword.domain.ops import OpKind
from foreword.domain.summary import CoverRow, CoverState, NewSummary, SourceTurn
from foreword.domain.turn import Content, Entry, Role, TextPart, Version
from foreword.ports.store import NewVersion, ReadSession, Store, WriteSession

AT = "2026-01-01T00:00:00+00:00"
FARTHEST = Pos(1 << 40)


def content_of(text: str, *, role: Role = Role.USER, name: str = "Ada") -> Content:
    """Return content of one text part."""
    speaker = speaker_id(DEFAULT_ACCOUNT, name)
    return Content(role=role, speaker=speaker, parts=(TextPart(text=text),))


def version_of(turn_id: TurnId, content: Content, *, alt_no: int = 1) -> NewVersion:
    """Return a version with a digest and a number of tokens of its own."""
    return NewVersion(
        turn_id=turn_id,
        alt_no=alt_no,
        content=content,
        tokens=len(content.text),
        digest=content_digest(content),
    )


def entry_of(version: Version, pos: int) -> Entry:
    """Return the entry that shows a version at a position."""
    return Entry(
        pos=Pos(pos),
        turn_id=version.turn_id,
        version_id=version.id,
        role=version.content.role,
        speaker=version.content.speaker,
        tokens=version.tokens,
        digest=version.digest,
    )


def summary_of(text: str = "so far", *, children: Sequence[SummaryId] = ()) -> NewSummary:
    """Return a summary of turn 1, or of other summaries."""
    return NewSummary(
        layer=1 if children else 0,
        depth=2 if children else 1,
        text=text,
        tokens=len(text),
        first_digest=b"first",
        n_turns=1,
        span_digest=b"span",
        maker="test",
        turns=() if children else (SourceTurn(turn_id=TurnId(1), digest=b"first"),),
        children=tuple(children),
    )


def cover_row(
    summary_id: SummaryId,
    lo: int,
    hi: int,
    *,
    state: CoverState = CoverState.USED,
    layer: int = 0,
) -> CoverRow:
    """Return the place of a summary from one position to another."""
    return CoverRow(
        summary_id=summary_id,
        state=state,
        layer=layer,
        from_pos=Pos(lo),
        to_pos=Pos(hi),
        n_turns=1,
        src_tokens=9,
        tokens=6,
    )


class Teller:
    """A conversation in a store, told in single ops."""

    def __init__(self, store: Store, name: str = "c", account: AccountId = DEFAULT_ACCOUNT) -> None:
        """Make the conversation."""
        self.store = store
        self.account = account
        self.id = ConversationId(name)
        store.create(account, self.id, title="A story", at=AT, settings={})

    @contextmanager
    def reading(self) -> Iterator[ReadSession]:
        """Open the conversation to look at it."""
        with self.store.read(self.account, self.id) as session:
            yield session

    @contextmanager
    def op(
        self, branch: BranchId = MAIN_BRANCH, kind: OpKind = OpKind.EDIT, *, actor: str = "user"
    ) -> Iterator[WriteSession]:
        """Open the conversation to change it by one op."""
        with self.store.write(self.account, self.id) as session:
            session.begin(branch, kind, actor=actor, at=AT)
            yield session

    @contextmanager
    def writing(self) -> Iterator[WriteSession]:
        """Open the conversation for what is no op."""
        with self.store.write(self.account, self.id) as session:
            yield session

    def say(self, *texts: str, branch: BranchId = MAIN_BRANCH) -> list[Entry]:
        """Append turns by one op and return their entries."""
        with self.op(branch, OpKind.APPEND) as session:
            turns = session.new_turn_ids(len(texts))
            contents = [content_of(text) for text in texts]
            versions = session.add_versions(
                [version_of(turn, content) for turn, content in zip(turns, contents, strict=True)]
            )
            tip = session.branch(branch).tip_pos
            entries = [
                entry_of(version, tip + POSITION_GAP * place)
                for place, version in enumerate(versions, start=1)
            ]
            session.put_entries(entries)
        return entries

    def edit(self, entry: Entry, text: str, *, branch: BranchId = MAIN_BRANCH) -> Entry:
        """Show another text in the place of an entry and return the new one."""
        with self.op(branch) as session:
            (version,) = session.add_versions([version_of(entry.turn_id, content_of(text))])
            edited = replace(entry_of(version, entry.pos), hidden=entry.hidden)
            session.put_entries([edited])
        return edited

    def hide(self, entry: Entry, *, branch: BranchId = MAIN_BRANCH, hidden: bool = True) -> Entry:
        """Hide or show an entry and return it as it is now."""
        changed = replace(entry, hidden=hidden)
        with self.op(branch, OpKind.HIDE) as session:
            session.put_entries([changed])
        return changed

    def drop(self, *entries: Entry, branch: BranchId = MAIN_BRANCH) -> None:
        """Take entries off a branch by one op."""
        with self.op(branch, OpKind.DELETE) as session:
            session.drop_entries([entry.pos for entry in entries])

    def fork(
        self,
        at: int,
        *,
        parent: BranchId = MAIN_BRANCH,
        name: str = "fork",
        merged: bool = False,
    ) -> Branch:
        """Fork behind a position."""
        with self.store.write(self.account, self.id) as session:
            branch = session.add_branch(name, parent=parent, fork_pos=Pos(at), merged=merged)
            session.begin(branch.id, OpKind.FORK, actor="user", at=AT)
        return branch

    def undo(self, rev: Rev, *, branch: BranchId = MAIN_BRANCH) -> None:
        """Restore what an op touched to what it was before."""
        with self.op(branch, OpKind.UNDO) as session:
            session.restore(session.touched(branch, rev), rev)

    def rev(self) -> Rev:
        """Return the newest revision."""
        with self.reading() as session:
            return session.conversation.rev

    def branch(self, branch: BranchId = MAIN_BRANCH) -> Branch:
        """Return a branch as it is now."""
        with self.reading() as session:
            return session.branch(branch)

    def shown(self, branch: BranchId = MAIN_BRANCH) -> list[Entry]:
        """Return the entries of a branch, oldest first, after checking every way to get them."""
        with self.reading() as session:
            entries = list(session.between(branch, Pos(0), FARTHEST))
            assert list(session.newest(branch)) == entries[::-1]
            assert [session.nth(branch, order) for order in range(1, len(entries) + 1)] == entries
            assert session.nth(branch, len(entries) + 1) is None
            places = [session.order(branch, entry.pos) for entry in entries]
            assert places == list(range(1, len(entries) + 1))
            positions = [entry.pos for entry in entries]
            assert session.orders(branch, positions) == dict(zip(positions, places, strict=True))
            assert [session.entry(branch, entry.turn_id) for entry in entries] == entries
            _check_counts(session.branch(branch), entries)
            return entries

    def texts(self, branch: BranchId = MAIN_BRANCH) -> list[str]:
        """Return the texts of a branch, oldest first; hidden ones in brackets."""
        entries = self.shown(branch)
        with self.reading() as session:
            versions = session.versions([entry.version_id for entry in entries])
            texts = [versions[entry.version_id].content.text for entry in entries]
        shown = zip(entries, texts, strict=True)
        return [f"({text})" if entry.hidden else text for entry, text in shown]

    def found(self, *terms: str, branch: BranchId = MAIN_BRANCH, limit: int = 10) -> list[TurnId]:
        """Return the turns that show one of the newest versions with all of the terms."""
        with self.reading() as session:
            (found,) = session.versions_with([terms], limit)
            return [entry.turn_id for entry in session.shown(branch, found)]


def _check_counts(branch: Branch, entries: Sequence[Entry]) -> None:
    visible = [entry for entry in entries if not entry.hidden]
    counted = (branch.visible_turns, branch.visible_tokens, branch.hidden_turns)
    assert counted == (
        len(visible),
        sum(entry.cost for entry in visible),
        len(entries) - len(visible),
    )
    assert all(entry.pos <= branch.tip_pos for entry in entries)


@contextmanager
def refused(error: type[Exception]) -> Iterator[None]:
    """Expect the block to raise an error of this type."""
    try:
        yield
    except error:
        return
    raise AssertionError(f"{error.__name__} was not raised")


def speaker(name: str) -> SpeakerId:
    """Return the id of a speaker of the default account."""
    return speaker_id(DEFAULT_ACCOUNT, name)
