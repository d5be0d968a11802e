"""Jobs and the log in memory: lists that are looked through, obviously right.

Above: tests and `memory_store`, which keeps what `Work` holds. Below: domain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields, replace

from foreword.domain.conversation import Conversation
from foreword.domain.ids import AccountId, BranchId, ConversationId
from foreword.domain.jobs import (
    Event,
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

LEVELS = tuple(EventLevel)
Shown = Mapping[ConversationId, tuple[Conversation, frozenset[BranchId]]]
"""Every conversation, deleted ones too, with its branches."""


@dataclass(frozen=True, slots=True)
class Work:
    """The jobs and the log of a store; never changed, only replaced."""

    jobs: tuple[Job, ...] = ()
    events: tuple[Event, ...] = ()

    def with_job(self, job: Job) -> Work:
        """Return the same with a job in the place of the one of its id."""
        return replace(self, jobs=tuple(job if job.id == one.id else one for one in self.jobs))

    def wanting(
        self,
        account: AccountId,
        place: tuple[ConversationId, BranchId],
        kind: JobKind,
        at: str,
    ) -> tuple[Work, Job]:
        """Return the live job of that kind on a branch, made where there is none."""
        for job in self.jobs:
            if job.state.live and (job.conversation, job.branch) == place and job.kind is kind:
                return self, job
        made = Job(
            id=JobId(len(self.jobs) + 1),
            account=account,
            conversation=place[0],
            branch=place[1],
            kind=kind,
            state=JobState.WAITING,
            made_at=at,
            changed_at=at,
        )
        return replace(self, jobs=(*self.jobs, made)), made


class MemoryJobs:
    """See `ports.jobs.JobQueue`."""

    def __init__(
        self,
        *,
        changing: Callable[[], AbstractContextManager[object]],
        shown: Callable[[], Shown],
        work: Callable[[], Work],
        keep: Callable[[Work], None],
    ) -> None:
        """Read and replace what a store keeps, one writer at a time."""
        self._changing = changing
        self._shown = shown
        self._work = work
        self._keep = keep

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
        with self._changing():
            if branch not in self._branches(account, conversation):
                raise BranchNotFound(str(branch))
            work, job = self._work().wanting(account, (conversation, branch), kind, at)
            self._keep(work)
            return job

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
        with self._changing():
            for job in self._work().jobs:
                wanted = (
                    account in {None, job.account}
                    and conversation in {None, job.conversation}
                    and branch in {None, job.branch}
                )
                deleted = self._shown()[job.conversation][0].deleted
                if not (job.state.live and wanted and job.lease_until < at) or deleted:
                    continue
                if job.state is JobState.STOPPING:
                    self._end(job, JobState.STOPPED, at)
                    continue
                taken = replace(
                    job,
                    state=JobState.RUNNING,
                    owner=storable_text(owner),
                    lease_until=until,
                    attempt=job.attempt + 1,
                    changed_at=at,
                )
                self._keep(self._work().with_job(taken))
                return taken
            return None

    def renew(
        self, job: JobId, owner: str, *, at: str, until: str, progress: JobProgress
    ) -> JobState | None:
        """See `JobQueue.renew`."""
        with self._changing():
            held = self._held(job, owner)
            if held is None:
                return None
            told = replace(progress, doing=storable_text(progress.doing))
            renewed = replace(held, lease_until=until, changed_at=at, progress=told)
            self._keep(self._work().with_job(renewed))
            return held.state

    def end(self, job: JobId, owner: str, *, at: str, state: JobState, detail: str = "") -> bool:
        """See `JobQueue.end`."""
        with self._changing():
            held = self._held(job, owner)
            if held is None:
                return False
            stopping = held.state is JobState.STOPPING
            self._end(held, JobState.STOPPED if stopping else state, at, detail)
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
        with self._changing():
            self._branches(account, conversation)
            found: list[Job] = []
            for job in self._work().jobs:
                here = job.conversation == conversation and branch in {None, job.branch}
                if not (job.state.live and here):
                    continue
                if job.state is JobState.WAITING:
                    found.append(self._end(job, JobState.STOPPED, at))
                else:
                    told = replace(job, state=JobState.STOPPING, changed_at=at)
                    self._keep(self._work().with_job(told))
                    found.append(told)
            return tuple(found)

    def jobs(
        self,
        account: AccountId,
        conversation: ConversationId | None = None,
        *,
        live: bool = False,
        limit: int = 100,
    ) -> tuple[Job, ...]:
        """See `JobQueue.jobs`."""
        found = [
            job
            for job in reversed(self._work().jobs)
            if job.account == account
            and conversation in {None, job.conversation}
            and (job.state.live or not live)
        ]
        return tuple(found[:limit])

    def log(
        self, account: AccountId, conversation: ConversationId, events: Sequence[NewEvent]
    ) -> None:
        """See `JobQueue.log`."""
        with self._changing():
            self._branches(account, conversation)
            for new in events:
                work = self._work()
                given = {entry.name: getattr(new, entry.name) for entry in fields(NewEvent)}
                made = Event(
                    id=len(work.events) + 1,
                    conversation=conversation,
                    **{**given, "text": storable_text(new.text)},
                )
                self._keep(replace(work, events=(*work.events, made)))

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
        self._branches(account, conversation)
        found = [
            one
            for one in self._work().events
            if one.conversation == conversation
            and LEVELS.index(one.level) <= LEVELS.index(level)
            and one.id > after
        ]
        return tuple(found[-limit:])

    def _branches(self, account: AccountId, conversation: ConversationId) -> frozenset[BranchId]:
        known = self._shown().get(conversation)
        if known is None or known[0].account != account:
            raise ConversationNotFound(conversation)
        return known[1]

    def _held(self, number: JobId, owner: str) -> Job | None:
        for job in self._work().jobs:
            if job.id == number and job.state.live and job.owner == storable_text(owner):
                return job
        return None

    def _end(self, job: Job, state: JobState, at: str, detail: str = "") -> Job:
        ended = replace(
            job,
            state=state,
            owner="",
            lease_until="",
            changed_at=at,
            detail=storable_text(detail),
        )
        self._keep(self._work().with_job(ended))
        return ended
