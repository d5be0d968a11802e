"""What the memory status says of the provider's cache."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from tests.integration.engine.play import Play, start
from tests.integration.engine.stage import stage

from foreword.domain.calls import ModelAnswer, Usage
from foreword.domain.turn import Role
from foreword.engine import memory
from foreword.engine.replying import reply
from foreword.planning.economics import CacheReason
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore
from foreword.testing.models import FakeModel
from foreword.testing.virtual_time import VirtualTime


def told(time: VirtualTime, turns: int = 32) -> Play:
    play = start(
        engine_on(MemoryStore(), time=time), 0, context="2000", reply="200", mode="prefix-cache"
    )
    for number in range(1, turns + 1):
        text = " ".join([f"t{number}", *["word"] * 35])
        play.say(text, first=Role.USER if number % 2 else Role.ASSISTANT)
    return play


def test_an_idle_chat_with_a_worthwhile_queue_gets_a_suggestion() -> None:
    time = VirtualTime()
    play = told(time)
    assert memory.status(play.engine, play.place).cache.advice.reason is CacheReason.FRESH
    time.advance(timedelta(minutes=29, seconds=59))
    assert memory.status(play.engine, play.place).cache.advice.reason is CacheReason.FRESH
    time.advance(timedelta(seconds=1))
    advice = memory.status(play.engine, play.place).cache.advice
    assert (advice.reason, advice.idle_minutes) == (CacheReason.STALE, 30)
    # 1,280 tokens are waiting to be sent; 400 of them could be summarised into 67.
    assert (advice.queued, advice.wait_tokens) == (400, 1280)
    assert advice.act_tokens == 400 + 67 + (1280 - 400 + 67)


def test_a_chat_without_turns_has_no_time() -> None:
    play = told(VirtualTime(), 0)
    advice = memory.status(play.engine, play.place).cache.advice
    assert (advice.reason, advice.idle_minutes) == (CacheReason.QUEUE_EMPTY, None)


def test_what_the_cache_is_worth_comes_from_reported_tokens() -> None:
    usage = Usage(tokens_in=1_000, tokens_cached=500, tokens_out=10)
    answer = ModelAnswer(text="Mara nods and goes on.", usage=usage)
    set_up = stage(MemoryStore(), FakeModel([answer]), routed="chat", mode="prefix-cache")
    play = set_up.play
    assert memory.status(play.engine, play.place).cache.rate == 1.0
    play.say("Go on.")
    asyncio.run(reply(play.engine, play.place))
    assert memory.status(play.engine, play.place).cache.rate == 0.55
