"""What passes a client's request on to the server behind the proxy, byte for byte.

Above: the server. Implemented by `llm.forwarding`. Invariant: neither side's bytes are changed;
only headers that belong to one connection are left to it.

Source: issue 6, section 1.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class UpstreamRequest:
    """What is sent."""

    upstream: str
    """Its name, for errors."""
    method: str
    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes


class UpstreamAnswer(Protocol):
    """What comes back: the head at once, the body as it comes."""

    @property
    def status(self) -> int:
        """The status code."""
        ...

    @property
    def headers(self) -> tuple[tuple[bytes, bytes], ...]:
        """All headers as they came, in order."""
        ...

    def pieces(self) -> AsyncIterator[bytes]:
        """Yield the body in the pieces in which it arrives, still compressed if it was.

        Raises:
            UpstreamCut: the connection broke before the body was over.
        """
        ...


class Upstream(Protocol):
    """Sends requests to whatever server they name."""

    def send(self, request: UpstreamRequest) -> AbstractAsyncContextManager[UpstreamAnswer]:
        """Send a request; leaving the block before the end of the body ends the connection.

        Raises:
            UpstreamUnreachable: no answer came.
        """
        ...

    async def close(self) -> None:
        """End the connections that are kept."""
        ...
