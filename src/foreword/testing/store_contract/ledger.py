"""What every ledger does: calls with their answers, totals, routes and notes of accounts."""

# ruff: noqa: D103 - the name of a check says what it checks

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from foreword.domain.calls import (
    Call,
    CallId,
    CallTotal,
    Finish,
    ModelAnswer,
    NewCall,
    Outcome,
    Purpose,
    Usage,
)
from foreword.domain.ids import AccountId, BranchId, ConversationId, SummaryId
from foreword.errors import CallNotFound
from foreword.ports.ledger import Ending, Ledger

MINE, OTHERS = AccountId("mine"), AccountId("others")
STORY, TALE = ConversationId("story"), ConversationId("tale")
NEW = NewCall(
    purpose=Purpose.SUMMARY,
    route="summarise",
    model="small",
    digest=b"\x00request",
    started_at="2026-12-01T00:00:00.000+00:00",
    tokens_in=100,
    conversation=STORY,
    branch=BranchId(2),
)
ANSWER = ModelAnswer(
    text="Mira left.",
    reasoning="short",
    raw="<think>short</think>Mira left.",
    finish=Finish.LENGTH,
    usage=Usage(tokens_in=90, tokens_cached=40, tokens_out=7, tokens_reasoning=3),
    model="small-2",
)
FAILURE = Ending(outcome=Outcome.FAILED, milliseconds=5, failure="server", detail="503", money=0)


def test_a_call_is_read_as_it_began(ledger: Ledger) -> None:
    first = ledger.begin(MINE, NEW)
    second = ledger.begin(MINE, replace(NEW, conversation=None, branch=None, purpose=Purpose.TEST))
    assert ledger.call(MINE, first) == _call(first, NEW)
    assert ledger.call(MINE, second).conversation is None
    assert ledger.call(MINE, second).branch is None
    assert second > first


def test_an_answer_is_read_word_for_word(ledger: Ledger) -> None:
    call = ledger.begin(MINE, NEW)
    ledger.answer(MINE, call, ANSWER, ms=1200, money=34)
    expected = replace(
        _call(call, NEW), outcome=Outcome.ANSWERED, answer=ANSWER, milliseconds=1200, money=34
    )
    assert ledger.call(MINE, call) == expected
    counted = replace(ANSWER, text="", usage=Usage(tokens_out=1, reported=False))
    ledger.answer(MINE, call, counted, ms=1, money=None)
    assert ledger.call(MINE, call) == replace(expected, answer=counted, milliseconds=1, money=None)


def test_a_call_that_failed_says_why_and_has_no_answer(ledger: Ledger) -> None:
    call = ledger.begin(MINE, NEW)
    ledger.end(MINE, call, FAILURE)
    assert ledger.call(MINE, call) == replace(
        _call(call, NEW),
        outcome=Outcome.FAILED,
        milliseconds=5,
        failure="server",
        detail="503",
        money=0,
    )
    assert ledger.recorded(MINE, STORY, NEW.digest) is None


def test_what_became_of_an_answer_is_marked(ledger: Ledger) -> None:
    call = _answered(ledger)
    ledger.mark(MINE, call, Outcome.REJECTED, detail="a name is missing")
    rejected = ledger.call(MINE, call)
    assert (rejected.outcome, rejected.detail) == (Outcome.REJECTED, "a name is missing")
    ledger.mark(MINE, call, Outcome.USED, summary=SummaryId(4))
    used = ledger.call(MINE, call)
    assert (used.outcome, used.detail, used.summary) == (Outcome.USED, "", 4)
    assert used.answer == ANSWER


def test_the_newest_open_answer_to_a_request_is_recorded(ledger: Ledger) -> None:
    first, second = _answered(ledger), _answered(ledger)
    ledger.begin(MINE, NEW)
    _answered(ledger, replace(NEW, digest=b"another"))
    _answered(ledger, replace(NEW, conversation=TALE))
    _answered(ledger, account=OTHERS)
    assert ledger.recorded(MINE, STORY, NEW.digest) == ledger.call(MINE, second)
    ledger.close(MINE, [second, CallId(999)])
    assert ledger.recorded(MINE, STORY, NEW.digest) == ledger.call(MINE, first)
    ledger.close(MINE, [first, second])
    assert ledger.recorded(MINE, STORY, NEW.digest) is None
    assert not ledger.call(MINE, first).open


def test_closing_many_calls_or_none_closes_just_those(ledger: Ledger) -> None:
    kept, many = _answered(ledger), [CallId(n) for n in range(2, 2500)]
    last = _answered(ledger)
    ledger.close(MINE, [])
    assert ledger.call(MINE, last).open
    ledger.close(MINE, many)
    assert (ledger.call(MINE, kept).open, ledger.call(MINE, last).open) == (True, False)


def test_calls_are_listed_newest_first(ledger: Ledger) -> None:
    one, two = ledger.begin(MINE, NEW), ledger.begin(MINE, replace(NEW, conversation=TALE))
    three = ledger.begin(MINE, replace(NEW, conversation=None, started_at="2000"))
    four = ledger.begin(MINE, NEW)
    assert [call.id for call in ledger.calls(MINE)] == [four, three, two, one]
    assert [call.id for call in ledger.calls(MINE, STORY)] == [four, one]
    assert [call.id for call in ledger.calls(MINE, limit=2)] == [four, three]
    assert ledger.calls(MINE, ConversationId("none")) == ()


def test_totals_add_up_what_is_alike(ledger: Ledger) -> None:
    ledger.end(MINE, ledger.begin(MINE, NEW), FAILURE)
    _answered(ledger)
    ledger.answer(MINE, ledger.begin(MINE, NEW), ANSWER, ms=10, money=None)
    ledger.begin(MINE, replace(NEW, purpose=Purpose.REPLY, route="chat", conversation=None))
    stopped = replace(FAILURE, outcome=Outcome.STOPPED, tokens_out=6, money=2)
    ledger.end(MINE, ledger.begin(MINE, NEW), stopped)
    answered = CallTotal(
        purpose=Purpose.SUMMARY,
        route="summarise",
        model="small",
        outcome=Outcome.ANSWERED,
        calls=2,
        unpriced=1,
        tokens_in=180,
        tokens_cached=80,
        tokens_out=14,
        money=34,
        milliseconds=1210,
    )
    nothing = replace(answered, calls=1, tokens_cached=0, tokens_out=0, money=0, milliseconds=0)
    failed = replace(nothing, outcome=Outcome.FAILED, unpriced=0, tokens_in=0, milliseconds=5)
    half = replace(failed, outcome=Outcome.STOPPED, tokens_in=100, tokens_out=6, money=2)
    chat = replace(
        nothing, purpose=Purpose.REPLY, route="chat", outcome=Outcome.STARTED, tokens_in=100
    )
    assert ledger.totals(MINE) == (chat, answered, failed, half)
    assert ledger.totals(MINE, STORY) == (answered, failed, half)
    assert ledger.totals(MINE, TALE) == ()


def test_totals_and_starts_count_from_a_time_on(ledger: Ledger) -> None:
    times = [f"2026-12-01T00:00:0{second}.000+00:00" for second in (3, 1, 2, 2)]
    for time in times:
        ledger.begin(MINE, replace(NEW, started_at=time))
    ledger.begin(MINE, replace(NEW, route="chat"))
    ledger.begin(OTHERS, NEW)
    assert ledger.starts(MINE, "summarise", times[2]) == (times[2], times[2], times[0])
    assert ledger.starts(MINE, "merge", "") == ()
    assert [total.calls for total in ledger.totals(MINE, since=times[2])] == [3]
    assert [total.calls for total in ledger.totals(MINE, STORY, since=times[0])] == [1]
    assert ledger.totals(MINE, since="2027") == ()


def test_calls_of_another_account_are_not_there(ledger: Ledger) -> None:
    theirs = _answered(ledger, account=OTHERS)
    before = ledger.call(OTHERS, theirs)
    for change in (
        lambda: ledger.call(MINE, theirs),
        lambda: ledger.answer(MINE, theirs, ANSWER, ms=1, money=1),
        lambda: ledger.end(MINE, theirs, FAILURE),
        lambda: ledger.mark(MINE, theirs, Outcome.WASTED),
        lambda: ledger.call(MINE, CallId(12345)),
    ):
        assert _refused(change)
    ledger.close(MINE, [theirs])
    assert ledger.call(OTHERS, theirs) == before
    assert (ledger.calls(MINE), ledger.totals(MINE)) == ((), ())
    assert ledger.recorded(MINE, STORY, NEW.digest) is None
    assert ledger.starts(MINE, NEW.route, "") == ()


def test_routes_are_stored_replaced_and_taken_away(ledger: Ledger) -> None:
    ledger.set_route(MINE, "chat", {"model": "größer 字", "url": "http://x"})
    ledger.set_route(MINE, "merge", {})
    ledger.set_route(OTHERS, "chat", {"model": "theirs"})
    assert ledger.routes(MINE) == {"chat": {"model": "größer 字", "url": "http://x"}, "merge": {}}
    ledger.set_route(MINE, "chat", {"model": "b"})
    ledger.set_route(MINE, "merge", None)
    ledger.set_route(MINE, "fallback", None)
    assert ledger.routes(MINE) == {"chat": {"model": "b"}}
    assert ledger.routes(OTHERS) == {"chat": {"model": "theirs"}}


def test_notes_are_stored_replaced_and_taken_away(ledger: Ledger) -> None:
    ledger.set_note(MINE, "breaker", "a", {"failures": "1"})
    ledger.set_note(MINE, "breaker", "b", {"failures": "2"})
    ledger.set_note(MINE, "calibration", "a", {"factor": "1.1"})
    ledger.set_note(OTHERS, "breaker", "a", {"failures": "9"})
    ledger.set_note(MINE, "breaker", "a", {"opened": "now"})
    assert ledger.note(MINE, "breaker", "a") == {"opened": "now"}
    assert ledger.notes(MINE, "breaker") == {"a": {"opened": "now"}, "b": {"failures": "2"}}
    ledger.set_note(MINE, "breaker", "a", {})
    assert ledger.note(MINE, "breaker", "a") == {}
    assert ledger.notes(MINE, "breaker") == {"b": {"failures": "2"}}
    assert ledger.notes(OTHERS, "breaker") == {"a": {"failures": "9"}}
    assert ledger.note(MINE, "calibration", "a") == {"factor": "1.1"}


def test_texts_that_no_database_can_store_are_made_storable(ledger: Ledger) -> None:
    bad, good = "a\x00b\ud800", "a\ufffdb\ufffd"
    call = ledger.begin(MINE, replace(NEW, model=bad, route=bad))
    answer = replace(ANSWER, text=bad, raw=bad, reasoning=bad, model=bad)
    ledger.answer(MINE, call, answer, ms=1, money=1)
    ledger.mark(MINE, call, Outcome.REJECTED, detail=bad)
    found = ledger.call(MINE, call)
    assert (found.model, found.route, found.detail) == (good, good, good)
    assert found.answer == replace(ANSWER, text=good, raw=good, reasoning=good, model=good)
    assert len(ledger.starts(MINE, bad, "")) == 1
    failed = ledger.begin(MINE, NEW)
    ledger.end(MINE, failed, replace(FAILURE, failure=bad, detail=bad))
    assert (ledger.call(MINE, failed).failure, ledger.call(MINE, failed).detail) == (good, good)
    ledger.set_route(MINE, bad, {bad: bad})
    assert ledger.routes(MINE) == {good: {good: good}}
    ledger.set_note(MINE, bad, bad, {bad: bad})
    assert ledger.note(MINE, bad, bad) == ledger.notes(MINE, bad)[good] == {good: good}


def _call(call: CallId, new: NewCall) -> Call:
    return Call(
        id=call,
        purpose=new.purpose,
        route=new.route,
        model=new.model,
        digest=new.digest,
        started_at=new.started_at,
        tokens_in=new.tokens_in,
        conversation=new.conversation,
        branch=new.branch,
    )


def _answered(ledger: Ledger, new: NewCall = NEW, *, account: AccountId = MINE) -> CallId:
    call = ledger.begin(account, new)
    ledger.answer(account, call, ANSWER, ms=1200, money=34)
    return call


def _refused(change: Callable[[], object]) -> bool:
    try:
        change()
    except CallNotFound:
        return True
    return False


LEDGER_CHECKS: tuple[Callable[[Ledger], None], ...] = tuple(
    value for name, value in list(globals().items()) if name.startswith("test_")
)
