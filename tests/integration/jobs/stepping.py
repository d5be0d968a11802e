"""An event loop that a test steps, and fakes that wait in it until the test lets them go on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from foreword.domain.calls import ModelEvent, ModelRequest, Usage
from foreword.domain.summarising import MergeRequest, SummaryDraft, SummaryRequest
from foreword.errors import RateLimited
from foreword.testing.fixed_clock import FixedClock
from foreword.testing.models import FakeModel
from foreword.testing.summarisers import EchoSummariser

FAILS, REFUSED, GOOD = "fails", "refused", "good"
REFUSAL = "I'm sorry, but I can't help with that request."
ECHO = EchoSummariser(filled=True)
SETTLED = 8
"""Turns of the loop after which whatever was let go waits again, or has ended."""


@dataclass(slots=True)
class Waiting:
    """Somebody who waits for the test."""

    who: str
    what: str
    future: asyncio.Future[str]
    due: datetime | None = None
    """When a sleep is over; None for what ends when the test says so."""


@dataclass(slots=True)
class Stage:
    """A loop that goes on by single turns, and a clock that goes on with the sleeps in it."""

    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    clock: FixedClock = field(default_factory=FixedClock)
    waiting: list[Waiting] = field(default_factory=list)
    frozen: set[str] = field(default_factory=set)
    """Whose sleeps do not end, as when their machine is asleep."""
    calling: Callable[[str], None] = lambda _who: None
    """Told of every call of a model or summariser when it begins."""

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        return self.loop.create_task(work)

    def turn(self, times: int = SETTLED) -> None:
        """Let all who can go on do so, `times` times one after the other."""
        for _ in range(times):
            self.loop.call_soon(self.loop.stop)
            self.loop.run_forever()

    async def wait(self, who: str, what: str, seconds: float | None = None) -> str:
        """Wait until the test lets it go on, or until so many seconds are over."""
        due = None if seconds is None else self.clock.now() + timedelta(seconds=seconds)
        here = Waiting(who, what, self.loop.create_future(), due)
        self.waiting.append(here)
        try:
            return await here.future
        finally:
            self.waiting.remove(here)

    @property
    def held(self) -> list[Waiting]:
        """Those who wait for the test, and go on only when it says so."""
        return [one for one in self.waiting if one.due is None and not one.future.done()]

    def pass_time(self, seconds: float) -> None:
        """Let time pass; whoever sleeps wakes at its time, one after the other."""
        end = self.clock.now() + timedelta(seconds=seconds)
        while (found := self._next(end)) is not None:
            due, one = found
            self.clock.advance(max(due - self.clock.now(), timedelta()))
            one.future.set_result(GOOD)
            self.turn()
        self.clock.advance(max(end - self.clock.now(), timedelta()))

    def _next(self, end: datetime) -> tuple[datetime, Waiting] | None:
        sleeping = [
            (one.due, one)
            for one in self.waiting
            if one.due is not None and not one.future.done() and one.who not in self.frozen
        ]
        due = [pair for pair in sleeping if pair[0] <= end]
        return min(due, key=lambda pair: pair[0]) if due else None

    def close(self) -> None:
        """End whatever still runs."""
        tasks = asyncio.all_tasks(self.loop)
        for task in tasks:
            task.cancel()
        if tasks:
            self.loop.run_until_complete(asyncio.wait(tasks))
        self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        self.loop.close()


@dataclass(frozen=True, slots=True)
class WaitingSummariser:
    """Answers like `EchoSummariser`, once the test lets it."""

    stage: Stage
    who: str
    maker: str = "echo-1"

    async def summarise(self, request: SummaryRequest) -> SummaryDraft:
        self.stage.calling(self.who)
        await self.stage.wait(self.who, "summary")
        return await ECHO.summarise(request)

    async def merge(self, request: MergeRequest) -> SummaryDraft:
        self.stage.calling(self.who)
        await self.stage.wait(self.who, "merge")
        return await ECHO.merge(request)


@dataclass(frozen=True, slots=True)
class WaitingModel:
    """Answers like `FakeModel`, fails or refuses, as the test says when it lets it go on."""

    stage: Stage
    who: str

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        self.stage.calling(self.who)
        how = await self.stage.wait(self.who, "answer")
        if how == FAILS:
            raise RateLimited(route="summarise", detail="429")
        fake = FakeModel([REFUSAL]) if how == REFUSED else FakeModel()
        async for event in fake.stream(request):
            yield event

    async def prepare(self) -> None:
        await self.stage.wait(self.who, "prepare")

    async def context(self) -> int | None:
        await self.stage.wait(self.who, "context")
        return 8192

    def price(self, _usage: Usage) -> int | None:
        return None
