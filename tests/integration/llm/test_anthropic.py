"""Anthropic's protocol, against a server that speaks it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping

import pytest
from tests.integration.llm.raw_server import (
    HANG,
    KEY,
    Slept,
    all_of,
    asking,
    raw_server,
    reply,
)

from foreword.domain.calls import Delta, Finish, ModelAnswer, Usage
from foreword.domain.routes import route_from
from foreword.domain.turn import Role
from foreword.errors import (
    CallFailed,
    ContextOverflow,
    KeyRejected,
    ModelOverloaded,
    ModelTimedOut,
    ModelUnreachable,
)
from foreword.llm.models import RoutedModels
from foreword.ports.chat_model import ChatModel
from foreword.testing.word_counter import WordCounter

START = {
    "type": "message_start",
    "message": {
        "id": "1", "type": "message", "role": "assistant", "content": [], "model": "claude-x",
        "stop_reason": None, "stop_sequence": None,
        "usage": {"input_tokens": 20, "cache_read_input_tokens": 80, "output_tokens": 1},
    },
}  # fmt: skip
END = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}}


def block(number: int, kind: str, text: str) -> list[dict[str, object]]:
    name = {"text": "text", "thinking": "thinking"}[kind]
    more = {"signature": ""} if kind == "thinking" else {}
    return [
        {"type": "content_block_start", "index": number,
         "content_block": {"type": kind, name: "", **more}},
        {"type": "content_block_delta", "index": number,
         "delta": {"type": f"{kind}_delta", name: text}},
        {"type": "content_block_stop", "index": number},
    ]  # fmt: skip


def events(*sent: Mapping[str, object]) -> bytes:
    lines = (f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in sent)
    return reply("".join(lines), kind="text/event-stream")


def model(url: str, **values: str) -> ChatModel:
    given = {"kind": "anthropic", "url": url.removesuffix("/v1"), "model": "claude-x",
             "retries": "0", "timeout": "5", **values}  # fmt: skip
    models = RoutedModels(lambda _route: KEY, WordCounter(), Slept())
    return models.open(route_from("chat", given))


def test_an_answer_of_anthropics_has_text_reasoning_and_usage() -> None:
    async def run() -> None:
        sent = events(START, *block(0, "thinking", "Hm."), *block(1, "text", "Yes."), END,
                      {"type": "message_stop"})  # fmt: skip
        async with raw_server((sent,)) as server:
            said = ((Role.SYSTEM, "one"), (Role.SYSTEM, "two"), (Role.ASSISTANT, "Hello"),
                    (Role.USER, "Hi"), (Role.SYSTEM, "mid"), (Role.USER, "go"))  # fmt: skip
            found = await all_of(model(server.url), asking(*said, most=50))
            (asked,) = server.asked
        assert found[:2] == [Delta(text="Hm.", reasoning=True), Delta(text="Yes.")]
        assert found[2:] == [
            ModelAnswer(
                text="Yes.", reasoning="Hm.", raw="Yes.", finish=Finish.STOP, model="claude-x",
                usage=Usage(tokens_in=100, tokens_cached=80, tokens_out=9),
            )
        ]  # fmt: skip
        assert "one\n\ntwo" in json.dumps(asked.body["system"]).encode().decode("unicode_escape")
        assert [one["role"] for one in asked.body["messages"]] == ["user", "assistant", "user"]
        assert "[System note: mid]" in json.dumps(asked.body["messages"][2])
        assert asked.body["max_tokens"] == 50
        assert KEY in asked.headers

    asyncio.run(run())


@pytest.mark.parametrize(
    ("steps", "kind"),
    [
        ([reply(json.dumps({"type": "error", "error": {"type": "authentication_error", "message":
          "invalid x-api-key"}}), status="401 No", kind="application/json")], KeyRejected),
        ([reply(json.dumps({"type": "error", "error": {"type": "invalid_request_error", "message":
          "prompt is too long: 9 tokens > 5 maximum"}}), status="400 No",
          kind="application/json")], ContextOverflow),
        ([events(START, {"type": "error", "error": {"type": "overloaded_error",
          "message": "Overloaded"}})], ModelOverloaded),
        ([events(START, *block(0, "text", "Yes"))], ModelUnreachable),
        ([events(START), HANG], ModelTimedOut),
    ],
)  # fmt: skip
def test_a_failure_of_anthropics_is_a_typed_error(
    steps: list[object], kind: type[CallFailed]
) -> None:
    async def run() -> CallFailed:
        async with raw_server(steps) as server:
            with pytest.raises(CallFailed) as caught:
                await all_of(model(server.url, timeout="1"))
        return caught.value

    assert type(asyncio.run(run())) is kind
