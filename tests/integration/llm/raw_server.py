"""A server of raw bytes, for what no proper server sends."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from foreword.domain.calls import ModelEvent, ModelRequest
from foreword.domain.message import Message
from foreword.domain.routes import Route, route_from
from foreword.domain.turn import Role
from foreword.llm.models import RoutedModels
from foreword.ports.chat_model import ChatModel
from foreword.testing.word_counter import WordCounter

KEY = "sk-verysecret-0123456789"

HANG = object()
"""A step that never ends."""
RESET = object()
"""Ends the connection without a goodbye."""


_HELLO = b"\x16"
"""How an encrypted connection begins."""


@dataclass
class Asked:
    """A request that came."""

    line: str
    headers: str
    body: Any


@dataclass
class RawServer:
    """What came, and what is sent: one reply for each request, the last one again and again."""

    replies: Sequence[Sequence[object]]
    asked: list[Asked] = field(default_factory=list)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client hangs up while a reply hangs."""
    url: str = ""
    open: dict[asyncio.StreamWriter, asyncio.Task[None]] = field(default_factory=dict)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.open[writer] = task
        try:
            await self._serve(reader, writer)
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()
            del self.open[writer]

    async def end(self) -> None:
        for writer in self.open:
            writer.transport.abort()
        await asyncio.gather(*self.open.values(), return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            first = await reader.readexactly(1)
            if first == _HELLO:
                writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                return
            head = (first + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            line, _, headers = head.partition("\r\n")
            length = 0
            for header in headers.splitlines():
                name, _, value = header.partition(":")
                if name.lower() == "content-length":
                    length = int(value)
            body = await reader.readexactly(length)
            number = sum(one.line.startswith("POST") for one in self.asked)
            self.asked.append(Asked(line, headers, json.loads(body) if body else None))
            for step in self.replies[min(number, len(self.replies) - 1)]:
                if step is HANG:
                    await reader.read()
                    self.left.set()
                elif step is RESET:
                    writer.transport.abort()
                    return
                elif isinstance(step, bytes):
                    writer.write(step)
                    await writer.drain()


@contextlib.asynccontextmanager
async def raw_server(*replies: Sequence[object]) -> AsyncIterator[RawServer]:
    served = RawServer(replies)
    server = await asyncio.start_server(served.serve, "127.0.0.1", 0)
    served.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield served
    finally:
        server.close()
        await served.end()


def reply(body: bytes | str, *, status: str = "200 OK", kind: str, more: str = "") -> bytes:
    sent = body.encode() if isinstance(body, str) else body
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nConnection: close\r\n{more}\r\n"
    return head.encode() + sent


def events(*chunks: object, end: str = "\n\n", lead: str = "data: ") -> bytes:
    lines = (chunk if isinstance(chunk, str) else json.dumps(chunk) for chunk in chunks)
    return reply("".join(lead + line + end for line in lines), kind="text/event-stream")


def chunk(text: str | None = None, finish: str | None = None, **delta: object) -> dict[str, Any]:
    said = dict(delta) if text is None else {"content": text, **delta}
    return {
        "id": "1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "raw",
        "choices": [{"index": 0, "delta": said, "finish_reason": finish}],
    }


STOP = chunk(finish="stop")
ANSWER = (events(chunk("The lamp "), chunk("is lit."), STOP, "[DONE]"),)


@dataclass
class Slept:
    """Virtual time: what was waited."""

    waits: list[float] = field(default_factory=list)

    async def __call__(self, seconds: float) -> None:
        self.waits.append(seconds)


def route(url: str, **values: str) -> Route:
    given = {"url": url, "model": "raw", "timeout": "5", "retries": "0", **values}
    return route_from("chat", given)


def opened(url: str, /, *sleeps: Callable[[float], Awaitable[None]], **values: str) -> ChatModel:
    sleep = sleeps[0] if sleeps else Slept()
    models = RoutedModels(lambda _route: KEY, WordCounter(), sleep)
    return models.open(route(url, **values))


def asking(*roles: tuple[Role, str], most: int | None = None) -> ModelRequest:
    said = roles or ((Role.USER, "Go on."),)
    messages = tuple(Message(role=role, content=text) for role, text in said)
    return ModelRequest(messages=messages, max_tokens=most)


async def all_of(model: ChatModel, request: ModelRequest | None = None) -> list[ModelEvent]:
    return [event async for event in model.stream(request or asking())]
