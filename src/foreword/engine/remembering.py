"""From what was read to a summary in force: draft, commit, and what became of the calls.

Above: the use cases that make summaries. Below: drafting and committing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

from foreword.domain.calls import Outcome
from foreword.domain.ids import SummaryId
from foreword.domain.routes import RouteName
from foreword.engine.committing import Made
from foreword.engine.context import Engine, Place
from foreword.engine.drafting import Asking, Drafted, draft
from foreword.engine.learning import count_failure
from foreword.engine.rooms import asked_room, room_beyond
from foreword.engine.spans import Span, Stack
from foreword.errors import ConflictError, ContextOverflow, FailureClass, SpanTooLong

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


def settle(
    engine: Engine, drafted: Drafted, outcome: Outcome, summary: SummaryId | None = None
) -> None:
    """Write down what became of a draft; its calls are over."""
    if drafted.final is not None:
        engine.ledger.mark(engine.account, drafted.final, outcome, summary=summary)
    if drafted.calls:
        engine.ledger.close(engine.account, drafted.calls)


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


async def anyhow(
    engine: Engine,
    place: Place,
    job: RouteName,
    asking: Asking,
    attempt: Callable[[Asking], Awaitable[Result]],
) -> Result:
    """Run it as `fitting` does; what the route cannot read goes to who takes over when it fails.

    Nobody is there to give the route another model while memory runs by itself.

    Raises:
        SpanTooLong: nobody may take over who can read it.
    """
    try:
        return await fitting(engine, job, asking, attempt)
    except SpanTooLong as error:
        room = room_beyond(engine, place, error.needed)
        if room is None:
            raise
        return await attempt(replace(asking, room=room, shrunk=True, beyond=error))
