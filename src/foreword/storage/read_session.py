"""A consistent view of one conversation in a database.

Above: `store`, `write_session`. Below: the module of each aggregate. See `ports.store.ReadSession`
for every method. Invariant: a branch is read once per session; within a transaction it cannot
change but by the session itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice

from sqlalchemy import Connection

from foreword.domain.conversation import Branch, Conversation
from foreword.domain.ids import BranchId, Pos, Rev, SpeakerId, SummaryId, TurnId, VersionId
from foreword.domain.ops import Op, RowKey
from foreword.domain.standing import Standing
from foreword.domain.summary import CoverRow, CoverState, Summary
from foreword.domain.turn import Alternative, Entry, Version
from foreword.errors import BranchNotFound
from foreword.storage import account_texts, contents, conversations, cover, entries, journal, search
from foreword.storage.conversations import Record
from foreword.storage.entries import Stretch
from foreword.storage.keys import EVERYWHERE
from foreword.storage.lineage import Level, Levels, levels_of
from foreword.storage.ordinals import count_entries, nth_position, orders_of
from foreword.storage.records import SqlRecordReads
from foreword.storage.turn_history import standings_of

_NEAR_THE_TIP = 64
"""So many entries from the end are found by walking to them."""


class SqlRead(SqlRecordReads):
    """See `ports.store.ReadSession`."""

    def __init__(self, connection: Connection, record: Record) -> None:
        """Read a conversation inside the connection's transaction."""
        self._connection = connection
        self._record = record
        self._keys = record.keys
        self._known: dict[BranchId, Branch] = {}
        self._levels_known: dict[BranchId, Levels] = {}
        self._orders_known: dict[tuple[BranchId, int], int] = {}
        """ORDER of entries that were found by it; a writer that shifts entries forgets them."""

    @property
    def conversation(self) -> Conversation:
        """See `ReadSession.conversation`."""
        return self._record.conversation

    def defaults(self) -> Mapping[str, str]:
        """See `ReadSession.defaults`."""
        return account_texts.defaults_of(self._connection, self.conversation.account)

    @property
    def text_changes(self) -> int:
        """See `ReadSession.text_changes`."""
        return self._record.text_changes

    def template(self, scope: str, name: str) -> str | None:
        """See `ReadSession.template`."""
        return account_texts.find_template(self._connection, scope, name)

    def source(self) -> str:
        """See `ReadSession.source`."""
        return conversations.source_of(self._connection, self._keys)

    def branches(self) -> tuple[Branch, ...]:
        """See `ReadSession.branches`."""
        stored = conversations.branches_of(self._connection, self._keys)
        return tuple(self._known.get(branch.id, branch) for branch in stored)

    def branch(self, branch: BranchId) -> Branch:
        """See `ReadSession.branch`."""
        known = self._known.get(branch)
        if known is None:
            known = conversations.find_branch(self._connection, self._keys, branch)
            if known is None:
                raise BranchNotFound(str(branch))
            self._known[branch] = known
        return known

    def newest(
        self, branch: BranchId, *, before: Pos | None = None, after: Pos = Pos(0)
    ) -> Iterator[Entry]:
        """See `ReadSession.newest`."""
        stretch = Stretch(after, EVERYWHERE if before is None else before)
        return entries.newest_first(self._connection, self._levels(branch), stretch)

    def between(self, branch: BranchId, lo: Pos, hi: Pos) -> Iterator[Entry]:
        """See `ReadSession.between`."""
        stretch = Stretch(lo - 1, hi + 1)
        return entries.oldest_first(self._connection, self._levels(branch), stretch)

    def entry(self, branch: BranchId, turn_id: TurnId) -> Entry | None:
        """See `ReadSession.entry`."""
        found = entries.entries_of_turns(self._connection, self._levels(branch), [turn_id])
        return found[0] if found else None

    def nth(self, branch: BranchId, order: int) -> Entry | None:
        """See `ReadSession.nth`."""
        shown = self.branch(branch)
        behind = shown.turns - order
        if order < 1 or behind < 0:
            return None
        if behind < _NEAR_THE_TIP:
            return next(islice(self.newest(branch), behind, None))
        levels = self._levels(branch)
        pos = nth_position(self._connection, levels, order - 1, shown.tip_pos)
        if pos is None:
            return None
        self._orders_known[branch, pos] = order
        return entries.entries_at(self._connection, levels, [pos])[pos]

    def order(self, branch: BranchId, pos: Pos) -> int:
        """See `ReadSession.order`."""
        known = self._orders_known.get((branch, pos))
        if known is not None:
            return known
        shown = self.branch(branch)
        levels = self._levels(branch)
        if pos > shown.tip_pos // 2:
            behind = count_entries(self._connection, levels, above=pos, upto=shown.tip_pos)
            return shown.turns - behind.turns
        return count_entries(self._connection, levels, above=0, upto=pos).turns

    def versions(self, ids: Collection[VersionId]) -> Mapping[VersionId, Version]:
        """See `ReadSession.versions`."""
        return contents.versions_of(self._connection, self._keys, ids)

    def alternatives(
        self, branch: BranchId, turn_ids: Collection[TurnId]
    ) -> Mapping[TurnId, tuple[Alternative, ...]]:
        """See `ReadSession.alternatives`."""
        return cover.alternatives_of(self._connection, self._levels(branch), turn_ids)

    def pins(self, branch: BranchId) -> tuple[Entry, ...]:
        """See `ReadSession.pins`."""
        turns = cover.pinned_turns(self._connection, self._own(branch))
        if not turns:
            return ()
        return entries.entries_of_turns(self._connection, self._levels(branch), turns)

    def cover(self, branch: BranchId, state: CoverState = CoverState.USED) -> tuple[CoverRow, ...]:
        """See `ReadSession.cover`."""
        return cover.cover_in_state(self._connection, self._own(branch), state)

    def cover_over(
        self, branch: BranchId, state: CoverState, lo: Pos, hi: Pos
    ) -> tuple[CoverRow, ...]:
        """See `ReadSession.cover_over`."""
        return cover.cover_over(self._connection, self._own(branch), state, (lo, hi))

    def cover_rows(
        self, branch: BranchId, lo: Pos | None = None, hi: Pos | None = None
    ) -> tuple[CoverRow, ...]:
        """See `ReadSession.cover_rows`."""
        return cover.cover_meeting(self._connection, self._levels(branch), lo, hi)

    def cover_of(self, branch: BranchId, ids: Collection[SummaryId]) -> tuple[CoverRow, ...]:
        """See `ReadSession.cover_of`."""
        keys = [self._keys.of(summary_id) for summary_id in ids]
        return cover.cover_of_summaries(self._connection, self._levels(branch), keys)

    def cover_history(self, branch: BranchId) -> frozenset[SummaryId]:
        """See `ReadSession.cover_history`."""
        return cover.covered_ever(self._connection, self._levels(branch))

    def summaries(self, ids: Collection[SummaryId]) -> Mapping[SummaryId, Summary]:
        """See `ReadSession.summaries`."""
        return contents.summaries_of(self._connection, self._keys, ids)

    def children(self, summary: SummaryId) -> tuple[SummaryId, ...]:
        """See `ReadSession.children`."""
        return contents.children_of(self._connection, self._keys, summary)

    def summary_texts(self, ids: Collection[SummaryId]) -> Mapping[SummaryId, str]:
        """See `ReadSession.summary_texts`."""
        return contents.summary_texts(self._connection, self._keys, ids)

    def scene_times(self, ids: Collection[SummaryId]) -> Mapping[SummaryId, str]:
        """See `ReadSession.scene_times`."""
        return contents.scene_times(self._connection, self._keys, ids)

    def summaries_of_span(
        self, first_digest: bytes, n_turns: int, span_digest: bytes
    ) -> tuple[Summary, ...]:
        """See `ReadSession.summaries_of_span`."""
        span = (first_digest, n_turns, span_digest)
        return contents.summaries_of_span(self._connection, self._keys, span)

    def ops(self, branch: BranchId | None = None, *, actor: str | None = None) -> Iterator[Op]:
        """See `ReadSession.ops`."""
        return journal.newest_ops(self._connection, self._keys, branch, actor)

    def touched(self, branch: BranchId, rev: Rev) -> frozenset[RowKey]:
        """See `ReadSession.touched`."""
        return journal.touched_rows(self._connection, self._own(branch), rev)

    def ops_at(self, revs: Collection[Rev]) -> Mapping[Rev, Op]:
        """See `TurnHistory.ops_at`."""
        return journal.ops_at(self._connection, self._keys, revs)

    def standings(self, branch: BranchId, turn_id: TurnId) -> tuple[Standing, ...]:
        """See `TurnHistory.standings`."""
        return standings_of(self._connection, self._levels(branch), turn_id)

    def speaker_names(self, ids: Collection[SpeakerId]) -> Mapping[SpeakerId, str]:
        """See `ReadSession.speaker_names`."""
        return account_texts.speaker_names(self._connection, self.conversation.account, ids)

    def last_version(self) -> VersionId:
        """See `Searchable.last_version`."""
        return VersionId(self._record.counters.version)

    def count_terms(
        self, terms: Collection[str], *, first: VersionId, last: VersionId, most: int
    ) -> Mapping[str, int]:
        """See `Searchable.count_terms`."""
        within = search.Within(self._keys.of(first), self._keys.of(last))
        return search.count_terms(self._connection, within, terms, most)

    def versions_with(
        self, groups: Sequence[Sequence[str]], limit: int
    ) -> tuple[tuple[VersionId, ...], ...]:
        """See `Searchable.versions_with`."""
        return search.versions_with(self._connection, self._keys, groups, limit)

    def shown(self, branch: BranchId, ids: Collection[VersionId]) -> tuple[Entry, ...]:
        """See `Searchable.shown`."""
        turns = contents.turns_of_versions(self._connection, self._keys, ids)
        found = entries.entries_of_turns(self._connection, self._levels(branch), turns)
        wanted = set(ids)
        return tuple(one for one in found if one.version_id in wanted and not one.hidden)

    def orders(self, branch: BranchId, positions: Collection[Pos]) -> Mapping[Pos, int]:
        """See `Searchable.orders`."""
        return orders_of(self._connection, self._levels(branch), positions)

    def _own(self, branch: BranchId) -> int:
        """Return the key of a branch that there is."""
        return self._keys.of(self.branch(branch).id)

    def _levels(self, branch: BranchId) -> Levels:
        levels = self._levels_known.get(branch)
        if levels is None:
            own = self._own(branch)
            alone = self.branch(branch).parent is None
            levels = (Level(own),) if alone else levels_of(self._connection, own)
            self._levels_known[branch] = levels
        return levels
