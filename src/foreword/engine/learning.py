"""What calls of models teach: breakers, and how a model's tokens differ from those counted here.

Above: asking, drafting, loading. Below: the pure rules and the ledger's notes. Both are stored, so
that every process of a user knows them.

Source: issue 3, sections 1 and 4; research, token accounting and breakers.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from foreword.domain.ids import ConversationId
from foreword.domain.routes import Route
from foreword.engine.context import Engine
from foreword.errors import BreakerOpen, ContextOverflow, FailureClass
from foreword.planning.breaker import (
    breaker_from,
    breaker_key,
    failed,
    permit,
    stored_breaker,
)
from foreword.planning.calibration import (
    Calibration,
    calibrated,
    calibration_from,
    calibration_key,
    observed,
    overflowed,
    stored_calibration,
)

BREAKER = "breaker"
CALIBRATION = "calibration"
SILENCE = "silence"
"""Kind of the notes about servers that tell no size of their context."""
ASK_AGAIN = timedelta(hours=1)
JUDGED = frozenset({FailureClass.UNUSABLE, FailureClass.NO_PROGRESS})
"""Classes that an answer alone does not close: it has to be a good one."""


def refuse_open_breaker(
    engine: Engine, route: Route, conversation: ConversationId, *, judged: bool
) -> None:
    """Refuse to ask a route that failed too often; note the trial when one is due.

    Args:
        engine: the engine.
        route: what would be asked.
        conversation: where.
        judged: the answer will be judged by the gates; a reply is not, so that what the gates
            refused before says nothing about it.

    Raises:
        BreakerOpen: it is not time for another try.
    """
    now = engine.clock.now()
    notes = engine.ledger.notes(engine.account, BREAKER)
    for failure in FailureClass:
        key = breaker_key(failure, route, conversation)
        if key not in notes or (failure in JUDGED and not judged):
            continue
        breaker = breaker_from(notes[key])
        allowed = permit(breaker, now)
        if not allowed.allowed:
            until = allowed.until or now
            raise BreakerOpen(
                route=route.name,
                failure=failure,
                failures=breaker.failures,
                until=until.isoformat(timespec="seconds"),
            )
        if allowed.breaker != breaker:
            engine.ledger.set_note(engine.account, BREAKER, key, stored_breaker(allowed.breaker))


def count_failure(
    engine: Engine, route: Route, conversation: ConversationId, failure: FailureClass
) -> None:
    """Count a failure; the third in a row opens the breaker of its class."""
    key = breaker_key(failure, route, conversation)
    before = breaker_from(engine.ledger.note(engine.account, BREAKER, key))
    after = failed(before, failure, engine.clock.now())
    engine.ledger.set_note(engine.account, BREAKER, key, stored_breaker(after))


def close_breakers(
    engine: Engine, route: Route, conversation: ConversationId, *, judged: bool = False
) -> None:
    """Forget the failures of a route, since it works again.

    Args:
        engine: the engine.
        route: what answered.
        conversation: where.
        judged: the answer also passed the gates; otherwise it only came.
    """
    notes = engine.ledger.notes(engine.account, BREAKER)
    for failure in FailureClass:
        key = breaker_key(failure, route, conversation)
        if key in notes and judged is (failure in JUDGED):
            engine.ledger.set_note(engine.account, BREAKER, key, {})


def release_trials(engine: Engine, route: Route, conversation: ConversationId) -> None:
    """Let the next call be the trial that this one was meant to be, since it was stopped."""
    notes = engine.ledger.notes(engine.account, BREAKER)
    for failure in FailureClass:
        key = breaker_key(failure, route, conversation)
        if key in notes:
            breaker = replace(breaker_from(notes[key]), trial_at=None)
            engine.ledger.set_note(engine.account, BREAKER, key, stored_breaker(breaker))


def close_all_breakers(engine: Engine, route: Route) -> None:
    """Forget every failure of a route in every conversation; its provider's too."""
    conversations = (None, *(one.id for one in engine.store.conversations(engine.account)))
    keys = {
        breaker_key(failure, route, conversation)
        for failure in FailureClass
        for conversation in conversations
    }
    for key in keys & engine.ledger.notes(engine.account, BREAKER).keys():
        engine.ledger.set_note(engine.account, BREAKER, key, {})


def calibration_of(engine: Engine, route: Route) -> Calibration:
    """Return how the tokens of a route's model compare with those counted here."""
    key = calibration_key(route, engine.counter.name)
    return calibration_from(engine.ledger.note(engine.account, CALIBRATION, key))


def learn_usage(engine: Engine, route: Route, counted: int, reported: int) -> None:
    """Learn from the tokens that a server reports for a request that was counted here."""
    _learn(engine, route, observed(calibration_of(engine, route), counted, reported))


def learn_overflow(engine: Engine, route: Route, counted: int, error: ContextOverflow) -> None:
    """Learn from a request that did not fit: its tokens, and the size of the context."""
    before = calibration_of(engine, route)
    _learn(engine, route, overflowed(before, counted, error.needed, error.limit))
    known = route.known_context
    limit = calibrated(counted, before) - 1 if error.limit is None else error.limit
    if known is None or limit < known:
        learn_context(engine, route, limit)


def learn_context(engine: Engine, route: Route, tokens: int | None) -> None:
    """Remember the size of the context that a server told, or that it tells none."""
    values = engine.ledger.routes(engine.account).get(route.name)
    if tokens is None:
        asked = {"at": engine.moment()}
        engine.ledger.set_note(engine.account, SILENCE, _asked_key(route), asked)
    elif values is not None:
        told = {**values, "told_context": str(tokens)}
        engine.ledger.set_route(engine.account, route.name, told)


def asked_lately(engine: Engine, route: Route) -> bool:
    """Say whether the server was asked for the size of its context and told none, just now."""
    asked = engine.ledger.note(engine.account, SILENCE, _asked_key(route)).get("at", "")
    return asked > (engine.clock.now() - ASK_AGAIN).isoformat(timespec="milliseconds")


def _asked_key(route: Route) -> str:
    return f"{route.url} {route.model}"


def _learn(engine: Engine, route: Route, after: Calibration) -> None:
    key = calibration_key(route, engine.counter.name)
    engine.ledger.set_note(engine.account, CALIBRATION, key, stored_calibration(after))
