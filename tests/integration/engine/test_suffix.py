"""Summaries behind the chat's own prompt: the same bytes, and by themselves where it cannot be."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.e2e.program import inside
from tests.integration.engine.stage import (
    GOOD,
    HALVES,
    REFUSAL,
    STORY,
    Stage,
    stage,
    unwritable,
)

from foreword.domain.calls import Finish, ModelAnswer, ModelRequest, Purpose
from foreword.domain.message import Message
from foreword.domain.turn import Role
from foreword.engine import replying, summaries, templates
from foreword.errors import AnswerUnreadable, ContextOverflow, StoreUnavailable
from foreword.ports.store import Store
from foreword.prompts.templates import TemplateName
from foreword.testing.model_server import ModelServer, Say
from foreword.testing.models import Answer, FakeModel
from foreword.testing.server_answers import JSON

ANSWER = "Mara runs to the water before he has finished."


def chatting(
    store: Store, *answers: Answer, system: str = "You tell a story.", small: bool = False
) -> Stage:
    """The story with a reply by the chat route, behind which summaries are asked for."""
    on = stage(store, FakeModel([ANSWER, *answers]), routed="chat", system=system)
    if small:
        on.play.set(context="512", reply="64")
    on.route("chat", suffix="on")
    say(on, "And Mara?")
    return on


def say(on: Stage, text: str) -> None:
    asyncio.run(replying.reply(on.engine, on.play.place, text, go_on=True))


def sent(on: Stage) -> list[tuple[Message, ...]]:
    return [request.messages for request in on.model.requests]


def asked_alone(messages: tuple[Message, ...]) -> bool:
    return len(messages) == 1


def test_a_summary_is_asked_for_behind_the_prompt_of_the_chat(store: Store) -> None:
    on = chatting(store, GOOD)
    on.play.make(6)
    chat, summary = sent(on)
    assert summary[:-1] == chat[:7]
    assert summary[-1].role is Role.USER
    assert "the last 6 messages before this one" in summary[-1].content
    assert "<<<FENCE-1\nMara waits under the old bridge with eleven\n" in summary[-1].content
    assert "\ntaken to the fort at Brennick this morning.\n" in summary[-1].content
    assert [view.text for view in on.play.summaries()] == [GOOD]


@pytest.mark.parametrize(("suffix", "length"), [("on", 16), ("off", 0)])
def test_what_the_summariser_read_before_the_turns_is_kept_with_the_summary(
    store: Store, suffix: str, length: int
) -> None:
    on = chatting(store, GOOD).route("chat", suffix=suffix)
    number = on.play.make(6)
    with store.read(on.engine.account, on.play.place.conversation) as session:
        assert len(session.summaries([number])[number].context_digest) == length


def test_the_turns_that_follow_the_first_summary_stand_behind_the_old_prompt(store: Store) -> None:
    on = chatting(store, *HALVES)
    on.play.make(4)
    on.play.make(6)
    chat, first, second = sent(on)
    assert (first[:-1], second[:-1]) == (chat[:5], chat[:7])
    assert "the last 2 messages before this one" in second[-1].content


def test_the_newest_reply_stands_behind_the_prompt_that_would_follow(store: Store) -> None:
    on = chatting(store, GOOD)
    on.play.make(8)
    chat, summary = sent(on)
    assert summary[:-1] == (*chat, Message(role=Role.ASSISTANT, content=ANSWER))


def test_a_refused_draft_is_repaired_by_itself(store: Store) -> None:
    on = chatting(store, REFUSAL, GOOD)
    on.play.make(6)
    assert on.outcomes() == ["reply used", "summary rejected", "repair used"]
    assert [asked_alone(one) for one in sent(on)[1:]] == [False, True]
    assert STORY[0] in sent(on)[2][0].content


@pytest.mark.parametrize(
    "instead",
    [
        ModelAnswer(text="I look into the diary.", raw="…", finish=Finish.OTHER),
        AnswerUnreadable(route="chat", detail="it wrote no text"),
        ContextOverflow(route="chat", detail="too long"),
    ],
)
def test_a_tool_call_or_a_full_context_is_asked_again_by_itself(
    store: Store, instead: Answer
) -> None:
    on = chatting(store, instead, GOOD)
    on.play.make(6)
    assert [asked_alone(one) for one in sent(on)[1:]] == [False, True]
    assert [view.text for view in on.play.summaries()] == [GOOD]


def own_words(on: Stage) -> None:
    templates.save(on.engine, TemplateName.SUMMARY, "Sum up: {{ text }}")


CHANGES: dict[str, Callable[[Stage], object]] = {
    "the switch is off": lambda on: on.route("chat", suffix="off"),
    "another model summarises": lambda on: on.route("summarise", model="m-2", suffix="on"),
    "a turn is kept word for word": lambda on: on.play.pin(2),
    "the summaries stand in the chat": lambda on: on.play.set(placement="in-chat"),
    "the request is worded by the user": own_words,
}


@pytest.mark.parametrize("change", CHANGES)
def test_where_the_prompt_cannot_be_used_the_turns_are_sent_by_themselves(
    store: Store, change: str
) -> None:
    on = chatting(store, GOOD)
    CHANGES[change](on)
    on.play.make(6)
    assert asked_alone(sent(on)[1])


def test_where_the_route_cannot_read_the_prompt_the_turns_are_sent_by_themselves(
    store: Store,
) -> None:
    on = chatting(store, GOOD, system="You tell a story. " * 150)
    on.route("chat", context="1000")
    on.play.make(6)
    assert asked_alone(sent(on)[1])


def test_without_any_prompt_of_the_chat_the_turns_are_sent_by_themselves(store: Store) -> None:
    on = stage(store, FakeModel([GOOD]), routed="chat").route("chat", suffix="on")
    on.play.make(6)
    assert asked_alone(sent(on)[0])


def test_a_prompt_with_a_summary_that_was_replaced_is_not_used(store: Store) -> None:
    first = HALVES[0]
    on = chatting(store, first, ANSWER, first.replace("paid", "gave"), HALVES[1])
    number = on.play.make(4)
    say(on, "And then?")
    asyncio.run(summaries.regenerate(on.engine, on.play.place, number))
    on.play.make(6)
    (*_, last) = sent(on)
    assert first not in last[0].content
    assert first.replace("paid", "gave") in last[0].content


def test_a_turn_that_was_edited_meanwhile_is_sent_as_it_is_now(store: Store) -> None:
    on = chatting(store, GOOD.replace("eleven", "twelve"))
    on.play.edit(3, STORY[2].replace("eleven", "twelve"))
    on.play.make(6)
    chat, summary = sent(on)
    assert summary[:3] == chat[:3]
    assert "all twelve of them" in summary[3].content


def test_turns_that_the_prompt_does_not_hold_are_sent_by_themselves(store: Store) -> None:
    on = chatting(store, GOOD, system="You tell a story. " * 75, small=True)
    on.play.make(4)
    chat, *summaries = sent(on)
    assert STORY[0] not in {message.content for message in chat}
    assert asked_alone(summaries[0])


def test_where_no_prompt_can_be_made_any_more_the_turns_are_sent_by_themselves(
    store: Store,
) -> None:
    on = chatting(store, GOOD)
    on.play.set(context="512", personas="Mara is a smuggler. " * 200)
    on.play.make(8)
    assert asked_alone(sent(on)[1])


def test_a_wording_of_the_user_may_be_asked_behind_the_prompt_too(store: Store) -> None:
    on = chatting(store, GOOD)
    own_words(on)
    templates.save(
        on.engine,
        TemplateName.SUFFIX,
        "Sum up {{ turn_count }} messages, {{ first_words }} to {{ last_words }}",
    )
    on.play.make(6)
    assert sent(on)[1][-1].content.startswith("Sum up 6 messages, <<<FENCE-1\nMara waits")


def test_a_recorded_answer_is_taken_up_again_behind_a_longer_chat(store: Store) -> None:
    def answers(request: ModelRequest) -> str:
        return GOOD if "messages before this one" in request.messages[-1].content else ANSWER

    on = stage(store, FakeModel(answers), routed="chat", system="You tell a story.")
    on.route("chat", suffix="on")
    say(on, "And Mara?")
    with pytest.raises(StoreUnavailable):
        unwritable(on.play).make(6)
    say(on, "And then?")
    on.play.make(6)
    assert [call.purpose for call in on.calls()] == [Purpose.REPLY, Purpose.SUMMARY, Purpose.REPLY]
    assert [view.text for view in on.play.summaries()] == [GOOD]


def test_the_server_gets_the_same_bytes_from_another_process(tmp_path: Path) -> None:
    script = [Say(ANSWER), Say(GOOD, cached=80)]
    with ModelServer(script, context=16384) as server:
        inside(tmp_path, "new", "Ferry")
        for number, text in enumerate(STORY):
            role = "assistant" if number % 2 else "user"
            inside(tmp_path, "turn", "append", "Ferry", "--role", role, "--text", text)
        words = ("--url", server.url, "--model", "fake", "--suffix", "on")
        inside(tmp_path, "routes", "set", "chat", *words)
        inside(tmp_path, "write", "Ferry", "And Mara?")
        inside(tmp_path, "summary", "make", "Ferry", "--through", "6")
        chat, summary = (asked.body for asked in server.requests)
        spent = inside(tmp_path, "cost", "Ferry")
    assert summary["messages"][:-1] == chat["messages"][:6]
    assert _parameters(summary) == _parameters(chat)
    assert (spent["chat"]["tokens_cached"], spent["memory"]["tokens_cached"]) == (0, 80)


def _parameters(body: JSON) -> JSON:
    """Return what must be equal for a cache to be of use."""
    return {key: value for key, value in body.items() if key not in ("messages", "max_tokens")}
