"""How large a model's context is, asked in the ways that servers tell it.

Above: models. Below: `httpx2`. Invariant: never raises and never waits long; None when no server's
way of telling gives a plausible number.

Source: issue 3, section 1.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit

import httpx2

from foreword.llm.guarding import tls_context

SECONDS: Final = 5.0
"""For all questions together."""
MOST_BYTES: Final = 8_000_000
_LEAST: Final = 128
_MOST: Final = 100_000_000

_FIELDS: Final = (
    "loaded_context_length",
    "context_length",
    "max_model_len",
    "context_window",
    "max_context_length",
    "max_input_tokens",
    "n_ctx",
    "n_ctx_train",
)
_NUM_CTX: Final = re.compile(r"(?m)^\s*num_ctx\s+(\d+)\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Who is asked."""

    url: str
    model: str
    headers: Mapping[str, str]

    @property
    def root(self) -> str:
        """The address without the `/v1` that OpenAI's protocol has."""
        parts = urlsplit(self.url)
        path = re.sub(r"/(?:api/)?v1/?\Z", "", parts.path).rstrip("/")
        return urlunsplit((parts.scheme, parts.netloc, path, "", ""))


async def context_size(server: Server) -> int | None:
    """Return the size of the context in tokens; None when nothing tells it."""
    asked = await _asked(server, _context)
    return asked if isinstance(asked, int) else None


async def known_models(server: Server) -> tuple[str, ...]:
    """Return the names of a server's models, in its order; none when it tells none."""
    asked = await _asked(server, _names)
    return asked if isinstance(asked, tuple) else ()


async def _asked(
    server: Server, question: Callable[[httpx2.AsyncClient, Server], Awaitable[object]]
) -> object:
    try:
        async with (
            asyncio.timeout(SECONDS),
            httpx2.AsyncClient(
                verify=tls_context() if server.url.lower().startswith("https:") else False,
                headers=server.headers,
                timeout=httpx2.Timeout(SECONDS),
                follow_redirects=False,
            ) as client,
        ):
            return await question(client, server)
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError, RecursionError):
        return None


async def _names(client: httpx2.AsyncClient, server: Server) -> tuple[str, ...]:
    found = await _json(client, "GET", f"{server.url}/models")
    return tuple(str(entry["id"]) for entry in _entries(found) if isinstance(entry.get("id"), str))


async def _context(client: httpx2.AsyncClient, server: Server) -> int | None:
    for way in _WAYS:
        size = await way(client, server)
        if size is not None:
            return size
    return None


async def _of_llamacpp(client: httpx2.AsyncClient, server: Server) -> int | None:
    found = await _json(client, "GET", f"{server.root}/props")
    settings = _field(found, "default_generation_settings")
    return _size(_field(settings, "n_ctx")) or _size(_field(found, "n_ctx"))


async def _of_lm_studio(client: httpx2.AsyncClient, server: Server) -> int | None:
    found = await _json(client, "GET", f"{server.root}/api/v0/models")
    entry = _entry(found, server.model)
    return None if entry is None else _of_fields(entry)


async def _of_ollama(client: httpx2.AsyncClient, server: Server) -> int | None:
    found = await _json(client, "POST", f"{server.root}/api/show", {"model": server.model})
    parameters = _field(found, "parameters")
    told = _NUM_CTX.search(parameters) if isinstance(parameters, str) else None
    if told:
        return _size(int(told[1][:10]))
    info = _field(found, "model_info")
    for name, value in info.items() if isinstance(info, dict) else ():
        if str(name).endswith(".context_length"):
            return _size(value)
    return None


async def _of_koboldcpp(client: httpx2.AsyncClient, server: Server) -> int | None:
    address = f"{server.root}/api/v1/config/max_context_length"
    return _size(_field(await _json(client, "GET", address), "value"))


async def _of_models(client: httpx2.AsyncClient, server: Server) -> int | None:
    found = await _json(client, "GET", f"{server.url}/models")
    entry = _entry(found, server.model)
    return None if entry is None else _of_fields(entry)


async def _of_model(client: httpx2.AsyncClient, server: Server) -> int | None:
    """Ask for the one model, as Anthropic answers."""
    name = quote(server.model, safe="")
    found = await _json(client, "GET", f"{server.url}/models/{name}")
    return _of_fields(found) if isinstance(found, dict) else None


_WAYS: Final = (
    _of_llamacpp,
    _of_lm_studio,
    _of_ollama,
    _of_koboldcpp,
    _of_models,
    _of_model,
)
"""Those that tell what is loaded first: what a model was trained for may be more."""


async def _json(
    client: httpx2.AsyncClient, method: str, address: str, body: object = None
) -> object:
    """Return the JSON at an address; None when there is something else."""
    try:
        async with client.stream(method, address, json=body) as response:
            if response.status_code != 200:
                return None
            held = bytearray()
            async for piece in response.aiter_bytes():
                held += piece
                if len(held) > MOST_BYTES:
                    return None
    except httpx2.ConnectError:
        raise
    except httpx2.HTTPError:
        return None
    return _parsed(bytes(held))


def _parsed(held: bytes) -> object:
    try:
        parsed: object = json.loads(held)
    except (ValueError, RecursionError):
        return None
    return parsed


def _entries(found: object) -> Iterator[dict[str, object]]:
    listed = _field(found, "data") or _field(found, "models") or found
    for entry in listed if isinstance(listed, list) else ():
        if isinstance(entry, dict):
            yield entry


def _entry(found: object, model: str) -> dict[str, object] | None:
    """Return the entry of a model, else the only one there is."""
    entries = tuple(_entries(found))
    for entry in entries:
        if model in {entry.get("id"), entry.get("name"), entry.get("model")}:
            return entry
    return entries[0] if len(entries) == 1 else None


def _of_fields(entry: Mapping[str, object]) -> int | None:
    for place in (entry, entry.get("meta"), entry.get("top_provider"), entry.get("parameters")):
        for name in _FIELDS:
            size = _size(_field(place, name))
            if size is not None:
                return size
    return None


def _field(found: object, name: str) -> object:
    return found.get(name) if isinstance(found, dict) else None


def _size(value: object) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value[:10])
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if _LEAST <= value <= _MOST else None
