from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.policy import Mode
from foreword.planning.economics import (
    CACHED_RATE,
    CacheReason,
    Chat,
    Verdict,
    cache_advice,
    cached_rate,
    flush_cost,
    judge_flush,
)

CHAT = Chat(prompt=40_000, before_turns=10_000, queued=8_000, summary=280)
CHATS = st.builds(
    Chat,
    prompt=st.integers(20_000, 60_000),
    before_turns=st.integers(0, 10_000),
    queued=st.integers(1_000, 10_000),
    summary=st.integers(1, 900),
)


@pytest.mark.parametrize(
    ("mode", "queued", "idle", "reason"),
    [
        (Mode.BALANCED, 8_000, 60, CacheReason.WRONG_MODE),
        (Mode.PREFIX_CACHE, 0, 60, CacheReason.QUEUE_EMPTY),
        (Mode.PREFIX_CACHE, 3_999, 60, CacheReason.QUEUE_THIN),
        (Mode.PREFIX_CACHE, 4_000, None, CacheReason.UNKNOWN_TIME),
        (Mode.PREFIX_CACHE, 4_000, 29, CacheReason.FRESH),
        (Mode.PREFIX_CACHE, 4_000, 30, CacheReason.STALE),
    ],
)
def test_summarising_now_is_suggested_only_when_the_cache_is_cold_and_the_queue_worth_it(
    mode: Mode, queued: int, idle: int | None, reason: CacheReason
) -> None:
    chat = replace(CHAT, queued=queued)
    found = cache_advice(mode, chat, queue_budget=16_000, idle_minutes=idle, ttl_minutes=30)
    assert (found.reason, found.suggested) == (reason, reason is CacheReason.STALE)
    assert (found.idle_minutes, found.ttl_minutes, found.queued) == (idle, 30, queued)


def test_with_a_cold_cache_both_ways_are_priced_in_full() -> None:
    found = cache_advice(
        Mode.PREFIX_CACHE, CHAT, queue_budget=16_000, idle_minutes=45, ttl_minutes=30
    )
    assert found.wait_tokens == 40_000
    assert found.act_tokens == 8_280 + 32_280


def test_with_a_warm_cache_a_flush_reads_what_follows_anew() -> None:
    # 22,280 tokens stand behind the summaries; each costs 0.9 more than from the cache.
    assert flush_cost(CHAT, cached=CACHED_RATE) == pytest.approx(8_280 + 22_280 * 0.9)
    assert flush_cost(CHAT, cached=1.0) == 8_280
    warm = cache_advice(
        Mode.PREFIX_CACHE, CHAT, queue_budget=16_000, idle_minutes=1, ttl_minutes=30
    )
    assert warm.wait_tokens == 4_000
    assert warm.act_tokens > warm.wait_tokens


def test_a_flush_pays_after_enough_prompts() -> None:
    found = judge_flush(CHAT, calls=100, cached=CACHED_RATE)
    assert found.saved_a_call == pytest.approx(772)
    assert (found.pays, found.pays_after) == (True, 37)
    assert not judge_flush(CHAT, calls=36, cached=CACHED_RATE).pays
    assert judge_flush(CHAT, calls=37, cached=CACHED_RATE).pays


def test_without_a_cache_a_flush_pays_almost_at_once() -> None:
    assert judge_flush(CHAT, calls=2, cached=1.0).pays_after == 2


def test_not_running_out_of_context_may_be_worth_it_alone() -> None:
    assert judge_flush(CHAT, calls=0, cached=CACHED_RATE, overflow=40_000).pays
    useless = Verdict(cost=10, saved_a_call=0, calls=5, overflow=0)
    assert (useless.pays, useless.pays_after) == (False, None)
    assert replace(useless, overflow=11).pays_after == 0


@pytest.mark.parametrize(
    ("tokens_in", "tokens_cached", "rate"),
    [(0, 0, 1.0), (1_000, 0, 1.0), (1_000, 1_000, 0.1), (1_000, 500, 0.55), (1_000, 2_000, 0.1)],
)
def test_the_rate_of_the_cache_is_what_was_reported(
    tokens_in: int, tokens_cached: int, rate: float
) -> None:
    assert cached_rate(tokens_in, tokens_cached) == pytest.approx(rate)


@given(chat=CHATS, calls=st.integers(0, 500), cached=st.floats(0.01, 1.0))
def test_what_pays_keeps_paying_with_more_calls(chat: Chat, calls: int, cached: float) -> None:
    found = judge_flush(chat, calls=calls, cached=cached)
    more = judge_flush(chat, calls=calls + 1, cached=cached)
    assert more.pays or not found.pays
    after = found.pays_after
    if after is not None and after > 0:
        assert not judge_flush(chat, calls=after - 1, cached=cached).pays
