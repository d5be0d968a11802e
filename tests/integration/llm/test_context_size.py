"""Servers tell the size of a context in many ways, and some in none."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tests.integration.llm.raw_server import KEY, Slept

from foreword.domain.routes import route_from
from foreword.llm.models import RoutedModels
from foreword.testing.word_counter import WordCounter

Pages = Mapping[str, object]


@contextmanager
def serving(pages: Pages) -> Iterator[tuple[str, list[str]]]:
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            seen.append(f"{self.path} {self.headers.get('authorization')}")
            self.rfile.read(int(self.headers.get("content-length", 0)))
            page = pages.get(self.path)
            self.send_response(404 if page is None else 200)
            self.end_headers()
            body = page if isinstance(page, bytes) else json.dumps(page).encode()
            self.wfile.write(body)

        do_GET = do_POST = answer  # noqa: N815

        def log_message(self, *_: object) -> None: ...  # type: ignore[explicit-override]

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def told(url: str, **values: str) -> int | None:
    route = route_from("chat", {"url": url, "model": "m", **values})
    model = RoutedModels(lambda _route: KEY, WordCounter(), Slept()).open(route)
    return asyncio.run(model.context())


@pytest.mark.parametrize(
    ("pages", "size"),
    [
        ({"/props": {"default_generation_settings": {"n_ctx": 4096}},
          "/v1/models": {"data": [{"id": "m", "meta": {"n_ctx_train": 131072}}]}}, 4096),
        ({"/v1/models": {"data": [{"id": "a", "context_length": 1000},
                                  {"id": "m", "context_length": 200000}]}}, 200000),
        ({"/v1/models": {"data": [{"id": "m", "max_model_len": 32768}]}}, 32768),
        ({"/v1/models": {"data": [{"id": "m", "context_window": 8192}]}}, 8192),
        ({"/v1/models": {"data": [{"id": "file.gguf", "meta": {"n_ctx_train": 2048}}]}}, 2048),
        ({"/api/v0/models": {"data": [{"id": "m", "loaded_context_length": 4096,
                                       "max_context_length": 32768}]}}, 4096),
        ({"/api/show": {"parameters": "stop  \"x\"\nnum_ctx   16384\n",
                        "model_info": {"qwen.context_length": 40960}}}, 16384),
        ({"/api/show": {"model_info": {"qwen.context_length": 40960}}}, 40960),
        ({"/api/v1/config/max_context_length": {"value": 6144}}, 6144),
        ({"/v1/models/m": {"id": "m", "max_input_tokens": 200000}}, 200000),
        ({}, None),
        ({"/v1/models": {"data": [{"id": "a", "context_length": 9000},
                                  {"id": "b", "context_length": 8000}]}}, None),
        ({"/v1/models": {"data": [{"id": "m", "context_length": True}]}}, None),
        ({"/v1/models": {"data": [{"id": "m", "context_length": -5}]}}, None),
        ({"/v1/models": {"data": [{"id": "m", "context_length": "10" * 40}]}}, None),
        ({"/v1/models": b"<html>", "/props": b"[[[[", "/api/show": b"7"}, None),
        ({"/v1/models": {"data": {"id": 3}}, "/props": [1], "/api/show": "x"}, None),
        ({"/props": b"[" * 100_000}, None),
    ],
)  # fmt: skip
def test_the_size_is_what_the_server_tells(pages: Pages, size: int | None) -> None:
    with serving(pages) as (url, seen):
        assert told(f"{url}/v1") == size
    assert all(one.endswith(f"Bearer {KEY}") for one in seen)


def test_a_door_below_a_path_is_asked_there() -> None:
    with serving({"/proxy/props": {"default_generation_settings": {"n_ctx": 2048}}}) as (url, _):
        assert told(f"{url}/proxy/v1") == 2048


def test_anthropics_door_is_asked_for_the_model() -> None:
    with serving({"/v1/models/m": {"id": "m", "max_input_tokens": 200000}}) as (url, seen):
        assert told(url, kind="anthropic") == 200000
    assert all(one.endswith("None") for one in seen)


def test_nobody_there_tells_no_size() -> None:
    assert told("http://127.0.0.1:9/v1") is None
