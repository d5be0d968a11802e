"""The little of ASGI that the proxy speaks: types, reading a body, sending an answer.

Above: `proxy`, `running`. Below: errors.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from foreword.errors import BodyTooLarge
from foreword.server.headers import Raw

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

LARGEST = 64 * 1024**2
"""Bytes of a request that are passed on."""
ENOUGH = 4
"""So many times that much is read to let a client finish, who then reads why it was refused."""


class ClientLeft(Exception):
    """The client hung up before its request was over."""


async def read_body(receive: Receive, *, limit: int) -> bytes:
    """Return the body of a request.

    Raises:
        BodyTooLarge: it is.
        ClientLeft: it never ended.
    """
    parts: list[bytes] = []
    size, more = 0, True
    while more and size <= ENOUGH * limit:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientLeft
        piece: bytes = message.get("body", b"")
        size += len(piece)
        if size <= limit:
            parts.append(piece)
        more = bool(message.get("more_body", False))
    if size > limit:
        raise BodyTooLarge(limit=limit)
    return b"".join(parts)


async def left(receive: Receive) -> None:
    """Return when the client hangs up."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def begin(send: Send, status: int, headers: Raw) -> None:
    """Send the head of an answer."""
    await send({"type": "http.response.start", "status": status, "headers": list(headers)})


async def pass_on(send: Send, piece: bytes) -> None:
    """Send a piece of an answer's body."""
    await send({"type": "http.response.body", "body": piece, "more_body": True})


async def finish(send: Send, piece: bytes = b"") -> None:
    """Send the last piece of an answer's body."""
    await send({"type": "http.response.body", "body": piece, "more_body": False})
