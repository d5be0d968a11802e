"""What a model's server of ours can be told to do with a request.

Above: the server, its wording and its ready-made faults. Below: the standard library alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

JSON = dict[str, Any]

TOKENS_IN = 100
"""Tokens that every answer says were read."""


@dataclass(frozen=True, slots=True)
class Say:
    """A complete answer."""

    text: str
    reasoning: str = ""
    finish: str = "stop"
    """As OpenAI names it; Anthropic's own word is sent where that is spoken."""
    usage: bool = True
    chunk: int = 16
    """Characters of a piece of the stream."""
    cached: int = 0
    """Tokens, of those read, that came from the cache."""


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
    body: str | None = None
    """Sent as it is; None: the message as an error of the protocol that is spoken."""


@dataclass(frozen=True, slots=True)
class Reset:
    """Breaks the connection (RST) without a word."""


class Step(Enum):
    """What a connection can do besides sending bytes."""

    HANG = "hang"
    """Nothing more is sent until the client hangs up."""
    RESET = "reset"
    """The connection is broken (RST), not closed."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Nothing is sent for a while."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Raw:
    """Exactly these bytes, in these steps; the connection is closed behind them."""

    steps: tuple[bytes | Step | Pause, ...] = ()
    complete: bool = False
    """It counts as an answer once all of it was sent."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that came."""

    path: str
    headers: dict[str, str]
    body: JSON
    sent: bytes = b""
    """The body as it came."""

    @property
    def anthropic(self) -> bool:
        """Whether it speaks Anthropic's protocol; otherwise OpenAI's."""
        return self.path.partition("?")[0].endswith("/messages")

    @property
    def streamed(self) -> bool:
        """Whether it asks for a stream."""
        return bool(self.body.get("stream"))

    def header(self, name: str) -> str:
        """Return a header whatever its case; empty when it did not come."""
        found = (value for key, value in self.headers.items() if key.lower() == name.lower())
        return next(found, "")


Answer = Say | SayThenHang | Status | Reset | Raw
Entry = Answer | Callable[[Asked], Answer]
"""An answer, or what makes one of the request."""
