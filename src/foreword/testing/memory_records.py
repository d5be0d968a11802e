"""Kept prompts in the in-memory store: a list, looked through from end to end.

Above: `memory_read`, `memory_write`, which are these too. Below: `memory_state`. See
`ports.records` for every method.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields, replace

from foreword.domain.ids import BranchId, PlanId, VersionId
from foreword.domain.storable import storable_text
from foreword.planning.records import NewRecord, PlainText, Record
from foreword.testing.memory_state import Story


class MemoryRecordReads:
    """See `ports.records.RecordReads`."""

    _story: Story

    def record_ids(self, branch: BranchId, *, limit: int | None = None) -> tuple[PlanId, ...]:
        """See `RecordReads.record_ids`."""
        found = [one.id for one in reversed(self._story.records) if one.branch == branch]
        return tuple(found[:limit])

    def unanswered_records(self, branch: BranchId, *, skip: int) -> tuple[PlanId, ...]:
        """See `RecordReads.unanswered_records`."""
        answered = set(self._story.replies.values())
        return tuple(one for one in self.record_ids(branch) if one not in answered)[skip:]

    def records(self, ids: Collection[PlanId]) -> tuple[Record, ...]:
        """See `RecordReads.records`."""
        return tuple(self._with_replies(one) for one in self._story.records if one.id in ids)

    def record_of_reply(self, version: VersionId) -> PlanId | None:
        """See `RecordReads.record_of_reply`."""
        return self._story.replies.get(version)

    def _with_replies(self, record: Record) -> Record:
        replies = [version for version, of in self._story.replies.items() if of == record.id]
        return replace(record, replies=tuple(sorted(replies)))


class MemoryRecordWrites(MemoryRecordReads):
    """See `ports.records.RecordWrites`."""

    def add_record(self, record: NewRecord) -> PlanId:
        """See `RecordWrites.add_record`."""
        known = [one.id for one in self._story.records]
        given = {entry.name: getattr(record, entry.name) for entry in fields(NewRecord)}
        given["messages"] = tuple(
            replace(
                message,
                pieces=tuple(
                    PlainText(storable_text(one.text)) if isinstance(one, PlainText) else one
                    for one in message.pieces
                ),
            )
            for message in record.messages
        )
        made = Record(id=PlanId(max(known, default=0) + 1), **given)
        self._story.records.append(made)
        return made.id

    def link_reply(self, record: PlanId, version: VersionId) -> None:
        """See `RecordWrites.link_reply`."""
        if any(one.id == record for one in self._story.records):
            self._story.replies[version] = record

    def drop_records(self, ids: Collection[PlanId]) -> None:
        """See `RecordWrites.drop_records`."""
        story = self._story
        story.records = [one for one in story.records if one.id not in ids]
        story.replies = {reply: of for reply, of in story.replies.items() if of not in ids}
