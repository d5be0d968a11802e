"""A proxy that runs, as tests of it use it."""

from __future__ import annotations

from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse

from foreword.engine.context import Engine
from foreword.engine.upstreams import set_upstream


@dataclass
class Running:
    """A proxy, what it said, and clients of it."""

    engine: Engine
    port: int
    told: list[str]
    environ: dict[str, str]
    clients: list[HTTPConnection] = field(default_factory=list)

    def upstream(self, name: str, url: str, **values: str) -> None:
        set_upstream(self.engine, name, {"url": url, **values})

    def ask(
        self,
        path: str,
        body: bytes | None = b"{}",
        *,
        method: str = "POST",
        headers: dict[str, str] | None = None,
    ) -> HTTPResponse:
        client = HTTPConnection("127.0.0.1", self.port, timeout=20)
        self.clients.append(client)
        client.request(method, path, body, headers or {})
        return client.getresponse()
