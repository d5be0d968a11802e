"""Models behind routes: what the engine asks, over real servers.

Above: bootstrap. Below: streaming and retrying, which are loaded with the first call, because what
they stand on takes a second to load. Invariant: opening a model reads no key and sends nothing.

Source: issue 3, section 1.
"""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from foreword.domain.calls import ModelEvent, ModelRequest, Usage
from foreword.domain.routes import ANTHROPIC_URL, OPENAI_URL, Route, RouteKind
from foreword.errors import (
    CallFailed,
    ExtraMissing,
    KeyUnavailable,
    ModelUnknown,
)
from foreword.llm.dialects import Dialect, first_dialect
from foreword.llm.limiting import limiter
from foreword.llm.local_server import is_installed, local_server
from foreword.llm.prices import price_of
from foreword.llm.wording import excerpt
from foreword.ports.chat_model import ChatModel
from foreword.ports.token_counter import TokenCounter

if TYPE_CHECKING:
    from foreword.llm.context_size import Server

ReadKey = Callable[[Route], str]
Sleep = Callable[[float], Awaitable[None]]

MOST_NAMES = 5
"""How many of a server's models an error names."""


def _now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251


@dataclass(frozen=True, slots=True)
class RoutedModels:
    """Opens the models that routes name."""

    read_key: ReadKey
    counter: TokenCounter
    sleep: Sleep = asyncio.sleep
    now: Callable[[], datetime] = _now
    dialects: dict[tuple[str, str], Dialect] = field(default_factory=dict)
    """What each server was found to take."""

    def open(self, route: Route) -> ChatModel:
        """See ChatModels.open."""
        match route.kind:
            case RouteKind.ANTHROPIC:
                if importlib.util.find_spec("anthropic") is None:
                    raise ExtraMissing(route=route.name, extra="anthropic")
            case RouteKind.LOCAL:
                if not is_installed():
                    raise ExtraMissing(route=route.name, extra="local")
            case RouteKind.OPENAI:
                pass
            case RouteKind.BUILTIN:
                raise ValueError("the built-in summariser is no chat model")
            case _:
                assert_never(route.kind)
        return RoutedModel(route=route, models=self)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Address:
    url: str
    model: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutedModel:
    """The model of one route."""

    route: Route
    models: RoutedModels

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """See ChatModel.stream."""
        address = await self._address()
        try:
            async with aclosing(self._persistent(address, request)) as events:
                async for event in events:
                    yield event
        except ModelUnknown as error:
            raise await self._with_names(error, address) from None

    async def prepare(self) -> None:
        """See ChatModel.prepare; a local model is started."""
        from foreword.llm.streaming import load  # noqa: PLC0415

        load(self.route.kind)
        await self._address()

    async def context(self) -> int | None:
        """See ChatModel.context."""
        from foreword.llm.context_size import context_size  # noqa: PLC0415

        try:
            address = await self._address()
        except (CallFailed, KeyUnavailable):
            return None
        return await context_size(self._server(address))

    def price(self, usage: Usage) -> int | None:
        """See ChatModel.price."""
        return price_of(self.route, usage)

    def _persistent(
        self, address: _Address, request: ModelRequest
    ) -> AsyncGenerator[ModelEvent, None]:
        from foreword.llm.retrying import Persistent  # noqa: PLC0415
        from foreword.llm.streaming import Connection, attempt, load  # noqa: PLC0415

        load(self.route.kind)
        known = (address.url, address.model)
        dialect = self.models.dialects.get(known) or first_dialect(address.url)
        connection = Connection(
            route=self.route,
            url=address.url,
            model=address.model,
            key=address.key,
            counter=self.models.counter,
            now=self.models.now,
            dialect=dialect,
        )
        return Persistent(
            route=self.route,
            attempt=lambda asked, spoken: attempt(replace(connection, dialect=spoken), asked),
            limiter=limiter(self.route.provider, self.route.model),
            sleep=self.models.sleep,
            dialect=dialect,
            learnt=lambda found: self.models.dialects.update({known: found}),
        ).stream(request)

    async def _address(self) -> _Address:
        """Return where the model is; a local one is started.

        Raises:
            KeyUnavailable: the key cannot be read.
            ModelUnknown, ModelUnreachable: a local model cannot be served.
        """
        route = self.route
        if route.kind is RouteKind.LOCAL:
            server = await asyncio.to_thread(
                local_server,
                route.name,
                Path(route.model),
                context=route.context,
                slots=route.concurrency,
            )
            return _Address(url=server.url, model=Path(route.model).name, key=server.key)
        usual = ANTHROPIC_URL if route.kind is RouteKind.ANTHROPIC else OPENAI_URL
        url = (route.url or usual).rstrip("/")
        return _Address(url=url, model=route.model, key=self.models.read_key(route))

    def _server(self, address: _Address) -> Server:
        from foreword.llm.context_size import Server  # noqa: PLC0415

        if self.route.kind is RouteKind.ANTHROPIC:
            headers = {"anthropic-version": "2023-06-01"}
            if address.key:
                headers["x-api-key"] = address.key
            url = address.url.removesuffix("/v1") + "/v1"
        else:
            headers = {"Authorization": f"Bearer {address.key}"} if address.key else {}
            url = address.url
        return Server(url=url, model=address.model, headers=headers)

    async def _with_names(self, error: ModelUnknown, address: _Address) -> ModelUnknown:
        """Return the error with some of the models that the server has instead."""
        from foreword.llm.context_size import known_models  # noqa: PLC0415

        names = await known_models(self._server(address))
        if not names or address.model in names:
            return error
        shown = excerpt(", ".join(names[:MOST_NAMES]), (address.key,) if address.key else ())
        more = ", …" if len(names) > MOST_NAMES else ""
        detail = f"{error.detail}; no model {address.model!r} there, but {shown}{more}"
        return ModelUnknown(route=error.route, detail=detail)
