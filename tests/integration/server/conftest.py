"""One proxy for the tests of a module, on a port of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import pytest
from tests.integration.server.proxies import Running

from foreword.bootstrap import open_upstream
from foreword.engine.upstreams import list_upstreams, remove_upstream
from foreword.server.running import Parts, listen, serve
from foreword.settings.keys import read_upstream_key
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore


@pytest.fixture(scope="module")
def served() -> Iterator[Running]:
    engine, told, environ = engine_on(MemoryStore()), list[str](), dict[str, str]()
    listener = listen("127.0.0.1", 0)
    running = Running(engine, listener.getsockname()[1], told, environ)
    started: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[None]]] = []
    ready = threading.Event()

    async def run() -> None:
        parts = Parts(
            engine=engine,
            upstream=open_upstream(),
            read_key=partial(read_upstream_key, environ=environ),
            tell=told.append,
        )
        task = asyncio.ensure_future(serve(parts, listener))
        started.append((asyncio.get_running_loop(), task))
        ready.set()
        with suppress(asyncio.CancelledError):
            await task

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    assert ready.wait(20)
    yield running
    loop, task = started[0]
    loop.call_soon_threadsafe(task.cancel)
    thread.join(20)
    assert not thread.is_alive()


@pytest.fixture
def proxy(served: Running) -> Iterator[Running]:
    served.told.clear()
    served.environ.clear()
    yield served
    for client in served.clients:
        client.close()
    served.clients.clear()
    for server in list_upstreams(served.engine):
        remove_upstream(served.engine, server.name)
