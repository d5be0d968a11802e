"""Tries a call again where that may help, each time within the route's timeout.

Above: models. Below: streaming, limiting, tenacity. Invariant: at most `route.retries` more
attempts; nothing is tried again after a stop; before each new attempt a `Restart` is yielded.

Source: issue 3, section 1.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Final

from tenacity import AsyncRetrying, RetryCallState
from tenacity.retry import retry_if_exception
from tenacity.wait import wait_exponential, wait_random

from foreword.domain.calls import Delta, ModelAnswer, ModelEvent, ModelRequest, Restart
from foreword.domain.routes import Route, RouteKind
from foreword.errors import AnswerUnreadable, CallFailed, ModelTimedOut, RateLimited
from foreword.llm.dialects import Dialect, adapted
from foreword.llm.failures import Failed
from foreword.llm.limiting import Limiter

FIRST_WAIT: Final = 2.0
LONGEST_WAIT: Final = 60.0
JITTER: Final = 2.0
LATER_SHARE: Final = 0.75
"""Later attempts get this much of the timeout."""
MOST_ADAPTATIONS: Final = 5
HARD_TRIES: Final = 2

Sleep = Callable[[float], Awaitable[None]]
Attempt = Callable[[ModelRequest, Dialect], AsyncGenerator[Delta | ModelAnswer, None]]

_growing = wait_exponential(multiplier=FIRST_WAIT, max=LONGEST_WAIT)
_jitter = wait_random(0, JITTER)


@dataclass(slots=True, kw_only=True)
class Persistent:
    """A call that does not give up at once."""

    route: Route
    attempt: Attempt
    limiter: Limiter
    sleep: Sleep
    dialect: Dialect
    """The one that is spoken; learnt as refusals come."""
    learnt: Callable[[Dialect], None]
    """Told of every dialect that is tried instead."""
    _hard: int = field(default=0, init=False)
    _came: bool = field(default=False, init=False)
    """Something came in the attempt under way."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Yield the events of every attempt until one ends with an answer.

        Raises:
            CallFailed: none did.
        """
        trying = AsyncRetrying(
            sleep=self.sleep,
            stop=self._enough,
            wait=_wait,
            retry=retry_if_exception(_worth_another),
            reraise=True,
        )
        reason = ""
        try:
            async for attempt in trying:
                if reason:
                    yield Restart(reason=reason)
                self._came = False
                number = attempt.retry_state.attempt_number
                seconds = self.route.timeout * (1 if number == 1 else LATER_SHARE)
                try:
                    async with aclosing(self._spoken(request, seconds)) as events:
                        async for event in events:
                            self._came = True
                            yield event
                except Failed as error:
                    self._hard += error.hard
                    reason = f"{error.error.what} ({error.error.detail})"
                    # Not around the whole: what is yielded may bring a stop back in here.
                    with attempt:
                        raise
                else:
                    return
        except Failed as error:
            raise error.error from None

    async def _spoken(
        self, request: ModelRequest, seconds: float
    ) -> AsyncGenerator[ModelEvent, None]:
        """Yield one attempt, said again in another dialect where the words were refused."""
        for _ in range(MOST_ADAPTATIONS):
            try:
                async with (
                    self.limiter.slot(self.route.concurrency),
                    aclosing(self._bounded(request, seconds)) as events,
                ):
                    async for event in events:
                        yield event
                    return
            except Failed as error:
                other = self._other_dialect(error)
                if other is None:
                    raise
                self.dialect = other
                self.learnt(other)
        raise Failed(
            AnswerUnreadable(route=self.route.name, detail="it refuses every form of the request")
        )

    def _other_dialect(self, error: Failed) -> Dialect | None:
        kind = error.error.failure
        return adapted(self.dialect, error.said) if error.said and kind in _ADAPTABLE else None

    async def _bounded(
        self, request: ModelRequest, seconds: float
    ) -> AsyncGenerator[Delta | ModelAnswer, None]:
        """Yield one attempt that takes no longer than so many seconds."""
        deadline = asyncio.get_running_loop().time() + seconds
        async with aclosing(self.attempt(request, self.dialect)) as events:
            while True:
                try:
                    # Never around a yield: it would stop who reads instead of who writes.
                    async with asyncio.timeout_at(deadline):
                        event = await anext(events, None)
                except TimeoutError:
                    detail = f"no complete answer within {seconds:g} seconds"
                    raise Failed(ModelTimedOut(route=self.route.name, detail=detail)) from None
                if event is None:
                    return
                yield event

    def _enough(self, state: RetryCallState) -> bool:
        error = _error_of(state)
        if isinstance(error, RateLimited) and (error.retry_after or 0) > LONGEST_WAIT:
            return True
        if self._hard >= HARD_TRIES:
            return True
        if isinstance(error, ModelTimedOut) and (self._came or self.route.kind is RouteKind.LOCAL):
            return True  # it writes, and is too slow: it would not be faster the next time
        return state.attempt_number > self.route.retries


_ADAPTABLE = {"request", "network", "protocol"}
"""Refused parameters come as 400 and 422; a template that fails, as 500."""


def _wait(state: RetryCallState) -> float:
    error = _error_of(state)
    if isinstance(error, RateLimited) and error.retry_after is not None:
        return error.retry_after + _jitter(state)
    return _growing(state) + _jitter(state)


def _worth_another(error: BaseException) -> bool:
    return isinstance(error, Failed) and error.error.retryable


def _error_of(state: RetryCallState) -> CallFailed | None:
    error = state.outcome.exception() if state.outcome is not None else None
    return error.error if isinstance(error, Failed) else None
