"""How answers are worded in OpenAI's and Anthropic's protocols, down to the bytes.

Above: the server and its ready-made faults. Below: answers. Every event is one `bytes`, so that
whoever wants to can break a stream between two of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from typing import assert_never

from foreword.testing.server_answers import (
    JSON,
    TOKENS_IN,
    Answer,
    Asked,
    Raw,
    Reset,
    Say,
    SayThenHang,
    Status,
    Step,
)

SSE = "text/event-stream"
DONE = b"data: [DONE]\n\n"

_STOPS = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
_ERRORS = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}
"""Anthropic's types of errors by status."""


def raw(answer: Answer, asked: Asked) -> Raw:
    """Return an answer as the bytes and steps that a client of that protocol gets."""
    match answer:
        case Raw():
            return answer
        case Reset():
            return Raw((Step.RESET,))
        case Status():
            sent = json.dumps(_error(answer, asked)) if answer.body is None else answer.body
            kind, headers = answer.content_type, answer.headers
            return Raw((page(sent.encode(), kind, code=answer.code, headers=headers),))
        case SayThenHang():
            begun = tuple(_begun(Say(answer.text, chunk=answer.chunk), asked))
            return Raw((head(SSE), *begun, Step.HANG))
        case Say() if asked.streamed:
            return Raw((head(SSE), *events(answer, asked)), complete=True)
        case Say():
            return Raw((page(json.dumps(whole(answer, asked)).encode()),), complete=True)
        case _:
            assert_never(answer)


def head(kind: str, *, code: int = 200, headers: Sequence[tuple[str, str]] = ()) -> bytes:
    """Return the head of a response whose body ends with the connection."""
    phrase = HTTPStatus(code).phrase if code in set(HTTPStatus) else "Odd"
    lines = [f"{name}: {value}\r\n" for name, value in (("Content-Type", kind), *headers)]
    first = f"HTTP/1.1 {code} {phrase}\r\n"
    return (first + "".join(lines) + "Connection: close\r\n\r\n").encode("latin-1")


def page(
    body: bytes,
    kind: str = "application/json",
    *,
    code: int = 200,
    headers: Sequence[tuple[str, str]] = (),
) -> bytes:
    """Return a whole response."""
    length = ("Content-Length", str(len(body)))
    return head(kind, code=code, headers=(*headers, length)) + body


def events(say: Say, asked: Asked) -> tuple[bytes, ...]:
    """Return the events of a streamed answer, the last one included."""
    return (*_begun(say, asked), *_ended(say, asked))


def whole(say: Say, asked: Asked) -> JSON:
    """Return an answer that is not streamed."""
    if asked.anthropic:
        return {
            **_message(_blocks(say)),
            "stop_reason": _STOPS.get(say.finish, say.finish),
            **({"usage": _anthropic_usage(say, _written(say))} if say.usage else {}),
        }
    message = {"role": "assistant", "content": say.text, "reasoning_content": say.reasoning}
    return {
        **_completion("chat.completion"),
        "choices": [{"index": 0, "message": message, "finish_reason": say.finish}],
        **({"usage": _usage(say)} if say.usage else {}),
    }


def pieces(text: str, size: int) -> list[str]:
    """Cut a text into pieces of so many characters."""
    return [text[at : at + size] for at in range(0, len(text), size)]


def empty(asked: Asked) -> tuple[bytes, ...]:
    """Return the events of a stream in which no choice is offered and no block is begun."""
    if asked.anthropic:
        return (_start(Say("")), *_ended(Say(""), asked))
    return (_event({**_completion("chat.completion.chunk"), "choices": []}), DONE)


def _begun(say: Say, asked: Asked) -> Iterator[bytes]:
    """Yield the events of a stream up to the last piece of its text."""
    if asked.anthropic:
        yield _start(say)
        for number, (kind, text) in enumerate(_parts(say)):
            yield from _block(number, kind, pieces(text, say.chunk))
        return
    for kind, text in (("reasoning_content", say.reasoning), ("content", say.text)):
        for piece in pieces(text, say.chunk):
            yield _chunk({kind: piece}, None)


def _ended(say: Say, asked: Asked) -> Iterator[bytes]:
    if asked.anthropic:
        told = {"stop_reason": _STOPS.get(say.finish, say.finish), "stop_sequence": None}
        usage = {"usage": {"output_tokens": _written(say)}} if say.usage else {}
        yield _named({"type": "message_delta", "delta": told, **usage})
        yield _named({"type": "message_stop"})
        return
    yield _chunk({}, say.finish)
    if say.usage:
        completion = _completion("chat.completion.chunk")
        yield _event({**completion, "choices": [], "usage": _usage(say)})
    yield DONE


def _event(event: JSON) -> bytes:
    return f"data: {json.dumps(event)}\n\n".encode()


def _named(event: JSON) -> bytes:
    return f"event: {event['type']}\n".encode() + _event(event)


def _completion(kind: str) -> JSON:
    return {"id": "1", "object": kind, "created": 1, "model": "fake"}


def _chunk(delta: JSON, finish: str | None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _event({**_completion("chat.completion.chunk"), "choices": [choice]})


def _usage(say: Say) -> JSON:
    written = _written(say)
    return {
        "prompt_tokens": TOKENS_IN,
        "completion_tokens": written,
        "total_tokens": TOKENS_IN + written,
        "prompt_tokens_details": {"cached_tokens": say.cached},
        "completion_tokens_details": {"reasoning_tokens": len(say.reasoning.split())},
    }


def _written(say: Say) -> int:
    return len(say.text.split()) + len(say.reasoning.split())


def _message(content: list[JSON]) -> JSON:
    return {
        "id": "1",
        "type": "message",
        "role": "assistant",
        "model": "fake",
        "content": content,
        "stop_reason": None,
        "stop_sequence": None,
    }


def _start(say: Say) -> bytes:
    usage = {"usage": _anthropic_usage(say, 1)} if say.usage else {}
    return _named({"type": "message_start", "message": {**_message([]), **usage}})


def _parts(say: Say) -> list[tuple[str, str]]:
    """Return the kinds of Anthropic's blocks with their texts; a kind is its field's name too."""
    return [part for part in (("thinking", say.reasoning), ("text", say.text)) if part[1]]


def _blocks(say: Say) -> list[JSON]:
    return [{**_blank(kind), kind: text} for kind, text in _parts(say)]


def _blank(kind: str) -> JSON:
    signed = {"signature": ""} if kind == "thinking" else {}
    return {"type": kind, kind: "", **signed}


def _block(number: int, kind: str, told: list[str]) -> Iterator[bytes]:
    opened = {"type": "content_block_start", "index": number, "content_block": _blank(kind)}
    yield _named(opened)
    for piece in told:
        delta = {"type": f"{kind}_delta", kind: piece}
        yield _named({"type": "content_block_delta", "index": number, "delta": delta})
    yield _named({"type": "content_block_stop", "index": number})


def _anthropic_usage(say: Say, written: int) -> JSON:
    return {
        "input_tokens": TOKENS_IN - say.cached,
        "cache_read_input_tokens": say.cached,
        "output_tokens": written,
    }


def _error(status: Status, asked: Asked) -> JSON:
    if asked.anthropic:
        kind = _ERRORS.get(status.code, "invalid_request_error")
        return {"type": "error", "error": {"type": kind, "message": status.message}}
    return {"error": {"message": status.message, "code": status.code}}
