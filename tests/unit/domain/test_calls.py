from dataclasses import FrozenInstanceError, fields, replace

import pytest

from foreword.domain.calls import (
    Call,
    CallId,
    CallTotal,
    Delta,
    Finish,
    ModelAnswer,
    ModelRequest,
    NewCall,
    Outcome,
    Purpose,
    Usage,
)
from foreword.domain.message import Message
from foreword.domain.turn import Role

NEW = NewCall(
    purpose=Purpose.SUMMARY,
    route="summarise",
    model="m",
    digest=b"\x01" * 16,
    started_at="2026-12-01T10:00:00.000+00:00",
    tokens_in=900,
)


def test_stored_words_stay_what_they_are() -> None:
    assert [word.value for word in Purpose] == ["reply", "summary", "merge", "repair", "test"]
    assert [word.value for word in Outcome] == [
        *("started", "answered", "used", "rejected", "wasted", "failed", "stopped")
    ]
    assert [word.value for word in Finish] == ["stop", "length", "filter", "other"]


def test_a_call_keeps_everything_it_was_begun_with() -> None:
    begun = {entry.name: getattr(NEW, entry.name) for entry in fields(NewCall)}
    call = Call(id=CallId(7), **begun)
    assert {name: getattr(call, name) for name in begun} == begun
    assert (call.outcome, call.open, call.answer, call.money) == (Outcome.STARTED, True, None, None)


@pytest.mark.parametrize("kind", [NewCall, Call, CallTotal])
def test_a_call_has_no_place_for_a_key_or_an_address(
    kind: type[NewCall] | type[Call] | type[CallTotal],
) -> None:
    names = {entry.name for entry in fields(kind)}
    assert {name for name in names if "key" in name or "url" in name or "address" in name} == set()


def test_an_answer_is_complete_and_free_of_reasoning_unless_it_says_otherwise() -> None:
    answer = ModelAnswer(text="They left.")
    assert answer == ModelAnswer(
        text="They left.", reasoning="", raw="", finish=Finish.STOP, usage=Usage(), model=""
    )
    assert Usage() == Usage(
        tokens_in=0, tokens_cached=0, tokens_out=0, tokens_reasoning=0, reported=True
    )


def test_a_request_leaves_its_limits_to_the_server_unless_it_says_otherwise() -> None:
    message = Message(role=Role.USER, content="Go on.")
    request = ModelRequest(messages=(message,))
    assert (request.max_tokens, request.temperature) == (None, None)
    assert replace(request, max_tokens=5) != request


def test_a_piece_is_prose_unless_it_says_otherwise() -> None:
    assert Delta(text="They") == Delta(text="They", reasoning=False)


@pytest.mark.parametrize("value", [NEW, Usage(), ModelAnswer(text=""), Delta(text="")])
def test_values_of_calls_cannot_be_changed(value: NewCall | Usage | ModelAnswer | Delta) -> None:
    name = fields(value)[0].name
    with pytest.raises(FrozenInstanceError):
        setattr(value, name, getattr(value, name))
