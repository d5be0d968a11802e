"""Kept prompts, for sessions on a database; see `ports.records` for every method.

Above: `read_session`, `write_session`, which are these too. Below: `record_rows`.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection

from foreword.domain.ids import BranchId, PlanId, VersionId
from foreword.planning.records import NewRecord, Record
from foreword.storage import record_rows
from foreword.storage.keys import Keys


class SqlRecordReads:
    """See `ports.records.RecordReads`."""

    _connection: Connection
    _keys: Keys

    def record_ids(self, branch: BranchId, *, limit: int | None = None) -> tuple[PlanId, ...]:
        """See `RecordReads.record_ids`."""
        return record_rows.record_ids(self._connection, self._keys, branch, limit)

    def unanswered_records(self, branch: BranchId, *, skip: int) -> tuple[PlanId, ...]:
        """See `RecordReads.unanswered_records`."""
        return record_rows.unanswered_records(self._connection, self._keys, branch, skip)

    def records(self, ids: Collection[PlanId]) -> tuple[Record, ...]:
        """See `RecordReads.records`."""
        return record_rows.records_of(self._connection, self._keys, ids)

    def record_of_reply(self, version: VersionId) -> PlanId | None:
        """See `RecordReads.record_of_reply`."""
        return record_rows.record_of_reply(self._connection, self._keys, version)


class SqlRecordWrites(SqlRecordReads):
    """See `ports.records.RecordWrites`."""

    def add_record(self, record: NewRecord) -> PlanId:
        """See `RecordWrites.add_record`."""
        return record_rows.add_record(self._connection, self._keys, record)

    def link_reply(self, record: PlanId, version: VersionId) -> None:
        """See `RecordWrites.link_reply`."""
        record_rows.link_reply(self._connection, self._keys, record, version)

    def drop_records(self, ids: Collection[PlanId]) -> None:
        """See `RecordWrites.drop_records`."""
        record_rows.drop_records(self._connection, self._keys, ids)
