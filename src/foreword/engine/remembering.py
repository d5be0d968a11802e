"""From what was read to a summary in force: draft, commit, and what became of the calls.

Above: the use cases that make summaries. Below: drafting and committing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

from foreword.domain.calls import Outcome
from foreword.domain.routes import RouteName
from foreword.engine.committing import Made
from foreword.engine.context import Engine, Place
from foreword.engine.drafting import Asking, Drafted, draft, settle
from foreword.engine.learning import count_failure
from foreword.engine.rooms import asked_room
from foreword.engine.spans import Span, Stack
from foreword.errors import ConflictError, ContextOverflow, FailureClass

Result = TypeVar("Result")
Kept = TypeVar("Kept", bound="Made | None")


async def remember(
    engine: Engine,
    place: Place,
    of: Span | Stack,
    commit: Callable[[Drafted], Kept],
    asking: Asking,
) -> Kept:
    """Draft a summary and commit it; None when `commit` finds it not worth it.

    Raises:
        ConflictError: what it was made from changed meanwhile; the calls count as wasted.
        ModelError: see `draft`.
    """
    drafted = await draft(engine, place, of, asking)
    try:
        made = commit(drafted)
    except ConflictError:
        settle(engine, drafted, Outcome.WASTED)
        raise
    if made is None:
        settle(engine, drafted, Outcome.REJECTED)
        if drafted.route is not None:
            failure = FailureClass.NO_PROGRESS
            count_failure(engine, drafted.route, place.conversation, failure)
    else:
        settle(engine, drafted, Outcome.USED, made.summary.id)
    return made


async def fitting(
    engine: Engine,
    job: RouteName,
    asking: Asking,
    attempt: Callable[[Asking], Awaitable[Result]],
) -> Result:
    """Run what reads and asks; once more, with what was learnt, when the request was too long."""
    try:
        return await attempt(replace(asking, room=await asked_room(engine, job)))
    except ContextOverflow:
        room = await asked_room(engine, job)
        return await attempt(replace(asking, room=room, shrunk=True))
