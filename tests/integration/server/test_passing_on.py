"""What passes the proxy: every byte, at once, to the right upstream and with the right key."""

from __future__ import annotations

import gzip
import json
import threading

import pytest
from tests.integration.server.plain_upstream import (
    BOUND,
    Do,
    PlainUpstream,
    chunk,
    chunked,
    whole,
)
from tests.integration.server.proxies import Running

from foreword.testing.model_server import ModelServer, Say

END = b'data: {"choices": [{"finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
STREAMED = b'{"model": "m", "stream": true}'
CHAT = "/v1/chat/completions"


def test_an_answer_comes_back_as_the_upstream_sent_it(proxy: Running) -> None:
    body = b'{ "id": 1,\n"odd\\u00e9": [1.50], "id": 2}'
    with PlainUpstream(
        [whole(body, headers=["X-Request-Id: r-7", "X-Twice: a", "X-Twice: b"])]
    ) as up:
        proxy.upstream("one", up.url)
        answer = proxy.ask(CHAT)
        assert (answer.status, answer.read()) == (200, body)
        assert answer.headers.get_all("x-twice") == ["a", "b"]
        assert answer.headers["x-request-id"] == "r-7"
        assert answer.headers["content-length"] == str(len(body))
        assert answer.headers["x-foreword-recognised"] == "none"
        assert answer.headers["x-foreword-state"] == "off"


@pytest.mark.parametrize(
    "path",
    [
        "/v1/chat/completions",
        "/v1/completions",
        "/v1/embeddings",
        "/v1/messages?beta=true",
        "/v1/messages/count_tokens",
        "/v1/models/org%2Fmodel",
        "/u/one/v1/responses",
    ],
)
def test_every_path_under_v1_reaches_the_upstream(proxy: Running, path: str) -> None:
    with PlainUpstream([whole(b"{}")]) as up:
        proxy.upstream("one", up.url)
        assert proxy.ask(path).read() == b"{}"
        assert [came.line for came in up.came] == [f"POST {path.replace('/u/one', '')} HTTP/1.1"]


def test_models_are_listed_by_the_upstream(proxy: Running) -> None:
    with PlainUpstream([whole(b'{"data": []}')]) as up:
        proxy.upstream("one", up.url)
        assert proxy.ask("/v1/models", None, method="GET").read() == b'{"data": []}'
        assert up.came[0].line == "GET /v1/models HTTP/1.1"
        assert up.came[0].all_of("content-length") == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no JSON",
        b"[" * 5000,
        b'{"model": 7, "messages": "none"}',
        b'\xff\xfe\x00 "one/',
        b'{"model": "\xff", "x": "one/m"}',
        b'{"messages": [{"role": "user", "content": "' + b"x" * 1_000_000 + b'"}]}',
    ],
    ids=["empty", "text", "deep", "odd", "bytes", "half", "1 MB"],
)
def test_a_body_reaches_the_upstream_whatever_it_is(proxy: Running, body: bytes) -> None:
    with PlainUpstream([whole(b"{}")]) as up:
        proxy.upstream("one", up.url)
        assert proxy.ask(CHAT, body).status == 200
        assert up.came[0].body == body


def test_headers_pass_but_for_those_of_one_connection(proxy: Running) -> None:
    sent = {
        "Authorization": "Bearer mine",
        "User-Agent": "node-fetch",
        "X-Odd": "Jörg".encode().decode("latin-1"),
        "Accept-Encoding": "gzip, br",
        "Connection": "close, x-hop",
        "X-Hop": "1",
        "Keep-Alive": "timeout=5",
        "TE": "trailers",
        "X-Foreword-Mode": "off",
    }
    with PlainUpstream([whole(b"{}")]) as up:
        proxy.upstream("one", up.url)
        proxy.ask(CHAT, headers=sent).read()
        came = {name.lower(): value for name, value in up.came[0].headers}
        host = up.url.removeprefix("http://").removesuffix("/v1")
        assert came == {
            "host": host,
            "content-length": "2",
            "accept-encoding": "gzip, br",
            "authorization": "Bearer mine",
            "user-agent": "node-fetch",
            "x-odd": "Jörg".encode().decode("latin-1"),
        }


def test_a_stream_comes_piece_by_piece_as_it_is_made(proxy: Running) -> None:
    second = threading.Event()
    first = b'data: {"choices": [{"delta": {"content": "Ma'
    rest = b'ra"}}]}\r\n\r\n: ping\n\n' + END
    with PlainUpstream([chunked(), chunk(first), second, chunk(rest), chunk(b"")]) as up:
        proxy.upstream("one", up.url)
        answer = proxy.ask(CHAT, STREAMED)
        assert answer.read1() == first
        second.set()
        assert answer.read() == rest
        assert answer.headers["content-type"] == "text/event-stream"


@pytest.mark.parametrize("path", [CHAT, "/v1/messages"])
def test_a_stream_of_a_model_is_the_same_as_without_the_proxy(proxy: Running, path: str) -> None:
    with ModelServer([Say("Mara left the harbour.", reasoning="She must.")]) as server:
        proxy.upstream("near", server.url)
        proxy.upstream("far", server.url.removesuffix("/v1"))
        near = proxy.ask(f"/u/near{path}", STREAMED).read()
        assert near == proxy.ask(f"/u/far{path}", STREAMED).read()
        assert near.count(b"data: ") > 4
        assert b"error" not in near
        assert server.completed == 2


def test_a_packed_answer_stays_packed(proxy: Running) -> None:
    packed = gzip.compress(b'{"id": 1}')
    with PlainUpstream([whole(packed, headers=["Content-Encoding: gzip"])]) as up:
        proxy.upstream("one", up.url)
        answer = proxy.ask(CHAT, headers={"Accept-Encoding": "gzip"})
        assert (answer.headers["content-encoding"], answer.read()) == ("gzip", packed)


def test_a_packed_stream_stays_packed(proxy: Running) -> None:
    packed = gzip.compress(b"data: {}\n\n")
    head = chunked(headers=["Content-Encoding: gzip"])
    with PlainUpstream([head, chunk(packed), chunk(b"")]) as up:
        proxy.upstream("one", up.url)
        assert proxy.ask(CHAT, STREAMED).read() == packed


@pytest.mark.parametrize("kind", ["text/plain", "application/json", "application/x-ndjson"])
def test_a_stream_of_another_type_passes_too(proxy: Running, kind: str) -> None:
    second = threading.Event()
    with PlainUpstream([chunked(kind), chunk(b"one"), second, chunk(b"two"), chunk(b"")]) as up:
        proxy.upstream("one", up.url)
        answer = proxy.ask(CHAT, STREAMED)
        assert answer.read1() == b"one"
        second.set()
        assert (answer.read(), answer.headers["content-type"]) == (b"two", kind)


def test_a_large_answer_passes_whole(proxy: Running) -> None:
    large = b"x" * (9 * 1024**2)
    with PlainUpstream([whole(large)]) as up:
        proxy.upstream("one", up.url)
        assert proxy.ask("/v1/embeddings").read() == large


def test_the_name_of_a_model_or_the_path_chooses_the_upstream(proxy: Running) -> None:
    with PlainUpstream([whole(b"near")]) as near, PlainUpstream([whole(b"far")]) as far:
        proxy.upstream("default", near.url)
        proxy.upstream("far", far.url)
        asked = b'{"note": {"model": "far/no"},  "model" : "far/org/m\\u00e9", "n": 1.0}'
        assert proxy.ask(CHAT, asked).read() == b"far"
        assert far.came[0].body == asked.replace(b'"far/org', b'"org')
        other = b'{"model": "org/m", "messages": ["far/away"]}'
        assert proxy.ask(CHAT, other).read() == b"near"
        assert proxy.ask("/u/far" + CHAT, other).read() == b"far"
        assert (near.came[0].body, far.came[1].body) == (other, other)


def test_a_change_of_upstreams_holds_for_the_next_request(proxy: Running) -> None:
    with PlainUpstream([whole(b"near")]) as near, PlainUpstream([whole(b"far")]) as far:
        proxy.upstream("default", near.url)
        assert proxy.ask(CHAT).read() == b"near"
        proxy.upstream("default", far.url)
        assert proxy.ask(CHAT).read() == b"far"


def test_a_stored_key_replaces_the_clients_at_its_own_upstream_only(proxy: Running) -> None:
    proxy.environ["NEAR_KEY"] = "sk-near"
    with PlainUpstream([whole(b"{}")]) as near, PlainUpstream([whole(b"{}")]) as far:
        proxy.upstream("near", near.url, key_env="NEAR_KEY")
        proxy.upstream("far", far.url)
        for name in ("near", "far"):
            proxy.ask(f"/u/{name}{CHAT}", headers={"Authorization": "Bearer mine"}).read()
            proxy.ask(f"/u/{name}/v1/messages", headers={"X-Api-Key": "mine"}).read()
        keys = [
            (came.all_of("authorization"), came.all_of("x-api-key"))
            for came in near.came + far.came
        ]
        assert keys == [
            (["Bearer sk-near"], []),
            ([], ["sk-near"]),
            (["Bearer mine"], []),
            ([], ["mine"]),
        ]
    assert proxy.told
    assert not [line for line in proxy.told if "sk-near" in line or "mine" in line]


@pytest.mark.parametrize(
    ("origin", "key"),
    [("https://evil.example", []), ("null", []), ("http://localhost:8000", ["Bearer sk-near"])],
)
def test_a_page_of_another_site_gets_no_stored_key(
    proxy: Running, origin: str, key: list[str]
) -> None:
    proxy.environ["NEAR_KEY"] = "sk-near"
    with PlainUpstream([whole(b"{}")]) as up:
        proxy.upstream("near", up.url, key_env="NEAR_KEY")
        proxy.ask(CHAT, headers={"Origin": origin}).read()
        assert up.came[0].all_of("authorization") == key


def test_cookies_of_an_upstream_are_not_kept_for_another_client(proxy: Running) -> None:
    with PlainUpstream([whole(b"{}", headers=["Set-Cookie: a=b; Path=/"])]) as up:
        proxy.upstream("one", up.url)
        assert proxy.ask(CHAT).headers["set-cookie"] == "a=b; Path=/"
        proxy.ask(CHAT).read()
        assert up.came[1].all_of("cookie") == []


def test_a_client_that_leaves_ends_the_upstreams_work(proxy: Running) -> None:
    with PlainUpstream([chunked(), chunk(b"data: {}\n\n"), Do.HANG]) as up:
        proxy.upstream("one", up.url)
        answer = proxy.ask(CHAT, STREAMED)
        assert answer.read1() == b"data: {}\n\n"
        answer.close()
        proxy.clients[-1].close()
        assert up.left.wait(BOUND)


def test_a_flat_prompt_is_passed_on_and_the_log_says_so(proxy: Running) -> None:
    with PlainUpstream([whole(b"{}")]) as up:
        proxy.upstream("one", up.url)
        proxy.ask("/v1/completions", json.dumps({"prompt": "Mara: "}).encode()).read()
    assert proxy.told == [
        "POST /v1/completions: one answers 200 (one flat prompt: no conversation to remember)"
    ]
