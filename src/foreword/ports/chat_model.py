"""A model that writes, and where models come from.

Implemented in `llm` over real servers and in `testing` by fakes. An implementation raises nothing
but the errors named here; the task that reads a stream may be cancelled at any time, which ends the
request at the server at once.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Protocol

from foreword.domain.calls import ModelEvent, ModelRequest, Usage
from foreword.domain.routes import Route


class ChatModel(Protocol):
    """One model behind one route."""

    def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Yield the answer piece by piece and, last, the whole of it.

        Retries are made inside; before each, a `Restart` is yielded.

        Raises:
            CallFailed: any of its kinds, within the route's timeout for each attempt.
            KeyUnavailable: the key cannot be read.
        """
        ...

    async def prepare(self) -> None:
        """Load what the first call would load, so that a call can be timed without it."""
        ...

    async def context(self) -> int | None:
        """Ask the server for the size of the model's context in tokens; None if it tells none."""
        ...

    def price(self, usage: Usage) -> int | None:
        """Return what these tokens cost, in micro-dollars; None where no price is known."""
        ...


class ChatModels(Protocol):
    """Opens models."""

    def open(self, route: Route) -> ChatModel:
        """Return the model of a route of any kind but `builtin`.

        Raises:
            ExtraMissing: what speaks to it is not installed.
        """
        ...
