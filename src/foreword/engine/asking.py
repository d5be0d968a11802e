"""One call of a model: permitted, paced, recorded before it is used.

Above: drafting and replying, which decide what is asked and what the answer is good for. Below: the
pure rules (breaker, pacing, caps, calibration) and the ports. Invariant: an answer is committed to
the ledger before anybody sees it as an answer; a request whose answer is on record is not sent.

Source: DECISIONS D4; issue 3, sections 1 and 4.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import blake2b

from foreword.domain.calls import (
    CallId,
    Delta,
    ModelAnswer,
    ModelRequest,
    NewCall,
    Outcome,
    Purpose,
    Restart,
    Usage,
)
from foreword.domain.message import Message
from foreword.domain.routes import Route
from foreword.domain.turn import MESSAGE_OVERHEAD
from foreword.engine.context import Engine, Place, policy_of, reading
from foreword.engine.learning import (
    calibration_of,
    close_breakers,
    count_failure,
    learn_overflow,
    learn_usage,
    refuse_open_breaker,
    release_trials,
)
from foreword.errors import AnswerUnreadable, CallFailed, ContextOverflow
from foreword.planning.calibration import calibrated
from foreword.planning.pacing import WINDOW_SECONDS, wait_before
from foreword.planning.spending import refuse_over_cap, spent_on
from foreword.planning.usage import believable
from foreword.ports.chat_model import ChatModel
from foreword.ports.ledger import Ending

Listen = Callable[[Delta | Restart], None]
"""Told of every piece of an answer as it is written."""

ANSWER_GUESS = 1024
"""Tokens that an answer without a limit is priced at before it is made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is to be asked of which route."""

    place: Place
    route: Route
    purpose: Purpose
    messages: tuple[Message, ...]
    """As they are sent."""
    canonical: tuple[Message, ...]
    """The same without the random words of fences: what the answer is recorded under."""
    max_tokens: int | None = None
    fresh: bool = False
    """Do not take a recorded answer: the user wants another one."""
    follow_up: bool = False
    """Belongs to a call that was permitted just now, as its second part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """An answer, and the row that holds it."""

    answer: ModelAnswer
    call: CallId
    reused: bool = False
    """It was on record from a run that did not end."""


async def ask(engine: Engine, question: Question, listen: Listen | None = None) -> Asked:
    """Return the answer to a question: the recorded one, else the model's, which is recorded.

    Raises:
        BreakerOpen: the route failed too often of late.
        SpendCapReached, PriceUnknown: see each.
        CallFailed: the model gave no answer; retries are over.
        KeyUnavailable, ExtraMissing: the route cannot be used here.
    """
    digest = request_digest(question)
    conversation = question.place.conversation
    if not question.fresh:
        known = engine.ledger.recorded(engine.account, conversation, digest)
        if known is not None and known.answer is not None:
            return Asked(answer=known.answer, call=known.id, reused=True)
    if not question.follow_up:
        judged = question.purpose is not Purpose.REPLY
        refuse_open_breaker(engine, question.route, conversation, judged=judged)
    model = engine.models.open(question.route)
    counted = counted_tokens(engine, question.messages)
    expected = calibrated(counted, calibration_of(engine, question.route))
    _refuse_expensive(engine, question, model, expected)
    await model.prepare()
    await _pace(engine, question.route)
    call = engine.ledger.begin(engine.account, _new_call(engine, question, digest, expected))
    try:
        answer = await _Listening(engine, question, model, call).answer(listen)
    except CallFailed as error:
        _learn_failure(engine, question, error, counted)
        raise
    except BaseException:
        release_trials(engine, question.route, conversation)
        raise
    close_breakers(engine, question.route, conversation)
    if answer.usage.reported:
        learn_usage(engine, question.route, counted, answer.usage.tokens_in)
    return Asked(answer=answer, call=call)


def counted_tokens(engine: Engine, messages: tuple[Message, ...]) -> int:
    """Return what messages cost, counted here and not calibrated."""
    return sum(engine.counter.count(message.content) + MESSAGE_OVERHEAD for message in messages)


def request_digest(question: Question) -> bytes:
    """Return what a request is recognised by: model, limits and words, whatever its fences."""
    route = question.route
    head = (question.purpose, route.kind, route.url, route.model, question.max_tokens)
    words = (f"{message.role.value}\x1f{message.content}" for message in question.canonical)
    text = "\x1e".join((*map(str, head), str(route.temperature), *words))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@dataclass(slots=True)
class _Listening:
    """A call under way; its row is ended whatever happens."""

    engine: Engine
    question: Question
    model: ChatModel
    call: CallId
    heard: str = ""
    broken: Usage = field(default_factory=lambda: Usage(reported=False))
    """What attempts took that were begun anew after something had come."""

    async def answer(self, listen: Listen | None) -> ModelAnswer:
        began = self.engine.clock.now()
        try:
            answer = await self._listen(listen)
        except CallFailed as error:
            self._end(began, Outcome.FAILED, error.failure.value, error.detail)
            raise
        except BaseException:
            # Stopped, or a bug: either way nothing more comes, and what came was paid for.
            self._end(began, Outcome.STOPPED)
            raise
        usage = believable(
            answer.usage,
            read=self._read(),
            written=self.engine.counter.count(answer.raw or answer.text)
            + self.engine.counter.count(answer.reasoning),
        )
        answer = replace(answer, usage=usage)
        self.engine.ledger.answer(
            self.engine.account,
            self.call,
            answer,
            ms=self._milliseconds(began),
            money=self._money(usage),
        )
        return answer

    async def _listen(self, listen: Listen | None) -> ModelAnswer:
        request = ModelRequest(
            messages=self.question.messages,
            max_tokens=self.question.max_tokens,
            temperature=self.question.route.temperature,
        )
        async with aclosing(self.model.stream(request)) as events:
            async for event in events:
                if isinstance(event, ModelAnswer):
                    return event
                if isinstance(event, Restart):
                    self._begin_anew()
                else:
                    self.heard += event.text
                if listen is not None:
                    listen(event)
        raise AnswerUnreadable(route=self.question.route.name, detail="it ended without an answer")

    def _end(self, began: datetime, outcome: Outcome, failure: str = "", detail: str = "") -> None:
        written = self.engine.counter.count(self.heard)
        usage = Usage(tokens_in=self._read() if written else 0, tokens_out=written, reported=False)
        self.engine.ledger.end(
            self.engine.account,
            self.call,
            Ending(
                outcome=outcome,
                milliseconds=self._milliseconds(began),
                failure=failure,
                detail=detail,
                tokens_out=written,
                money=self._money(usage),
            ),
        )

    def _begin_anew(self) -> None:
        """Count what came until now: a server that breaks off bills it all the same."""
        if self.heard:
            self.broken = Usage(
                tokens_in=self.broken.tokens_in + self._read(),
                tokens_out=self.broken.tokens_out + self.engine.counter.count(self.heard),
                reported=False,
            )
        self.heard = ""

    def _money(self, usage: Usage) -> int | None:
        """Return the price of the last attempt with that of those before it."""
        prices = [self.model.price(one) for one in (usage, self.broken) if one.tokens_in]
        known = [price for price in prices if price is not None]
        return sum(known) if len(known) == len(prices) else None

    def _read(self) -> int:
        return counted_tokens(self.engine, self.question.messages)

    def _milliseconds(self, began: datetime) -> int:
        return round((self.engine.clock.now() - began).total_seconds() * 1000)


def _new_call(engine: Engine, question: Question, digest: bytes, expected: int) -> NewCall:
    return NewCall(
        purpose=question.purpose,
        route=question.route.name,
        model=question.route.maker,
        digest=digest,
        started_at=engine.moment(),
        tokens_in=expected,
        conversation=question.place.conversation,
        branch=question.place.branch,
    )


def _refuse_expensive(engine: Engine, question: Question, model: ChatModel, expected: int) -> None:
    """Refuse a call that would go over a cap of the user's."""
    with reading(engine, question.place) as at:
        policy = policy_of(at.session)
    written = question.max_tokens or ANSWER_GUESS
    estimate = model.price(Usage(tokens_in=expected, tokens_out=written, reported=False))
    today = engine.clock.now().date().isoformat()
    caps = (
        ("spend_per_day", policy.spend_per_day, None, today),
        ("spend_per_conversation", policy.spend_per_conversation, question.place.conversation, ""),
    )
    for setting, cap, conversation, since in caps:
        if cap is not None:
            totals = engine.ledger.totals(engine.account, conversation, since=since)
            refuse_over_cap(
                setting=setting,
                cap=cap,
                spent=spent_on(totals),
                estimate=estimate,
                route=question.route.name,
            )


async def _pace(engine: Engine, route: Route) -> None:
    """Wait until the route may be asked once more within its requests a minute."""
    while route.rpm is not None:
        now = engine.clock.now()
        since = (now - timedelta(seconds=WINDOW_SECONDS)).isoformat(timespec="milliseconds")
        starts = engine.ledger.starts(engine.account, route.name, since)
        seconds = wait_before([datetime.fromisoformat(one) for one in starts], route.rpm, now)
        if seconds <= 0:
            return
        await engine.sleep(seconds)


def _learn_failure(engine: Engine, question: Question, error: CallFailed, counted: int) -> None:
    if isinstance(error, ContextOverflow):
        learn_overflow(engine, question.route, counted, error)
    count_failure(engine, question.route, question.place.conversation, error.failure)
    # It was a trial for other classes too and says nothing about them.
    release_trials(engine, question.route, question.place.conversation)
