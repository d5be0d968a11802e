"""Each fault over the wire, and what the real client makes of it."""

import asyncio
import json

import pytest
from tests.unit.testing.wire import (
    ANTHROPIC,
    OPENAI,
    SECONDS,
    ask,
    asked,
    connect,
    read_until,
    request,
)

from foreword.domain.calls import Delta, ModelAnswer, ModelEvent, ModelRequest
from foreword.domain.message import Message
from foreword.domain.routes import route_from
from foreword.domain.turn import Role
from foreword.errors import (
    AnswerUnreadable,
    CallFailed,
    ContextOverflow,
    KeyRejected,
    ModelOverloaded,
    ModelTimedOut,
    ModelUnknown,
    ModelUnreachable,
    QuotaExhausted,
    RateLimited,
)
from foreword.llm.models import RoutedModels
from foreword.testing import server_faults as faults
from foreword.testing.model_server import Entry, ModelServer, Say
from foreword.testing.server_faults import Broken
from foreword.testing.virtual_time import VirtualTime
from foreword.testing.word_counter import WordCounter

KEY = "sk-verysecret-0123456789"
TEXT = faults.TEXT
BOTH = pytest.mark.parametrize("path", [OPENAI, ANTHROPIC])
REQUEST = ModelRequest(messages=(Message(role=Role.USER, content="Go on."),), max_tokens=50)


async def heard(entry: Entry, kind: str = "openai", seconds: str = "5") -> list[ModelEvent]:
    """Return what the real client makes of an answer."""
    with ModelServer([entry]) as server:
        url = server.url if kind == "openai" else server.url.removesuffix("/v1")
        values = {"kind": kind, "url": url, "model": "m-1", "retries": "0", "timeout": seconds}
        models = RoutedModels(lambda _: KEY, WordCounter(), VirtualTime().sleep)
        model = models.open(route_from("chat", values))
        return [event async for event in model.stream(REQUEST)]


def failure(entry: Entry, kind: str = "openai", seconds: str = "5") -> CallFailed:
    with pytest.raises(CallFailed) as caught:
        asyncio.run(heard(entry, kind, seconds))
    assert KEY not in f"{caught.value} {caught.value.detail}"
    return caught.value


def answer(entry: Entry, kind: str = "openai") -> str:
    last = asyncio.run(heard(entry, kind))[-1]
    assert isinstance(last, ModelAnswer)
    return last.text


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
@pytest.mark.parametrize(
    ("entry", "error"),
    [
        (faults.refuse(), ModelUnreachable),
        (faults.reset(), ModelUnreachable),
        (faults.reset_midway(), ModelUnreachable),
        (faults.html_page(), AnswerUnreadable),
        (faults.html_page(502, "Bad gateway"), ModelOverloaded),
        (faults.wrong_type("text/plain", "Ollama is running"), AnswerUnreadable),
        (faults.broken_sse(Broken.INVALID_UTF8), AnswerUnreadable),
        (faults.broken_sse(Broken.NO_DATA), AnswerUnreadable),
        (faults.rate_limited(7), RateLimited),
        (faults.bad_key(), KeyRejected),
        (faults.echoes_key(), KeyRejected),
        (faults.unknown_model(), ModelUnknown),
        (faults.no_quota(), QuotaExhausted),
        (faults.overloaded(), ModelOverloaded),
        (faults.redirect("https://login.example/"), AnswerUnreadable),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_every_fault_ends_in_its_typed_error(
    entry: Entry, error: type[CallFailed], kind: str
) -> None:
    assert type(failure(entry, kind)) is error


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
@pytest.mark.parametrize(
    "entry", [faults.hang(), faults.hang_midway(), faults.drip(3600)], ids=["all", "midway", "drip"]
)
def test_silence_ends_in_a_timeout(entry: Entry, kind: str) -> None:
    assert type(failure(entry, kind, seconds="1")) is ModelTimedOut


@pytest.mark.parametrize("style", ["llamacpp", "openai", "vllm", "anthropic"])
def test_an_overflow_tells_its_numbers_as_that_server_does(style: faults.OverflowStyle) -> None:
    found = failure(faults.overflow(9000, 4096, style))
    assert isinstance(found, ContextOverflow)
    assert (found.needed, found.limit) == (9000, 4096)


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
@pytest.mark.parametrize(
    "entry",
    [
        faults.broken_sse(Broken.CRLF),
        faults.broken_sse(Broken.COMMENTS),
        faults.drip(0),
        faults.say_here(lambda _: TEXT),
    ],
    ids=["CRLF", "comments", "drip", "say here"],
)
def test_what_is_merely_odd_is_read(entry: Entry, kind: str) -> None:
    assert answer(entry, kind) == TEXT


def test_an_answer_without_choices_is_none_and_without_usage_is_one() -> None:
    assert type(failure(faults.empty_choices())) is AnswerUnreadable
    assert answer(faults.no_usage()) == TEXT


def test_a_giant_token_is_one_piece_of_its_size() -> None:
    first, *rest = asyncio.run(heard(faults.giant_token(1_000_000)))
    assert isinstance(first, Delta)
    assert len(first.text) == 1_000_000
    assert [type(event) for event in rest] == [ModelAnswer]
    assert len(faults.giant_token(1).text) == 1


@BOTH
def test_a_hang_sends_nothing_and_notices_the_end(path: str) -> None:
    with ModelServer([faults.hang()]) as server:
        with connect(server) as connection:
            connection.sendall(asked(path))
            assert server.wait_for(1, SECONDS)
        assert server.hung_up.wait(SECONDS)
        assert server.completed == 0


@BOTH
def test_a_hang_midway_begins_with_the_text(path: str) -> None:
    with ModelServer([faults.hang_midway("Mara")]) as server, connect(server) as connection:
        connection.sendall(asked(path))
        assert read_until(connection, b'"Mara"').startswith(b"HTTP/1.1 200 OK\r\n")


@BOTH
def test_a_reset_midway_breaks_the_connection_behind_the_text(path: str) -> None:
    with ModelServer([faults.reset_midway("Mara")]) as server:
        found = ask(server, asked(path))
        assert server.completed == 0
    # What was not read yet is lost with the connection.
    assert found.reset
    assert not found.body.endswith((b"data: [DONE]\n\n", b'{"type": "message_stop"}\n\n'))


@BOTH
def test_a_refusal_closes_the_connection_in_order_and_without_a_byte(path: str) -> None:
    with ModelServer([faults.refuse()]) as server:
        found = ask(server, asked(path))
    assert (found.status, found.body, found.reset) == (0, b"", False)


@BOTH
def test_a_drip_is_the_whole_answer_byte_by_byte(path: str) -> None:
    with ModelServer([faults.drip(0, "Mara")]) as server:
        assert ask(server, asked(path)).text == "Mara"
        assert server.completed == 1
    slow = faults.drip(3600)
    with ModelServer([slow]) as server, connect(server) as connection:
        connection.sendall(asked(path))
        assert server.wait_for(1, SECONDS)
        assert server.completed == 0


def test_pages_and_other_types_come_as_they_are() -> None:
    with ModelServer([faults.html_page(403, "No & no"), faults.wrong_type("image/x", "??")]) as it:
        html, other = ask(it), ask(it)
    assert (html.status, html.headers["content-type"]) == (403, "text/html; charset=utf-8")
    assert b"<title>No &amp; no</title>" in html.body
    assert (other.status, other.headers["content-type"], other.body) == (200, "image/x", b"??")


@BOTH
def test_a_stream_is_broken_in_the_way_that_was_asked_for(path: str) -> None:
    def sent(kind: Broken) -> bytes:
        with ModelServer([faults.broken_sse(kind)]) as server:
            return ask(server, asked(path)).body

    with ModelServer([Say(TEXT)]) as server:
        proper = ask(server, asked(path)).body
    events = proper.split(b"\n\n")[:-1]
    assert sent(Broken.NO_DONE) == b"".join(event + b"\n\n" for event in events[:-1])
    assert sent(Broken.CRLF) == proper.replace(b"\n", b"\r\n")
    assert sent(Broken.COMMENTS).replace(b": keep-alive\n\n", b"") == proper
    assert sent(Broken.COMMENTS).count(b": keep-alive") == len(events)
    assert sent(Broken.DUPLICATES) == b"".join((event + b"\n\n") * 2 for event in events)
    assert b"data:" not in sent(Broken.NO_DATA)
    assert json.loads(sent(Broken.NO_DATA).splitlines()[0])
    cut = sent(Broken.CUT_JSON)
    assert cut.startswith(events[0])
    assert proper.startswith(cut.removesuffix(b"\n\n"))
    assert len(cut) < len(events[0] + events[1])
    broken = sent(Broken.INVALID_UTF8)
    assert broken.replace(b"\xff\xfe", b"") == proper
    assert broken != proper
    assert set(json.loads(sent(Broken.JSON_BODY))) & {"choices", "content"}


@BOTH
def test_duplicate_events_say_everything_twice(path: str) -> None:
    with ModelServer([faults.duplicate_events("Mara")]) as server:
        assert ask(server, asked(path)).text == "MaraMara"


@BOTH
@pytest.mark.parametrize("stream", [True, False])
def test_empty_choices_are_a_proper_answer_without_content(path: str, *, stream: bool) -> None:
    with ModelServer([faults.empty_choices()]) as server:
        found = ask(server, asked(path, stream=stream))
        assert server.completed == 1
    assert found.status == 200
    told = found.events if stream else [found.json]
    assert all(not one.get("choices") and not one.get("content") for one in told)


def test_a_rate_limit_says_when_to_come_back_unless_it_does_not() -> None:
    with ModelServer([faults.rate_limited(7), faults.rate_limited()]) as server:
        timed, untimed = ask(server), ask(server)
    assert (timed.status, timed.headers["retry-after"]) == (429, "7")
    assert (untimed.status, "retry-after" in untimed.headers) == (429, False)


@pytest.mark.parametrize("name", ["authorization", "x-api-key"])
def test_a_key_is_echoed_whichever_header_holds_it(name: str) -> None:
    with ModelServer([faults.echoes_key()]) as server:
        found = ask(server, asked(headers={name: KEY}))
    assert (found.status, KEY in found.json["error"]["message"]) == (401, True)


def test_an_unknown_model_is_called_by_its_name() -> None:
    with ModelServer([faults.unknown_model()]) as server:
        found = ask(server)
    assert (found.status, "'m-1'" in found.json["error"]["message"]) == (404, True)


@pytest.mark.parametrize("name", ["stream_options", "max_completion_tokens"])
def test_a_parameter_is_refused_by_its_name_and_without_it_there_is_an_answer(name: str) -> None:
    body = json.dumps({name: 1}).encode()
    with ModelServer([faults.rejects_parameter(name)]) as server:
        refused, taken = ask(server, request(OPENAI, body)), ask(server)
        assert server.completed == 1
    assert (refused.status, name in refused.json["error"]["message"]) == (400, True)
    assert taken.text == TEXT
    with ModelServer([faults.rejects_parameter(name, Say("Then."))]) as server:
        assert ask(server).text == "Then."


def test_a_redirect_names_where_to_go() -> None:
    with ModelServer([faults.redirect("https://login.example/")]) as server:
        found = ask(server)
    assert (found.status, found.headers["location"]) == (302, "https://login.example/")


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_an_answer_whose_events_all_come_twice_is_refused(kind: str) -> None:
    error = failure(
        faults.duplicate_events("Mara pays eleven coins for the ferry to Brennick."), kind
    )
    assert isinstance(error, AnswerUnreadable)
    assert error.detail == "every piece of the answer came twice"


def test_words_that_are_said_twice_are_no_fault() -> None:
    (*_, answer) = asyncio.run(heard(Say("no no no no no no no no", chunk=3)))
    assert isinstance(answer, ModelAnswer)
    assert answer.text == "no no no no no no no no"
