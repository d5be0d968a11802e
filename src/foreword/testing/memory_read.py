"""Reading a conversation of the in-memory store, by looking at every row.

Above: `memory_store`. Below: `memory_state`. See `ports.store.ReadSession` for every method.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from foreword.domain.conversation import Branch, Conversation
from foreword.domain.ids import BranchId, Pos, Rev, SpeakerId, SummaryId, TurnId, VersionId
from foreword.domain.ops import Op, RowKey
from foreword.domain.summary import CoverRow, CoverState, Summary
from foreword.domain.terms import search_terms
from foreword.domain.turn import Alternative, Entry, Version
from foreword.errors import BranchNotFound
from foreword.testing.memory_records import MemoryRecordReads
from foreword.testing.memory_state import (
    Path,
    Shelf,
    Story,
    changed_keys,
    cover_of,
    defaults_of,
    entries_of,
)
from foreword.testing.memory_turn_history import MemoryTurnHistory


class MemoryRead(MemoryTurnHistory, MemoryRecordReads):
    """See `ports.store.ReadSession`."""

    def __init__(self, story: Story, shelf: Shelf) -> None:
        """Look at a story that nobody else changes, and at what stands beside it."""
        self._story = story
        self._shelf = shelf
        speakers = shelf.speakers.items()
        account = story.info.account
        self._names = {speaker: name for (owner, speaker), name in speakers if owner == account}

    @property
    def conversation(self) -> Conversation:
        """See `ReadSession.conversation`."""
        return self._story.info

    def defaults(self) -> Mapping[str, str]:
        """See `ReadSession.defaults`."""
        return defaults_of(self._shelf, self._story.info.account)

    @property
    def text_changes(self) -> int:
        """See `ReadSession.text_changes`; a ledger in memory does not ask for it."""
        return 0

    def template(self, scope: str, name: str) -> str | None:
        """See `ReadSession.template`."""
        return self._shelf.templates.get((scope, name))

    def source(self) -> str:
        """See `ReadSession.source`."""
        return self._story.source

    def branches(self) -> tuple[Branch, ...]:
        """See `ReadSession.branches`."""
        return tuple(path.info for _, path in sorted(self._story.paths.items()))

    def branch(self, branch: BranchId) -> Branch:
        """See `ReadSession.branch`."""
        return self._path(branch).info

    def newest(
        self, branch: BranchId, *, before: Pos | None = None, after: Pos = Pos(0)
    ) -> Iterator[Entry]:
        """See `ReadSession.newest`."""
        for entry in reversed(self._entries(branch)):
            if after < entry.pos and (before is None or entry.pos < before):
                yield entry

    def between(self, branch: BranchId, lo: Pos, hi: Pos) -> Iterator[Entry]:
        """See `ReadSession.between`."""
        for entry in self._entries(branch):
            if lo <= entry.pos <= hi:
                yield entry

    def entry(self, branch: BranchId, turn_id: TurnId) -> Entry | None:
        """See `ReadSession.entry`."""
        found = [entry for entry in self._entries(branch) if entry.turn_id == turn_id]
        return found[0] if found else None

    def nth(self, branch: BranchId, order: int) -> Entry | None:
        """See `ReadSession.nth`."""
        entries = self._entries(branch)
        return entries[order - 1] if 1 <= order <= len(entries) else None

    def order(self, branch: BranchId, pos: Pos) -> int:
        """See `ReadSession.order`."""
        return len([entry for entry in self._entries(branch) if entry.pos <= pos])

    def versions(self, ids: Collection[VersionId]) -> Mapping[VersionId, Version]:
        """See `ReadSession.versions`."""
        known = self._story.versions
        return {version_id: known[version_id] for version_id in ids if version_id in known}

    def alternatives(
        self, branch: BranchId, turn_ids: Collection[TurnId]
    ) -> Mapping[TurnId, tuple[Alternative, ...]]:
        """See `ReadSession.alternatives`."""
        wanted = set(turn_ids)
        found: dict[TurnId, list[Alternative]] = {}
        for _, row in sorted(self._path(branch).rows.items()):
            if isinstance(row.value, Alternative) and row.value.turn_id in wanted:
                found.setdefault(row.value.turn_id, []).append(row.value)
        return {turn_id: tuple(alternatives) for turn_id, alternatives in found.items()}

    def pins(self, branch: BranchId) -> tuple[Entry, ...]:
        """See `ReadSession.pins`."""
        rows = self._path(branch).rows.values()
        pinned = {row.value for row in rows if isinstance(row.value, int)}
        return tuple(entry for entry in self._entries(branch) if entry.turn_id in pinned)

    def cover(self, branch: BranchId, state: CoverState = CoverState.USED) -> tuple[CoverRow, ...]:
        """See `ReadSession.cover`."""
        return tuple(row for row in self.cover_rows(branch) if row.state is state)

    def cover_over(
        self, branch: BranchId, state: CoverState, lo: Pos, hi: Pos
    ) -> tuple[CoverRow, ...]:
        """See `ReadSession.cover_over`."""
        return tuple(row for row in self.cover(branch, state) if row.overlaps(lo, hi))

    def cover_rows(
        self, branch: BranchId, lo: Pos | None = None, hi: Pos | None = None
    ) -> tuple[CoverRow, ...]:
        """See `ReadSession.cover_rows`."""
        return tuple(
            row
            for row in cover_of(self._path(branch).rows)
            if (lo is None or lo <= row.to_pos) and (hi is None or row.from_pos <= hi)
        )

    def cover_of(self, branch: BranchId, ids: Collection[SummaryId]) -> tuple[CoverRow, ...]:
        """See `ReadSession.cover_of`."""
        return tuple(row for row in cover_of(self._path(branch).rows) if row.summary_id in ids)

    def cover_history(self, branch: BranchId) -> frozenset[SummaryId]:
        """See `ReadSession.cover_history`."""
        copies = self._path(branch).copies
        return frozenset(row.summary_id for _, rows in copies for row in cover_of(rows))

    def summaries(self, ids: Collection[SummaryId]) -> Mapping[SummaryId, Summary]:
        """See `ReadSession.summaries`."""
        known = self._story.summaries
        return {summary_id: known[summary_id] for summary_id in ids if summary_id in known}

    def children(self, summary: SummaryId) -> tuple[SummaryId, ...]:
        """See `ReadSession.children`."""
        found = self._story.summaries.get(summary)
        return () if found is None else found.children

    def summary_texts(self, ids: Collection[SummaryId]) -> Mapping[SummaryId, str]:
        """See `ReadSession.summary_texts`."""
        return {summary_id: summary.text for summary_id, summary in self.summaries(ids).items()}

    def scene_times(self, ids: Collection[SummaryId]) -> Mapping[SummaryId, str]:
        """See `ReadSession.scene_times`."""
        found = self.summaries(ids).items()
        return {one: summary.scene_time for one, summary in found if summary.scene_time}

    def summaries_of_span(
        self, first_digest: bytes, n_turns: int, span_digest: bytes
    ) -> tuple[Summary, ...]:
        """See `ReadSession.summaries_of_span`."""
        wanted = (first_digest, n_turns, span_digest)
        return tuple(
            summary
            for _, summary in sorted(self._story.summaries.items())
            if (summary.first_digest, summary.n_turns, summary.span_digest) == wanted
        )

    def ops(self, branch: BranchId | None = None, *, actor: str | None = None) -> Iterator[Op]:
        """See `ReadSession.ops`."""
        for op in reversed(tuple(self._story.journal)):
            if branch in {None, op.branch_id} and actor in {None, op.actor}:
                yield op

    def touched(self, branch: BranchId, rev: Rev) -> frozenset[RowKey]:
        """See `ReadSession.touched`."""
        path = self._path(branch)
        after = dict(path.copies[1:]).get(rev)
        return frozenset() if after is None else changed_keys(path.just_before(rev), after)

    def speaker_names(self, ids: Collection[SpeakerId]) -> Mapping[SpeakerId, str]:
        """See `ReadSession.speaker_names`."""
        return {speaker: self._names[speaker] for speaker in ids if speaker in self._names}

    def last_version(self) -> VersionId:
        """See `Searchable.last_version`."""
        return max(self._story.versions, default=VersionId(0))

    def count_terms(
        self, terms: Collection[str], *, first: VersionId, last: VersionId, most: int
    ) -> Mapping[str, int]:
        """See `Searchable.count_terms`."""
        within = [set(self._terms(one)) for one in self._story.versions if first <= one <= last]
        return {term: min(most, sum(term in found for found in within)) for term in terms}

    def versions_with(
        self, groups: Sequence[Sequence[str]], limit: int
    ) -> tuple[tuple[VersionId, ...], ...]:
        """See `Searchable.versions_with`."""
        newest = {one: set(self._terms(one)) for one in sorted(self._story.versions, reverse=True)}
        found = ([one for one, has in newest.items() if set(group) <= has] for group in groups)
        return tuple(tuple(versions[:limit]) for versions in found)

    def shown(self, branch: BranchId, ids: Collection[VersionId]) -> tuple[Entry, ...]:
        """See `Searchable.shown`."""
        shown = (entry for entry in self._entries(branch) if not entry.hidden)
        return tuple(entry for entry in shown if entry.version_id in ids)

    def orders(self, branch: BranchId, positions: Collection[Pos]) -> Mapping[Pos, int]:
        """See `Searchable.orders`."""
        return {pos: self.order(branch, pos) for pos in positions}

    def _terms(self, version_id: VersionId) -> tuple[str, ...]:
        return search_terms(self._story.versions[version_id].content.text)

    def _entries(self, branch: BranchId) -> list[Entry]:
        return entries_of(self._path(branch).rows)

    def _path(self, branch: BranchId) -> Path:
        path = self._story.paths.get(branch)
        if path is None:
            raise BranchNotFound(str(branch))
        return path
