"""A model or summariser gave nothing that can be used."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import ClassVar

from foreword.errors.tree import ModelError


class FailureClass(StrEnum):
    """Kinds of failure that a breaker counts apart."""

    NETWORK = "network"
    """The server cannot be reached, hangs up, takes too long or is overloaded."""
    RATE_LIMIT = "rate_limit"
    AUTH = "auth"
    """Of the provider, whatever conversation it was met in."""
    QUOTA = "quota"
    """Of the provider, whatever conversation it was met in."""
    REQUEST = "request"
    """The server refuses what it was asked: unknown model, unknown parameter, filtered content."""
    OVERFLOW = "overflow"
    PROTOCOL = "protocol"
    """What came back is no answer of a model."""
    UNUSABLE = "unusable"
    """The gates refused what the model wrote."""
    NO_PROGRESS = "no_progress"
    """What the model wrote saves too little."""


class SummaryUnusable(ModelError):
    """What a summariser wrote cannot stand for its source."""

    def __init__(
        self, *, maker: str, reason: str, raw: str = "", gates: Sequence[str] = (), call: int = 0
    ) -> None:
        self.maker = maker
        self.reason = reason
        self.raw = raw
        self.gates = tuple(gates)
        self.call = call
        kept = f" `foreword cost CONV --call {call}` shows what it wrote." if call else ""
        super().__init__(
            f"{maker} gave no usable summary: {_ended(reason)} It was not kept as memory. Try "
            f"again, or set a route 'fallback' or the setting last_resort.{kept}"
        )


class CallFailed(ModelError):
    """A call of a model did not end with an answer.

    `route` is the name of the route, `detail` what was met, in words.
    """

    failure: ClassVar[FailureClass]
    what: ClassVar[str]
    hint: ClassVar[str]

    def __init__(self, *, route: str, detail: str) -> None:
        self.route = route
        self.detail = detail
        hint = self.hint.replace("{route}", route)
        super().__init__(f"Route {route!r}: {self.what} ({detail}). {hint}")


class ModelUnreachable(CallFailed):
    """No connection, or it broke: refused, reset, unknown host, TLS."""

    retryable = True
    failure = FailureClass.NETWORK
    what = "the model's server cannot be reached"
    hint = "See that it runs and that the URL is right: `foreword routes test {route}`."


class ModelTimedOut(CallFailed):
    """The answer was not complete within the route's timeout."""

    retryable = True
    failure = FailureClass.NETWORK
    what = "the model took too long"
    hint = "Try again, or raise the route's --timeout."


class ModelOverloaded(CallFailed):
    """The server says that it cannot answer now (5xx)."""

    retryable = True
    failure = FailureClass.NETWORK
    what = "the model's server cannot answer now"
    hint = "Try again later."


class RateLimited(CallFailed):
    """The server asks for fewer requests (429).

    `retry_after` is what it asks to wait, in seconds; None when it does not say.
    """

    retryable = True
    failure = FailureClass.RATE_LIMIT
    what = "the provider asks for fewer requests"
    hint = "Wait, or lower the route's --rpm."

    def __init__(self, *, route: str, detail: str, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(route=route, detail=detail)


class KeyRejected(CallFailed):
    """The server does not accept the key (401, 403)."""

    failure = FailureClass.AUTH
    what = "the key was not accepted"
    hint = "Give the route another key: --key-env or --key-file."


class QuotaExhausted(CallFailed):
    """The account of the provider has nothing left (402, insufficient quota)."""

    failure = FailureClass.QUOTA
    what = "the provider's quota is used up"
    hint = "Top it up, or give the route another provider."


class ModelUnknown(CallFailed):
    """The server has no model of that name, or nothing at that URL (404)."""

    failure = FailureClass.REQUEST
    what = "the server does not know the model or the address"
    hint = "Check --url and --model: `foreword routes test {route}`."


class RequestRefused(CallFailed):
    """The server refuses the request (400, filtered content)."""

    failure = FailureClass.REQUEST
    what = "the server refused the request"
    hint = "What it says is in brackets; another model may take it."


class AnswerUnreadable(CallFailed):
    """What came back is no answer of a model: HTML, a broken stream, no choices."""

    retryable = True
    failure = FailureClass.PROTOCOL
    what = "what came back is no answer of a model"
    hint = "Check the URL, which often ends with /v1: `foreword routes test {route}`."


class ContextOverflow(CallFailed):
    """The server says that the request is longer than the model's context.

    `needed` and `limit` are tokens as the server counts them; None when it does not say.
    """

    failure = FailureClass.OVERFLOW
    what = "the request is longer than the model's context"
    hint = "Give the route its right --context, or summarise less at once."

    def __init__(
        self, *, route: str, detail: str, needed: int | None = None, limit: int | None = None
    ) -> None:
        self.needed = needed
        self.limit = limit
        super().__init__(route=route, detail=detail)


class BreakerOpen(ModelError):
    """After repeated failures no calls are made for a while.

    `until` is when the next one is tried, ISO 8601, UTC.
    """

    retryable = True

    def __init__(self, *, route: str, failure: FailureClass, failures: int, until: str) -> None:
        self.route = route
        self.failure = failure
        self.failures = failures
        self.until = until
        super().__init__(
            f"Route {route!r} is not asked until {until}: {failures} calls in a row failed "
            f"({_WORDS[failure]}). `foreword routes test {route}` asks at once and, when it "
            "answers, calls go on."
        )


class SpendCapReached(ModelError):
    """A call would cost more than the user allows.

    `spent`, `estimate` and `cap` are in US dollars.
    """

    def __init__(self, *, setting: str, spent: float, estimate: float, cap: float) -> None:
        self.setting = setting
        self.spent = spent
        self.estimate = estimate
        self.cap = cap
        super().__init__(
            f"{setting} is {_dollars(cap)}; {_dollars(spent)} are spent and this call would cost "
            f"up to {_dollars(estimate)}. Raise the setting {setting!r}{_waiting(setting)}."
        )


class PriceUnknown(ModelError):
    """A spend cap is set, and what a call would cost cannot be said."""

    def __init__(self, *, setting: str, route: str) -> None:
        self.setting = setting
        self.route = route
        super().__init__(
            f"{setting} is set, but the price of route {route!r} is not known. Give it with "
            f"`foreword routes set {route} --price-in … --price-out …` (0 for a model of your "
            "own), or take the cap away."
        )


_WORDS = {
    FailureClass.NETWORK: "not reached, too slow or overloaded",
    FailureClass.RATE_LIMIT: "too many requests",
    FailureClass.AUTH: "key not accepted",
    FailureClass.QUOTA: "quota used up",
    FailureClass.REQUEST: "request refused",
    FailureClass.OVERFLOW: "longer than the context",
    FailureClass.PROTOCOL: "no answer of a model",
    FailureClass.UNUSABLE: "summaries that cannot be used",
    FailureClass.NO_PROGRESS: "summaries that save nothing",
}


def _ended(reason: str) -> str:
    """Return a reason that ends as a sentence does; a quotation in it may have ended already."""
    return reason if reason.endswith((".”", "!”", "?”", "….", ".")) else f"{reason}."


def _waiting(setting: str) -> str:
    return ", or wait for the next day (UTC)" if setting.endswith("_day") else ""


def _dollars(amount: float) -> str:
    """Write cents, and as much behind them as there is: a call may cost less than one."""
    whole, _, decimals = f"{amount:.6f}".partition(".")
    return f"${whole}.{decimals.rstrip('0'):0<2}"
