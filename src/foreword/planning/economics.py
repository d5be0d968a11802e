"""What a flush of memory costs and saves, given a provider that reads prompts from a cache.

Above: engine, which knows what was reported; doors show the numbers. Below: `domain`. All amounts
are tokens, or tokens at the full price of reading (`full`), so that they hold for every price list:
what is read from the cache counts `cached` of its tokens, what is written into it `write`.

Source: research/roleplay c.3 (stale advice), research/agents b4 (gate); issue 5, section 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from foreword.domain.policy import Mode

CACHED_RATE = 0.1
"""What a cached token costs of a full one where the provider keeps a cache."""
WRITE_RATE = 1.0
"""What a token costs that is read for the first time and kept."""
THIN_PERCENT = 25
"""Of the queue budget: with less, a suggestion is not worth reading."""


class CacheReason(StrEnum):
    """Why summarising now is suggested, or not."""

    WRONG_MODE = "wrong_mode"
    """Only prefix-cache lets a long queue gather."""
    QUEUE_EMPTY = "queue_empty"
    QUEUE_THIN = "queue_thin"
    UNKNOWN_TIME = "unknown_time"
    """Nobody knows since when the chat is idle."""
    FRESH = "fresh"
    """The provider's cache is still warm."""
    STALE = "stale"
    """It is cold: the next prompt is paid in full either way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """What a chat sends, in tokens."""

    prompt: int
    """All of the next prompt."""
    before_turns: int
    """Of it, what stands before the turns: fixed texts and summaries."""
    queued: int
    """Turns that a flush would cover."""
    summary: int
    """What stands for them afterwards."""

    @property
    def after_flush(self) -> int:
        """Tokens of the next prompt once the queue is summarised."""
        return self.prompt - self.queued + self.summary


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheAdvice:
    """Whether to summarise before the next message, and what either way takes."""

    reason: CacheReason
    idle_minutes: int | None
    ttl_minutes: int
    queued: int
    act_tokens: float
    """Full tokens of the next prompt and of the summary, when it is made now."""
    wait_tokens: float
    """Full tokens of the next prompt when nothing is done."""

    @property
    def suggested(self) -> bool:
        """Whether summarising now is the better choice."""
        return self.reason is CacheReason.STALE


def cache_advice(
    mode: Mode, chat: Chat, *, queue_budget: int, idle_minutes: int | None, ttl_minutes: int
) -> CacheAdvice:
    """Say whether the queue should be summarised now because the provider's cache is cold.

    Args:
        mode: of the conversation.
        chat: what it sends.
        queue_budget: tokens that may gather before memory acts by itself.
        idle_minutes: whole minutes since the last turn; None where that is not known.
        ttl_minutes: after so many the cache counts as cold.
    """
    reason = _reason(mode, chat, queue_budget, idle_minutes, ttl_minutes)
    cold = reason is CacheReason.STALE
    flush = flush_cost(chat, cached=1.0 if cold else CACHED_RATE)
    return CacheAdvice(
        reason=reason,
        idle_minutes=idle_minutes,
        ttl_minutes=ttl_minutes,
        queued=chat.queued,
        act_tokens=flush + chat.after_flush if cold else flush + chat.prompt * CACHED_RATE,
        wait_tokens=chat.prompt * (1.0 if cold else CACHED_RATE),
    )


def flush_cost(chat: Chat, *, cached: float, write: float = WRITE_RATE) -> float:
    """Return the full tokens that a flush costs: the summary call, and the prefix read anew.

    What stands behind the summaries is read anew once; with a cold cache it would be anyway.
    """
    behind = max(0, chat.after_flush - chat.before_turns)
    return chat.queued + chat.summary + behind * (write - cached)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether a flush pays, in full tokens."""

    cost: float
    saved_a_call: float
    """What every later prompt takes less."""
    calls: int
    """Prompts that are expected until the next flush."""
    overflow: float
    """What is avoided by not running out of context."""

    @property
    def pays(self) -> bool:
        """Whether it saves more than it costs."""
        return self.calls * self.saved_a_call + self.overflow > self.cost

    @property
    def pays_after(self) -> int | None:
        """Prompts after which it has paid for itself; None for never."""
        if self.saved_a_call <= 0:
            return 0 if self.overflow > self.cost else None
        return max(0, -int(-(self.cost - self.overflow) // self.saved_a_call))


def judge_flush(
    chat: Chat, *, calls: int, cached: float, write: float = WRITE_RATE, overflow: float = 0.0
) -> Verdict:
    """Compare what a flush costs with what it saves over the calls to come.

    Args:
        chat: what is sent.
        calls: prompts expected until the next flush.
        cached: what a cached token costs of a full one; see `cached_rate`.
        write: what a token costs that is read into the cache.
        overflow: full tokens that it is worth not to run out of context.
    """
    return Verdict(
        cost=flush_cost(chat, cached=cached, write=write),
        saved_a_call=(chat.queued - chat.summary) * cached,
        calls=calls,
        overflow=overflow,
    )


def cached_rate(tokens_in: int, tokens_cached: int) -> float:
    """Return what a token of a prompt costs of a full one, from what a provider reported.

    Without anything reported, or without a cache, every token is paid in full.
    """
    if tokens_in <= 0:
        return 1.0
    share = min(1.0, max(0.0, tokens_cached / tokens_in))
    return 1.0 - share * (1.0 - CACHED_RATE)


def _reason(
    mode: Mode, chat: Chat, queue_budget: int, idle_minutes: int | None, ttl_minutes: int
) -> CacheReason:
    if mode is not Mode.PREFIX_CACHE:
        return CacheReason.WRONG_MODE
    if chat.queued <= 0:
        return CacheReason.QUEUE_EMPTY
    if chat.queued * 100 < queue_budget * THIN_PERCENT:
        return CacheReason.QUEUE_THIN
    if idle_minutes is None:
        return CacheReason.UNKNOWN_TIME
    return CacheReason.STALE if idle_minutes >= ttl_minutes else CacheReason.FRESH
