"""An upstream of raw bytes that keeps what it was sent, down to the byte."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from types import TracebackType

BOUND = 20.0
"""Seconds that nothing here takes unless it is broken."""


class Do(Enum):
    RESET = "reset"
    HANG = "hang"


Step = bytes | threading.Event | Do


@dataclass(frozen=True)
class Came:
    line: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def all_of(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key.lower() == name]


@dataclass
class PlainUpstream:
    """Answers every request with the same steps and closes the connection."""

    steps: Sequence[Step]
    came: list[Came] = field(default_factory=list)
    left: threading.Event = field(default_factory=threading.Event)
    """Set when a client hangs up while an answer hangs."""
    listener: socket.socket = field(init=False)

    def __enter__(self) -> PlainUpstream:
        self.listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}/v1"

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, suppress(ConnectionError):
            connection.settimeout(BOUND)
            self.came.append(_read(connection))
            for step in self.steps:
                match step:
                    case bytes():
                        connection.sendall(step)
                    case threading.Event():
                        step.wait(BOUND)
                    case Do.RESET:
                        now = struct.pack("ii", 1, 0)
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, now)
                    case Do.HANG:
                        with suppress(ConnectionError):
                            while connection.recv(4096):
                                pass
                        self.left.set()


def _read(connection: socket.socket) -> Came:
    sent = b""
    while b"\r\n\r\n" not in sent:
        sent += _some(connection)
    head, _, body = sent.partition(b"\r\n\r\n")
    line, *rest = head.decode("latin-1").split("\r\n")
    headers = tuple(
        (name, value.strip()) for name, _, value in (one.partition(":") for one in rest)
    )
    size = next((int(value) for name, value in headers if name.lower() == "content-length"), 0)
    while len(body) < size:
        body += _some(connection)
    return Came(line, headers, body)


def _some(connection: socket.socket) -> bytes:
    piece = connection.recv(1 << 20)
    if not piece:
        raise ConnectionResetError
    return piece


def whole(body: bytes, *, status: str = "200 OK", headers: Sequence[str] = ()) -> bytes:
    """Return a whole response of JSON unless its headers say otherwise."""
    lines = [*headers, f"Content-Length: {len(body)}", "Connection: close"]
    if not any(line.lower().startswith("content-type") for line in lines):
        lines.insert(0, "Content-Type: application/json")
    return "\r\n".join((f"HTTP/1.1 {status}", *lines, "", "")).encode("latin-1") + body


def chunked(kind: str = "text/event-stream", headers: Sequence[str] = ()) -> bytes:
    """Return the head of a response in chunks."""
    lines = (*headers, f"Content-Type: {kind}", "Transfer-Encoding: chunked", "Connection: close")
    return "\r\n".join(("HTTP/1.1 200 OK", *lines, "", "")).encode()


def chunk(piece: bytes) -> bytes:
    return f"{len(piece):x}\r\n".encode() + piece + b"\r\n"
