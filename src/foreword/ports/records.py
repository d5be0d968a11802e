"""Kept prompts: what sessions of a store know of them.

Above: `ports.store`, whose sessions have these methods too. Below: `planning.records`.

Source: DECISIONS D1, plan.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from foreword.domain.ids import BranchId, PlanId, VersionId
from foreword.planning.records import NewRecord, Record


class RecordReads(Protocol):
    """Reading kept prompts."""

    def record_ids(self, branch: BranchId, *, limit: int | None = None) -> tuple[PlanId, ...]:
        """Return the prompts kept of a branch itself, newest first, without those of its parent."""
        ...

    def unanswered_records(self, branch: BranchId, *, skip: int) -> tuple[PlanId, ...]:
        """Return the branch's prompts that no reply was written from, but for the newest `skip`."""
        ...

    def records(self, ids: Collection[PlanId]) -> tuple[Record, ...]:
        """Return kept prompts, oldest first; unknown ids are left out."""
        ...

    def record_of_reply(self, version: VersionId) -> PlanId | None:
        """Return the prompt that a model wrote a version of a turn from, or None."""
        ...


class RecordWrites(RecordReads, Protocol):
    """Keeping prompts. Nothing here is an op, and nothing of it can be undone."""

    def add_record(self, record: NewRecord) -> PlanId:
        """Keep a prompt; its texts that are not of turns or summaries are stored once."""
        ...

    def link_reply(self, record: PlanId, version: VersionId) -> None:
        """Remember that a model wrote a version from a prompt; one that is gone is not linked."""
        ...

    def drop_records(self, ids: Collection[PlanId]) -> None:
        """Forget prompts, with the texts that no other one holds."""
        ...
