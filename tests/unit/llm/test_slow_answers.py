"""An answer that comes too slowly is not asked for again: it would be no faster."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from foreword.domain.calls import Delta, ModelAnswer, ModelEvent, ModelRequest
from foreword.domain.routes import route_from
from foreword.errors import ModelTimedOut
from foreword.llm.dialects import Dialect, first_dialect
from foreword.llm.limiting import limiter
from foreword.llm.retrying import Persistent

URL = "http://model/v1"


def attempts(*, comes: bool, model: str = "m-1", url: str = URL) -> int:
    """Let a model never end its answer; return how often it was asked."""
    asked = 0

    async def attempt(_: ModelRequest, __: Dialect) -> AsyncGenerator[Delta | ModelAnswer, None]:
        nonlocal asked
        asked += 1
        if comes:
            yield Delta(text="Mara")
        await asyncio.Event().wait()
        yield Delta(text="never")

    async def sleep(_: float) -> None:
        await asyncio.sleep(0)

    values = {"model": model, "timeout": "1", "retries": "2", **({"url": url} if url else {})}
    route = route_from("chat", values)
    trying = Persistent(
        route=route,
        attempt=attempt,
        limiter=limiter(route.provider, route.model),
        sleep=sleep,
        dialect=first_dialect(URL),
        learnt=lambda _: None,
    )

    async def run() -> list[ModelEvent]:
        return [event async for event in trying.stream(ModelRequest(messages=()))]

    with pytest.raises(ModelTimedOut):
        asyncio.run(run())
    return asked


def test_a_silent_server_is_asked_again() -> None:
    assert attempts(comes=False) == 3


def test_a_slow_writer_is_not_asked_again() -> None:
    assert attempts(comes=True) == 1


def test_a_model_in_this_process_is_not_asked_again() -> None:
    assert attempts(comes=False, model="tiny.gguf", url="") == 1
