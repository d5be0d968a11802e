"""Replies by the chat route: what is sent, what is kept, and the question about summaries."""

from __future__ import annotations

import asyncio

import pytest
from tests.integration.engine.stage import GOOD, STORY, Stage, stage, unwritable

from foreword.domain.calls import Delta, ModelAnswer, ModelRequest
from foreword.domain.turn import Role
from foreword.engine import replying
from foreword.engine.turns import list_turns
from foreword.errors import (
    AnswerUnreadable,
    ContextOverflow,
    ModelUnreachable,
    NothingToAnswer,
    OutdatedSummaries,
    RouteMissing,
    StoreUnavailable,
)
from foreword.ports.store import Store
from foreword.testing.models import FakeModel

ANSWER = "Mara runs to the water before he has finished."


def reply(on: Stage, text: str | None = None, *, go_on: bool = False) -> replying.Reply:
    return asyncio.run(replying.reply(on.engine, on.play.place, text, go_on=go_on))


def said(on: Stage, last: int = 2) -> list[tuple[str, str, str]]:
    """Return role, text and reasoning of the newest turns."""
    found = list_turns(on.engine, on.play.place)[-last:]
    return [(one.content.role, one.content.text, one.content.reasoning) for one in found]


def test_the_reply_follows_what_the_user_said(store: Store) -> None:
    answer = ModelAnswer(text=ANSWER, reasoning="She would run.", raw=ANSWER)
    on = stage(store, FakeModel([answer]), routed="chat", system="You tell a story.")
    done = reply(on, "And Mara?")
    assert said(on) == [
        (Role.USER, "And Mara?", ""),
        (Role.ASSISTANT, ANSWER, "She would run."),
    ]
    (request,) = on.model.requests
    assert [message.content for message in request.messages] == [
        "You tell a story.",
        *STORY,
        "And Mara?",
    ]
    assert (done.reply.order, on.outcomes()) == (8, ["reply used"])


def test_one_undo_takes_back_what_was_said_with_its_answer(store: Store) -> None:
    on = stage(store, FakeModel([ANSWER]), routed="chat")
    before = on.play.state()
    reply(on, "And Mara?")
    after = on.play.state()
    on.play.undo()
    assert on.play.state() == before
    on.play.redo()
    assert on.play.state() == after


def test_an_answer_to_what_was_taken_back_meanwhile_stands_alone(store: Store) -> None:
    def answer(_: ModelRequest) -> str:
        on.play.undo()
        return ANSWER

    on = stage(store, FakeModel(answer), routed="chat")
    before = on.play.state()
    reply(on, "And Mara?")
    assert said(on) == [(Role.ASSISTANT, STORY[5], ""), (Role.ASSISTANT, ANSWER, "")]
    on.play.undo()
    assert on.play.state() == before


def test_without_a_text_the_model_goes_on(store: Store) -> None:
    on = stage(store, FakeModel([ANSWER]), routed="chat")
    assert reply(on).said is None
    assert said(on, 1) == [(Role.ASSISTANT, ANSWER, "")]


def test_without_a_chat_route_nothing_is_stored(store: Store) -> None:
    on = stage(store, FakeModel([ANSWER]), routed=None)
    before = on.play.state()
    with pytest.raises(RouteMissing):
        reply(on, "And Mara?")
    assert on.play.state() == before


def test_an_empty_conversation_has_nothing_to_answer(store: Store) -> None:
    on = stage(store, FakeModel([ANSWER]), routed="chat")
    on.play.delete(1, following=True)
    with pytest.raises(NothingToAnswer):
        reply(on)


def test_a_reply_that_is_stopped_keeps_what_was_written(store: Store) -> None:
    on = stage(store, FakeModel([ANSWER], chunk=10), routed="chat")
    heard: list[str] = []

    async def stopped() -> None:
        task: asyncio.Task[object]

        def listen(event: object) -> None:
            if isinstance(event, Delta):
                heard.append(event.text)
            if len(heard) == 2:
                task.cancel()

        task = asyncio.ensure_future(
            replying.reply(on.engine, on.play.place, "And Mara?", listen=listen)
        )
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(stopped())
    kept = "".join(heard).strip()
    assert ANSWER.startswith(kept)
    assert said(on) == [(Role.USER, "And Mara?", ""), (Role.ASSISTANT, kept, "")]
    assert on.outcomes() == ["reply stopped"]


def test_a_reply_that_fails_keeps_what_the_user_said(store: Store) -> None:
    error = ModelUnreachable(route="chat", detail="connection refused")
    on = stage(store, FakeModel([error, ANSWER]), routed="chat")
    with pytest.raises(ModelUnreachable):
        reply(on, "And Mara?")
    assert said(on, 1) == [(Role.USER, "And Mara?", "")]
    reply(on, "And Mara?")
    assert said(on) == [(Role.USER, "And Mara?", ""), (Role.ASSISTANT, ANSWER, "")]
    assert len(list_turns(on.engine, on.play.place)) == len(STORY) + 2


def test_an_answer_without_text_is_no_reply(store: Store) -> None:
    on = stage(store, FakeModel([ModelAnswer(text=" ", reasoning="Hm.")]), routed="chat")
    with pytest.raises(AnswerUnreadable):
        reply(on, "And Mara?")
    assert said(on, 1) == [(Role.USER, "And Mara?", "")]


def test_a_paid_reply_that_could_not_be_stored_is_not_paid_again(store: Store) -> None:
    on = stage(store, FakeModel([ANSWER]), routed="chat")
    broken = unwritable(on.play)
    with pytest.raises(StoreUnavailable):
        asyncio.run(replying.reply(broken.engine, broken.place))
    assert reply(on).reused
    assert (len(on.model.requests), said(on, 1)) == (1, [(Role.ASSISTANT, ANSWER, "")])


def test_a_prompt_that_was_too_long_is_planned_again(store: Store) -> None:
    overflow = ContextOverflow(route="chat", detail="too long", needed=None, limit=600)
    on = stage(store, FakeModel([overflow, ANSWER]), routed="chat", context="800", reply="100")
    reply(on, "And Mara?")
    first, second = (len(request.messages) for request in on.model.requests)
    assert second <= first
    assert on.outcomes() == ["reply failed", "reply used"]


def test_the_question_about_summaries_comes_before_anything_is_stored(store: Store) -> None:
    on = stage(store, FakeModel([ANSWER]), others={"summarise": FakeModel([GOOD])}, routed="chat")
    on.route("summarise")
    on.play.make(4)
    on.play.edit(2, "Tobin says no.")
    before = on.play.state()
    with pytest.raises(OutdatedSummaries) as caught:
        reply(on, "And Mara?")
    assert caught.value.question == (
        "Invalidated summaries for messages with IDs: [4]. "
        "Continue generation without those summaries?"
    )
    assert on.play.state() == before
    reply(on, "And Mara?", go_on=True)
    reply(on, "And then?")
    assert said(on, 1) == [(Role.ASSISTANT, ANSWER, "")]
