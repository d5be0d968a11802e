from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.errors import (
    AnswerUnreadable,
    CallFailed,
    ContextOverflow,
    KeyRejected,
    ModelOverloaded,
    ModelUnknown,
    QuotaExhausted,
    RateLimited,
    RequestRefused,
)
from foreword.llm.refusals import Reply, message_of, refusal, retry_after

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
KEY = "sk-proj-abcdefghijklmnop"


def meant(status: int | None, body: object, **headers: str) -> CallFailed:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    reply = Reply(status=status, body=body, headers=named, secrets=(KEY,))
    return refusal("chat", reply, NOW)


def error(message: str, **more: object) -> dict[str, object]:
    return {"error": {"message": message, **more}}


@pytest.mark.parametrize(
    ("body", "needed", "limit"),
    [
        # OpenAI
        (error("This model's maximum context length is 8192 tokens. However, your messages "
               "resulted in 9011 tokens. Please reduce the length of the messages.",
               code="context_length_exceeded"), 9011, 8192),
        (error("This model's maximum context length is 4097 tokens, however you requested 5360 "
               "tokens (1360 in your prompt; 4000 for the completion)."), 5360, 4097),
        (error("Your input exceeds the context window of this model. Please adjust your input.",
               code="context_length_exceeded"), None, None),
        # Anthropic
        ({"type": "error", "error": {"type": "invalid_request_error",
          "message": "prompt is too long: 208310 tokens > 200000 maximum"}}, 208310, 200000),
        (error("input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, "
               "decrease input length or `max_tokens` and try again"), 188240, 200000),
        # OpenRouter
        (error("This endpoint's maximum context length is 131072 tokens. However, you requested "
               "about 150000 tokens (149000 of text input, 1000 in the output).", code=400),
         150000, 131072),
        # llama.cpp
        (error("the request exceeds the available context size, try increasing it", code=400,
               type="exceed_context_size_error", n_prompt_tokens=5120, n_ctx=4096), 5120, 4096),
        (error("request (5120 tokens) exceeds the available context size (4096 tokens), try "
               "increasing it", type="exceed_context_size_error"), 5120, 4096),
        # vLLM
        ({"object": "error", "message": "This model's maximum context length is 2048 tokens. "
          "However, you requested 2600 tokens in the messages, Please reduce the length of the "
          "messages.", "code": 400}, 2600, 2048),
        (error("The decoder prompt (length 4100) is longer than the maximum model length of 4096. "
               "Make sure that `max_model_len` is no smaller."), 4100, 4096),
        # Ollama
        ({"error": "the input length exceeds the context length"}, None, None),
        ({"error": "prompt is too long; model maximum is 4096 tokens"}, None, 4096),
        # LM Studio
        ({"error": "Trying to keep the first 5000 tokens when context the overflows. However, the "
          "model is loaded with context length of only 4096 tokens, which is not enough."},
         5000, 4096),
        # KoboldCpp
        ({"detail": {"msg": "The prompt of 9000 tokens exceeds the max context length 8192",
                     "type": "context"}}, 9000, 8192),
        # TabbyAPI
        (error("Prompt length 9000 is greater than max_seq_len 8192"), 9000, 8192),
        # Gemini's door for OpenAI's protocol
        ([error("The input token count (1200000) exceeds the maximum number of tokens allowed "
                "(1048576).", code=400)], 1200000, 1048576),
        # Mistral
        ({"object": "error", "message": "Prompt contains 40000 tokens and 0 draft tokens, too "
          "large for model with 32768 maximum context length"}, 40000, 32768),
        # Groq
        (error("Please reduce the length of the messages or completion."), None, None),
    ],
)  # fmt: skip
def test_an_overflow_is_recognised_with_its_numbers(
    body: object, needed: int | None, limit: int | None
) -> None:
    for sent in (body, json.dumps(body)):
        found = meant(400, sent)
        assert isinstance(found, ContextOverflow)
        assert (found.needed, found.limit) == (needed, limit)


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, error("max_tokens is too large: 50000. This model supports at most 4096 completion "
                    "tokens, whereas you provided 50000."), RequestRefused),
        (400, error("Invalid 'messages[0].content': string too long."), RequestRefused),
        (400, error("temperature must be at most 1"), RequestRefused),
        (400, error("The response was filtered due to the content management policy",
                    code="content_filter"), RequestRefused),
        (400, error("Your credit balance is too low to access the API"), QuotaExhausted),
        (400, error("API key not valid. Please pass a valid API key."), KeyRejected),
        (400, error("gpt-9 is not a valid model ID", code=400), ModelUnknown),
        (400, error("model \"qwen\" not found, try pulling it first"), ModelUnknown),
        (401, error("x"), KeyRejected),
        (402, error("Insufficient credits"), QuotaExhausted),
        (403, error("x"), KeyRejected),
        (403, error("Input was flagged", metadata={"reasons": ["violence"]}), RequestRefused),
        (404, "404 page not found", ModelUnknown),
        (405, {"detail": "Method Not Allowed"}, ModelUnknown),
        (413, "Request Entity Too Large", RequestRefused),
        (418, {}, RequestRefused),
        (429, error("Rate limit reached for requests"), RateLimited),
        (429, error("Rate limit reached: tokens per min (TPM): Limit 30000, Used 29000, Requested "
                    "9000."), RateLimited),
        (429, error("You exceeded your current quota", type="insufficient_quota"),
         QuotaExhausted),
        (500, None, ModelOverloaded),
        (503, error("Loading model", type="unavailable_error"), ModelOverloaded),
        (529, error("Overloaded", type="overloaded_error"), ModelOverloaded),
        (None, error("Overloaded", type="overloaded_error"), ModelOverloaded),
        (None, error("what"), AnswerUnreadable),
        (302, "", AnswerUnreadable),
        (404, "<html><title>nginx</title></html>", AnswerUnreadable),
        (502, "<html><title>Bad gateway</title></html>", ModelOverloaded),
        (401, "<html><title>Sign in</title></html>", KeyRejected),
    ],
)  # fmt: skip
def test_other_errors_keep_their_kind(
    status: int | None, body: object, kind: type[CallFailed]
) -> None:
    assert type(meant(status, body)) is kind


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "7"}, 7.0),
        ({"Retry_After": "0.5"}, 0.5),
        ({"retry_after_ms": "1500", "retry_after": "9"}, 1.5),
        ({"retry_after": "Tue, 01 Dec 2026 12:00:30 GMT"}, 30.0),
        ({"retry_after": "Tue, 01 Dec 2020 12:00:30 GMT"}, 0.0),
        ({"retry_after": "soon"}, None),
        ({"retry_after": "-1"}, None),
        ({"retry_after": "inf"}, None),
        ({"retry_after": "nan"}, None),
        ({"retry_after": ""}, None),
        ({}, None),
    ],
)
def test_what_a_server_asks_to_wait_is_read(headers: dict[str, str], seconds: float | None) -> None:
    found = meant(429, error("slow"), **headers)
    assert isinstance(found, RateLimited)
    assert found.retry_after == seconds
    assert retry_after({}, NOW) is None


@pytest.mark.parametrize(
    "echo",
    [
        f"Incorrect API key provided: {KEY}.",
        "Incorrect API key provided: sk-proj-********mnop.",
        f"headers: {{'Authorization': 'Bearer {KEY}'}}",
        "Authorization: Basic dXNlcjpzZWNyZXQ=",
        f"https://user:{KEY}@host.example/v1 is no address",
        f"see https://host.example/v1?api_key={KEY}&x=1",
        f"<html><title>Bearer {KEY}</title></html>",
        "a" * 290 + KEY,
    ],
)
def test_a_key_that_a_server_echoes_is_not_repeated(echo: str) -> None:
    for status in (400, 401, 403, 404, 429, 500, None):
        for body in (echo, error(echo), {"detail": [{"msg": echo}]}):
            shown = str(meant(status, body))
            assert "mnop" not in shown
            assert "sk-proj-abc" not in shown
            assert "dXNlcjpzZWNyZXQ" not in shown


def test_what_an_error_says_to_people_is_found() -> None:
    assert message_of(error("a")) == "a"
    assert message_of({"error": "a"}) == "a"
    assert message_of([error("a")]) == "a"
    assert message_of({"detail": [{"msg": "a"}]}) == "a"
    assert message_of('{"message": "a"}') == "a"
    assert message_of("{broken") == "{broken"
    assert message_of({}) == message_of([]) == message_of(3) == ""


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.none() | st.integers(100, 999), JSON)
def test_any_status_and_body_is_one_typed_error(status: int | None, body: object) -> None:
    found = meant(status, body)
    assert isinstance(found, CallFailed)
    assert 0 < len(found.detail) <= 340
    assert "\n" not in found.detail
