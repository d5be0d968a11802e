"""Jobs and the log of memory on a database: the one that the store is on.

Above: bootstrap, which takes them from `SqlStore.jobs`. Below: `job_tables`. Invariants: each
method is one transaction of the store's own kind, committed when it returns; whoever changes a job
locks its row first, and who looks for one passes over locked rows, so that no two hold one. (SQLite
has no such locks: there, one transaction writes at a time.)

Source: DECISIONS D4.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Final

from sqlalchemy import Connection, Row, bindparam, insert, select, update

from foreword.domain.ids import AccountId, BranchId, ConversationId
from foreword.domain.jobs import (
    Event,
    EventKind,
    EventLevel,
    Job,
    JobId,
    JobKind,
    JobProgress,
    JobState,
    NewEvent,
)
from foreword.domain.storable import storable_text
from foreword.errors import BranchNotFound, ConversationNotFound
from foreword.storage import conversations
from foreword.storage.conversations import Record
from foreword.storage.keys import Keys, id_of
from foreword.storage.tables import conversation, event, job

Transaction = Callable[[], AbstractContextManager[Connection]]

LEVELS: Final = tuple(EventLevel)
"""From the least to the most that a log holds."""

_J, _C, _E = job.c, conversation.c, event.c
_SHOWN = select(job, _C.id.label("conversation_id"), _C.account_id).join(
    conversation, _C.no == _J.conversation_no
)
_LIVE = _J.live == 1
_LIVE_OF = _SHOWN.where(
    _LIVE, _J.branch_id == bindparam("of_branch"), _J.kind == bindparam("of_kind")
)
_FREE = (
    _SHOWN.where(_LIVE, _J.lease_until < bindparam("of_now"), _C.deleted == 0)
    .order_by(_J.id)
    .limit(1)
    .with_for_update(of=job, skip_locked=True)
)
_HELD = _SHOWN.where(
    _LIVE, _J.id == bindparam("of_job"), _J.owner == bindparam("of_owner")
).with_for_update(of=job)
_NEWEST = _SHOWN.where(_C.account_id == bindparam("of_account")).order_by(_J.id.desc())
_ADD = insert(job).returning(_J.id)
_CHANGE = update(job).where(_J.id == bindparam("of_job"))
_LOG = insert(event)
_EVENTS = (
    select(event)
    .where(
        _E.conversation_no == bindparam("of_conversation"),
        _E.level.in_(bindparam("of_levels", expanding=True)),
        _E.id > bindparam("of_after"),
    )
    .order_by(_E.id.desc())
    .limit(bindparam("most"))
)


class SqlJobs:
    """See `ports.jobs.JobQueue`."""

    def __init__(self, *, reading: Transaction, writing: Transaction) -> None:
        """Use transactions of a store: they wait, fail and commit as its own do."""
        self._reading = reading
        self._writing = writing

    def want(
        self,
        account: AccountId,
        conversation: ConversationId,
        branch: BranchId,
        *,
        kind: JobKind,
        at: str,
    ) -> Job:
        """See `JobQueue.want`."""
        with self._writing() as connection:
            record = _record(connection, account, conversation)
            if conversations.find_branch(connection, record.keys, branch) is None:
                raise BranchNotFound(str(branch))
            return want(connection, record.keys, branch, kind=kind, at=at)

    def lease(
        self,
        owner: str,
        *,
        at: str,
        until: str,
        account: AccountId | None = None,
        conversation: ConversationId | None = None,
        branch: BranchId | None = None,
    ) -> Job | None:
        """See `JobQueue.lease`."""
        query = _FREE
        if account is not None:
            query = query.where(_C.account_id == account)
        if conversation is not None:
            query = query.where(_C.id == storable_text(conversation))
        if branch is not None:
            query = query.where(_J.branch_id.op("&")(0xFFFFFFFF) == branch)
        with self._writing() as connection:
            while (row := connection.execute(query, {"of_now": at}).one_or_none()) is not None:
                if row.state == JobState.STOPPING.value:
                    _end(connection, row.id, JobState.STOPPED, at)
                    continue
                taken = {
                    "state": JobState.RUNNING.value,
                    "owner": storable_text(owner),
                    "lease_until": until,
                    "attempt": row.attempt + 1,
                    "changed_at": at,
                }
                connection.execute(_CHANGE.values(**taken), {"of_job": row.id})
                return _one(connection, JobId(row.id))
        return None

    def renew(
        self, job: JobId, owner: str, *, at: str, until: str, progress: JobProgress
    ) -> JobState | None:
        """See `JobQueue.renew`."""
        with self._writing() as connection:
            row = _held(connection, job, owner)
            if row is None:
                return None
            values = {
                "lease_until": until,
                "changed_at": at,
                "progress": _progress_text(progress),
            }
            connection.execute(_CHANGE.values(**values), {"of_job": job})
            return JobState(row.state)

    def end(self, job: JobId, owner: str, *, at: str, state: JobState, detail: str = "") -> bool:
        """See `JobQueue.end`."""
        with self._writing() as connection:
            row = _held(connection, job, owner)
            if row is None:
                return False
            stopping = row.state == JobState.STOPPING.value
            _end(connection, job, JobState.STOPPED if stopping else state, at, detail)
            return True

    def stop(
        self,
        account: AccountId,
        conversation: ConversationId,
        branch: BranchId | None = None,
        *,
        at: str,
    ) -> tuple[Job, ...]:
        """See `JobQueue.stop`."""
        with self._writing() as connection:
            keys = _record(connection, account, conversation).keys
            query = _SHOWN.where(_LIVE, _J.conversation_no == keys.no).order_by(_J.id)
            query = query.with_for_update(of=job)
            if branch is not None:
                query = query.where(_J.branch_id == keys.of(branch))
            found = [JobId(row.id) for row in connection.execute(query)]
            for number in found:
                runs = _one(connection, number).state is not JobState.WAITING
                if runs:
                    values = {"state": JobState.STOPPING.value, "changed_at": at}
                    connection.execute(_CHANGE.values(**values), {"of_job": number})
                else:
                    _end(connection, number, JobState.STOPPED, at)
            return tuple(_one(connection, number) for number in found)

    def jobs(
        self,
        account: AccountId,
        conversation: ConversationId | None = None,
        *,
        live: bool = False,
        limit: int = 100,
    ) -> tuple[Job, ...]:
        """See `JobQueue.jobs`."""
        query = _NEWEST.limit(limit)
        if conversation is not None:
            query = query.where(_C.id == storable_text(conversation))
        if live:
            query = query.where(_LIVE)
        with self._reading() as connection:
            return tuple(map(_job, connection.execute(query, {"of_account": account})))

    def log(
        self, account: AccountId, conversation: ConversationId, events: Sequence[NewEvent]
    ) -> None:
        """See `JobQueue.log`."""
        with self._writing() as connection:
            keys = _record(connection, account, conversation).keys
            rows = [
                {
                    "conversation_no": keys.no,
                    "branch_id": None if one.branch is None else keys.of(one.branch),
                    "at": one.at,
                    "level": one.level.value,
                    "kind": one.kind.value,
                    "text": storable_text(one.text),
                    "data": json.dumps([list(pair) for pair in one.data], ensure_ascii=True),
                }
                for one in events
            ]
            if rows:
                connection.execute(_LOG, rows)

    def events(
        self,
        account: AccountId,
        conversation: ConversationId,
        *,
        level: EventLevel = EventLevel.NORMAL,
        after: int = 0,
        limit: int = 100,
    ) -> tuple[Event, ...]:
        """See `JobQueue.events`."""
        with self._reading() as connection:
            keys = _record(connection, account, conversation).keys
            wanted = {
                "of_conversation": keys.no,
                "of_levels": [one.value for one in LEVELS[: LEVELS.index(level) + 1]],
                "of_after": after,
                "most": limit,
            }
            rows = connection.execute(_EVENTS, wanted).all()
        return tuple(_event(row, conversation) for row in reversed(rows))


def want(connection: Connection, keys: Keys, branch: BranchId, *, kind: JobKind, at: str) -> Job:
    """Return the live job of that kind on a branch, made now where there is none."""
    wanted = {"of_branch": keys.of(branch), "of_kind": kind.value}
    found = connection.execute(_LIVE_OF, wanted).one_or_none()
    if found is not None:
        return _job(found)
    values = {
        "conversation_no": keys.no,
        "branch_id": keys.of(branch),
        "kind": kind.value,
        "state": JobState.WAITING.value,
        "live": 1,
        "attempt": 0,
        "made_at": at,
        "changed_at": at,
        "progress": _progress_text(JobProgress()),
        **dict.fromkeys(("owner", "lease_until", "detail"), ""),
    }
    return _one(connection, JobId(connection.execute(_ADD, values).scalar_one()))


def _record(connection: Connection, account: AccountId, conversation: ConversationId) -> Record:
    record = conversations.find_record(connection, account, conversation)
    if record is None:
        raise ConversationNotFound(conversation)
    return record


def _held(connection: Connection, number: JobId, owner: str) -> Row[tuple[object, ...]] | None:
    wanted = {"of_job": number, "of_owner": storable_text(owner)}
    return connection.execute(_HELD, wanted).one_or_none()


def _end(connection: Connection, number: int, state: JobState, at: str, detail: str = "") -> None:
    values = {
        "state": state.value,
        "live": 1 if state.live else None,
        "owner": "",
        "lease_until": "",
        "changed_at": at,
        "detail": storable_text(detail),
    }
    connection.execute(_CHANGE.values(**values), {"of_job": number})


def _one(connection: Connection, number: JobId) -> Job:
    return _job(connection.execute(_SHOWN.where(_J.id == number)).one())


def _job(row: Row[tuple[object, ...]]) -> Job:
    made, left_tokens, doing = json.loads(row.progress)
    return Job(
        id=JobId(row.id),
        account=AccountId(row.account_id),
        conversation=ConversationId(row.conversation_id),
        branch=BranchId(id_of(row.branch_id)),
        kind=JobKind(row.kind),
        state=JobState(row.state),
        owner=row.owner,
        lease_until=row.lease_until,
        attempt=row.attempt,
        made_at=row.made_at,
        changed_at=row.changed_at,
        progress=JobProgress(made=made, left_tokens=left_tokens, doing=doing),
        detail=row.detail,
    )


def _progress_text(progress: JobProgress) -> str:
    parts = [progress.made, progress.left_tokens, storable_text(progress.doing)]
    return json.dumps(parts, ensure_ascii=True)


def _event(row: Row[tuple[object, ...]], conversation: ConversationId) -> Event:
    return Event(
        id=row.id,
        conversation=conversation,
        branch=None if row.branch_id is None else BranchId(id_of(row.branch_id)),
        at=row.at,
        level=EventLevel(row.level),
        kind=EventKind(row.kind),
        text=row.text,
        data=tuple((name, value) for name, value in json.loads(row.data)),
    )
