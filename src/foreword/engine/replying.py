"""Use case: the next turn, written by the model of the chat route.

Source: issue 3, section 1; spec/summaries, When summaries become outdated.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from foreword.domain.calls import CallId, Delta, ModelAnswer, Outcome, Purpose, Restart
from foreword.domain.ids import PlanId
from foreword.domain.routes import Route, RouteName
from foreword.domain.storable import storable_text
from foreword.domain.turn import Role, Turn
from foreword.engine.asking import Asked, Listen, Question, ask
from foreword.engine.context import Engine, Place, reading
from foreword.engine.kept_prompts import print_prompt
from foreword.engine.prompting import Prompt, acknowledge, outdated_of
from foreword.engine.rooms import asked_room, model_route
from foreword.engine.turns import TurnChange, append, append_reply
from foreword.errors import (
    AnswerUnreadable,
    ContextOverflow,
    NothingToAnswer,
    OutdatedSummaries,
    RouteMissing,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What was said and what it took."""

    said: Turn | None
    """The user's turn; None when there was none, or it stood there already without an answer."""
    reply: Turn
    prompt: Prompt
    answer: ModelAnswer
    call: CallId
    """The row of the ledger that holds the answer."""
    reused: bool
    """The answer was on record from a run that did not end: nothing was paid for it now."""


async def reply(
    engine: Engine,
    place: Place,
    text: str | None = None,
    *,
    go_on: bool = False,
    listen: Listen | None = None,
) -> Reply:
    """Put the user's turn at the end, if there is one, and let the model write the next.

    A reply that is stopped keeps what was written until then.

    Args:
        engine: the engine.
        place: the branch.
        text: what the user says; None to let the model go on. When the newest turn is just that
            and was not answered, it is not said twice.
        go_on: go on without summaries that went out of force.
        listen: told of every piece as the model writes it.

    Raises:
        RouteMissing: no model writes replies.
        OutdatedSummaries: summaries went out of force and nobody said to go on; nothing changed.
        EmptyText, NothingToAnswer: there is no text, or nothing to answer.
        ContextTooSmall: what must be sent does not fit.
        ModelError: see `asking.ask`; the user's turn is kept.
    """
    route = model_route(engine, RouteName.CHAT)
    if route is None:
        raise RouteMissing(route=RouteName.CHAT.value)
    place = _agreed(engine, place, go_on=go_on)
    said = None
    if text is not None and not _stands_there(engine, place, text):
        said = append(engine, place, text, role=Role.USER)
    await asked_room(engine, RouteName.CHAT)
    writing = _Writing(engine=engine, place=place, listen=listen, said=said)
    try:
        planned, asked = await writing.answer()
    except ContextOverflow:
        planned, asked = await writing.answer()
    answer = asked.answer
    if not answer.text.strip():
        engine.ledger.mark(engine.account, asked.call, Outcome.REJECTED, detail="no text")
        engine.ledger.close(engine.account, [asked.call])
        raise AnswerUnreadable(route=route.name, detail="it wrote no text")
    written = writing.keep(answer.text, answer.reasoning)
    engine.ledger.mark(engine.account, asked.call, Outcome.USED)
    engine.ledger.close(engine.account, [asked.call])
    return Reply(
        said=None if said is None else said.turns[0],
        reply=written,
        prompt=planned,
        answer=answer,
        call=asked.call,
        reused=asked.reused,
    )


def _agreed(engine: Engine, place: Place, *, go_on: bool) -> Place:
    """Return the branch to write on, once its outdated summaries are known to the user."""
    with reading(engine, place) as at:
        # The reply goes where it was asked for, whatever branch is the current one by then.
        place = replace(place, branch=at.branch.id)
        outdated = outdated_of(at)
    if outdated is not None:
        if not go_on:
            raise OutdatedSummaries(question=outdated.question, turn_ids=outdated.turn_ids)
        acknowledge(engine, place)
    return place


def _stands_there(engine: Engine, place: Place, text: str) -> bool:
    """Say whether the newest turn is just this and waits for an answer: it is said again then."""
    with reading(engine, place) as at:
        newest = next((one for one in at.session.newest(at.branch.id) if not one.hidden), None)
        if newest is None or newest.role is not Role.USER:
            return False
        content = at.session.versions([newest.version_id])[newest.version_id].content
        return content.text == storable_text(text)


@dataclass(slots=True, kw_only=True)
class _Writing:
    """A reply under way."""

    engine: Engine
    place: Place
    listen: Listen | None
    said: TurnChange | None
    """What the user said in the same command."""
    sent: PlanId | None = None
    """The kept prompt that the model was sent; None where it could not be kept."""
    text: str = ""
    reasoning: str = ""

    async def answer(self) -> tuple[Prompt, Asked]:
        """Plan the prompt and ask; what was written is kept when the task is cancelled."""
        route = self._route()
        printed = print_prompt(self.engine, self.place)
        planned, self.sent = printed.prompt, printed.number
        coverage = planned.plan.coverage
        if coverage.total == coverage.hidden:
            raise NothingToAnswer
        question = Question(
            place=self.place,
            route=route,
            purpose=Purpose.REPLY,
            messages=planned.messages,
            canonical=planned.messages,
            max_tokens=planned.reply if route.output is None else route.output,
        )
        try:
            return planned, await ask(self.engine, question, self._hear)
        except asyncio.CancelledError:
            if self.text.strip():
                self.keep(self.text, self.reasoning)
            raise

    def keep(self, text: str, reasoning: str) -> Turn:
        """Store what the model wrote as the next turn."""
        written = append_reply(
            self.engine,
            self.place,
            text.strip(),
            reasoning=reasoning,
            answers=self.said,
            written_from=self.sent,
        )
        return written.turns[0]

    def _route(self) -> Route:
        route = model_route(self.engine, RouteName.CHAT)
        if route is None:
            raise RouteMissing(route=RouteName.CHAT.value)
        return route

    def _hear(self, event: Delta | Restart) -> None:
        if isinstance(event, Restart):
            self.text = self.reasoning = ""
        elif event.reasoning:
            self.reasoning += event.text
        else:
            self.text += event.text
        if self.listen is not None:
            self.listen(event)
