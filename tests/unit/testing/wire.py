"""A client without a library: what came over the wire, byte for byte."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from foreword.testing.model_server import ModelServer

SECONDS = 20.0
"""Longest wait for anything; nothing is expected to take it."""

OPENAI = "/v1/chat/completions"
ANTHROPIC = "/v1/messages"


@dataclass(frozen=True)
class Got:
    """A response as it came."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    reset: bool = False
    """The connection was broken, not closed."""

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def events(self) -> list[Any]:
        """What stands behind `data:`, without the end mark."""
        lines = self.body.decode().splitlines()
        told = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
        return [json.loads(one) for one in told if one != "[DONE]"]

    @property
    def text(self) -> str:
        """The text of an answer, in whichever protocol and however it came."""
        if self.headers["content-type"] == "application/json":
            if "choices" in self.json:
                return str(self.json["choices"][0]["message"]["content"])
            return "".join(block.get("text", "") for block in self.json["content"])
        choices = [choice for event in self.events for choice in event.get("choices", ())]
        deltas = [told["delta"] for told in (*choices, *self.events) if "delta" in told]
        return "".join(delta.get("content", "") + delta.get("text", "") for delta in deltas)


def connect(server: ModelServer) -> socket.socket:
    parts = urlsplit(server.url)
    assert parts.hostname == "127.0.0.1"
    assert parts.port is not None
    return socket.create_connection((parts.hostname, parts.port), SECONDS)


def request(path: str, body: bytes | None, headers: Mapping[str, str] | None = None) -> bytes:
    lines = [f"{'GET' if body is None else 'POST'} {path} HTTP/1.1", "Host: model"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    lines += [] if body is None else [f"Content-Length: {len(body)}"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + (body or b"")


def asked(
    path: str = OPENAI,
    *,
    stream: bool = True,
    headers: Mapping[str, str] | None = None,
    **more: Any,
) -> bytes:
    """Return the bytes of a request for an answer."""
    body = {"model": "m-1", "stream": stream, "messages": [], **more}
    return request(path, json.dumps(body).encode(), headers)


def received(connection: socket.socket) -> Got:
    """Read until the other side ends the connection, in order or not."""
    held, reset = b"", False
    try:
        while piece := connection.recv(65536):
            held += piece
    except ConnectionResetError:
        reset = True
    return got(held, reset=reset)


def got(held: bytes, *, reset: bool = False) -> Got:
    head, _, body = held.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    pairs = (line.split(": ", 1) for line in lines)
    status = int(first.split()[1]) if first else 0
    return Got(status, {name.lower(): value for name, value in pairs}, body, reset=reset)


def ask(server: ModelServer, sent: bytes | None = None) -> Got:
    """Send a request and read all that comes."""
    with connect(server) as connection:
        connection.sendall(asked() if sent is None else sent)
        return received(connection)


def read_until(connection: socket.socket, words: bytes) -> bytes:
    held = b""
    while words not in held:
        piece = connection.recv(1)
        assert piece, held
        held += piece
    return held
