"""What every job queue does: one holder at a time, stopping, taking over, and the log."""

# ruff: noqa: D103 - the name of a check says what it checks

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from foreword.domain.conversation import Conversation
from foreword.domain.ids import MAIN_BRANCH, AccountId, BranchId, ConversationId
from foreword.domain.jobs import (
    EventKind,
    EventLevel,
    Job,
    JobId,
    JobKind,
    JobProgress,
    JobState,
    NewEvent,
)
from foreword.errors import BranchNotFound, ConversationNotFound
from foreword.ports.jobs import JobQueue
from foreword.ports.store import Store

MINE, OTHERS = AccountId("mine"), AccountId("others")
STORY, TALE, THEIRS = ConversationId("story"), ConversationId("tale"), ConversationId("theirs")
T0, T1, T2, T3 = (f"2026-12-01T00:00:0{n}.000+00:00" for n in range(4))
UPKEEP = JobKind.UPKEEP
PROGRESS = JobProgress(made=2, left_tokens=300, doing="summarising turns 1 to 4")


class Queued(Protocol):
    """A store that has a queue."""

    @property
    def store(self) -> Store:
        """The store, empty."""
        ...

    @property
    def jobs(self) -> JobQueue:
        """Its queue."""
        ...


def begin(queued: Queued) -> JobQueue:
    """Make three conversations, one of them somebody else's, and return the queue."""
    for account, one in ((MINE, STORY), (MINE, TALE), (OTHERS, THEIRS)):
        queued.store.create(account, one, title="", at=T0, settings={})
    return queued.jobs


def want(jobs: JobQueue, conversation: ConversationId = STORY, at: str = T0) -> Job:
    account = OTHERS if conversation == THEIRS else MINE
    return jobs.want(account, conversation, MAIN_BRANCH, kind=UPKEEP, at=at)


def test_a_job_that_is_wanted_twice_is_one_job(queued: Queued) -> None:
    jobs = begin(queued)
    first = want(jobs)
    assert first == Job(
        id=first.id,
        account=MINE,
        conversation=STORY,
        branch=MAIN_BRANCH,
        kind=UPKEEP,
        state=JobState.WAITING,
        made_at=T0,
        changed_at=T0,
    )
    assert want(jobs, at=T1) == first
    assert want(jobs, TALE).id != first.id
    assert jobs.jobs(MINE, STORY) == (first,)


def test_what_does_not_exist_has_no_jobs(queued: Queued) -> None:
    jobs = begin(queued)
    _raises(ConversationNotFound, lambda: want(jobs, ConversationId("nowhere")))
    _raises(ConversationNotFound, lambda: jobs.want(OTHERS, STORY, MAIN_BRANCH, kind=UPKEEP, at=T0))
    _raises(BranchNotFound, lambda: jobs.want(MINE, STORY, BranchId(9), kind=UPKEEP, at=T0))
    _raises(ConversationNotFound, lambda: jobs.stop(OTHERS, STORY, at=T0))
    _raises(ConversationNotFound, lambda: jobs.events(OTHERS, STORY))
    _raises(ConversationNotFound, lambda: jobs.log(OTHERS, STORY, [_event("no")]))


def test_one_owner_holds_a_job(queued: Queued) -> None:
    jobs = begin(queued)
    made = want(jobs)
    held = jobs.lease("a", at=T1, until=T3)
    assert held == replace(
        made, state=JobState.RUNNING, owner="a", lease_until=T3, attempt=1, changed_at=T1
    )
    assert jobs.lease("b", at=T2, until=T3) is None
    assert want(jobs, at=T2) == held


def test_the_oldest_job_is_taken_first_and_a_choice_is_kept(queued: Queued) -> None:
    jobs = begin(queued)
    first, second, third = want(jobs), want(jobs, TALE), want(jobs, THEIRS)
    assert _id(jobs.lease("a", at=T1, until=T3, account=OTHERS)) == third.id
    assert _id(jobs.lease("a", at=T1, until=T3, conversation=TALE)) == second.id
    assert jobs.lease("a", at=T1, until=T3, conversation=STORY, branch=BranchId(2)) is None
    found = jobs.lease("a", at=T1, until=T3, conversation=STORY, branch=MAIN_BRANCH)
    assert _id(found) == first.id
    assert jobs.lease("a", at=T1, until=T3) is None


def test_a_lease_that_ended_is_taken_over(queued: Queued) -> None:
    jobs = begin(queued)
    made = want(jobs)
    jobs.lease("a", at=T0, until=T1)
    assert jobs.lease("b", at=T1, until=T3) is None
    taken = jobs.lease("b", at=T2, until=T3)
    assert taken is not None
    assert (taken.id, taken.owner, taken.attempt) == (made.id, "b", 2)
    assert jobs.renew(made.id, "a", at=T2, until=T3, progress=PROGRESS) is None
    assert not jobs.end(made.id, "a", at=T2, state=JobState.DONE)
    assert jobs.renew(made.id, "b", at=T2, until=T3, progress=PROGRESS) is JobState.RUNNING


def test_a_renewed_lease_tells_how_far_the_job_is(queued: Queued) -> None:
    jobs = begin(queued)
    want(jobs)
    held = jobs.lease("a", at=T0, until=T1)
    assert held is not None
    jobs.renew(held.id, "a", at=T1, until=T3, progress=PROGRESS)
    assert jobs.jobs(MINE, STORY) == (
        replace(held, lease_until=T3, changed_at=T1, progress=PROGRESS),
    )
    assert jobs.lease("b", at=T2, until=T3) is None


def test_a_job_that_ended_makes_room_for_the_next(queued: Queued) -> None:
    jobs = begin(queued)
    first = want(jobs)
    jobs.lease("a", at=T0, until=T3)
    assert jobs.end(first.id, "a", at=T1, state=JobState.FAILED, detail="no key")
    second = want(jobs, at=T2)
    assert second.id > first.id
    ended = replace(first, state=JobState.FAILED, attempt=1, changed_at=T1, detail="no key")
    assert jobs.jobs(MINE, STORY) == (second, ended)
    assert jobs.jobs(MINE, STORY, live=True) == (second,)
    assert jobs.jobs(MINE, limit=1) == (second,)
    assert jobs.jobs(OTHERS) == ()
    assert not jobs.end(first.id, "a", at=T2, state=JobState.DONE)


def test_a_job_that_is_given_back_waits_for_anybody(queued: Queued) -> None:
    jobs = begin(queued)
    made = want(jobs)
    jobs.lease("a", at=T0, until=T3)
    jobs.end(made.id, "a", at=T1, state=JobState.WAITING)
    taken = jobs.lease("b", at=T1, until=T3)
    assert taken is not None
    assert (taken.id, taken.attempt) == (made.id, 2)


def test_a_waiting_job_that_is_stopped_is_over_at_once(queued: Queued) -> None:
    jobs = begin(queued)
    made = want(jobs)
    want(jobs, TALE)
    stopped = replace(made, state=JobState.STOPPED, changed_at=T1)
    assert jobs.stop(MINE, STORY, at=T1) == (stopped,)
    assert jobs.stop(MINE, STORY, at=T1) == ()
    assert jobs.lease("a", at=T2, until=T3, conversation=STORY) is None


def test_the_holder_learns_that_a_running_job_is_to_stop(queued: Queued) -> None:
    jobs = begin(queued)
    made = want(jobs)
    jobs.lease("a", at=T0, until=T3)
    assert jobs.stop(MINE, STORY, BranchId(2), at=T1) == ()
    (told,) = jobs.stop(MINE, STORY, MAIN_BRANCH, at=T1)
    assert told.state is JobState.STOPPING
    assert jobs.renew(made.id, "a", at=T2, until=T3, progress=PROGRESS) is JobState.STOPPING
    jobs.end(made.id, "a", at=T3, state=JobState.DONE)
    assert jobs.jobs(MINE, STORY)[0].state is JobState.STOPPED


def test_a_job_whose_holder_is_gone_is_stopped_and_not_taken_over(queued: Queued) -> None:
    jobs = begin(queued)
    made = want(jobs)
    jobs.lease("a", at=T0, until=T1)
    jobs.stop(MINE, STORY, at=T0)
    assert jobs.lease("b", at=T2, until=T3) is None
    assert jobs.jobs(MINE, STORY) == (
        replace(made, state=JobState.STOPPED, attempt=1, changed_at=T2),
    )


def test_jobs_of_a_deleted_conversation_wait_until_it_is_back(queued: Queued) -> None:
    jobs = begin(queued)
    made = want(jobs)
    _delete(queued.store, deleted=True)
    assert jobs.lease("a", at=T1, until=T3) is None
    _delete(queued.store, deleted=False)
    assert _id(jobs.lease("a", at=T1, until=T3)) == made.id


def test_a_writer_makes_a_job_due_when_it_commits_and_not_when_it_fails(queued: Queued) -> None:
    jobs = begin(queued)
    with queued.store.write(MINE, STORY) as session:
        session.want(MAIN_BRANCH, UPKEEP, T1)
        session.want(MAIN_BRANCH, UPKEEP, T2)
    assert [job.made_at for job in jobs.jobs(MINE)] == [T1]

    def fail() -> None:
        with queued.store.write(MINE, TALE) as session:
            session.want(MAIN_BRANCH, UPKEEP, T1)
            raise KeyError

    _raises(KeyError, fail)
    assert jobs.jobs(MINE, TALE) == ()


def test_the_log_holds_what_was_told_up_to_a_level(queued: Queued) -> None:
    jobs = begin(queued)
    told = [
        _event("made", branch=MAIN_BRANCH, data=(("summary", "1"), ("why", "over 1 260 tokens"))),
        _event("looked", level=EventLevel.DEBUG),
        _event("asked \N{SNOWMAN}", level=EventLevel.PROMPTS),
        _event("promoted"),
    ]
    jobs.log(MINE, STORY, told[:2])
    jobs.log(MINE, STORY, told[2:])
    jobs.log(MINE, TALE, [])
    found = jobs.events(MINE, STORY, level=EventLevel.PROMPTS)
    assert [(one.conversation, one.branch, one.at) for one in found] == [
        (STORY, one.branch, one.at) for one in told
    ]
    assert [(one.kind, one.level, one.text, one.data) for one in found] == [
        (one.kind, one.level, one.text, one.data) for one in told
    ]
    assert [one.text for one in jobs.events(MINE, STORY)] == ["made", "promoted"]
    assert [one.text for one in jobs.events(MINE, STORY, level=EventLevel.DEBUG)] == [
        "made",
        "looked",
        "promoted",
    ]
    assert [one.text for one in jobs.events(MINE, STORY, limit=1)] == ["promoted"]
    assert jobs.events(MINE, STORY, after=found[-1].id) == ()
    assert jobs.events(MINE, TALE) == ()


def _event(
    text: str,
    *,
    level: EventLevel = EventLevel.NORMAL,
    branch: BranchId | None = None,
    data: tuple[tuple[str, str], ...] = (),
) -> NewEvent:
    return NewEvent(at=T1, level=level, kind=EventKind.MADE, text=text, data=data, branch=branch)


def _id(job: Job | None) -> JobId | None:
    return None if job is None else job.id


def _delete(store: Store, *, deleted: bool) -> Conversation:
    with store.write(MINE, STORY) as session:
        session.change_conversation(deleted=deleted)
        return session.conversation


def _raises(kind: type[Exception], call: Callable[[], object]) -> None:
    try:
        call()
    except kind:
        return
    raise AssertionError(f"{kind.__name__} was not raised")


JOB_CHECKS: tuple[Callable[[Queued], None], ...] = tuple(
    value for name, value in vars().items() if name.startswith("test_")
)
