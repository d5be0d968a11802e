"""A model's server of ours on loopback: it says what it is told to, and counts what it was asked.

For tests of whole programs: it lives in a thread of the test and speaks OpenAI's chat completions,
streamed or not. Above: tests. Below: the standard library alone.

    with ModelServer([Say("Mara left."), Status(429, "slow down")]) as server:
        ...  # foreword routes set chat --url {server.url} --model m
        assert server.completed == 1
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

JSON = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Say:
    """A complete answer."""

    text: str
    reasoning: str = ""
    finish: str = "stop"
    usage: bool = True
    chunk: int = 16
    """Characters of a piece of the stream."""


@dataclass(frozen=True, slots=True)
class SayThenHang:
    """Some pieces of an answer, and then nothing until the client hangs up."""

    text: str = ""
    chunk: int = 16


@dataclass(frozen=True, slots=True)
class Status:
    """A refusal by the server."""

    code: int
    message: str
    headers: tuple[tuple[str, str], ...] = ()
    content_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Reset:
    """Hangs up without a word."""


Answer = Say | SayThenHang | Status | Reset
Script = Sequence[Answer] | Callable[[JSON], Answer]


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that came."""

    path: str
    headers: dict[str, str]
    body: JSON


@dataclass(slots=True)
class ModelServer:
    """The server; a used-up script repeats its last answer."""

    script: Script = (Say("Done."),)
    context: int | None = None
    """What `/v1/models` tells as the size of the context; None: nothing."""
    completed: int = 0
    """Answers that went out in full."""
    hung_up: threading.Event = field(default_factory=threading.Event)
    """Set when a client leaves before its answer is over."""
    _requests: list[Asked] = field(default_factory=list)
    _arrived: threading.Condition = field(default_factory=threading.Condition)
    _server: ThreadingHTTPServer | None = None

    def __enter__(self) -> ModelServer:
        """Start to listen on a port that is free."""
        owner = self

        class Handler(_Handler):
            model_server = owner

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop listening; whoever hangs is left to his thread."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    @property
    def url(self) -> str:
        """The address for a route."""
        if self._server is None:
            raise RuntimeError("the server is not started: use it in a with statement")
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def requests(self) -> tuple[Asked, ...]:
        """Requests for answers, oldest first."""
        with self._arrived:
            return tuple(self._requests)

    def wait_for(self, count: int, seconds: float = 30.0) -> bool:
        """Wait until so many requests have come; say whether they have."""
        with self._arrived:
            return self._arrived.wait_for(lambda: len(self._requests) >= count, seconds)

    def answer_to(self, asked: Asked) -> Answer:
        """Write a request down and return what it is answered with."""
        with self._arrived:
            self._requests.append(asked)
            number = len(self._requests)
            self._arrived.notify_all()
        if callable(self.script):
            return self.script(asked.body)
        return self.script[min(number, len(self.script)) - 1]

    def complete(self) -> None:
        """Count an answer that went out."""
        with self._arrived:
            self.completed += 1


class _Handler(BaseHTTPRequestHandler):
    model_server: ModelServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        entry: JSON = {"id": "fake", "object": "model"}
        if self.model_server.context is not None:
            entry["context_length"] = self.model_server.context
        found = self.path.endswith("/models")
        self._json(200 if found else 404, {"object": "list", "data": [entry]} if found else {})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"{}")
        if not self.path.endswith("/chat/completions"):
            self._json(404, {})
            return
        answer = self.model_server.answer_to(Asked(self.path, dict(self.headers), body))
        try:
            self._send(answer, streamed=bool(body.get("stream")))
        except (BrokenPipeError, ConnectionResetError):
            self.model_server.hung_up.set()
            self.close_connection = True

    def _send(self, answer: Answer, *, streamed: bool) -> None:
        match answer:
            case Reset():
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True
            case Status():
                body = {"error": {"message": answer.message, "code": answer.code}}
                self._json(answer.code, body, answer.headers, answer.content_type)
            case SayThenHang():
                self._stream(_pieces(answer.text, answer.chunk))
                self.connection.recv(1)
                self.model_server.hung_up.set()
                self.close_connection = True
            case Say() if streamed:
                self._stream(
                    [
                        *({"reasoning_content": one} for one in _cut(answer.reasoning, answer)),
                        *_pieces(answer.text, answer.chunk),
                    ]
                )
                self._event(_chunk({}, answer.finish))
                if answer.usage:
                    self._event({**_chunk({}, None), "choices": [], "usage": _usage(answer)})
                self.wfile.write(b"data: [DONE]\n\n")
                self.close_connection = True
                self.model_server.complete()
            case Say():
                self._json(200, _whole(answer))
                self.model_server.complete()

    def _stream(self, deltas: Sequence[JSON]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for delta in deltas:
            self._event(_chunk(delta, None))

    def _event(self, event: JSON) -> None:
        self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
        self.wfile.flush()

    def _json(
        self,
        code: int,
        body: JSON,
        headers: Sequence[tuple[str, str]] = (),
        content_type: str = "application/json",
    ) -> None:
        sent = json.dumps(body).encode()
        self.send_response(code)
        for name, value in (*headers, ("Content-Type", content_type)):
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    # typing.override needs Python 3.12.
    def log_message(self, format: str, *args: object) -> None:  # type: ignore[explicit-override]  # noqa: A002
        """Say nothing on the terminal."""


def _cut(text: str, answer: Say) -> list[str]:
    return [text[at : at + answer.chunk] for at in range(0, len(text), answer.chunk)]


def _pieces(text: str, chunk: int) -> list[JSON]:
    return [{"content": text[at : at + chunk]} for at in range(0, len(text), chunk)]


def _chunk(delta: JSON, finish: str | None) -> JSON:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {
        "id": "1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "fake",
        "choices": [choice],
    }


def _usage(answer: Say) -> JSON:
    written = len(answer.text.split()) + len(answer.reasoning.split())
    return {"prompt_tokens": 100, "completion_tokens": written, "total_tokens": 100 + written}


def _whole(answer: Say) -> JSON:
    message = {"role": "assistant", "content": answer.text, "reasoning_content": answer.reasoning}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "fake",
        "choices": [{"index": 0, "message": message, "finish_reason": answer.finish}],
        "usage": _usage(answer),
    }
