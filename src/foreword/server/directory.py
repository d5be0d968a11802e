"""Knows which upstream a request is for, from what the store says at that moment.

Above: `proxy`. Below: engine. Invariant: a store that cannot be read does not stop a chat: what it
said last holds until it can.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from foreword.domain.upstreams import Chosen, UpstreamServer, choose_upstream
from foreword.engine.context import Engine
from foreword.engine.upstreams import list_upstreams
from foreword.errors import StoreError
from foreword.server.bodies import model_of, with_model


@dataclass(slots=True)
class Directory:
    """The upstreams of an account, and the keys that variables hold for them."""

    engine: Engine
    read_key: Callable[[UpstreamServer], str]
    tell: Callable[[str], None]
    last: tuple[UpstreamServer, ...] = field(default=(), repr=False)

    async def servers(self) -> tuple[UpstreamServer, ...]:
        """Return every upstream there is now."""
        try:
            self.last = await asyncio.to_thread(list_upstreams, self.engine)
        except StoreError as error:
            if not self.last:
                raise
            self.tell(f"The upstreams are as they were last: {error}")
        return self.last

    async def choose(self, named: str | None, body: bytes) -> tuple[Chosen, bytes]:
        """Return the upstream of a request, and the body that it gets.

        Raises:
            UpstreamNotFound, UpstreamUnclear, StoreError: see each.
        """
        servers = await self.servers()
        found = None
        if named is None and _names_one(servers, body):
            found = model_of(body)
        chosen = choose_upstream(servers, named=named, model=found.text if found else None)
        if found is None or chosen.model is None or chosen.model == found.text:
            return chosen, body
        return chosen, with_model(body, found, chosen.model)


def _names_one(servers: tuple[UpstreamServer, ...], body: bytes) -> bool:
    """Say whether a model's name may begin with an upstream's: hardly any body is looked into."""
    return any(f'"{server.name}{slash}'.encode() in body for server in servers for slash in "/\\")
