"""Whatever a server does, a call ends with an answer or a typed error."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace

import pytest
from tests.integration.llm.raw_server import (
    ANSWER,
    HANG,
    KEY,
    RESET,
    STOP,
    Slept,
    all_of,
    asking,
    chunk,
    events,
    opened,
    raw_server,
    reply,
)

from foreword.domain.calls import Delta, Finish, ModelAnswer, Restart, Usage
from foreword.domain.turn import Role
from foreword.errors import (
    AnswerUnreadable,
    CallFailed,
    ContextOverflow,
    KeyRejected,
    ModelOverloaded,
    ModelTimedOut,
    ModelUnknown,
    ModelUnreachable,
    QuotaExhausted,
    RateLimited,
    RequestRefused,
)

SSE = "text/event-stream"
JSON = "application/json"


def answered(*steps: object, **values: str) -> ModelAnswer:
    async def run() -> ModelAnswer:
        async with raw_server(steps) as server:
            last = (await all_of(opened(server.url, **values)))[-1]
        assert isinstance(last, ModelAnswer)
        return last

    return asyncio.run(run())


def failure(*steps: object, **values: str) -> CallFailed:
    async def run() -> CallFailed:
        async with raw_server(steps) as server:
            with pytest.raises(CallFailed) as caught:
                await all_of(opened(server.url, **values))
        return caught.value

    found = asyncio.run(run())
    assert KEY not in f"{found} {found.detail}"
    return found


def test_an_answer_comes_in_pieces_and_then_whole() -> None:
    async def run() -> list[object]:
        async with raw_server(ANSWER) as server:
            return list(await all_of(opened(server.url)))

    *pieces, answer = asyncio.run(run())
    assert "".join(piece.text for piece in pieces if isinstance(piece, Delta)) == "The lamp is lit."
    assert answer == ModelAnswer(
        text="The lamp is lit.",
        raw="The lamp is lit.",
        usage=Usage(tokens_in=6, tokens_out=4, reported=False),
        model="raw",
    )


@pytest.mark.parametrize(
    "sent",
    [
        events(": keep-alive", f"data: {json.dumps(chunk('Hi'))}", "data: [DONE]", lead=""),
        events(chunk("Hi"), STOP, "[DONE]", lead="data:"),
        events(chunk("Hi"), STOP, "[DONE]", end="\r\n\r\n"),
        events(chunk("Hi"), STOP),
        events({**chunk("x"), "choices": []}, chunk("Hi"), STOP, "[DONE]"),
        events(chunk("Hi"), STOP, STOP, "[DONE]", "[DONE]"),
        reply(b"\xef\xbb\xbf" + events(chunk("Hi"), STOP).split(b"\r\n\r\n", 1)[1], kind=SSE),
        reply(events(chunk("Hi"), STOP).split(b"\r\n\r\n", 1)[1], kind="text/plain"),
        reply(
            gzip.compress(events(chunk("Hi"), STOP).split(b"\r\n\r\n", 1)[1]),
            kind=SSE,
            more="Content-Encoding: gzip\r\n",
        ),
        reply(
            json.dumps({"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}),
            kind=JSON,
        ),
        events(chunk("Hi", reasoning=None), STOP),
        events(chunk("Hi", role="assistant", unknown=[1]), STOP),
        events(chunk("Hi", reasoning=[{"odd": 1}]), STOP),
    ],
    ids=[
        "comments", "no space", "CRLF", "no DONE", "no choices", "end twice", "BOM",
        "as plain text", "compressed", "not streamed", "null reasoning", "unknown fields",
        "odd reasoning",
    ],
)  # fmt: skip
def test_unusual_but_readable_streams_are_read(sent: bytes) -> None:
    assert answered(sent).text == "Hi"


def test_settings_that_a_model_does_not_take_are_left_out_in_silence() -> None:
    async def run() -> None:
        request = replace(asking(), temperature=0.5)
        async with raw_server(ANSWER) as server:
            last = (await all_of(opened(server.url, model="o3-mini"), request))[-1]
        assert isinstance(last, ModelAnswer)

    asyncio.run(run())


def test_a_giant_token_comes_whole() -> None:
    text = "word " * 200_000
    assert answered(events(chunk(text), STOP)).raw == text


def test_halves_of_a_character_are_joined() -> None:
    halves = ('{"choices":[{"index":0,"delta":{"content":"a\\ud83d"}}]}',
              '{"choices":[{"index":0,"delta":{"content":"\\ude00b"}}]}')  # fmt: skip
    assert answered(events(*halves, STOP)).text == "a😀b"
    assert answered(events(halves[0], STOP)).text == "a\ufffd"


def test_reasoning_that_the_server_tells_apart_is_no_text() -> None:
    for name in ("reasoning_content", "reasoning"):
        found = answered(
            events(chunk(**{name: "Hm. "}), chunk(**{name: "So."}), chunk("Yes."), STOP)
        )
        assert (found.text, found.reasoning, found.raw) == ("Yes.", "Hm. So.", "Yes.")


def test_reasoning_in_tags_is_no_text_and_stays_in_the_raw_answer() -> None:
    found = answered(events(chunk("<thi"), chunk("nk>Hm.</think>"), chunk("\nYes."), STOP))
    assert (found.text.strip(), found.reasoning) == ("Yes.", "Hm.")
    assert found.raw == "<think>Hm.</think>\nYes."


@pytest.mark.parametrize(
    ("told", "finish"),
    [("stop", Finish.STOP), ("length", Finish.LENGTH), ("content_filter", Finish.FILTER),
     ("tool_calls", Finish.OTHER), ("eos", Finish.OTHER), (None, Finish.OTHER)],
)  # fmt: skip
def test_a_finish_reason_is_named(told: str | None, finish: Finish) -> None:
    assert answered(events(chunk("Yes."), chunk(finish=told), "[DONE]")).finish is finish


def test_reported_usage_is_kept_and_not_added_up() -> None:
    told = {
        "prompt_tokens": 100,
        "completion_tokens": 9,
        "total_tokens": 109,
        "prompt_tokens_details": {"cached_tokens": 64},
        "completion_tokens_details": {"reasoning_tokens": 5},
    }
    expected = Usage(tokens_in=100, tokens_cached=64, tokens_out=9, tokens_reasoning=5)
    usage = {**chunk(), "choices": [], "usage": told}
    assert answered(events(chunk("Yes."), STOP, usage)).usage == expected
    repeated = events({**chunk("Yes."), "usage": told}, {**STOP, "usage": told}, usage)
    assert answered(repeated).usage == expected


HTML = "<!DOCTYPE html><html><head><title>Sign in &amp; go</title></head><body>x</body></html>"


@pytest.mark.parametrize(
    ("steps", "kind", "words"),
    [
        ([reply(HTML, kind="text/html")], AnswerUnreadable, "an HTML page titled 'Sign in & go'"),
        ([reply(HTML, kind=SSE)], AnswerUnreadable, "an HTML page titled"),
        ([reply(HTML, status="502 Bad Gateway", kind="text/html")], ModelOverloaded, "HTML"),
        ([reply("Ollama is running", kind="text/plain")], AnswerUnreadable, "Ollama is running"),
        ([reply("", kind=SSE)], AnswerUnreadable, "empty"),
        ([reply("{}", kind=JSON)], AnswerUnreadable, "no answer"),
        ([reply("[1]", kind=JSON)], AnswerUnreadable, "no answer"),
        ([reply('{"choices": []}', kind=JSON)], AnswerUnreadable, "no choices"),
        ([reply('{"choices": [3]}', kind=JSON)], AnswerUnreadable, ""),
        ([reply('{"error": "Unexpected endpoint"}', kind=JSON)], AnswerUnreadable, "Unexpected"),
        ([reply('{"error": {"code": 429, "message": "slow"}}', kind=JSON)], RateLimited, "slow"),
        ([events("[DONE]")], AnswerUnreadable, ""),
        ([events({**chunk(), "choices": []}, "[DONE]")], AnswerUnreadable, "without a word"),
        ([events(chunk("Yes"), '{"choices": [{"del')], AnswerUnreadable, "JSON"),
        ([events(chunk("Yes"), "nonsense")], AnswerUnreadable, ""),
        ([events("[]")], AnswerUnreadable, ""),
        ([events("3")], AnswerUnreadable, ""),
        ([events('{"choices": 7}')], AnswerUnreadable, ""),
        ([events('{"choices": [{"index": 0, "delta": "no"}]}')], AnswerUnreadable, ""),
        ([events('{"choices": [{"index": 0, "delta": {"content": 5}}]}')], AnswerUnreadable, ""),
        ([reply(b'data: {"choices":[{"delta":{"content":"\xff\xfe"}}]}\n\n', kind=SSE)],
         AnswerUnreadable, "UTF-8"),
        ([events(chunk("Yes"), {"error": {"message": "boom", "code": 500}})],
         ModelOverloaded, "boom"),
        ([events({"error": {"message": "maximum context length is 10 tokens. However, you "
                            "requested 20 tokens", "code": 400}})], ContextOverflow, ""),
        ([reply("x", status="302 Found", kind=SSE, more="Location: https://login.example/\r\n")],
         AnswerUnreadable, "login.example"),
        ([RESET], ModelUnreachable, ""),
        ([], ModelUnreachable, ""),
        ([b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 5000\r\n\r\n",
          events(chunk("Yes")).split(b"\r\n\r\n", 1)[1]], ModelUnreachable, "middle"),
        ([b"SSH-2.0-OpenSSH_9.6\r\n\r\n"], ModelUnreachable, ""),
        ([events(chunk("Yes")), RESET], ModelUnreachable, ""),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_named(
    steps: Sequence[object], kind: type[CallFailed], words: str
) -> None:
    found = failure(*steps)
    assert type(found) is kind
    assert words in found.detail


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        ("401 Unauthorized", {"error": {"message": f"Incorrect API key: {KEY}"}}, KeyRejected),
        ("403 Forbidden", {"error": {"message": f"no access with Bearer {KEY}"}}, KeyRejected),
        ("402 Payment Required", {"error": {"message": "pay"}}, QuotaExhausted),
        ("429 Too Many", {"error": {"code": "insufficient_quota", "message": "m"}}, QuotaExhausted),
        ("404 Not Found", {"error": {"message": "model 'raw' not found"}}, ModelUnknown),
        ("429 Too Many", {"error": {"message": "slow down"}}, RateLimited),
        ("500 Oops", {"error": {"message": "boom"}}, ModelOverloaded),
        ("503 Busy", {"error": {"message": "Loading model"}}, ModelOverloaded),
        ("529 Busy", {"error": {"message": "overloaded"}}, ModelOverloaded),
        ("400 Bad", {"error": {"message": "the prompt was flagged"}}, RequestRefused),
        ("422 Bad", {"detail": [{"msg": "field required"}]}, RequestRefused),
        ("400 Bad", {"error": {"code": 400, "message": "the request exceeds the available "
                               "context size", "type": "exceed_context_size_error",
                               "n_prompt_tokens": 9000, "n_ctx": 4096}}, ContextOverflow),
    ],
)  # fmt: skip
def test_a_status_is_a_typed_error(status: str, body: object, kind: type[CallFailed]) -> None:
    found = failure(reply(json.dumps(body), status=status, kind=JSON))
    assert type(found) is kind
    if isinstance(found, ContextOverflow):
        assert (found.needed, found.limit) == (9000, 4096)


@pytest.mark.parametrize(
    "steps",
    [[HANG], [b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", HANG],
     [events(chunk("Yes")), HANG], [events(": ping", lead=""), HANG],
     [b"HTTP/1.1 500 Oops\r\nContent-Length: 10\r\n\r\n", HANG]],
)  # fmt: skip
def test_a_hanging_server_times_out(steps: Sequence[object]) -> None:
    assert type(failure(*steps, timeout="1")) is ModelTimedOut


def test_an_answer_without_end_is_cut_off() -> None:
    endless = events(*(chunk("word " * 50_000) for _ in range(20)))
    assert "does not end" in failure(endless).detail
    line = reply(b"data: " + b"x" * 17_000_000, kind=SSE)
    assert "no end" in failure(line).detail


def test_a_port_where_nothing_listens_is_named() -> None:
    async def run(url: str) -> str:
        with pytest.raises(ModelUnreachable) as caught:
            await all_of(opened(url))
        return caught.value.detail

    assert "refused" in asyncio.run(run("http://127.0.0.1:9/v1"))


def test_encryption_asked_of_a_plain_server_is_named() -> None:
    async def run() -> str:
        async with raw_server(ANSWER) as server:
            with pytest.raises(ModelUnreachable) as caught:
                await all_of(opened(server.url.replace("http:", "https:")))
            return caught.value.detail

    assert "TLS" in asyncio.run(run())


def test_stopping_closes_the_connection_at_once() -> None:
    async def closed() -> None:
        async with raw_server((events(chunk("Yes")), HANG)) as server:
            async with aclosing(opened(server.url).stream(asking())) as stream:
                assert await anext(stream) == Delta(text="Yes")
            await asyncio.wait_for(server.left.wait(), 5)

    async def cancelled() -> None:
        async with raw_server((events(chunk("Yes")), HANG)) as server:
            heard = asyncio.Event()

            async def read() -> None:
                async for _ in opened(server.url, retries="3").stream(asking()):
                    heard.set()

            task = asyncio.create_task(read())
            await asyncio.wait_for(heard.wait(), 5)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.wait_for(server.left.wait(), 5)
            assert len(server.asked) == 1

    asyncio.run(closed())
    asyncio.run(cancelled())


def test_failures_are_tried_again_after_growing_waits() -> None:
    async def run() -> None:
        busy = (reply("{}", status="503 Busy", kind=JSON),)
        slept = Slept()
        async with raw_server(busy, (events(chunk("Ye")), RESET), ANSWER) as server:
            found = await all_of(opened(server.url, slept, retries="3"))
        assert [type(one) for one in found].count(Restart) == 2
        assert isinstance(found[-1], ModelAnswer)
        assert found[-1].text == "The lamp is lit."
        assert [low <= wait <= low + 2 for low, wait in zip((2, 4), slept.waits, strict=True)]

    asyncio.run(run())


def test_retries_end_and_the_last_failure_is_raised() -> None:
    async def run(reply_: bytes, retries: str) -> tuple[int, list[float], CallFailed]:
        slept = Slept()
        async with raw_server((reply_,)) as server:
            with pytest.raises(CallFailed) as caught:
                await all_of(opened(server.url, slept, retries=retries))
            return len(server.asked), slept.waits, caught.value

    storm = reply("{}", status="429 Slow", kind=JSON, more="Retry-After: 7\r\n")
    asked, waits, error = asyncio.run(run(storm, "4"))
    assert (asked, type(error)) == (5, RateLimited)
    assert all(7 <= wait <= 9 for wait in waits)
    assert isinstance(error, RateLimited)
    assert error.retry_after == 7
    long = reply("{}", status="429 Slow", kind=JSON, more="Retry-After: 600\r\n")
    assert asyncio.run(run(long, "4"))[0] == 1
    page = reply(HTML, kind="text/html")
    assert asyncio.run(run(page, "4"))[0] == 2
    wrong = reply("{}", status="401 No", kind=JSON)
    assert asyncio.run(run(wrong, "4"))[:2] == (1, [])


def test_a_server_that_refuses_parameters_gets_others_and_is_remembered() -> None:
    async def run() -> None:
        def no(words: str) -> Sequence[object]:
            return (reply(json.dumps({"error": {"message": words}}), status="400 Bad", kind=JSON),)

        refusals = (
            no("unknown field stream_options"),
            no("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        )
        async with raw_server(*refusals, ANSWER) as server:
            model = opened(server.url)
            await all_of(model, asking(most=9))
            await all_of(model, asking(most=9))
            first, second, third, fourth = (one.body for one in server.asked)
        assert first["stream_options"] == {"include_usage": True}
        assert first["max_tokens"] == 9
        assert "stream_options" not in second
        assert third == fourth
        assert third["max_completion_tokens"] == 9
        assert "max_tokens" not in third

    asyncio.run(run())


def test_messages_go_out_in_their_order_until_the_server_refuses_it() -> None:
    async def run() -> None:
        strict = json.dumps({"error": {"message": "System message must be at the beginning."}})
        refusing = (reply(strict, status="500 Template", kind=JSON),)
        said = (
            (Role.SYSTEM, "one"), (Role.SYSTEM, "two"), (Role.ASSISTANT, "Hello"),
            (Role.USER, "Hi"), (Role.SYSTEM, "mid"), (Role.USER, "go"),
        )  # fmt: skip
        async with raw_server(refusing, ANSWER) as server:
            await all_of(opened(server.url), asking(*said))
            free, shaped = (one.body["messages"] for one in server.asked)
        assert [(one["role"], one["content"]) for one in free] == [
            (role.value, text) for role, text in said
        ]
        assert [(one["role"], one["content"]) for one in shaped] == [
            ("system", "one\n\ntwo"),
            ("user", "[The conversation begins.]"),
            ("assistant", "Hello"),
            ("user", "Hi\n\n[System note: mid]\n\ngo"),
        ]

    asyncio.run(run())


def test_an_unknown_model_is_told_what_there_is_instead() -> None:
    async def run() -> str:
        missing = reply('{"error": "not found"}', status="404 No", kind=JSON)
        names = reply(json.dumps({"data": [{"id": "qwen"}, {"id": "gemma"}]}), kind=JSON)
        async with raw_server((missing,), (names,)) as server:
            with pytest.raises(ModelUnknown) as caught:
                await all_of(opened(server.url))
            return caught.value.detail

    assert "qwen, gemma" in asyncio.run(run())


def test_at_most_as_many_requests_run_as_the_route_allows() -> None:
    async def run() -> None:
        async with raw_server((events(chunk("Yes")), HANG)) as server:
            models = [opened(server.url, concurrency="2", model="narrow") for _ in range(3)]
            heard: asyncio.Queue[int] = asyncio.Queue()

            async def read(number: int) -> None:
                async for _ in models[number].stream(asking()):
                    heard.put_nowait(number)

            tasks = [asyncio.create_task(read(number)) for number in range(3)]
            first = {await asyncio.wait_for(heard.get(), 5) for _ in range(2)}
            assert (first, len(server.asked)) == ({0, 1}, 2)
            tasks[0].cancel()
            assert await asyncio.wait_for(heard.get(), 5) == 2
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run())
