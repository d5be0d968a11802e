"""A worker: takes jobs that are due, holds their leases while they run, and gives them back.

Above: the doors. Below: `upkeep`, and `ports.jobs`, which all processes share. Invariants: a job is
held by one process at a time; one that is to stop is cancelled within a second; a worker that is
stopped gives its jobs back at once, and the jobs of one that is killed are taken over when their
leases end. Whoever takes a job over plans it anew from what is committed, and answers of models
that are on record are not paid for again.

Source: DECISIONS D4; issue 5, section 2.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from foreword.domain.calls import Purpose
from foreword.domain.ids import ConversationId
from foreword.domain.jobs import Job, JobKind, JobProgress, JobState
from foreword.engine.context import Engine, Place
from foreword.engine.event_log import Log
from foreword.engine.upkeep import Kept, Limits, due, keep_up
from foreword.errors import ForewordError, StoreBusy, StoreUnavailable
from foreword.planning.spending import spent_on
from foreword.planning.steps import Reason, Wait

LEASE_SECONDS: Final = 30.0
RENEW_SECONDS: Final = LEASE_SECONDS / 3
"""How often a worker says that it is alive; sooner when there is progress to tell."""
LOOK_SECONDS: Final = 0.4
"""How often a worker learns, by reading alone, whether a job is to stop."""
FREE_SECONDS: Final = 2.0
"""How long a worker with a job and a free place waits before it looks for another job."""

Tell = Callable[[Job, JobProgress], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A job that this worker is done with."""

    job: Job
    state: JobState
    """`waiting` for one that was given back."""
    kept: Kept
    """What it made; nothing that a failed job made is listed, though it stays."""
    error: ForewordError | None = None
    made: int = 0
    """Summaries that came into force."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which jobs a worker takes, and how many at a time."""

    conversation: ConversationId | None = None
    """None for all of the account."""
    concurrency: int = 2
    """Jobs of different branches at a time; routes have limits of their own."""
    money: int | None = None
    """Micro-dollars after which no further call is made; None for no cap."""


@dataclass(slots=True, kw_only=True)
class Worker:
    """See the module."""

    engine: Engine
    owner: str
    """Differs from that of every other process."""
    scope: Scope = Scope()
    tell: Tell = lambda _job, _progress: None
    """Told how far each job is."""
    ended: Callable[[Ended], None] = lambda _ended: None
    """Told of each job when it ends."""
    began: str = field(init=False)
    capped: bool = field(default=False, init=False)
    """The cap is reached."""

    def __post_init__(self) -> None:
        """Count what is spent from now on."""
        self.began = self.engine.moment()

    async def drain(self) -> None:
        """Do the jobs that are due, and those that become due meanwhile, until none is left.

        Raises:
            StoreError: the store does not answer; leases end by themselves.
        """
        running: set[asyncio.Task[None]] = set()
        try:
            while True:
                while len(running) < self.scope.concurrency and (job := self._lease()) is not None:
                    running.add(asyncio.create_task(self._hold(job)))
                if not running:
                    return
                await self._until_news(running)
                done = {task for task in running if task.done()}
                running -= done
                for task in done:
                    task.result()
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def _until_news(self, running: set[asyncio.Task[None]]) -> None:
        """Wait for the end of a job, or for as long as a free place may go without a look."""
        look = asyncio.ensure_future(self.engine.sleep(FREE_SECONDS))
        free = len(running) < self.scope.concurrency and not self.capped
        try:
            await asyncio.wait(
                {*running, look} if free else running, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            look.cancel()

    def _lease(self) -> Job | None:
        if self.capped:
            return None
        return self.engine.jobs.lease(
            self.owner,
            at=self.engine.moment(),
            until=self.until(),
            account=self.engine.account,
            conversation=self.scope.conversation,
        )

    def until(self) -> str:
        """Return when a lease that is taken or renewed now ends."""
        moment = self.engine.clock.now() + timedelta(seconds=LEASE_SECONDS)
        return moment.isoformat(timespec="milliseconds")

    async def _hold(self, job: Job) -> None:
        """Run a job while it is ours and not to stop."""
        held = _Held(worker=self, job=job, until=self.until())
        work = asyncio.create_task(held.run())
        try:
            while not work.done():
                look = asyncio.ensure_future(self.engine.sleep(LOOK_SECONDS))
                await asyncio.wait({work, look}, return_when=asyncio.FIRST_COMPLETED)
                look.cancel()
                if not work.done() and not held.keep():
                    work.cancel()
                    await asyncio.wait({work})
        except asyncio.CancelledError:
            work.cancel()
            await asyncio.wait({work})
            held.end(JobState.WAITING)
            raise
        finally:
            work.cancel()  # never goes on without a lease, whatever went wrong
            await asyncio.wait({work})
        held.finish(work)

    def left(self) -> int | None:
        """Return the micro-dollars that may still be spent; None for no cap."""
        if self.scope.money is None:
            return None
        totals = self.engine.ledger.totals(self.engine.account, since=self.began)
        spent = spent_on(total for total in totals if total.purpose is not Purpose.REPLY)
        return max(0, self.scope.money - spent)


@dataclass(slots=True, kw_only=True)
class _Held:
    """A job that this worker holds."""

    worker: Worker
    job: Job
    progress: JobProgress = JobProgress()  # noqa: RUF009 - frozen
    until: str
    """When the lease ends, unless it is renewed."""
    lost: bool = False
    """Another process holds it now."""
    told: JobProgress = JobProgress()  # noqa: RUF009 - frozen
    """The progress that others can read."""
    renewed: datetime = field(init=False)
    """When the lease was taken or renewed."""

    def __post_init__(self) -> None:
        self.renewed = self.worker.engine.clock.now()

    async def run(self) -> Kept:
        return await keep_up(
            self.worker.engine, self.place, watch=self._watch, limits=self._limits()
        )

    @property
    def place(self) -> Place:
        return Place(conversation=self.job.conversation, branch=self.job.branch)

    def keep(self) -> bool:
        """Renew the lease where it is time to; return whether to go on.

        A store that does not answer is no reason to stop before the lease ends.
        """
        engine = self.worker.engine
        try:
            state = self._state()
        except (StoreBusy, StoreUnavailable):  # as while a server starts again
            self.lost = engine.moment() >= self.until
            return not self.lost
        self.lost = state is None
        return state is JobState.RUNNING

    def _state(self) -> JobState | None:
        now = self.worker.engine.clock.now()
        fresh = now - self.renewed < timedelta(seconds=RENEW_SECONDS)
        if fresh and self.told == self.progress and (state := self._seen()) is not None:
            return state
        return self._renew(now)

    def _seen(self) -> JobState | None:
        """Return the state of the job if a look shows that we hold it."""
        jobs = self.worker.engine.jobs.jobs(self.job.account, self.job.conversation, live=True)
        ours = (one for one in jobs if (one.id, one.owner) == (self.job.id, self.job.owner))
        return next((one.state for one in ours), None)

    def _renew(self, now: datetime) -> JobState | None:
        engine, until, progress = self.worker.engine, self.worker.until(), self.progress
        state = engine.jobs.renew(
            self.job.id, self.worker.owner, at=engine.moment(), until=until, progress=progress
        )
        self.until, self.renewed, self.told = until, now, progress
        return state

    def finish(self, work: asyncio.Task[Kept]) -> None:
        """Write down how the job ended."""
        if work.cancelled():
            self.end(JobState.STOPPED, detail="" if not self.lost else "another process took it")
            return
        error = work.exception()
        if error is None:
            kept = work.result()
            limited = kept.wait.reason is Reason.LIMIT
            self.worker.capped = self.worker.capped or limited
            self.end(JobState.WAITING if limited else JobState.DONE, kept=kept)
            with suppress(StoreBusy, StoreUnavailable):
                self._again()
        elif isinstance(error, ForewordError):
            Log(engine=self.worker.engine, place=self.place).failed(error)
            self.end(JobState.FAILED, detail=str(error), error=error)
        else:
            self.end(JobState.WAITING)
            raise error

    def end(
        self,
        state: JobState,
        *,
        kept: Kept | None = None,
        detail: str = "",
        error: ForewordError | None = None,
    ) -> None:
        """End the job, unless it is another's by now.

        A store that does not answer leaves it to whoever takes it over when the lease ends.
        """
        engine = self.worker.engine
        made = self.progress.made if kept is None else len(kept.made)
        self.progress = replace(self.progress, made=made, doing="")
        self.keep()
        with suppress(StoreBusy, StoreUnavailable):
            engine.jobs.end(
                self.job.id, self.worker.owner, at=engine.moment(), state=state, detail=detail
            )
        nothing = Kept(made=(), repaired=0, wait=Wait(reason=Reason.DONE, sentence=detail))
        self.worker.ended(
            Ended(
                job=self.job,
                state=state,
                kept=kept or nothing,
                error=error,
                made=made,
            )
        )

    def _again(self) -> None:
        """Make a job of what became due after the last look of this one."""
        engine = self.worker.engine
        if not self.worker.capped and due(engine, self.place):
            engine.jobs.want(
                engine.account,
                self.job.conversation,
                self.job.branch,
                kind=JobKind.UPKEEP,
                at=engine.moment(),
            )

    def _watch(self, progress: JobProgress) -> None:
        self.progress = progress
        self.worker.tell(self.job, progress)

    def _limits(self) -> Limits:
        return Limits(money=self.worker.left())
