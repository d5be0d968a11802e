"""Workers: due jobs are done once, stopped in time, and taken over without paying again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from tests.integration.engine.play import Play, start

from foreword.domain.calls import ModelRequest, Outcome
from foreword.domain.jobs import JobKind, JobState
from foreword.domain.summarising import SummaryDraft, SummaryRequest
from foreword.domain.turn import Role
from foreword.engine import memory, routes
from foreword.engine.context import Engine
from foreword.errors import RateLimited, StoreUnavailable
from foreword.jobs.maintaining import find_due, maintain
from foreword.jobs.worker import LEASE_SECONDS, LOOK_SECONDS, Ended, Scope, Worker
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore
from foreword.testing.models import FakeModel, FakeModels, plausible_summary
from foreword.testing.summarisers import EchoSummariser, RecordingSummariser, Request
from foreword.testing.virtual_time import VirtualTime

ENOUGH = 32
SETTINGS = {"context": "2000", "reply": "200", "mode": "balanced"}


def told(engine: Engine, turns: int = ENOUGH, **values: str) -> Play:
    """A conversation that has something to do."""
    play = start(engine, 0, **{**SETTINGS, **values})
    for number in range(1, turns + 1):
        text = " ".join([f"t{number}", *["word"] * 35])
        play.say(text, first=Role.USER if number % 2 else Role.ASSISTANT)
    return play


def engine_of(before: Callable[[Request], None] | None = None, **parts: Any) -> Engine:
    summariser = RecordingSummariser(EchoSummariser(filled=True), before)
    return engine_on(MemoryStore(), summariser=summariser, **parts)


def work(engine: Engine, owner: str = "w", **scope: Any) -> list[Ended]:
    """Let a worker do what is due, and return how its jobs ended."""
    ended: list[Ended] = []
    worker = Worker(engine=engine, owner=owner, scope=Scope(**scope), ended=ended.append)
    asyncio.run(worker.drain())
    return ended


def states(engine: Engine) -> list[JobState]:
    return [job.state for job in engine.jobs.jobs(engine.account)[::-1]]


def answered(engine: Engine) -> int:
    summariser = engine.summariser
    assert isinstance(summariser, RecordingSummariser)
    return len(summariser.answered)


def test_appending_makes_a_job_due_once_there_is_enough() -> None:
    engine = engine_of()
    told(engine, ENOUGH - 1)
    assert states(engine) == []
    told(engine, ENOUGH + 3)
    assert states(engine) == [JobState.WAITING]


@pytest.mark.parametrize("values", [{"mode": "advised"}, {"memory": "off"}, {"paused": "on"}])
def test_appending_makes_no_job_where_memory_does_not_run_by_itself(
    values: dict[str, str],
) -> None:
    engine = engine_of()
    told(engine, ENOUGH, **values)
    assert states(engine) == []


def test_a_worker_does_all_jobs_that_are_due() -> None:
    engine = engine_of()
    plays = [told(engine) for _ in range(3)]
    ended = work(engine)
    assert [(one.state, one.made, one.error) for one in ended] == [(JobState.DONE, 1, None)] * 3
    assert all(len(play.summaries()) == 1 for play in plays)
    assert work(engine) == []
    assert [job.progress.made for job in engine.jobs.jobs(engine.account)] == [1, 1, 1]


def test_a_worker_for_one_conversation_leaves_the_others_alone() -> None:
    engine = engine_of()
    first, second = told(engine), told(engine)
    work(engine, conversation=second.place.conversation)
    assert (first.summaries(), len(second.summaries())) == ((), 1)


def test_as_many_branches_are_worked_on_at_a_time_as_are_allowed() -> None:
    now, most = 0, 0

    class Slow:
        maker = "slow-1"

        async def summarise(self, request: SummaryRequest) -> SummaryDraft:
            nonlocal now, most
            now += 1
            most = max(most, now)
            for _ in range(5):
                await asyncio.sleep(0)
            now -= 1
            return await EchoSummariser(filled=True).summarise(request)

        merge = EchoSummariser(filled=True).merge

    engine = engine_on(MemoryStore(), summariser=Slow())
    for _ in range(5):
        told(engine)
    work(engine, concurrency=3)
    assert most == 3


def test_a_job_that_is_stopped_ends_within_a_second_and_commits_nothing() -> None:
    time = VirtualTime()

    class Endless:
        maker = "endless-1"

        async def summarise(self, _request: SummaryRequest) -> SummaryDraft:
            memory.stop(play.engine, play.place)
            began.append(len(time.slept))
            await asyncio.Event().wait()
            raise AssertionError("never")

        merge = EchoSummariser().merge

    began: list[int] = []
    engine = engine_on(MemoryStore(), summariser=Endless(), time=time)
    play = told(engine)
    (ended,) = work(engine, concurrency=1)
    assert (ended.state, play.summaries()) == (JobState.STOPPED, ())
    assert sum(time.slept[began[0] :]) <= 1
    assert states(engine) == [JobState.STOPPED]
    # Stopped stays stopped: nothing starts by itself until it is resumed.
    play.say("and then")
    assert find_due(engine) == ()
    memory.resume(engine, play.place)
    assert states(engine)[-1] is JobState.WAITING


def test_a_worker_that_is_stopped_gives_its_job_back_at_once() -> None:
    class Endless:
        maker = "endless-1"

        async def summarise(self, _request: SummaryRequest) -> SummaryDraft:
            reached.set()
            await asyncio.Event().wait()
            raise AssertionError("never")

        merge = EchoSummariser().merge

    reached = asyncio.Event()
    engine = engine_on(MemoryStore(), summariser=Endless())
    told(engine)

    async def stop_it() -> None:
        task = asyncio.create_task(Worker(engine=engine, owner="a").drain())
        await reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(stop_it())
    assert states(engine) == [JobState.WAITING]
    assert engine.jobs.lease("b", at=engine.moment(), until="9") is not None


def test_a_job_that_another_process_took_over_is_let_go() -> None:
    engine = engine_of()
    play = told(engine)

    class Slow:
        maker = "slow-1"

        async def summarise(self, _request: SummaryRequest) -> SummaryDraft:
            # As when the machine slept: the lease ended, and somebody else took the job.
            assert isinstance(engine.clock, VirtualTime)
            engine.clock.advance(timedelta(seconds=LEASE_SECONDS + 1))
            engine.jobs.lease("other", at=engine.moment(), until="9")
            await asyncio.Event().wait()
            raise AssertionError("never")

        merge = EchoSummariser().merge

    (ended,) = work(replace(engine, summariser=Slow()))
    assert (ended.state, play.summaries()) == (JobState.STOPPED, ())
    assert [job.owner for job in engine.jobs.jobs(engine.account)] == ["other"]


def test_answers_on_record_are_not_paid_again_by_who_takes_a_job_over() -> None:
    def answer(request: ModelRequest) -> str:
        if len(model.requests) == 3:
            raise KeyboardInterrupt
        return plausible_summary(request)

    model = FakeModel(answer)
    time = VirtualTime()
    engine = engine_on(MemoryStore(), models=FakeModels(model), time=time)
    routes.set_route(engine, "summarise", {"url": "http://model/v1", "model": "m"})
    play = told(engine, 38, mode="prefix-cache", batch_target="200", batch_cap="200")
    with pytest.raises(KeyboardInterrupt):
        work(engine, "killed")
    assert play.summaries() == ()
    asked = len(model.requests)
    time.advance(timedelta(seconds=LEASE_SECONDS + 1))
    (ended,) = work(engine, "next")
    assert ended.state is JobState.DONE
    made = [view for view in play.summaries(all_states=True) if view.layer == 0]
    # Of the flush, only what was never answered was asked again.
    assert len(model.requests) == asked + len(made) - 2
    outcomes = [call.outcome for call in engine.ledger.calls(engine.account)]
    assert outcomes.count(Outcome.USED) == len(play.summaries(all_states=True))


def test_a_model_that_fails_ends_the_job_with_the_reason_and_not_the_worker() -> None:
    model = FakeModel([RateLimited(route="summarise", detail="429 slow down")])
    engine = engine_on(MemoryStore(), models=FakeModels(model))
    told(engine)
    told(engine)
    routes.set_route(engine, "summarise", {"url": "http://model/v1", "model": "m", "retries": "0"})
    ended = work(engine)
    assert [one.state for one in ended] == [JobState.FAILED] * 2
    assert all("429 slow down" in job.detail for job in engine.jobs.jobs(engine.account))
    assert work(engine) == []
    assert len(find_due(engine)) == 2


def test_what_becomes_due_while_a_job_ends_is_not_forgotten() -> None:
    says = iter([True, False, False, False])

    def meddle(_request: Request) -> None:
        if next(says):
            # Too late for the batch that is being read, and told to a job that is running.
            for number in range(ENOUGH + 1, ENOUGH + 11):
                play.say(" ".join([f"t{number}", *["word"] * 35]))

    engine = engine_of(meddle)
    play = told(engine)
    work(engine)
    assert find_due(engine) == ()
    assert len(play.summaries()) >= 2


def test_a_cap_ends_the_run_and_leaves_the_rest_due() -> None:
    model = FakeModel(price_in=1.0, price_out=1.0)
    engine = engine_on(MemoryStore(), models=FakeModels(model))
    routes.set_route(engine, "summarise", {"url": "http://model/v1", "model": "m"})
    play = told(engine, 120, batch_target="200", batch_cap="200", memory="off")
    play.set(memory="on")
    (ended,) = work(engine, money=1)
    assert (ended.state, ended.made) == (JobState.WAITING, 1)
    assert "cap" in ended.kept.wait.sentence
    (ended,) = work(engine)
    assert (ended.state, ended.made > 5) == (JobState.DONE, True)


def test_maintaining_finds_what_no_append_told_of() -> None:
    engine = engine_of()
    play = told(engine, mode="advised")
    other = told(engine, mode="advised").fork(ENOUGH)
    engine.store.set_default(engine.account, "mode", "balanced")
    play.set(mode="")
    other.set(mode="balanced")
    jobs = find_due(engine)
    assert [(job.conversation, job.branch, job.kind) for job in jobs] == [
        ("c1", 1, JobKind.UPKEEP),
        ("c2", 1, JobKind.UPKEEP),
        ("c2", 2, JobKind.UPKEEP),
    ]
    asyncio.run(maintain(Worker(engine=engine, owner="w")))
    assert find_due(engine) == ()


def test_watching_goes_on_when_something_becomes_due() -> None:
    engine = engine_of()
    play = told(engine, 2)

    async def watch() -> None:
        done = asyncio.Event()
        worker = Worker(engine=engine, owner="w", ended=lambda _: done.set())
        task: asyncio.Task[None] = asyncio.create_task(_maintain(worker))
        await asyncio.sleep(0)
        for number in range(3, ENOUGH + 1):
            await asyncio.to_thread(play.say, " ".join([f"t{number}", *["word"] * 35]))
        await asyncio.wait_for(done.wait(), 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(watch())
    assert len(play.summaries()) == 1
    assert answered(engine) == 1


def _maintain(worker: Worker) -> Coroutine[Any, Any, None]:
    return maintain(worker, watch=True)


class _Slow:
    """A summariser that answers its first question when it may, and all others at once."""

    maker = "slow-1"

    def __init__(self) -> None:
        self.asked = 0
        self.began = asyncio.Event()
        self.may = asyncio.Event()
        self.echo = EchoSummariser(filled=True)
        self.merge = self.echo.merge

    async def summarise(self, request: SummaryRequest) -> SummaryDraft:
        self.asked += 1
        self.began.set()
        if self.asked == 1:
            await self.may.wait()
        return await self.echo.summarise(request)


class _Deaf:
    """Jobs of a store that answers no renewal for so many times."""

    def __init__(self, jobs: Any, times: int) -> None:
        self.jobs = jobs
        self.times = times

    def __getattr__(self, name: str) -> Any:
        return getattr(self.jobs, name)

    def renew(self, *words: Any, **named: Any) -> Any:
        if self.times > 0:
            self.times -= 1
            raise StoreUnavailable("it starts again")
        return self.jobs.renew(*words, **named)


def test_a_free_place_takes_a_job_that_becomes_due_while_another_runs() -> None:
    async def run() -> list[Ended]:
        slow, ended = _Slow(), list[Ended]()
        engine = engine_on(MemoryStore(), summariser=slow)
        told(engine)

        def note(one: Ended) -> None:
            ended.append(one)
            slow.may.set()

        worker = Worker(engine=engine, owner="w", scope=Scope(concurrency=2), ended=note)
        draining = asyncio.create_task(worker.drain())
        await slow.began.wait()
        told(engine)
        await draining
        return ended

    ended = asyncio.run(asyncio.wait_for(run(), 20))
    assert [(one.job.id, one.state) for one in ended] == [(2, JobState.DONE), (1, JobState.DONE)]


def test_a_store_that_does_not_answer_for_a_while_ends_no_job() -> None:
    engine = engine_of()
    told(engine)
    deaf = replace(engine, jobs=_Deaf(engine.jobs, 1))
    assert [one.state for one in work(deaf)] == [JobState.DONE]


def test_a_store_that_does_not_answer_until_the_lease_ends_stops_the_work() -> None:
    async def run() -> tuple[list[Ended], int]:
        slow, ended = _Slow(), list[Ended]()
        engine = engine_on(MemoryStore(), summariser=slow)
        told(engine)
        deaf = replace(engine, jobs=_Deaf(engine.jobs, int(LEASE_SECONDS / LOOK_SECONDS) + 2))
        worker = Worker(engine=deaf, owner="w", scope=Scope(concurrency=1), ended=ended.append)
        await worker.drain()
        return ended, slow.asked

    (ended, *_), asked = asyncio.run(asyncio.wait_for(run(), 20))
    assert (ended.state, asked) == (JobState.STOPPED, 1)
