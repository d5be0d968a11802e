"""The store: one conversation at a time, read or changed in one transaction.

Content (versions, summaries) is immutable; position (entries, pins, alternatives, cover rows) is
versioned by the conversation's revision. A writer begins an op and then opens and closes rows of
the op's branch; the store keeps what every row was at every revision, so that a fork reads its
parent as of the fork and an undo is a restore. Rules (what becomes stale, what undo may do) are
not here: the engine asks the pure core and writes the result.

A turn stands at one position of a branch at most. Text that no database keeps (NUL characters,
halves of surrogate pairs) is stored with U+FFFD in its place, see `domain.storable`.

Every implementation passes `foreword.testing.store_contract`.

Source: DECISIONS D1, D2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from foreword.domain.conversation import Branch, Conversation
from foreword.domain.ids import (
    AccountId,
    BranchId,
    ConversationId,
    Pos,
    Rev,
    SpeakerId,
    SummaryId,
    TurnId,
    VersionId,
)
from foreword.domain.ops import Op, OpKind, RowKey
from foreword.domain.summary import CoverRow, NewSummary, Summary
from foreword.domain.turn import Alternative, Content, Entry, Version
from foreword.ports.changes import Changes
from foreword.ports.covers import CoverReads
from foreword.ports.jobs import JobWrites
from foreword.ports.records import RecordReads, RecordWrites
from foreword.ports.searching import Searchable
from foreword.ports.turn_history import TurnHistory


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVersion:
    """A version before the store has given it an id."""

    turn_id: TurnId
    alt_no: int
    content: Content
    tokens: int
    digest: bytes


class ReadSession(CoverReads, TurnHistory, RecordReads, Searchable, Protocol):
    """A consistent view of one conversation, inside one transaction."""

    @property
    def conversation(self) -> Conversation:
        """The conversation as it is now."""
        ...

    def defaults(self) -> Mapping[str, str]:
        """Return the account's settings for conversations that do not say otherwise."""
        ...

    @property
    def text_changes(self) -> int:
        """A number that grows when defaults, templates or routes change, of whatever account."""
        ...

    def template(self, scope: str, name: str) -> str | None:
        """Return the text of a template saved for a scope, or None; see `Store.template`."""
        ...

    def source(self) -> str:
        """Return the header of the file it came from, as a JSON object; empty for none."""
        ...

    def branches(self) -> tuple[Branch, ...]:
        """Return all branches, removed ones too, by id."""
        ...

    def branch(self, branch: BranchId) -> Branch:
        """Return one branch.

        Raises:
            BranchNotFound: the conversation has none of that id.
        """
        ...

    def newest(
        self, branch: BranchId, *, before: Pos | None = None, after: Pos = Pos(0)
    ) -> Iterator[Entry]:
        """Yield entries, hidden ones too, newest first, between two positions (both excluded).

        Read lazily in small portions: a caller that stops early reads no more rows than it saw,
        plus a constant.
        """
        ...

    def between(self, branch: BranchId, lo: Pos, hi: Pos) -> Iterator[Entry]:
        """Yield entries, hidden ones too, oldest first, from `lo` to `hi`, both included."""
        ...

    def entry(self, branch: BranchId, turn_id: TurnId) -> Entry | None:
        """Return where the turn stands on the branch, or None when it does not."""
        ...

    def nth(self, branch: BranchId, order: int) -> Entry | None:
        """Return the entry at an order from 1, hidden ones counted; None when there is none."""
        ...

    def order(self, branch: BranchId, pos: Pos) -> int:
        """Return how many entries, hidden ones too, stand up to and including `pos`."""
        ...

    def versions(self, ids: Collection[VersionId]) -> Mapping[VersionId, Version]:
        """Return the versions by id; unknown ids are left out."""
        ...

    def alternatives(
        self, branch: BranchId, turn_ids: Collection[TurnId]
    ) -> Mapping[TurnId, tuple[Alternative, ...]]:
        """Return the alternatives of each turn on the branch, by number; none is an absent key.

        A turn that never had a second version may have no row at all.
        """
        ...

    def pins(self, branch: BranchId) -> tuple[Entry, ...]:
        """Return the entries of the pinned turns that stand on the branch, oldest first."""
        ...

    def ops(self, branch: BranchId | None = None, *, actor: str | None = None) -> Iterator[Op]:
        """Yield the journal, newest first, lazily; of one branch or actor when given."""
        ...

    def touched(self, branch: BranchId, rev: Rev) -> frozenset[RowKey]:
        """Return the rows of the branch that the op at `rev` opened or closed."""
        ...

    def speaker_names(self, ids: Collection[SpeakerId]) -> Mapping[SpeakerId, str]:
        """Return the names by id; unknown ids are left out."""
        ...


class WriteSession(JobWrites, RecordWrites, ReadSession, Protocol):
    """A read session that can change the conversation; all or nothing.

    Rows are opened and closed on the branch of the op begun last, at its revision. Running counts
    of the branch (visible turns and tokens, hidden turns), its tip and its cover version follow by
    themselves. To put what stands there already is a change too; to drop what does not stand there
    is none. Changing rows before any op was begun is a ValueError.
    """

    def begin(
        self,
        branch: BranchId,
        kind: OpKind,
        *,
        actor: str,
        at: str,
        group: Rev | None = None,
        undoes: Rev | None = None,
    ) -> Rev:
        """Write the next op into the journal and return its revision (its own group by default)."""
        ...

    def add_branch(
        self, name: str, *, parent: BranchId, fork_pos: Pos, merged: bool = False
    ) -> Branch:
        """Make a branch that reads its parent up to `fork_pos` as of now.

        To be called before `begin`, whose op belongs to the new branch; an op begun earlier is
        over. Pins and cover rows are the caller's to put; with `merged` those of merged summaries
        are read from the parent, where their span ends by `fork_pos`.
        """
        ...

    def new_turn_ids(self, count: int) -> tuple[TurnId, ...]:
        """Return the next ids that no turn of the conversation has."""
        ...

    def ensure_speakers(self, names: Mapping[SpeakerId, str]) -> None:
        """Remember the speakers; one that is known keeps its name."""
        ...

    def add_versions(self, versions: Sequence[NewVersion]) -> tuple[Version, ...]:
        """Store versions and make their text searchable where they are shown.

        Turn ids that `new_turn_ids` did not give are taken as used from now on. Content that had
        to be changed to be storable gets a new digest.
        """
        ...

    def put_entries(self, entries: Iterable[Entry]) -> None:
        """Open the rows at the entries' positions, closing those that stand there."""
        ...

    def drop_entries(self, positions: Iterable[Pos]) -> None:
        """Take the entries at these positions off the branch."""
        ...

    def put_pins(self, turn_ids: Iterable[TurnId]) -> None:
        """Pin the turns."""
        ...

    def drop_pins(self, turn_ids: Iterable[TurnId]) -> None:
        """Unpin the turns."""
        ...

    def put_alternatives(self, alternatives: Iterable[Alternative]) -> None:
        """Open the rows of these alternatives, closing those of the same turn and number."""
        ...

    def add_summary(self, summary: NewSummary) -> Summary:
        """Store a summary; it is in force nowhere until a cover row says so."""
        ...

    def put_cover(self, rows: Iterable[CoverRow]) -> None:
        """Open the rows of these summaries (`since` becomes now), closing the ones they had."""
        ...

    def drop_cover(self, summary_ids: Iterable[SummaryId]) -> None:
        """Close the rows of these summaries."""
        ...

    def restore(self, keys: Collection[RowKey], before: Rev) -> None:
        """Make each row what it was just before revision `before`, as live rows from now on."""
        ...

    def acknowledge(self, branch: BranchId, rev: Rev) -> None:
        """Remember that the user knows of summaries gone stale up to `rev`. Not an op."""
        ...

    def change_branch(
        self, branch: BranchId, *, name: str | None = None, removed: bool | None = None
    ) -> None:
        """Rename, remove or bring back a branch. Not an op."""
        ...

    def change_conversation(
        self,
        *,
        title: str | None = None,
        settings: Mapping[str, str] | None = None,
        current_branch: BranchId | None = None,
        source: str | None = None,
        origin: str | None = None,
        deleted: bool | None = None,
    ) -> None:
        """Change what is not on a branch; `settings` are all of them. Not an op."""
        ...


class Store(Protocol):
    """All conversations of all accounts.

    Every method that changes something is a transaction of its own: inside a `write` block it
    would wait for that block in vain.
    """

    def create(
        self,
        account: AccountId,
        conversation: ConversationId,
        *,
        title: str,
        at: str,
        settings: Mapping[str, str],
        deleted: bool = False,
    ) -> Conversation:
        """Make an empty conversation with the branch `main` (`MAIN_BRANCH`) and return it.

        One made as deleted is not listed until a writer says otherwise, so that what fills it can
        be all or nothing.

        Raises:
            StoreConflict: there is one of that id, of whatever account.
        """
        ...

    def conversations(
        self, account: AccountId, *, title: str | None = None, origin: str | None = None
    ) -> tuple[Conversation, ...]:
        """Return the account's conversations that are not deleted, oldest first.

        Only those with that title and origin, as far as they are given.
        """
        ...

    def read(
        self, account: AccountId, conversation: ConversationId
    ) -> AbstractContextManager[ReadSession]:
        """Open a consistent view.

        Raises:
            ConversationNotFound: the account has none of that id (deleted ones are found).
        """
        ...

    def write(
        self, account: AccountId, conversation: ConversationId
    ) -> AbstractContextManager[WriteSession]:
        """Open a transaction: committed when the block ends, undone when it raises.

        Writers of one store wait for each other.

        Raises:
            ConversationNotFound: the account has none of that id (deleted ones are found).
        """
        ...

    def defaults(self, account: AccountId) -> Mapping[str, str]:
        """Return the account's settings for conversations that do not say otherwise."""
        ...

    def set_default(self, account: AccountId, name: str, value: str | None) -> None:
        """Change one of them; None takes it away."""
        ...

    def template(self, scope: str, name: str) -> str | None:
        """Return the text of a template saved for a scope, or None.

        Args:
            scope: `account:<id>` or `conversation:<id>`.
            name: a template's name.
        """
        ...

    def set_template(self, scope: str, name: str, text: str | None) -> None:
        """Save a template for a scope; None takes it away."""
        ...

    def swap_template(self, scope: str, name: str, text: str, *, before: str | None) -> None:
        """Save a template for a scope where `before` is what it has; None: it has none.

        Raises:
            StoreConflict: it has another; nothing was saved.
        """
        ...

    def changes(self, account: AccountId, conversation: ConversationId | None = None) -> Changes:
        """Begin to notice ops, of whoever, on one conversation or on all of the account.

        What it returns has connections of its own, and must be closed.

        Raises:
            ConversationNotFound: the account has none of that id (deleted ones are found).
        """
        ...

    def close(self) -> None:
        """Let go of files and connections. Using the store afterwards is an error."""
        ...
