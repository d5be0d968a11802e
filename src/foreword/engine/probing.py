"""Use case: try a route, and say what it can do or what is wrong, in words.

Above: `routes test`. Below: the port of models. A test is a call like any other: it is in the
ledger, and when it succeeds, the breakers of the route close.

Source: issue 3, section 1.
"""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime

from foreword.domain.calls import (
    Delta,
    ModelAnswer,
    ModelRequest,
    NewCall,
    Outcome,
    Purpose,
    Restart,
)
from foreword.domain.message import Message
from foreword.domain.routes import Route, RouteKind
from foreword.domain.turn import Role
from foreword.engine.asking import counted_tokens
from foreword.engine.context import Engine
from foreword.engine.learning import close_all_breakers, learn_context
from foreword.engine.routes import show_route
from foreword.errors import AnswerUnreadable, CallFailed, ForewordError, RouteMissing
from foreword.ports.chat_model import ChatModel
from foreword.ports.ledger import Ending

WORDS = "Count from one to ten in words, separated by commas, and write nothing else."
MOST_TOKENS = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """What a test of a route found."""

    route: Route
    problem: ForewordError | None = None
    """What is wrong; None when it answers."""
    first_seconds: float | None = None
    """Until the first piece of the answer."""
    total_seconds: float | None = None
    pieces: int = 0
    """How many the answer came in; more than one: it streams."""
    reasoning: bool = False
    """It tells its reasoning apart from the answer."""
    usage_reported: bool = False
    context: int | None = None
    """Size of the context in tokens, as the server tells; None if it tells none."""
    answer: str = ""

    @property
    def streams(self) -> bool:
        """Say whether the answer came piece by piece."""
        return self.pieces > 1


async def probe(engine: Engine, name: str) -> Probe:
    """Ask the route of a job something small and say how it went; a failure is a finding.

    Raises:
        RouteNotFound: no job has that name.
        RouteMissing: the job has no route, or the built-in summariser does it.
    """
    route = show_route(engine, name).route
    if route is None or route.kind is RouteKind.BUILTIN:
        raise RouteMissing(route=name)
    try:
        model = engine.models.open(route)
        await model.prepare()
        found = await _Probing(engine=engine, route=route, model=model).run()
    except ForewordError as error:
        return Probe(route=route, problem=error)
    close_all_breakers(engine, route)
    if found.context is not None:
        learn_context(engine, route, found.context)
    return found


@dataclass(slots=True, kw_only=True)
class _Probing:
    engine: Engine
    route: Route
    model: ChatModel
    seen: list[Delta] = field(default_factory=list)
    first: datetime | None = None

    async def run(self) -> Probe:
        began = self.engine.clock.now()
        message = Message(role=Role.USER, content=WORDS)
        call = self.engine.ledger.begin(
            self.engine.account,
            NewCall(
                purpose=Purpose.TEST,
                route=self.route.name,
                model=self.route.maker,
                digest=b"",
                started_at=self.engine.moment(),
                tokens_in=counted_tokens(self.engine, (message,)),
            ),
        )
        try:
            answer = await self._answer(message)
        except BaseException as error:
            ms = round((self.engine.clock.now() - began).total_seconds() * 1000)
            failed = isinstance(error, CallFailed)
            ending = Ending(
                outcome=Outcome.FAILED if failed else Outcome.STOPPED,
                milliseconds=ms,
                failure=error.failure.value if isinstance(error, CallFailed) else "",
                detail=error.detail if isinstance(error, CallFailed) else "",
            )
            self.engine.ledger.end(self.engine.account, call, ending)
            raise
        total = (self.engine.clock.now() - began).total_seconds()
        self.engine.ledger.answer(
            self.engine.account,
            call,
            answer,
            ms=round(total * 1000),
            money=self.model.price(answer.usage),
        )
        self.engine.ledger.mark(self.engine.account, call, Outcome.USED)
        self.engine.ledger.close(self.engine.account, [call])
        return Probe(
            route=self.route,
            first_seconds=None if self.first is None else (self.first - began).total_seconds(),
            total_seconds=total,
            pieces=sum(not delta.reasoning for delta in self.seen),
            reasoning=bool(answer.reasoning),
            usage_reported=answer.usage.reported,
            context=await self.model.context(),
            answer=answer.text,
        )

    async def _answer(self, message: Message) -> ModelAnswer:
        request = ModelRequest(
            messages=(message,),
            max_tokens=self.route.output or MOST_TOKENS,
            temperature=self.route.temperature,
        )
        async with aclosing(self.model.stream(request)) as events:
            async for event in events:
                if isinstance(event, ModelAnswer):
                    return event
                if isinstance(event, Restart):
                    self.seen.clear()
                    continue
                self.first = self.first or self.engine.clock.now()
                self.seen.append(event)
        raise AnswerUnreadable(route=self.route.name, detail="it ended without an answer")
