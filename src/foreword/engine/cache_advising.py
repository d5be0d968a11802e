"""Use case: whether to summarise before the next message, seen from the provider's cache.

Above: the memory status. Below: `planning.economics`. What the cache is worth is taken from what
was reported of the conversation's own calls, never guessed from a name.

Source: research/agents b4; issue 5, section 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from foreword.domain.calls import Purpose
from foreword.engine.context import Engine, Reading
from foreword.engine.upkeep import Looked
from foreword.planning.economics import (
    CacheAdvice,
    Chat,
    Verdict,
    cache_advice,
    cached_rate,
    judge_flush,
)
from foreword.planning.upkeep import eligible_tokens

LAST_CALLS = 20
"""Replies whose reported tokens say what the cache is worth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheView:
    """The advice, and whether a flush pays."""

    advice: CacheAdvice
    verdict: Verdict
    rate: float
    """What a token of a prompt cost of a full one, as reported of late."""


def cache_view(engine: Engine, at: Reading, looked: Looked) -> CacheView:
    """Say what summarising now would cost and save."""
    loaded, budgets = looked.loaded, looked.budgets
    queued = eligible_tokens(looked.material)
    before = loaded.load.fixed + loaded.load.summaries + loaded.load.pins
    limit = loaded.policy.context - loaded.policy.reply_reserve
    batches = -(-queued // budgets.batch_target)
    chat = Chat(
        prompt=min(limit, before + loaded.pile.tokens),
        before_turns=before,
        queued=queued,
        summary=batches * budgets.summary_target,
    )
    rate = _reported_rate(engine, at)
    per_turn = max(1, loaded.pile.tokens // max(1, loaded.pile.turns))
    return CacheView(
        advice=cache_advice(
            loaded.policy.mode,
            chat,
            queue_budget=budgets.queue,
            idle_minutes=_idle_minutes(engine, at),
            ttl_minutes=loaded.policy.cache_ttl,
        ),
        verdict=judge_flush(chat, calls=budgets.queue // (2 * per_turn), cached=rate),
        rate=rate,
    )


def _reported_rate(engine: Engine, at: Reading) -> float:
    calls = engine.ledger.calls(engine.account, at.session.conversation.id, limit=5 * LAST_CALLS)
    usages = [
        call.answer.usage
        for call in calls
        if call.purpose is Purpose.REPLY and call.answer is not None and call.answer.usage.reported
    ][:LAST_CALLS]
    return cached_rate(
        sum(usage.tokens_in for usage in usages), sum(usage.tokens_cached for usage in usages)
    )


def _idle_minutes(engine: Engine, at: Reading) -> int | None:
    """Return the minutes since the last turn was said, as its date tells, else since it came."""
    session, branch = at.session, at.branch.id
    newest = next(session.newest(branch), None)
    if newest is None:
        return None
    sent = session.versions([newest.version_id])[newest.version_id].content.sent_at
    since = _moment(sent) or _moment(next((op.at for op in session.ops(branch)), ""))
    if since is None:
        return None
    return max(0, int((engine.clock.now() - since).total_seconds() // 60))


def _moment(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
