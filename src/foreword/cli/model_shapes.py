"""JSON of routes, replies and costs.

Above: the commands. Below: the engine's views. The keys are API: programs read them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from foreword.cli.shapes import Json, turn_json

if TYPE_CHECKING:
    from foreword.domain.calls import Call, Usage
    from foreword.domain.routes import Route
    from foreword.engine.costs import Costs
    from foreword.engine.probing import Probe
    from foreword.engine.replying import Reply
    from foreword.engine.routes import RouteView
    from foreword.planning.spending import CostLine


def route_json(view: RouteView) -> Json:
    """Return a job and what does it; `route` is null where no model is set."""
    route = view.route
    return {
        "job": view.job.value,
        "inherited_from": route.name if route is not None and view.inherited else None,
        "route": None if route is None else _route_json(route),
        "ratio": view.ratio,
    }


def shown_url(route: Route) -> str:
    """Return the address without its query, which may hold a key."""
    return re.sub(r"\?.*", "?…", route.url, flags=re.DOTALL)


def probe_json(found: Probe, price: tuple[float, float] | None) -> Json:
    """Return what a test of a route found; `problem` is null when it answered.

    Args:
        found: the test.
        price: US dollars for a million tokens read and written; None where it is not known.
    """
    problem = found.problem
    return {
        "ok": problem is None,
        "problem": None
        if problem is None
        else {"type": type(problem).__name__, "message": str(problem)},
        "route": _route_json(found.route),
        "first_seconds": found.first_seconds,
        "total_seconds": found.total_seconds,
        "pieces": found.pieces,
        "streams": found.streams,
        "reasoning": found.reasoning,
        "usage_reported": found.usage_reported,
        "context": found.context,
        "answer": found.answer,
        "price": None if price is None else {"in": price[0], "out": price[1]},
    }


def reply_json(done: Reply, call: Call) -> Json:
    """Return what was said and answered, and what the call took."""
    return {
        "said": None if done.said is None else turn_json(done.said),
        "reply": turn_json(done.reply),
        "call": call.id,
        "route": call.route,
        "model": done.answer.model or call.model,
        "finish": done.answer.finish.value,
        "usage": usage_json(done.answer.usage),
        "money": call.money,
        "milliseconds": call.milliseconds,
        "reused": done.reused,
    }


def usage_json(usage: Usage) -> Json:
    """Return the tokens of a call."""
    return {
        "tokens_in": usage.tokens_in,
        "tokens_cached": usage.tokens_cached,
        "tokens_out": usage.tokens_out,
        "tokens_reasoning": usage.tokens_reasoning,
        "reported": usage.reported,
    }


def call_json(call: Call) -> Json:
    """Return a row of the ledger without what the model wrote."""
    return {
        "id": call.id,
        "at": call.started_at,
        "purpose": call.purpose.value,
        "route": call.route,
        "model": call.model,
        "outcome": call.outcome.value,
        "tokens_in": tokens_read(call),
        "usage": None if call.answer is None else usage_json(call.answer.usage),
        "money": call.money,
        "milliseconds": call.milliseconds,
        "failure": call.failure,
        "detail": call.detail,
        "conversation": call.conversation,
        "branch": call.branch,
        "summary": call.summary,
    }


def full_call_json(call: Call) -> Json:
    """Return a row of the ledger with what the model wrote, word for word."""
    answer = call.answer
    return {
        **call_json(call),
        "text": None if answer is None else answer.text,
        "reasoning": None if answer is None else answer.reasoning,
        "raw": None if answer is None else answer.raw or answer.text,
        "finish": None if answer is None else answer.finish.value,
    }


def tokens_read(call: Call) -> int:
    """Return the tokens that a call read: as told, or as they were counted before it."""
    return call.tokens_in if call.answer is None else call.answer.usage.tokens_in


def costs_json(found: Costs, caps: Mapping[str, float | None]) -> Json:
    """Return what models have cost; money in micro-dollars, caps in dollars."""
    lines = {name: _line_json(line) for name, line in cost_lines(found)}
    return {
        **lines,
        "today": found.today,
        "today_unpriced": found.today_unpriced,
        "caps": dict(caps),
    }


def cost_lines(found: Costs) -> tuple[tuple[str, CostLine], ...]:
    """Return the lines of a table of costs with their names."""
    table = found.table
    return (("chat", table.chat), ("memory", table.memory), ("total", table.total))


def _line_json(line: CostLine) -> Json:
    return {
        "calls": line.calls,
        "unpriced": line.unpriced,
        "tokens_in": line.tokens_in,
        "tokens_cached": line.tokens_cached,
        "tokens_out": line.tokens_out,
        "money": line.money,
        "milliseconds": line.milliseconds,
        "lost": line.lost,
        "lost_money": line.lost_money,
    }


def _route_json(route: Route) -> Json:
    return {
        "name": route.name,
        "kind": route.kind.value,
        "url": shown_url(route),
        "model": route.model,
        "key": "env" if route.key_env else "file" if route.key_file else "none",
        "key_env": route.key_env,
        "key_file": route.key_file,
        "context": route.context,
        "told_context": route.told_context,
        "output": route.output,
        "temperature": route.temperature,
        "timeout": route.timeout,
        "retries": route.retries,
        "rpm": route.rpm,
        "concurrency": route.concurrency,
        "suffix": route.suffix,
        "price_in": route.price_in,
        "price_cached": route.price_cached,
        "price_out": route.price_out,
    }
