"""What a client is told when something goes wrong: in its own protocol, and to its end."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from http.client import IncompleteRead
from typing import Any

import pytest
from tests.integration.server.plain_upstream import (
    Do,
    PlainUpstream,
    Step,
    chunk,
    chunked,
    whole,
)
from tests.integration.server.proxies import Running

from foreword.engine.upstreams import set_upstream
from foreword.errors import AddressUnavailable, BodyTooLarge, StoreUnavailable
from foreword.server import asgi
from foreword.server.asgi import LARGEST
from foreword.server.directory import Directory
from foreword.server.running import address_of, listen
from foreword.testing.engines import engine_on
from foreword.testing.memory_ledger import MemoryLedger
from foreword.testing.memory_store import MemoryStore

CHAT, MESSAGES = "/v1/chat/completions", "/v1/messages"
STREAMED = b'{"model": "m", "stream": true}'
BEGUN = b'data: {"choices": [{"delta": {"content": "Mara"}, "finish_reason": null}]}\n\n'
ENDED = BEGUN + b'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\n\n'
OVER = b'event: message_stop\ndata: {"type": "message_stop"}\n\n'


def told(path: str, body: bytes) -> tuple[str, str]:
    """Return type and message of an error in the protocol of a path."""
    document: dict[str, Any] = json.loads(body)
    if path == MESSAGES:
        assert document["type"] == "error"
        assert set(document["error"]) == {"type", "message"}
    else:
        assert set(document) == {"error"}
    return document["error"]["type"], document["error"]["message"]


@pytest.mark.parametrize("path", [CHAT, MESSAGES])
def test_an_error_of_the_upstream_reaches_the_client_as_it_is(proxy: Running, path: str) -> None:
    body = b'{"error": {"message": "too many tokens"}}'
    answer = whole(body, status="429 Slow Down", headers=["Retry-After: 7"])
    with PlainUpstream([answer]) as up:
        proxy.upstream("one", up.url)
        for asked in (b"{}", STREAMED):
            got = proxy.ask(path, asked)
            assert (got.status, got.headers["retry-after"], got.read()) == (429, "7", body)


@pytest.mark.parametrize("path", [CHAT, MESSAGES])
def test_an_upstream_that_is_not_there_is_named(proxy: Running, path: str) -> None:
    with PlainUpstream([]) as up:
        url = up.url
    proxy.upstream("one", url)
    for asked in (b"{}", STREAMED):
        answer = proxy.ask(path, asked)
        assert (answer.status, answer.headers["x-foreword-state"]) == (502, "off")
        kind, message = told(path, answer.read())
        assert kind == "api_error"
        assert message.startswith("Upstream 'one' gave no answer (")
        assert "`foreword upstreams list`" in message


@pytest.mark.parametrize(
    "steps",
    [
        [],
        [Do.RESET],
        [b"no HTTP at all\r\n\r\n"],
        [b"HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n\r\n"],
    ],
    ids=["closed", "reset", "no HTTP", "bad length"],
)
def test_an_upstream_that_speaks_no_http_is_named(proxy: Running, steps: list[Step]) -> None:
    with PlainUpstream(steps) as up:
        proxy.upstream("one", up.url)
        answer = proxy.ask(CHAT)
        assert answer.status == 502
        assert "Upstream 'one' gave no answer" in told(CHAT, answer.read())[1]


@pytest.mark.parametrize("path", [CHAT, MESSAGES])
@pytest.mark.parametrize(
    ("sent", "ending"),
    [
        ((BEGUN,), (Do.RESET,)),
        ((BEGUN,), ()),
        ((BEGUN,), (chunk(b""),)),
        ((BEGUN, BEGUN[:30]), (chunk(b""),)),
        ((BEGUN.replace(b"\n", b"\r\n"),), (chunk(b""),)),
    ],
    ids=["reset", "closed", "no end", "half an event", "CRLF"],
)
def test_a_cut_stream_ends_with_an_error_event(
    proxy: Running, path: str, sent: tuple[bytes, ...], ending: tuple[Step, ...]
) -> None:
    with PlainUpstream([chunked(), *map(chunk, sent), *ending]) as up:
        proxy.upstream("one", up.url)
        got = proxy.ask(path, STREAMED).read()
    came, rest = b"".join(sent), got[len(b"".join(sent)) :]
    assert got.startswith(came)
    whole_events = came.endswith((b"\n\n", b"\r\n\r\n"))
    assert rest.startswith(b"\n\n") is not whole_events
    name, _, data = rest.strip().rpartition(b"data: ")
    assert name == (b"event: error\n" if path == MESSAGES else b"")
    assert "Upstream 'one' ended its answer in the middle" in told(path, data)[1]


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        (CHAT, ENDED),
        (CHAT, BEGUN + b"data: [DONE]\n\n"),
        (CHAT, BEGUN + b'data: {"error": {"message": "busy"}}\n\n'),
        (MESSAGES, OVER),
        (MESSAGES, b'event: error\ndata: {"type": "error", "error": {}}\n\n'),
        ("/v1/responses", BEGUN),
    ],
)
def test_a_stream_that_is_over_gets_no_error_event(proxy: Running, path: str, sent: bytes) -> None:
    halves = (chunk(sent[:-20]), chunk(sent[-20:]))
    with PlainUpstream([chunked(), *halves, chunk(b"")]) as up:
        proxy.upstream("one", up.url)
        assert proxy.ask(path, STREAMED).read() == sent


def test_a_stream_that_breaks_behind_its_end_is_whole(proxy: Running) -> None:
    assert broken_behind(proxy, ENDED) == b""


def test_a_stream_with_a_broken_chunk_ends_with_an_error_event(proxy: Running) -> None:
    message = told(CHAT, broken_behind(proxy, BEGUN).removeprefix(b"data: "))[1]
    assert "Upstream 'one' ended its answer in the middle" in message


def broken_behind(proxy: Running, sent: bytes) -> bytes:
    """Return what a client gets behind a piece that is followed by no chunk."""
    read = threading.Event()
    with PlainUpstream([chunked(), chunk(sent), read, b"zz\r\n", Do.HANG]) as up:
        proxy.upstream("one", up.url)
        answer = proxy.ask(CHAT, STREAMED)
        assert answer.read1() == sent
        read.set()
        return answer.read()


def test_an_answer_that_is_cut_becomes_an_error(proxy: Running) -> None:
    with PlainUpstream([whole(b'{"id": "0123456789"}')[:-5]]) as up:
        proxy.upstream("one", up.url)
        answer = proxy.ask(CHAT)
        assert answer.status == 502
        assert "ended its answer in the middle" in told(CHAT, answer.read())[1]


@pytest.mark.parametrize("encoding", [["Content-Encoding: gzip"], []])
def test_what_no_event_can_end_is_broken_off(proxy: Running, encoding: list[str]) -> None:
    kind = "text/event-stream" if encoding else "text/plain"
    with PlainUpstream([chunked(kind, encoding), chunk(b"\x1f\x8b\x08"), Do.RESET]) as up:
        proxy.upstream("one", up.url)
        answer = proxy.ask(CHAT, STREAMED)
        with pytest.raises(IncompleteRead):
            answer.read()


def test_a_redirect_is_not_followed_but_explained(proxy: Running) -> None:
    place = "https://far.example/v1/chat?key=sk-7"
    with PlainUpstream([whole(b"", status="307 Moved", headers=[f"Location: {place}"])]) as up:
        proxy.upstream("one", up.url)
        answer = proxy.ask(CHAT)
        assert answer.status == 502
        message = told(CHAT, answer.read())[1]
        assert "https://far.example/v1/chat instead" in message
        assert len(up.came) == 1
    assert not [line for line in proxy.told if "sk-7" in line]


@pytest.mark.parametrize("path", [CHAT, MESSAGES])
def test_a_request_that_is_too_large_is_refused(proxy: Running, path: str) -> None:
    with PlainUpstream([whole(b"{}")]) as up:
        proxy.upstream("one", up.url)
        answer = proxy.ask(path, bytes(LARGEST + 1))
        assert answer.status == 413
        kind, message = told(path, answer.read())
        assert (kind, "larger than 64 MB" in message) == ("request_too_large", True)
        assert up.came == []


@pytest.mark.parametrize(
    ("sizes", "limit", "read"), [((3, 4), 7, True), ((3, 4), 6, False), ((1,) * 40, 3, False)]
)
def test_a_body_is_read_up_to_its_limit(sizes: tuple[int, ...], limit: int, read: bool) -> None:
    messages = [{"type": "http.request", "body": bytes(size), "more_body": True} for size in sizes]
    messages[-1]["more_body"] = False
    left = iter(messages)

    async def receive() -> asgi.Message:
        return next(left)

    if read:
        assert asyncio.run(asgi.read_body(receive, limit=limit)) == bytes(sum(sizes))
        return
    with pytest.raises(BodyTooLarge):
        asyncio.run(asgi.read_body(receive, limit=limit))


def test_a_request_without_an_upstream_is_told_how_to_set_one(proxy: Running) -> None:
    answer = proxy.ask(CHAT)
    assert answer.status == 400
    assert "`foreword upstreams set default --url URL`" in told(CHAT, answer.read())[1]


def test_a_request_that_may_be_for_several_upstreams_is_told_so(proxy: Running) -> None:
    proxy.upstream("near", "http://127.0.0.1:9")
    proxy.upstream("far", "http://127.0.0.1:9")
    answer = proxy.ask(CHAT, b'{"model": "m"}')
    assert (answer.status, "far, near" in told(CHAT, answer.read())[1]) == (400, True)
    missing = proxy.ask("/u/none/v1/messages")
    assert (missing.status, told(MESSAGES, missing.read())[0]) == (404, "not_found_error")


def test_a_key_that_is_not_there_is_named_and_nothing_is_sent(proxy: Running) -> None:
    with PlainUpstream([whole(b"{}")]) as up:
        proxy.upstream("near", up.url, key_env="NEAR_KEY")
        answer = proxy.ask(CHAT, headers={"Authorization": "Bearer mine"})
        assert answer.status == 502
        assert "NEAR_KEY" in told(CHAT, answer.read())[1]
        assert up.came == []


@pytest.mark.parametrize("path", ["/", "/v2/chat", "/v1/../secrets", "/u/one/chat"])
def test_nothing_is_served_outside_of_v1(proxy: Running, path: str) -> None:
    with PlainUpstream([whole(b"{}")]) as up:
        proxy.upstream("one", up.url)
        assert proxy.ask(path).status == 404
        assert up.came == []


def test_a_client_that_leaves_in_its_request_is_forgotten(proxy: Running) -> None:
    with PlainUpstream([whole(b"{}")]) as up:
        proxy.upstream("one", up.url)
        with socket.create_connection(("127.0.0.1", proxy.port)) as client:
            head = b"POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n"
            client.sendall(head + b"half")
        assert proxy.ask(CHAT).status == 200
        assert [came.line.split()[1] for came in up.came] == ["/v1/chat/completions"]


def test_connections_send_small_answers_at_once() -> None:
    async def accepted() -> int:
        came = asyncio.Queue[asyncio.StreamWriter]()
        with listen("127.0.0.1", 0) as listener:
            place = listener.getsockname()
            server = await asyncio.start_server(
                lambda _, writer: came.put_nowait(writer), sock=listener
            )
            async with server:
                _, mine = await asyncio.open_connection(*place)
                writer = await came.get()
                chosen: int = writer.get_extra_info("socket").getsockopt(
                    socket.IPPROTO_TCP, socket.TCP_NODELAY
                )
                for one in (mine, writer):
                    one.close()
                    await one.wait_closed()
        return chosen

    assert asyncio.run(accepted()) == 1


def test_a_second_process_on_a_port_is_told_what_to_do() -> None:
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        assert address_of(first) == f"http://127.0.0.1:{port}/v1"
        with pytest.raises(AddressUnavailable, match="already in use"):
            listen("127.0.0.1", port)


class Failing(MemoryLedger):
    """Cannot be read once it is told so."""

    broken = False

    def notes(self, account: Any, kind: str) -> dict[str, dict[str, str]]:  # type: ignore[explicit-override]
        if self.broken:
            raise StoreUnavailable("it is locked")
        return super().notes(account, kind)


async def lines_and_names(ledger: Failing) -> tuple[list[str], list[str]]:
    lines = list[str]()
    directory = Directory(engine_on(MemoryStore(), ledger=ledger), lambda _: "", lines.append)
    await directory.servers()
    ledger.broken = True
    return lines, [server.name for server in await directory.servers()]


def test_a_store_that_cannot_be_read_stops_no_chat() -> None:
    ledger = Failing()
    engine = engine_on(MemoryStore(), ledger=ledger)
    set_upstream(engine, "one", {"url": "http://127.0.0.1:9/v1"})
    lines, names = asyncio.run(lines_and_names(ledger))
    assert names == ["one"]
    assert "The upstreams are as they were last" in lines[0]


def test_a_store_that_could_never_be_read_is_an_error() -> None:
    with pytest.raises(StoreUnavailable):
        asyncio.run(lines_and_names(Failing()))
