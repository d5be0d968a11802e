"""The proxy as an ASGI application: what comes under /v1 goes to an upstream, and back.

Above: `running`. Below: the port `Upstream`, `directory`, and modules that word and sort. Bytes
pass unchanged and at once. Whatever goes wrong is told in the protocol that the client speaks.

Source: issue 6, section 1.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus

from foreword.domain.upstreams import UpstreamServer
from foreword.errors import (
    BodyTooLarge,
    ForewordError,
    InputError,
    NotFound,
    UpstreamCut,
    UpstreamKeyMissing,
    UpstreamRedirects,
)
from foreword.ports.upstream import Upstream, UpstreamAnswer, UpstreamRequest
from foreword.server import asgi
from foreword.server.bodies import asks_stream
from foreword.server.directory import Directory
from foreword.server.headers import SAID, forwarded, from_elsewhere, returned, value_of
from foreword.server.wording import StreamEnd, error_body, error_event

HELD = 8 * 1024**2
"""Bytes of an answer that is no stream which are held back, so that a cut one becomes an error."""

_PATH = re.compile(r"(?:/u/(?P<name>[^/]+))?/v1/(?P<rest>.+)")
_SPEAKS = re.compile(r"messages(?:/|$)")
_TELLS_ITS_END = ("chat/completions", "completions", "messages")
_REDIRECTS = frozenset((301, 302, 303, 307, 308))


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request, sorted out."""

    method: str
    rest: str
    """The path behind `/v1/`, as it came."""
    named: str | None
    query: str
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes = b""

    @property
    def anthropic(self) -> bool:
        """Whether it speaks Anthropic's protocol; otherwise OpenAI's."""
        spoken = _SPEAKS.match(self.rest) is not None
        return spoken or bool(value_of(self.headers, b"anthropic-version"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """The application."""

    directory: Directory
    upstream: Upstream
    tell: Callable[[str], None]
    """Takes a line of the log; none holds a key or a text."""
    largest: int = asgi.LARGEST

    async def __call__(self, scope: asgi.Scope, receive: asgi.Receive, send: asgi.Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        reply = _Reply(send)
        asked = _sorted(scope)
        if asked is None:
            self.tell(f"{scope['method']} {scope['path']}: nothing is served there")
            await reply.refuse("Nothing is served here. The address ends with /v1.", 404)
            return
        reply.anthropic = asked.anthropic
        try:
            body = await asgi.read_body(receive, limit=self.largest)
        except asgi.ClientLeft:
            return
        except BodyTooLarge as error:
            await self._refuse(reply, asked, error)
            return
        answering = asyncio.ensure_future(self._answer(asked, body, reply))
        leaving = asyncio.ensure_future(asgi.left(receive))
        try:
            await asyncio.wait((answering, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            if not answering.done():
                self.tell(f"{asked.method} /v1/{asked.rest}: the client left")
                answering.cancel()
        await asyncio.wait((answering,))
        if not answering.cancelled():
            answering.result()

    async def _answer(self, asked: Asked, body: bytes, reply: _Reply) -> None:
        try:
            chosen, body = await self.directory.choose(asked.named, body)
            request = self._request(asked, chosen.server, body)
            async with self.upstream.send(request) as answer:
                self._tell(asked, chosen.server, answer.status)
                await _return(asked, body, answer=answer, reply=reply, upstream=chosen.server)
        except ForewordError as error:
            await self._refuse(reply, asked, error)

    def _request(self, asked: Asked, server: UpstreamServer, body: bytes) -> UpstreamRequest:
        keyed = server.key_env and not from_elsewhere(asked.headers)
        key = self.directory.read_key(server) if keyed else ""
        return UpstreamRequest(
            upstream=server.name,
            method=asked.method,
            url=server.address(asked.rest, query=asked.query, anthropic=asked.anthropic),
            headers=forwarded(asked.headers, key=key, anthropic=asked.anthropic),
            body=body,
        )

    def _tell(self, asked: Asked, server: UpstreamServer, status: int) -> None:
        flat = " (one flat prompt: no conversation to remember)"
        note = flat if asked.rest == "completions" else ""
        self.tell(f"{asked.method} /v1/{asked.rest}: {server.name} answers {status}{note}")

    async def _refuse(self, reply: _Reply, asked: Asked, error: ForewordError) -> None:
        self.tell(f"{asked.method} /v1/{asked.rest}: {error}")
        await reply.refuse(str(error), _status_of(error))


@dataclass(slots=True)
class _Reply:
    """What has been sent to a client."""

    send: asgi.Send
    anthropic: bool = False
    begun: bool = False
    events: StreamEnd | None = None
    """Of an answer that is a stream of events."""

    async def begin(self, answer: UpstreamAnswer, *, sized: bool) -> None:
        self.begun = True
        await asgi.begin(self.send, answer.status, returned(answer.headers, sized=sized))

    async def refuse(self, message: str, status: int) -> None:
        """Say what went wrong: as an answer, as the last event of a stream, or by breaking it."""
        if not self.begun:
            body = error_body(message, status, anthropic=self.anthropic)
            size = (b"content-length", str(len(body)).encode())
            kind = (b"content-type", b"application/json; charset=utf-8")
            await asgi.begin(self.send, status, [kind, size, *SAID])
            await asgi.finish(self.send, body)
        elif self.events is None:
            return  # the head promised what will not come: uvicorn breaks the connection off
        elif self.events.seen:
            await asgi.finish(self.send)
        else:
            event = error_event(message, anthropic=self.anthropic)
            await asgi.finish(self.send, self.events.closing() + event)


async def _return(
    asked: Asked, body: bytes, *, answer: UpstreamAnswer, reply: _Reply, upstream: UpstreamServer
) -> None:
    """Pass an answer on: a stream at once, another when it is complete or large."""
    if answer.status in _REDIRECTS:
        place = value_of(answer.headers, b"location").decode("latin-1")
        location = re.sub(r"[?#].*", "", place, flags=re.DOTALL)
        raise UpstreamRedirects(upstream=upstream.name, location=location)
    kind = value_of(answer.headers, b"content-type").lower()
    if kind.startswith(b"text/event-stream") or asks_stream(body) or asked.method == "HEAD":
        await _stream(asked, answer, reply, upstream=upstream)
        return
    held: list[bytes] = []
    size = 0
    async for piece in answer.pieces():
        if not reply.begun:
            held.append(piece)
            size += len(piece)
            if size <= HELD:
                continue
            await reply.begin(answer, sized=True)
            piece = b"".join(held)  # noqa: PLW2901 - all that was held back
        await asgi.pass_on(reply.send, piece)
    if reply.begun:
        await asgi.finish(reply.send)
        return
    await reply.begin(answer, sized=True)
    await asgi.finish(reply.send, b"".join(held))


async def _stream(
    asked: Asked, answer: UpstreamAnswer, reply: _Reply, *, upstream: UpstreamServer
) -> None:
    kind = value_of(answer.headers, b"content-type").lower()
    packed = value_of(answer.headers, b"content-encoding").lower() not in (b"", b"identity")
    eventful = kind.startswith(b"text/event-stream") and not packed
    await reply.begin(answer, sized=not eventful)
    reply.events = end = StreamEnd() if eventful else None
    async for piece in answer.pieces():
        if end is not None:
            end.read(piece)
        await asgi.pass_on(reply.send, piece)
    if end is not None and not end.seen and asked.rest in _TELLS_ITS_END and answer.status < 400:
        raise UpstreamCut(upstream=upstream.name, detail="its stream has no end")
    await asgi.finish(reply.send)


def _sorted(scope: asgi.Scope) -> Asked | None:
    """Return what is asked for; None where nothing is served."""
    path = scope.get("raw_path") or scope["path"].encode()
    match = _PATH.fullmatch(path.decode("latin-1"))
    if match is None or ".." in match["rest"].split("/"):
        return None
    return Asked(
        method=scope["method"],
        rest=match["rest"],
        named=match["name"],
        query=scope["query_string"].decode("latin-1"),
        headers=tuple(scope["headers"]),
    )


def _status_of(error: ForewordError) -> int:
    match error:
        case BodyTooLarge():
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        case NotFound():
            return HTTPStatus.NOT_FOUND
        case UpstreamKeyMissing():
            return HTTPStatus.BAD_GATEWAY
        case InputError():
            return HTTPStatus.BAD_REQUEST
        case _:
            return HTTPStatus.BAD_GATEWAY
