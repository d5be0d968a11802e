"""Runs the proxy with uvicorn until a signal ends it.

Above: the command `serve`. Below: `proxy`. Streams that are under way get a few seconds to end.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import uvicorn

from foreword.domain.upstreams import UpstreamServer
from foreword.engine.context import Engine
from foreword.errors import AddressUnavailable
from foreword.ports.upstream import Upstream
from foreword.server.directory import Directory
from foreword.server.proxy import Proxy

GRACE = 3
"""Seconds for answers that are under way when the proxy ends."""
WAITING = 2048
"""Connections that may wait to be accepted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What the proxy works with."""

    engine: Engine
    upstream: Upstream
    read_key: Callable[[UpstreamServer], str]
    tell: Callable[[str], None]

    def application(self) -> Proxy:
        """Return the ASGI application."""
        directory = Directory(self.engine, self.read_key, self.tell)
        return Proxy(directory=directory, upstream=self.upstream, tell=self.tell)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address; port 0 is any that is free.

    Raises:
        AddressUnavailable: it cannot, for example because another process does.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        made = socket.create_server((host, port), family=family, backlog=WAITING)
    except (OSError, UnicodeError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).partition(" (while")[0]
        raise AddressUnavailable(host=host, port=port, reason=reason) from error
    # Where the protocol is not named, asyncio does not switch Nagle's delays off: 40 ms an answer.
    return socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, fileno=made.detach())


def address_of(listener: socket.socket) -> str:
    """Return what clients call a listening socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}/v1" if ":" in host else f"http://{host}:{port}/v1"


async def serve(parts: Parts, listener: socket.socket) -> None:
    """Serve until the task is cancelled or SIGINT or SIGTERM comes; then end in order."""
    config = uvicorn.Config(
        parts.application(),
        access_log=False,
        date_header=False,
        lifespan="off",
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        ws="none",
    )
    logging.getLogger("uvicorn.error").addFilter(_unexpected)
    try:
        server = _Quiet(config)
        serving = asyncio.ensure_future(server.serve(sockets=[listener]))
        try:
            await asyncio.shield(serving)
        except asyncio.CancelledError:
            server.should_exit = True
            await serving
            raise
    finally:
        await parts.upstream.close()


def _unexpected(record: logging.LogRecord) -> bool:
    """Say whether a line is worth a look: broken and stopped answers have been told already."""
    stopped = record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError)
    return not stopped and "without completing response" not in record.getMessage()


class _Quiet(uvicorn.Server):
    """Ends by a signal as by a wish: the signal is not raised again afterwards."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:  # type: ignore[explicit-override]
        with super().capture_signals():
            yield
            self._captured_signals.clear()
