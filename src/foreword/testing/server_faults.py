"""Ready-made trouble for a model's server of ours: refusals, broken streams, silence.

Each function returns an entry for the script of a `ModelServer`, and works in whichever protocol
the client speaks.

    with ModelServer([rate_limited(7), hang_midway("Mara"), Say("Mara left.")]) as server: ...

Above: tests. Below: answers and their wording.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum
from html import escape
from typing import Literal, assert_never

from foreword.testing.server_answers import (
    JSON,
    Answer,
    Asked,
    Pause,
    Raw,
    Reset,
    Say,
    SayThenHang,
    Status,
    Step,
)
from foreword.testing.server_wording import SSE, empty, events, head, page, raw, whole

TEXT = "Mara crosses the river before dawn."
"""What is said where nothing else was asked for."""


class Broken(StrEnum):
    """What can be odd or wrong about a stream of events."""

    CUT_JSON = "cut_json"
    """The second event ends in the middle."""
    NO_DONE = "no_done"
    """The last event is missing."""
    NO_DATA = "no_data"
    """Lines of JSON that are no events."""
    CRLF = "crlf"
    COMMENTS = "comments"
    """A comment before each event."""
    DUPLICATES = "duplicates"
    """Each event comes twice."""
    INVALID_UTF8 = "invalid_utf8"
    JSON_BODY = "json_body"
    """A whole answer as JSON, though a stream was asked for."""


OverflowStyle = Literal["llamacpp", "openai", "vllm", "anthropic"]


def say_here(told: Callable[[JSON], str]) -> Callable[[Asked], Answer]:
    """Answer with what a function makes of the request's body."""
    return lambda asked: Say(told(asked.body))


def hang() -> Raw:
    """Take the request and never answer."""
    return Raw((Step.HANG,))


def hang_midway(text: str = TEXT) -> SayThenHang:
    """Begin a stream with `text`, and then send nothing."""
    return SayThenHang(text)


def refuse() -> Raw:
    """Close the connection without a byte."""
    return Raw()


def reset() -> Reset:
    """Break the connection before the first byte."""
    return Reset()


def reset_midway(text: str = TEXT) -> Callable[[Asked], Answer]:
    """Begin a stream with `text`, and then break the connection."""

    def answer(asked: Asked) -> Raw:
        *begun, _ = raw(SayThenHang(text), asked).steps
        return Raw((*begun, Step.RESET))

    return answer


def drip(seconds: float, text: str = TEXT) -> Callable[[Asked], Answer]:
    """Answer byte by byte, with a pause before each."""

    def answer(asked: Asked) -> Raw:
        sent = b"".join(step for step in raw(Say(text), asked).steps if isinstance(step, bytes))
        steps = (part for byte in sent for part in (Pause(seconds), bytes([byte])))
        return Raw(tuple(steps), complete=True)

    return answer


def wrong_type(content_type: str, body: str) -> Raw:
    """Answer with something of another type."""
    return Raw((page(body.encode(), content_type),))


def html_page(status: int = 200, title: str = "Sign in") -> Raw:
    """Answer with a page, as portals and proxies do."""
    body = f"<!DOCTYPE html><html><head><title>{escape(title)}</title></head><body></body></html>"
    return Raw((page(body.encode(), "text/html; charset=utf-8", code=status),))


def broken_sse(kind: Broken, text: str = TEXT) -> Callable[[Asked], Answer]:
    """Answer with a stream that is odd or broken in one way."""
    return lambda asked: Raw(_broken(kind, Say(text), asked), complete=kind is not Broken.CUT_JSON)


def _broken(kind: Broken, say: Say, asked: Asked) -> tuple[bytes, ...]:
    sent = events(say, asked)
    match kind:
        case Broken.CUT_JSON:
            sent = (sent[0], sent[1][: len(sent[1]) // 2] + b"\n\n")
        case Broken.NO_DONE:
            sent = sent[:-1]
        case Broken.NO_DATA:
            sent = tuple(event.partition(b"data: ")[2].replace(b"\n\n", b"\n") for event in sent)
        case Broken.CRLF:
            sent = tuple(event.replace(b"\n", b"\r\n") for event in sent)
        case Broken.COMMENTS:
            sent = tuple(b": keep-alive\n\n" + event for event in sent)
        case Broken.DUPLICATES:
            sent = tuple(event * 2 for event in sent)
        case Broken.INVALID_UTF8:
            first = json.dumps(say.text[: say.chunk])[1:-1].encode()
            sent = tuple(event.replace(first, b"\xff\xfe" + first) for event in sent)
        case Broken.JSON_BODY:
            return (page(json.dumps(whole(say, asked)).encode()),)
        case _:
            assert_never(kind)
    return (head(SSE), *sent)


def duplicate_events(text: str = TEXT) -> Callable[[Asked], Answer]:
    """Send each event of a stream twice."""
    return broken_sse(Broken.DUPLICATES, text)


def empty_choices() -> Callable[[Asked], Answer]:
    """Answer properly, and with nothing in it."""

    def answer(asked: Asked) -> Raw:
        if asked.streamed:
            return Raw((head(SSE), *empty(asked)), complete=True)
        name = "content" if asked.anthropic else "choices"
        told = {**whole(Say(""), asked), name: []}
        return Raw((page(json.dumps(told).encode()),), complete=True)

    return answer


def no_usage(text: str = TEXT) -> Say:
    """Answer without telling how many tokens it took."""
    return Say(text, usage=False)


def giant_token(size: int) -> Say:
    """Answer with one piece of so many characters."""
    return Say(("word " * (size // 5 + 1))[: size - 1] + ".", chunk=size)


def rate_limited(retry_after: float | str | None = None) -> Status:
    """Ask for fewer requests (429), and say when to come back unless that is None."""
    told = () if retry_after is None else (("Retry-After", str(retry_after)),)
    return Status(429, "Rate limit reached. Slow down.", told)


def bad_key() -> Status:
    """Refuse the key (401)."""
    return Status(401, "Incorrect API key provided.")


def echoes_key() -> Callable[[Asked], Answer]:
    """Refuse the key and repeat it (401), as some servers do."""

    def answer(asked: Asked) -> Status:
        key = asked.header("authorization") or asked.header("x-api-key")
        return Status(401, f"Incorrect API key provided: {key}")

    return answer


def unknown_model() -> Callable[[Asked], Answer]:
    """Say that there is no model of the name that was asked for (404)."""
    return lambda asked: Status(404, f"The model '{asked.body.get('model')}' does not exist.")


def no_quota() -> Status:
    """Say that the account has nothing left (429, as OpenAI does)."""
    told = "You exceeded your current quota, please check your plan and billing details."
    error = {"message": told, "type": "insufficient_quota", "code": "insufficient_quota"}
    return Status(429, told, body=json.dumps({"error": error}))


def overloaded() -> Callable[[Asked], Answer]:
    """Say that the server cannot answer now (503; 529 in Anthropic's protocol)."""
    return lambda asked: Status(529 if asked.anthropic else 503, "Overloaded")


def overflow(n_prompt: int, n_ctx: int, style: OverflowStyle = "llamacpp") -> Status:
    """Say that the request is too long (400), with the numbers, as that server words it."""
    told = _too_long(n_prompt, n_ctx)[style]
    error: JSON = {"message": told, "type": "invalid_request_error"}
    if style == "anthropic":
        return Status(400, told, body=json.dumps({"type": "error", "error": error}))
    if style == "llamacpp":
        numbers = {"n_prompt_tokens": n_prompt, "n_ctx": n_ctx}
        error = {"message": told, "type": "exceed_context_size_error", "code": 400, **numbers}
    if style == "openai":
        error["code"] = "context_length_exceeded"
    return Status(400, told, body=json.dumps({"error": error}))


def _too_long(n_prompt: int, n_ctx: int) -> dict[OverflowStyle, str]:
    most = f"This model's maximum context length is {n_ctx} tokens. However, "
    return {
        "llamacpp": "the request exceeds the available context size, try increasing it",
        "openai": f"{most}your messages resulted in {n_prompt} tokens.",
        "vllm": f"{most}you requested {n_prompt} tokens. Please reduce the length.",
        "anthropic": f"prompt is too long: {n_prompt} tokens > {n_ctx} maximum",
    }


def rejects_parameter(name: str, then: Answer | None = None) -> Callable[[Asked], Answer]:
    """Refuse requests that have a parameter (400, by its name), and answer the others."""

    def answer(asked: Asked) -> Answer:
        if name in asked.body:
            return Status(400, f"Unsupported parameter: '{name}' is not supported.")
        return Say(TEXT) if then is None else then

    return answer


def redirect(to: str) -> Status:
    """Send the client elsewhere (302)."""
    return Status(302, "Found", (("Location", to),))
