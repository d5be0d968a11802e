"""Passes requests on with aiohttp: kept connections, no redirects, no decoding, no cookies.

Above: bootstrap, the server. Below: `ports.upstream`. A connection is kept for less time than
servers keep theirs, so that a request hardly ever meets one that has just been closed.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from io import BytesIO

from aiohttp import (
    ClientError,
    ClientPayloadError,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
    TCPConnector,
)

from foreword.errors import UpstreamCut, UpstreamUnreachable
from foreword.ports.upstream import UpstreamRequest

KEPT = 4.0
"""Seconds; servers of models keep a connection for five or more."""
CONNECT = 10.0
"""Seconds within which a connection must be made."""
SILENCE = 3600.0
"""Seconds without a byte after which nothing is expected any more: a slow model may think long."""
PIECE = 64 * 1024
LARGE = 1024 * 1024
"""Bytes of a body that would hold up others if they were sent as one."""
OURS = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")
"""What aiohttp would add and the client did not send."""

_BROKEN = (ClientError, OSError, TimeoutError, ValueError)
"""ValueError: what came is no HTTP, or an address is none."""


@dataclass(slots=True)
class AioUpstream:
    """See `ports.upstream.Upstream`; to be used on one event loop."""

    connect: float = CONNECT
    silence: float = SILENCE
    _session: ClientSession | None = field(default=None, repr=False)

    @asynccontextmanager
    async def send(self, request: UpstreamRequest) -> AsyncIterator[AioAnswer]:
        """See `Upstream.send`."""
        try:
            response = await self._opened().request(
                request.method,
                request.url,
                headers=request.headers,
                data=_sent(request.body),
                allow_redirects=False,
            )
        except _BROKEN as error:
            raise UpstreamUnreachable(upstream=request.upstream, detail=_told(error)) from error
        _watch(response)
        try:
            yield AioAnswer(request.upstream, response)
        finally:
            # Read to its end, the connection is kept already; else it is broken off.
            response.close()

    async def close(self) -> None:
        """See `Upstream.close`."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _opened(self) -> ClientSession:
        if self._session is None:
            self._session = ClientSession(
                connector=TCPConnector(limit=0, keepalive_timeout=KEPT),
                cookie_jar=DummyCookieJar(),
                timeout=ClientTimeout(
                    total=None, sock_connect=self.connect, sock_read=self.silence
                ),
                auto_decompress=False,
                skip_auto_headers=OURS,
                read_bufsize=PIECE,
            )
        return self._session


@dataclass(frozen=True, slots=True)
class AioAnswer:
    """See `ports.upstream.UpstreamAnswer`."""

    upstream: str
    response: ClientResponse

    @property
    def status(self) -> int:
        """See `UpstreamAnswer.status`."""
        return self.response.status

    @property
    def headers(self) -> tuple[tuple[bytes, bytes], ...]:
        """See `UpstreamAnswer.headers`."""
        return self.response.raw_headers

    async def pieces(self) -> AsyncIterator[bytes]:
        """See `UpstreamAnswer.pieces`."""
        try:
            async for piece in self.response.content.iter_any():
                yield piece
        except _BROKEN as error:
            raise UpstreamCut(upstream=self.upstream, detail=_told(error)) from error


def _sent(body: bytes) -> bytes | BytesIO | None:
    """Return a body as aiohttp sends it best: a large one in pieces, read in another thread."""
    return BytesIO(body) if len(body) > LARGE else body or None


def _watch(response: ClientResponse) -> None:
    """See to it that a body ends with its connection: aiohttp forgets one behind a broken chunk."""
    protocol = response.connection.protocol if response.connection is not None else None
    if protocol is None or protocol.closed is None:
        return

    def end(_: object) -> None:
        body = response.content
        if not body.is_eof() and body.exception() is None:
            body.set_exception(ClientPayloadError("what came is no HTTP"))

    protocol.closed.add_done_callback(end)


def _told(error: Exception) -> str:
    """Return what was met, in words that hold neither an address with its query nor a key."""
    cause = getattr(error, "os_error", None) or error
    known = getattr(cause, "strerror", None)
    return str(known) if known else type(error).__name__
