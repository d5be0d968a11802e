"""The part of a read session that a search asks; what it does with the answers is pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from foreword.domain.ids import BranchId, Pos, VersionId
from foreword.domain.turn import Entry


class Searchable(Protocol):
    """Finds the versions of a conversation by the terms of their texts.

    Terms are as `domain.terms.search_terms` cuts them. Versions are found wherever they stand, also
    those that no branch shows: `shown` says which ones a branch does.
    """

    def last_version(self) -> VersionId:
        """Return the highest id of a version, 0 without any; versions count from 1."""
        ...

    def count_terms(
        self, terms: Collection[str], *, first: VersionId, last: VersionId, most: int
    ) -> Mapping[str, int]:
        """Return for each term how many versions have it.

        Args:
            terms: which.
            first: the lowest id of versions to look at.
            last: the highest id.
            most: a term that more of them have counts as so many.
        """
        ...

    def versions_with(
        self, groups: Sequence[Sequence[str]], limit: int
    ) -> tuple[tuple[VersionId, ...], ...]:
        """Return for each group of terms the versions whose text has every one of them.

        Args:
            groups: of at least one term; it is fastest with the rarest first.
            limit: at most so many for each, those written last.

        Returns:
            In the order of the groups, each with the highest id first.
        """
        ...

    def shown(self, branch: BranchId, ids: Collection[VersionId]) -> tuple[Entry, ...]:
        """Return the entries of the branch that show one of these versions and are not hidden.

        Returns:
            Oldest first.
        """
        ...

    def orders(self, branch: BranchId, positions: Collection[Pos]) -> Mapping[Pos, int]:
        """Return how many entries stand on the branch up to each position, as `order` does."""
        ...
