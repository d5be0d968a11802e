"""How many tokens automatic memory gives to what, for a context of any size.

Above: `upkeep`, engine. Below: `domain.policy`. Invariants: verbatim turns, queue and summaries
together never exceed what the context leaves beside the reply and the fixed texts; a larger context
never makes one of them smaller.

Source: DECISIONS, Defaults; spec/summaryception.
"""

from __future__ import annotations

from dataclasses import dataclass

from foreword.domain.policy import Mode, Policy

VERBATIM, QUEUE, MEMORY = 22_000, 6_000, 10_000
"""Balanced, where the context is large."""
VERBATIM_PREFIX, QUEUE_PREFIX = 20_000, 16_000
"""Prefix cache."""
SUMMARY = 280
LEAST_SUMMARY = 40
LEAST_BATCH = 2_000
"""Tokens under which a batch does not end before its soft size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budgets:
    """Tokens, all positive."""

    verbatim: int
    """Newest turns that stay word for word."""
    queue: int
    """What may gather beside them before it is summarised."""
    memory: int
    """All summaries in use."""
    summary_target: int
    """One summary of turns."""
    batch_target: int
    """Turns that one summary is to stand for."""
    batch_cap: int
    """Most of them, but for the tolerance at an exchange end."""

    @property
    def trigger(self) -> int:
        """Uncovered tokens from which on the overflow is summarised."""
        return self.verbatim + self.queue


def budgets(policy: Policy, *, fixed: int) -> Budgets:
    """Return the budgets of a policy; in modes that are not automatic those of balanced.

    Args:
        policy: settings win over defaults as far as the context allows.
        fixed: tokens of system text, personas, lore and facts.
    """
    available = max(0, policy.context - policy.reply_reserve - fixed)
    if policy.mode is Mode.PREFIX_CACHE:
        verbatim, queue = (
            _least(VERBATIM_PREFIX, available, 45),
            _least(QUEUE_PREFIX, available, 30),
        )
    else:
        verbatim, queue = _least(VERBATIM, available, 55), _least(QUEUE, available, 15)
    memory = _least(MEMORY, available, 25)
    verbatim, queue, memory = _fitted(
        (policy.verbatim or verbatim, policy.queue or queue, policy.memory_budget or memory),
        available,
    )
    share = memory * policy.share_layer0 // 100 // (policy.merge_count + 1)
    share //= 2 if policy.memory_repeat else 1
    target = policy.summary_target or min(SUMMARY, share)
    cap = min(policy.batch_cap, max(1, available))
    return Budgets(
        verbatim=verbatim,
        queue=queue,
        memory=memory,
        summary_target=max(LEAST_SUMMARY, target),
        batch_target=min(policy.batch_target, cap),
        batch_cap=cap,
    )


def _least(most: int, available: int, percent: int) -> int:
    return max(1, min(most, available * percent // 100))


def _fitted(wanted: tuple[int, int, int], available: int) -> tuple[int, int, int]:
    """Shrink what was set by hand in proportion where it exceeds what there is."""
    total = sum(wanted)
    if total <= available:
        return wanted
    parts = [max(1, part * available // total) for part in wanted]
    # What is rounded up to one token each is taken from the largest.
    parts[parts.index(max(parts))] -= max(0, sum(parts) - max(len(parts), available))
    verbatim, queue, memory = parts
    return verbatim, queue, memory
