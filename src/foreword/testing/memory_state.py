"""What the in-memory store holds: whole copies of every branch at every revision.

Above: `memory_read` and `memory_write`. Below: domain. Invariant: a copy is never changed once the
next one was begun, so that whoever holds an older one sees no change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from foreword.domain.conversation import Branch, Conversation
from foreword.domain.ids import (
    AccountId,
    BranchId,
    ConversationId,
    PlanId,
    Rev,
    SpeakerId,
    SummaryId,
    TurnId,
    VersionId,
)
from foreword.domain.ops import Op, RowKey, RowKind
from foreword.domain.summary import CoverRow, CoverState, Summary
from foreword.domain.turn import Alternative, Entry, Version
from foreword.planning.records import Record
from foreword.testing.memory_jobs import Work

Value = Entry | Alternative | CoverRow | TurnId | None
"""What a row holds: a pin its turn's id; None blanks what a fork inherited."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row as a branch wrote it at a revision."""

    value: Value
    branch: BranchId
    rev: Rev


Rows = dict[RowKey, Row]


def entry_key(entry: Entry) -> RowKey:
    """Name the row of an entry."""
    return RowKey(RowKind.ENTRY, entry.pos)


def alternative_key(alternative: Alternative) -> RowKey:
    """Name the row of an alternative."""
    return RowKey(RowKind.ALTERNATIVE, alternative.turn_id, alternative.alt_no)


def entries_of(rows: Mapping[RowKey, Row]) -> list[Entry]:
    """Return the entries that stand, oldest first."""
    found = [row.value for row in rows.values() if isinstance(row.value, Entry)]
    return sorted(found, key=lambda entry: entry.pos)


def cover_of(rows: Mapping[RowKey, Row]) -> list[CoverRow]:
    """Return the cover rows of every state, in the order of `ReadSession.cover_rows`."""
    found = [row.value for row in rows.values() if isinstance(row.value, CoverRow)]
    return sorted(found, key=lambda row: (row.from_pos, -row.layer, row.summary_id))


@dataclass(slots=True)
class Path:
    """A branch: a whole copy of its rows for each of its revisions, oldest first."""

    info: Branch
    copies: list[tuple[Rev, Rows]]
    """The first holds what it inherited."""

    @property
    def rows(self) -> Rows:
        """The rows as they are now."""
        return self.copies[-1][1]

    @property
    def inherited(self) -> Rows:
        """The rows it began with."""
        return self.copies[0][1]

    def just_before(self, rev: Rev) -> Rows:
        """Return the rows as they were just before a revision."""
        older = [rows for at, rows in self.copies[1:] if at < rev]
        return older[-1] if older else self.inherited

    def recount(self) -> None:
        """Bring the running counts in line with the rows, by counting them."""
        entries = entries_of(self.rows)
        visible = [entry for entry in entries if not entry.hidden]
        self.info = replace(
            self.info,
            tip_pos=max([self.info.tip_pos, *(entry.pos for entry in entries)]),
            visible_turns=len(visible),
            visible_tokens=sum(entry.cost for entry in visible),
            hidden_turns=len(entries) - len(visible),
        )

    def copy(self) -> Path:
        """Copy the path; the copies of finished revisions are shared, since they never change."""
        return Path(self.info, list(self.copies))


@dataclass(slots=True)
class Story:
    """A conversation and everything in it."""

    info: Conversation
    paths: dict[BranchId, Path] = field(default_factory=dict)
    versions: dict[VersionId, Version] = field(default_factory=dict)
    summaries: dict[SummaryId, Summary] = field(default_factory=dict)
    journal: list[Op] = field(default_factory=list)
    """Oldest first."""
    last_turn: int = 0
    source: str = ""
    records: list[Record] = field(default_factory=list)
    """Kept prompts, oldest first."""
    replies: dict[VersionId, PlanId] = field(default_factory=dict)
    """Which prompt a version was written from."""

    def copy(self) -> Story:
        """Copy the story for a writer."""
        return Story(
            self.info,
            {branch: path.copy() for branch, path in self.paths.items()},
            dict(self.versions),
            dict(self.summaries),
            list(self.journal),
            self.last_turn,
            self.source,
            list(self.records),
            dict(self.replies),
        )


@dataclass(frozen=True, slots=True)
class Shelf:
    """Everything in a store; never changed, only replaced by a changed copy."""

    stories: Mapping[ConversationId, Story] = field(default_factory=dict)
    """Oldest first."""
    speakers: Mapping[tuple[AccountId, SpeakerId], str] = field(default_factory=dict)
    defaults: Mapping[tuple[AccountId, str], str] = field(default_factory=dict)
    templates: Mapping[tuple[str, str], str] = field(default_factory=dict)
    work: Work = field(default_factory=Work)
    """Jobs and the log of memory."""


def defaults_of(shelf: Shelf, account: AccountId) -> dict[str, str]:
    """Return the account's default settings."""
    return {name: value for (owner, name), value in shelf.defaults.items() if owner == account}


def inherited_rows(rows: Mapping[RowKey, Row], fork_pos: int, *, merged: bool) -> Rows:
    """Return what a fork begins with: entries up to `fork_pos` and alternatives, no blanks.

    With `merged`, the cover rows of merged summaries that end by `fork_pos` too.
    """
    return {
        key: row
        for key, row in rows.items()
        if (merged and _is_merged(row, fork_pos)) or _is_inherited(key, row, fork_pos)
    }


def _is_merged(row: Row, fork_pos: int) -> bool:
    value = row.value
    return (
        isinstance(value, CoverRow)
        and value.state is CoverState.MERGED
        and value.to_pos <= fork_pos
    )


def _is_inherited(key: RowKey, row: Row, fork_pos: int) -> bool:
    match key.kind:
        case RowKind.ENTRY:
            return key.key <= fork_pos and row.value is not None
        case RowKind.ALTERNATIVE:
            return True
        case RowKind.PIN | RowKind.COVER:
            return False


def changed_keys(before: Mapping[RowKey, Row], after: Mapping[RowKey, Row]) -> frozenset[RowKey]:
    """Return the keys of rows that were written, rewritten or taken away."""
    keys: Iterable[RowKey] = before.keys() | after.keys()
    return frozenset(key for key in keys if before.get(key) != after.get(key))
