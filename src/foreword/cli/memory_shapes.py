"""JSON of what the memory commands answer. The keys are API: programs read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foreword.cli.shapes import Json, summary_json

if TYPE_CHECKING:
    from foreword.domain.jobs import Job
    from foreword.engine.catching_up import CatchUpPrice
    from foreword.engine.memory import MemoryStatus
    from foreword.engine.upkeep import Kept
    from foreword.jobs.worker import Ended


def kept_json(kept: Kept) -> Json:
    """Return what a run made, and why it ended."""
    return {
        "made": [summary_json(view) for view in kept.made],
        "repaired": kept.repaired,
        "reason": kept.wait.reason.value,
        "sentence": kept.wait.sentence,
    }


def status_json(found: MemoryStatus) -> Json:
    """Return how automatic memory stands."""
    budgets, cache = found.budgets, found.cache
    return {
        "mode": found.mode.value,
        "strategy": found.strategy.value,
        "on": found.on,
        "paused": found.paused,
        "due": found.due,
        "sentence": found.sentence,
        "live_tokens": found.live_tokens,
        "live_turns": found.live_turns,
        "verbatim_budget": budgets.verbatim,
        "queue_budget": budgets.queue,
        "memory_budget": budgets.memory,
        "memory_tokens": found.memory_tokens,
        "summary_target": budgets.summary_target,
        "boundary": found.boundary,
        "stale": found.stale,
        "layers": [
            {
                "layer": use.name,
                "summaries": use.summaries,
                "tokens": use.tokens,
                "quota": use.quota,
                "over": use.over,
            }
            for use in found.layers
        ],
        "jobs": [job_json(job) for job in found.jobs],
        "cache": {
            "suggested": cache.advice.suggested,
            "reason": cache.advice.reason.value,
            "idle_minutes": cache.advice.idle_minutes,
            "ttl_minutes": cache.advice.ttl_minutes,
            "queued_tokens": cache.advice.queued,
            "act_tokens": round(cache.advice.act_tokens),
            "wait_tokens": round(cache.advice.wait_tokens),
            "rate": round(cache.rate, 3),
            "pays_after": cache.verdict.pays_after,
        },
        "scene_time": found.scene_time,
        "token_source": found.token_source,
    }


def catch_up_json(found: CatchUpPrice) -> Json:
    """Return what catching up would take."""
    plan = found.plan
    return {
        "due": found.due,
        "calls": plan.calls,
        "summaries": plan.summaries,
        "merges": [{"layer": layer, "calls": calls} for layer, calls in plan.merges.items()],
        "turns": plan.turns,
        "tokens_in": found.tokens_in,
        "tokens_out": plan.tokens_out,
        "memory_tokens": plan.memory_tokens,
        "model": found.model,
        "money": found.money,
        "capped": plan.capped,
        "sentence": found.sentence,
    }


def ended_json(one: Ended) -> Json:
    """Return a job that a worker is done with."""
    return {
        "job": one.job.id,
        "conversation": one.job.conversation,
        "branch": one.job.branch,
        "state": one.state.value,
        "made": one.made,
        "repaired": one.kept.repaired,
        "reason": one.kept.wait.reason.value,
        "sentence": one.kept.wait.sentence,
        "error": None if one.error is None else type(one.error).__name__,
    }


def job_json(job: Job) -> Json:
    """Return a job."""
    return {
        "id": job.id,
        "conversation": job.conversation,
        "branch": job.branch,
        "kind": job.kind.value,
        "state": job.state.value,
        "attempt": job.attempt,
        "made_at": job.made_at,
        "changed_at": job.changed_at,
        "made": job.progress.made,
        "left_tokens": job.progress.left_tokens,
        "doing": job.progress.doing,
        "detail": job.detail,
    }
