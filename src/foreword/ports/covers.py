"""Reading summaries and covers: the part of a read session that memory work stands on.

Above: `store`, whose `ReadSession` is this too. Below: domain.

Source: DECISIONS D1.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from foreword.domain.ids import BranchId, Pos, SummaryId
from foreword.domain.summary import CoverRow, CoverState, Summary


class CoverReads(Protocol):
    """What a read session tells of summaries and of the covers of branches."""

    def cover(self, branch: BranchId, state: CoverState = CoverState.USED) -> tuple[CoverRow, ...]:
        """Return the rows of one state, in use or stale, oldest span first.

        Rows of other states are not read.
        """
        ...

    def cover_over(
        self, branch: BranchId, state: CoverState, lo: Pos, hi: Pos
    ) -> tuple[CoverRow, ...]:
        """Return the rows of one state, in use or stale, whose span meets `lo` to `hi`.

        Oldest span first; what does not meet them is not read.
        """
        ...

    def cover_rows(
        self, branch: BranchId, lo: Pos | None = None, hi: Pos | None = None
    ) -> tuple[CoverRow, ...]:
        """Return the rows of every state whose span meets `lo` to `hi`, all rows without bounds.

        Ordered by `from_pos`, then highest layer first, then summary id.
        """
        ...

    def cover_of(self, branch: BranchId, ids: Collection[SummaryId]) -> tuple[CoverRow, ...]:
        """Return the rows, of every state, of those of the summaries that have one.

        Ordered as `cover_rows` are.
        """
        ...

    def cover_history(self, branch: BranchId) -> frozenset[SummaryId]:
        """Return every summary that ever had a row on the branch."""
        ...

    def summaries(self, ids: Collection[SummaryId]) -> Mapping[SummaryId, Summary]:
        """Return the summaries by id; unknown ids are left out."""
        ...

    def children(self, summary: SummaryId) -> tuple[SummaryId, ...]:
        """Return what a summary merged, oldest first, without reading what else it has."""
        ...

    def summary_texts(self, ids: Collection[SummaryId]) -> Mapping[SummaryId, str]:
        """Return the texts alone, of ids that there are: one row each, however long the span."""
        ...

    def scene_times(self, ids: Collection[SummaryId]) -> Mapping[SummaryId, str]:
        """Return the scene times alone, of those that have one; one row is read for each."""
        ...

    def summaries_of_span(
        self, first_digest: bytes, n_turns: int, span_digest: bytes
    ) -> tuple[Summary, ...]:
        """Return the conversation's summaries of exactly these words, oldest id first."""
        ...
