import socket
import ssl
import threading

import pytest
from tests.unit.testing.wire import (
    ANTHROPIC,
    OPENAI,
    SECONDS,
    ask,
    asked,
    connect,
    read_until,
    received,
    request,
)

from foreword.testing.model_server import (
    Asked,
    ModelServer,
    Pause,
    Raw,
    Reset,
    Say,
    SayThenHang,
    Status,
    Step,
)
from foreword.testing.server_answers import TOKENS_IN

PATHS = pytest.mark.parametrize("path", [OPENAI, ANTHROPIC])


@PATHS
@pytest.mark.parametrize("stream", [True, False])
def test_a_text_is_said_in_both_protocols_streamed_or_not(path: str, *, stream: bool) -> None:
    with ModelServer([Say("Mara left “home”. 玛拉", chunk=3)]) as server:
        found = ask(server, asked(path, stream=stream))
        assert (found.status, found.text) == (200, "Mara left “home”. 玛拉")
        assert server.completed == 1
    kind = "text/event-stream" if stream else "application/json"
    assert found.headers["content-type"] == kind


def test_a_stream_of_openai_has_reasoning_pieces_finish_usage_and_an_end() -> None:
    with ModelServer([Say("Yes.", reasoning="Hm so", finish="length", cached=64)]) as server:
        found = ask(server)
    *told, usage = found.events
    choices = [event["choices"][0] for event in told]
    assert [choice["delta"] for choice in choices] == [
        {"reasoning_content": "Hm so"},
        {"content": "Yes."},
        {},
    ]
    assert [choice["finish_reason"] for choice in choices] == [None, None, "length"]
    assert usage["choices"] == []
    assert usage["usage"] == {
        "prompt_tokens": TOKENS_IN,
        "completion_tokens": 3,
        "total_tokens": TOKENS_IN + 3,
        "prompt_tokens_details": {"cached_tokens": 64},
        "completion_tokens_details": {"reasoning_tokens": 2},
    }
    assert found.body.endswith(b"data: [DONE]\n\n")


def test_a_stream_of_anthropic_has_blocks_finish_usage_and_an_end() -> None:
    with ModelServer([Say("Yes.", reasoning="Hm so", finish="length", cached=64)]) as server:
        found = ask(server, asked(ANTHROPIC))
    assert [event["type"] for event in found.events] == [
        "message_start",
        *("content_block_start", "content_block_delta", "content_block_stop") * 2,
        "message_delta",
        "message_stop",
    ]
    assert [event["delta"] for event in found.events if "delta" in event] == [
        {"type": "thinking_delta", "thinking": "Hm so"},
        {"type": "text_delta", "text": "Yes."},
        {"stop_reason": "max_tokens", "stop_sequence": None},
    ]
    read = {"input_tokens": TOKENS_IN - 64, "cache_read_input_tokens": 64, "output_tokens": 1}
    assert found.events[0]["message"]["usage"] == read
    assert found.events[-2]["usage"] == {"output_tokens": 3}
    names = [line for line in found.body.decode().splitlines() if line.startswith("event: ")]
    assert names == [f"event: {event['type']}" for event in found.events]


@PATHS
@pytest.mark.parametrize("stream", [True, False])
def test_usage_is_not_told_where_it_is_left_out(path: str, *, stream: bool) -> None:
    with ModelServer([Say("Yes.", usage=False)]) as server:
        found = ask(server, asked(path, stream=stream))
    assert b"usage" not in found.body
    assert found.text == "Yes."


def test_a_script_is_followed_and_its_last_answer_repeated() -> None:
    with ModelServer([Say("one"), Status(503, "busy"), Say("two")]) as server:
        found = [ask(server) for _ in range(4)]
        assert server.completed == 3
    assert [one.status for one in found] == [200, 503, 200, 200]
    assert [one.text for one in found if one.status == 200] == ["one", "two", "two"]


def test_a_script_can_be_a_function_of_the_body_or_hold_functions_of_the_request() -> None:
    with ModelServer(lambda body: Say(body["model"])) as server:
        assert ask(server).text == "m-1"
    with ModelServer([lambda asked: Say(asked.header("x-NAME")), Say("then")]) as server:
        assert ask(server, asked(headers={"X-Name": "Mara"})).text == "Mara"
        assert ask(server).text == "then"


def test_a_script_holds_an_answer() -> None:
    with pytest.raises(ValueError, match="at least one answer"):
        ModelServer([])


def test_requests_are_written_down_with_path_headers_and_body() -> None:
    with ModelServer() as server:
        ask(server, asked(headers={"Authorization": "Bearer k"}, stream=False, max_tokens=9))
        (one,) = server.requests
    body = {"model": "m-1", "stream": False, "messages": [], "max_tokens": 9}
    assert (one.path, one.body, one.header("authorization")) == (OPENAI, body, "Bearer k")
    assert (one.streamed, one.anthropic, one.header("x-api-key")) == (False, False, "")
    assert Asked(f"{ANTHROPIC}?beta=true", {}, {"stream": True}).anthropic


def test_many_clients_are_served_at_once_and_each_is_counted() -> None:
    with ModelServer([Say("Yes.")]) as server:
        clients = [threading.Thread(target=ask, args=(server,)) for _ in range(20)]
        for client in clients:
            client.start()
        assert server.wait_for(20, SECONDS)
        for client in clients:
            client.join(SECONDS)
        assert (len(server.requests), server.completed) == (20, 20)
        assert not server.wait_for(21, 0)


@PATHS
def test_a_stream_that_hangs_ends_when_the_client_leaves(path: str) -> None:
    with ModelServer([SayThenHang("Mara left", chunk=4)]) as server:
        with connect(server) as connection:
            connection.sendall(asked(path))
            assert b"Mara" in read_until(connection, b'"t"')
            assert not server.hung_up.is_set()
        assert server.hung_up.wait(SECONDS)
        assert server.abandoned == server.requests
        assert server.completed == 0


def test_a_client_that_leaves_while_it_is_written_to_is_written_down() -> None:
    with ModelServer([Raw((b"HTTP/1.1 200 OK\r\n\r\n", *(b"x" * 1_000_000,) * 50))]) as server:
        with connect(server) as connection:
            connection.sendall(asked())
            read_until(connection, b"\r\n\r\n")
        assert server.hung_up.wait(SECONDS)
        assert len(server.abandoned) == 1


@PATHS
def test_a_status_is_worded_as_an_error_of_the_protocol(path: str) -> None:
    with ModelServer([Status(429, "slow down", (("Retry-After", "7"),))]) as server:
        found = ask(server, asked(path))
        assert server.completed == 0
    assert (found.status, found.headers["retry-after"]) == (429, "7")
    assert found.json["error"]["message"] == "slow down"
    if path == ANTHROPIC:
        assert (found.json["type"], found.json["error"]["type"]) == ("error", "rate_limit_error")
    else:
        assert found.json["error"]["code"] == 429


def test_a_status_can_have_any_code_type_and_body() -> None:
    with ModelServer([Status(299, "", content_type="text/x", body="as it is")]) as server:
        found = ask(server)
    assert (found.status, found.headers["content-type"], found.body) == (299, "text/x", b"as it is")


def test_a_reset_breaks_the_connection_before_the_first_byte() -> None:
    with ModelServer([Reset()]) as server:
        found = ask(server)
    assert (found.reset, found.status, found.body) == (True, 0, b"")


def test_raw_steps_are_sent_as_they_are_and_the_connection_is_closed() -> None:
    steps = (b"HTTP/1.1 200 OK\r\n\r\n", b"\xff", Pause(0), b"\x00")
    with ModelServer([Raw(steps), Raw((*steps, Step.RESET)), Raw(steps, complete=True)]) as server:
        closed, broken = ask(server), ask(server)
        assert server.completed == 0
        ask(server)
        assert server.completed == 1
    assert (closed.body, closed.reset) == (b"\xff\x00", False)
    assert broken.reset


def test_leaving_the_server_ends_what_hangs_or_waits_and_blames_nobody() -> None:
    with ModelServer([Raw((Step.HANG,)), Raw((Pause(3600), b"late"))]) as server:
        hanging, waiting = connect(server), connect(server)
        for number, connection in enumerate((hanging, waiting), start=1):
            connection.sendall(asked())
            assert server.wait_for(number, SECONDS)
    with hanging, waiting:
        assert received(hanging).status == received(waiting).status == 0
    assert server.abandoned == ()


def test_a_server_that_was_left_listens_no_more() -> None:
    with ModelServer() as server:
        pass
    with pytest.raises(ConnectionRefusedError):
        connect(server)


def test_a_server_has_no_address_before_it_is_entered() -> None:
    with pytest.raises(RuntimeError, match="with statement"):
        _ = ModelServer().url


def test_encryption_is_refused_at_once() -> None:
    context = ssl.create_default_context()
    with ModelServer() as server:
        with connect(server) as plain, pytest.raises(ssl.SSLError):
            context.wrap_socket(plain, server_hostname="127.0.0.1")
        assert server.requests == ()


@pytest.mark.parametrize("body", [b"", b"{", b"[1]", b"\xff"])
def test_a_body_that_is_no_json_object_is_refused_and_not_counted(body: bytes) -> None:
    with ModelServer() as server:
        assert ask(server, request(OPENAI, body)).status == 400
        assert server.requests == ()


def test_the_size_of_the_context_is_told_where_that_kind_of_server_tells_it() -> None:
    entry = {"id": "fake", "object": "model"}
    with ModelServer(context=4096) as server:
        listed = ask(server, request("/v1/models", None)).json
        assert listed == {"object": "list", "data": [{**entry, "context_length": 4096}]}
        assert ask(server, request("/props", None)).status == 404
    with ModelServer(context=4096, tells="props") as server:
        told = ask(server, request("/props", None)).json
        assert told == {"default_generation_settings": {"n_ctx": 4096}}
        assert ask(server, request("/v1/models", None)).json["data"] == [entry]
    with ModelServer(context=4096, tells="show") as server:
        told = ask(server, request("/api/show", b'{"model": "m"}')).json
        assert told == {"model_info": {"fake.context_length": 4096}}
    with ModelServer() as server:
        for path, body in (("/props", None), ("/api/show", b"{}"), ("/v1/embeddings", b"{}")):
            assert ask(server, request(path, body)).status == 404
        assert ask(server, request("/v1/models", None)).json["data"] == [entry]
        assert server.requests == ()


def test_a_connection_without_a_request_does_no_harm() -> None:
    with ModelServer() as server:
        with connect(server) as connection:
            connection.shutdown(socket.SHUT_WR)
            assert received(connection).status == 0
        assert ask(server).status == 200
