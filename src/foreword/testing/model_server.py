"""A model's server of ours on loopback: it says what it is told to, and counts what it was asked.

It lives in a thread of the test, so whole programs can be tested with it, and speaks OpenAI's chat
completions and Anthropic's messages, streamed or not. Above: tests; ready-made faults stand in
`server_faults`. Below: answers, their wording, and the standard library. Whoever speaks TLS to it
is refused in plain text.

    with ModelServer([Say("Mara left."), Status(429, "slow down")]) as server:
        ...  # foreword routes set chat --url {server.url} --model m
        assert server.completed == 1
"""

from __future__ import annotations

import json
import os
import socket
import struct
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, assert_never

from foreword.testing.server_answers import (
    JSON,
    Answer,
    Asked,
    Entry,
    Pause,
    Raw,
    Reset,
    Say,
    SayThenHang,
    Status,
    Step,
)
from foreword.testing.server_wording import page, raw

__all__ = [
    "Answer",
    "Asked",
    "Entry",
    "ModelServer",
    "Pause",
    "Raw",
    "Reset",
    "Say",
    "SayThenHang",
    "Script",
    "Status",
    "Step",
]

Script = Sequence[Entry] | Callable[[JSON], Answer]
"""What to do with each request in turn, or a function of the request's body."""
Teller = Literal["models", "props", "show"]

_TLS = b"\x16"
"""How an encrypted connection begins."""


@dataclass(slots=True)
class ModelServer:
    """The server; a used-up script repeats its last answer.

    Raises:
        ValueError: the script is empty.
    """

    script: Script = (Say("Done."),)
    context: int | None = None
    """What is told as the size of the context; None: nothing."""
    tells: Teller = "models"
    """Where: `/v1/models`, llama.cpp's `/props` or Ollama's `/api/show`."""
    completed: int = 0
    """Answers that went out in full."""
    hung_up: threading.Event = field(default_factory=threading.Event)
    """Set when a client leaves before its answer is over."""
    _requests: list[Asked] = field(default_factory=list)
    _abandoned: list[Asked] = field(default_factory=list)
    _arrived: threading.Condition = field(default_factory=threading.Condition)
    _server: _Listener | None = None

    def __post_init__(self) -> None:
        if not callable(self.script) and not self.script:
            raise ValueError("a server needs a script with at least one answer")

    def __enter__(self) -> ModelServer:
        """Start to listen on a port that is free."""
        self._server = _Listener(self)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop listening, and end every connection that is still open."""
        if self._server is not None:
            self._server.shutdown()
            self._server.end_connections()
            self._server.server_close()

    @property
    def url(self) -> str:
        """The address for a route; one of kind anthropic takes it without `/v1`."""
        if self._server is None:
            raise RuntimeError("the server is not started: use it in a with statement")
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def requests(self) -> tuple[Asked, ...]:
        """Requests for answers, oldest first."""
        with self._arrived:
            return tuple(self._requests)

    @property
    def abandoned(self) -> tuple[Asked, ...]:
        """Those whose client left before the answer was over, in the order of leaving."""
        with self._arrived:
            return tuple(self._abandoned)

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
        entry = self.script[min(number, len(self.script)) - 1]
        return entry(asked) if callable(entry) else entry

    def complete(self) -> None:
        """Count an answer that went out."""
        with self._arrived:
            self.completed += 1

    def abandon(self, asked: Asked) -> None:
        """Write down that the client of a request left."""
        with self._arrived:
            self._abandoned.append(asked)
        self.hung_up.set()


class _Listener(ThreadingHTTPServer):
    """Listens, and knows its connections."""

    daemon_threads = True

    def __init__(self, owner: ModelServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.owner = owner
        self.closing = threading.Event()
        self.reset: set[socket.socket] = set()
        """Connections to be broken rather than closed."""
        self._open: set[socket.socket] = set()
        self._guard = threading.Lock()

    # typing.override needs Python 3.12.
    def process_request(self, request: Any, client_address: Any) -> None:  # type: ignore[explicit-override]  # noqa: ANN401
        with self._guard:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:  # type: ignore[explicit-override]  # noqa: ANN401
        with self._guard:
            self._open.discard(request)
        if request in self.reset:
            # Saying goodbye first would end the connection in order.
            self.reset.discard(request)
            self.close_request(request)
        else:
            super().shutdown_request(request)

    def end_connections(self) -> None:
        """End what still waits or hangs."""
        self.closing.set()
        with self._guard:
            for connection in self._open:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    server: _Listener
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def handle(self) -> None:  # type: ignore[explicit-override]
        with suppress(ConnectionError):
            if self.connection.recv(1, socket.MSG_PEEK) == _TLS:
                self.wfile.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
                return
            super().handle()

    def do_GET(self) -> None:
        told = self._told()
        self._send_json(404 if told is None else 200, {} if told is None else told)

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not self._path().endswith(("/chat/completions", "/messages")):
            self.do_GET()
            return
        try:
            body = json.loads(sent)
        except ValueError:
            body = None
        if not isinstance(body, dict):
            self._send_json(400, {"error": {"message": "the body is no JSON object", "code": 400}})
            return
        asked = Asked(self.path, dict(self.headers), body, sent)
        self._send(raw(self.server.owner.answer_to(asked), asked), asked)

    def _path(self) -> str:
        return self.path.partition("?")[0]

    def _told(self) -> JSON | None:
        """Return what is told about the model at an address; None where nothing is."""
        size, tells = self.server.owner.context, self.server.owner.tells
        match self._path().rsplit("/", 1)[-1]:
            case "models":
                entry: JSON = {"id": "fake", "object": "model"}
                if size is not None and tells == "models":
                    entry["context_length"] = size
                return {"object": "list", "data": [entry]}
            case "props" if size is not None and tells == "props":
                return {"default_generation_settings": {"n_ctx": size}}
            case "show" if size is not None and tells == "show":
                return {"model_info": {"fake.context_length": size}}
        return None

    def _send(self, answer: Raw, asked: Asked) -> None:
        self.close_connection = True
        try:
            for step in answer.steps:
                self._do(step)
        except (ConnectionError, _Left):
            if not self.server.closing.is_set():
                self.server.owner.abandon(asked)
            return
        if answer.complete:
            self.server.owner.complete()

    def _do(self, step: bytes | Step | Pause) -> None:
        match step:
            case bytes():
                self.wfile.write(step)
            case Pause():
                if self.server.closing.wait(step.seconds):
                    raise _Left
            case Step.HANG:
                while self.connection.recv(4096):
                    pass
                raise _Left
            case Step.RESET:
                at_once = struct.pack("hh" if os.name == "nt" else "ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
                self.server.reset.add(self.connection)
            case _:
                assert_never(step)

    def _send_json(self, code: int, body: JSON) -> None:
        self.close_connection = True
        self.wfile.write(page(json.dumps(body).encode(), code=code))

    def log_message(self, format: str, *args: object) -> None:  # type: ignore[explicit-override]  # noqa: A002
        """Say nothing on the terminal."""


class _Left(Exception):
    """The client hung up, or the server is left, while nothing was sent."""
