"""Breakers: after repeated failures a model is left alone for a while.

Above: engine, which stores breakers and passes the time in. Below: errors. What the user stopped
and what lost a race is no failure and is never passed in.

Source: research, breakers; issue 3, section 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from foreword.domain.ids import ConversationId
from foreword.domain.routes import Route
from foreword.errors import FailureClass

OPENS_AFTER = 3
"""Failures in a row."""
COOLDOWN = 600.0
"""Seconds until the first trial; twice as long after each trial that fails."""
PROVIDER_COOLDOWN = 1800.0
"""The same for keys and quotas, which do not mend themselves in minutes."""
LONGEST_COOLDOWN = 6 * 3600.0
TRIAL_SECONDS = 600.0
"""A trial that is older belongs to a process that is gone."""
OF_PROVIDERS = frozenset({FailureClass.AUTH, FailureClass.QUOTA})


@dataclass(frozen=True, slots=True, kw_only=True)
class Breaker:
    """The failures of one class, of one route or provider."""

    failures: int = 0
    """In a row."""
    opened_at: datetime | None = None
    """When it opened, or its last trial failed; None while it is closed."""
    cooldown: float = 0.0
    """Seconds from then until the next trial."""
    trial_at: datetime | None = None
    """When the trial that is under way began."""


CLOSED = Breaker()


@dataclass(frozen=True, slots=True, kw_only=True)
class Permit:
    """Whether a call may be made."""

    allowed: bool
    until: datetime | None = None
    """When it may be asked again; None when it is allowed."""
    breaker: Breaker
    """To be stored: it knows of the trial that was just allowed."""


def breaker_key(failure: FailureClass, route: Route, conversation: ConversationId | None) -> str:
    """Return what a breaker is stored under."""
    if failure in OF_PROVIDERS:
        return f"provider {route.provider} {failure.value}"
    model = f"{route.provider} {route.model}"
    return f"conversation {conversation or ''} {model} {failure.value}"


def permit(breaker: Breaker, now: datetime) -> Permit:
    """Say whether a call may be made now; after the cool-down one trial at a time may."""
    if breaker.opened_at is None:
        return Permit(allowed=True, breaker=breaker)
    if _lasts(breaker.opened_at, breaker.cooldown, now):
        cool = _end(breaker.opened_at, breaker.cooldown)
        return Permit(allowed=False, until=cool, breaker=breaker)
    if breaker.trial_at is not None and _lasts(breaker.trial_at, TRIAL_SECONDS, now):
        over = _end(breaker.trial_at, TRIAL_SECONDS)
        return Permit(allowed=False, until=over, breaker=breaker)
    return Permit(allowed=True, breaker=replace(breaker, trial_at=now))


def failed(breaker: Breaker, failure: FailureClass, now: datetime) -> Breaker:
    """Return the breaker after one more failure.

    A request that does not fit the context is no failure: it is made smaller and tried again. What
    fails while the breaker cools was asked before it opened and does not keep it open for longer.
    """
    if failure is FailureClass.OVERFLOW:
        return breaker
    failures = breaker.failures + 1
    if breaker.opened_at is not None:
        if _lasts(breaker.opened_at, breaker.cooldown, now):
            return replace(breaker, failures=failures)
        longer = min(2 * breaker.cooldown, LONGEST_COOLDOWN)
        return Breaker(failures=failures, opened_at=now, cooldown=longer)
    if failures < OPENS_AFTER:
        return Breaker(failures=failures)
    first = PROVIDER_COOLDOWN if failure in OF_PROVIDERS else COOLDOWN
    return Breaker(failures=failures, opened_at=now, cooldown=first)


def stored_breaker(breaker: Breaker) -> dict[str, str]:
    """Return the values that `breaker_from` makes the breaker from; none for a closed one."""
    if breaker == CLOSED:
        return {}
    times = {"opened_at": breaker.opened_at, "trial_at": breaker.trial_at}
    return {
        "failures": str(breaker.failures),
        "cooldown": str(breaker.cooldown),
        **{name: time.isoformat() for name, time in times.items() if time is not None},
    }


def breaker_from(values: Mapping[str, str]) -> Breaker:
    """Return the stored breaker; one that cannot be read counts as closed."""
    try:
        found = Breaker(
            failures=int(values.get("failures", "0")),
            opened_at=_time(values, "opened_at"),
            cooldown=float(values.get("cooldown", "0")),
            trial_at=_time(values, "trial_at"),
        )
    except (ValueError, OverflowError):
        return CLOSED
    return found if _sound(found) else CLOSED


def _sound(breaker: Breaker) -> bool:
    """Say whether failures can have led to it."""
    if breaker.opened_at is None:
        return 0 <= breaker.failures < OPENS_AFTER and breaker == Breaker(failures=breaker.failures)
    return breaker.failures >= OPENS_AFTER and 0 < breaker.cooldown <= LONGEST_COOLDOWN


def _lasts(since: datetime, seconds: float, now: datetime) -> bool:
    """Say whether the time is not over; one that begins far ahead was noted by a wrong clock."""
    return abs(now - since) < timedelta(seconds=seconds)


def _end(since: datetime, seconds: float) -> datetime:
    return since + timedelta(seconds=seconds)


def _time(values: Mapping[str, str], name: str) -> datetime | None:
    if name not in values:
        return None
    time = datetime.fromisoformat(values[name])
    if time.tzinfo is None:
        raise ValueError("a stored time has its zone")
    _end(time, LONGEST_COOLDOWN)  # must not end behind the last year there is
    return time
