"""Breakers, caps, pacing and calibration: when a model is asked, and when it is not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from datetime import timedelta

import pytest
from tests.integration.engine.play import Play, start
from tests.integration.engine.stage import GOOD, REFUSAL, STORY, Stage, stage

from foreword.domain.calls import (
    Delta,
    ModelAnswer,
    ModelEvent,
    ModelRequest,
    Restart,
    Usage,
)
from foreword.domain.routes import Route, RouteName
from foreword.engine import conversations, costs, probing, replying, routes, summaries
from foreword.engine.learning import calibration_of
from foreword.engine.rooms import model_route
from foreword.engine.status import status
from foreword.errors import (
    BreakerOpen,
    ContextOverflow,
    KeyRejected,
    ModelUnreachable,
    PriceUnknown,
    SpanTooLong,
    SpendCapReached,
    SummaryUnusable,
)
from foreword.ports.store import Store
from foreword.testing.memory_store import MemoryStore
from foreword.testing.models import FakeModel

DOWN = ModelUnreachable(route="summarise", detail="connection refused")
BAD_KEY = KeyRejected(route="summarise", detail="401")


def fail(play: Play, error: type[Exception], times: int = 1) -> None:
    for _ in range(times):
        with pytest.raises(error):
            play.make(6)


def summarising(on: Stage) -> Route:
    route = model_route(on.engine, RouteName.SUMMARISE)
    assert route is not None
    return route


def test_after_three_failures_a_route_is_left_alone_for_a_while(store: Store) -> None:
    on = stage(store, FakeModel([DOWN]))
    fail(on.play, ModelUnreachable, 3)
    fail(on.play, BreakerOpen, 2)
    assert len(on.model.requests) == 3
    on.time.advance(timedelta(minutes=11))
    fail(on.play, ModelUnreachable)
    fail(on.play, BreakerOpen)


def test_one_success_closes_the_breaker(store: Store) -> None:
    on = stage(store, FakeModel([DOWN, DOWN, DOWN, GOOD, DOWN, DOWN]))
    fail(on.play, ModelUnreachable, 3)
    on.time.advance(timedelta(minutes=11))
    summary = on.play.make(6)
    on.play.delete_summary(summary)
    fail(on.play, ModelUnreachable, 2)
    assert len(on.model.requests) == 6


def test_a_breaker_is_of_one_conversation(store: Store) -> None:
    on = stage(store, FakeModel([DOWN, DOWN, DOWN, GOOD]))
    fail(on.play, ModelUnreachable, 3)
    other = start(on.engine).say(*STORY)
    other.make(6)
    assert other.cover() == "S1[1 2 3 4 5 6]"


def test_a_rejected_key_closes_the_provider_for_every_conversation(store: Store) -> None:
    on = stage(store, FakeModel([BAD_KEY]))
    fail(on.play, KeyRejected, 3)
    other = start(on.engine).say(*STORY)
    fail(other, BreakerOpen)


def test_stopped_calls_never_open_a_breaker(store: Store) -> None:
    on = stage(store, FakeModel([GOOD]))

    async def stop() -> None:
        task: asyncio.Task[object]

        def listen(_: object) -> None:
            task.cancel()

        task = asyncio.ensure_future(summaries.make(on.engine, on.play.place, "6", listen=listen))
        with pytest.raises(asyncio.CancelledError):
            await task

    for _ in range(4):
        asyncio.run(stop())
    on.play.make(6)
    assert on.play.cover() == "S1[1 2 3 4 5 6]"


def test_a_model_that_is_refused_three_times_over_is_left_alone(store: Store) -> None:
    on = stage(store, FakeModel([REFUSAL]))
    fail(on.play, SummaryUnusable, 3)
    fail(on.play, BreakerOpen)


def test_refused_summaries_do_not_keep_a_model_from_replying(store: Store) -> None:
    on = stage(store, FakeModel([REFUSAL]), routed="chat")
    fail(on.play, SummaryUnusable, 3)
    asyncio.run(replying.reply(on.engine, on.play.place))
    on.time.advance(timedelta(minutes=11))
    asyncio.run(replying.reply(on.engine, on.play.place))
    fail(on.play, SummaryUnusable)


def test_a_test_of_the_route_that_succeeds_closes_its_breakers(store: Store) -> None:
    on = stage(store, FakeModel([DOWN, DOWN, DOWN, "one, two, three", GOOD]))
    fail(on.play, ModelUnreachable, 3)
    found = asyncio.run(probing.probe(on.engine, "summarise"))
    assert (found.problem, found.answer) == (None, "one, two, three")
    on.play.make(6)


def test_no_call_goes_over_the_cap_of_a_conversation(store: Store) -> None:
    usage = Usage(tokens_in=1000, tokens_out=500)
    answer = ModelAnswer(text=GOOD, raw=GOOD, usage=usage)
    model = FakeModel([answer], price_in=10.0, price_out=20.0)
    on = stage(store, model, spend_per_conversation="0.04").route(output="1000")
    first = on.play.make(6)
    on.play.delete_summary(first)
    with pytest.raises(SpendCapReached) as caught:
        on.play.make(6)
    assert (caught.value.setting, caught.value.spent) == ("spend_per_conversation", 0.02)
    assert len(model.requests) == 1


def test_a_cap_needs_a_price(store: Store) -> None:
    on = stage(store, FakeModel([GOOD]), spend_per_day="1")
    fail(on.play, PriceUnknown)
    assert on.model.requests == ()


def test_a_day_is_over_at_midnight(store: Store) -> None:
    answer = ModelAnswer(text=GOOD, raw=GOOD, usage=Usage(tokens_in=1000, tokens_out=500))
    model = FakeModel([answer], price_in=10.0, price_out=20.0)
    on = stage(store, model, spend_per_day="0.04").route(output="1000")
    on.play.delete_summary(on.play.make(6))
    fail(on.play, SpendCapReached)
    on.time.advance(timedelta(days=1))
    on.play.make(6)
    assert len(model.requests) == 2


def test_requests_wait_until_the_minute_has_room(store: Store) -> None:
    on = stage(store, FakeModel([GOOD])).route(rpm="2")
    for _ in range(3):
        on.play.delete_summary(on.play.make(6))
    assert [round(seconds) for seconds in on.time.slept] == [60]


def test_reported_usage_calibrates_the_counts_of_the_route(store: Store) -> None:
    long = Usage(tokens_in=900, tokens_out=90)
    on = stage(store, FakeModel([ModelAnswer(text=GOOD, raw=GOOD, usage=long)]))
    on.play.make(6)
    assert 1.0 < calibration_of(on.engine, summarising(on)).ratio <= 1.15


def test_an_overflow_teaches_the_context_and_is_tried_once_more(store: Store) -> None:
    overflow = ContextOverflow(route="summarise", detail="too long", limit=1200)
    on = stage(store, FakeModel([overflow, GOOD]))
    on.play.make(6)
    assert on.outcomes() == ["summary failed", "summary used"]
    route = routes.show_route(on.engine, "summarise").route
    assert route is not None
    assert route.known_context == 1200


def test_a_span_that_the_route_cannot_read_is_refused_before_the_call(store: Store) -> None:
    on = stage(store, FakeModel([GOOD])).route(context="700")
    with pytest.raises(SpanTooLong) as caught:
        on.play.make(6)
    last = caught.value.last_order_that_fits
    assert 1 <= last < 6
    assert caught.value.needed > caught.value.limit
    assert on.model.requests == ()
    with pytest.raises(SpanTooLong):
        on.play.make(last + 1)
    on.play.make(last)


def test_a_long_span_is_split_and_one_undo_takes_all_parts_back(store: Store) -> None:
    on = stage(store, FakeModel()).route(context="700")
    before = on.play.state()
    made = asyncio.run(summaries.make_several(on.engine, on.play.place, "6"))
    assert len(made) > 1
    assert on.play.prompt().plan.coverage.covered == 6
    on.play.undo()
    assert on.play.state() == before


def test_the_context_of_the_chat_route_is_planned_for(store: Store) -> None:
    on = stage(store, FakeModel([GOOD]), routed="chat").route("chat", context="9000")
    found = status(on.engine, on.play.place)
    assert (found.context, found.context_source, found.advice.context) == (9000, "route", 9000)
    shown = conversations.show_settings(on.engine, on.play.place.conversation)
    assert shown["context"] == "9000"
    on.play.set(context="5000")
    assert status(on.engine, on.play.place).context_source == "setting"


def test_costs_are_added_up_for_chat_and_memory_apart(store: Store) -> None:
    answer = ModelAnswer(text=GOOD, raw=GOOD, usage=Usage(tokens_in=1000, tokens_out=500))
    on = stage(store, FakeModel([answer], price_in=10.0, price_out=20.0))
    on.play.make(6)
    found = costs.costs(on.engine, on.play.place.conversation)
    assert found.today == 20_000
    assert found.table.memory.money == 20_000
    assert found.table.chat.calls == 0


LATER = (
    "Winter comes early. The caravan of Orsolya crosses the salt flats with nineteen camels.",
    "Pavel the smith mends the axle of the third wagon and asks for a silver mark and some bread.",
    "Orsolya pays him two marks instead and hires him as far as Tamsin's Well, six days east.",
    "A sandstorm parts the caravan; four camels and the water of two days are lost in it.",
    "Pavel digs where an old map shows a cistern and finds it half full of brackish water.",
    "They reach Tamsin's Well on the ninth day, where the gate is shut because of a fever.",
)


@pytest.mark.parametrize("context", range(450, 1000, 50))
def test_what_fits_in_part_can_be_split(context: int) -> None:
    on = stage(MemoryStore(), FakeModel()).route(context=str(context))
    on.play.say(*LATER)
    try:
        on.play.make(12)
    except SpanTooLong as error:
        if not error.last_order_that_fits:
            return
        made = asyncio.run(summaries.make_several(on.engine, on.play.place, "12"))
        assert len(made) > 1
    assert on.play.prompt().plan.coverage.covered == 12


def test_tokens_that_cannot_be_are_counted_here_instead(store: Store) -> None:
    absurd = ModelAnswer(text=GOOD, raw=GOOD, usage=Usage(tokens_in=10**30, tokens_out=10**30))
    on = stage(store, FakeModel([absurd], price_in=10.0, price_out=20.0))
    on.play.make(6)
    (call,) = on.calls()
    assert call.answer is not None
    assert call.answer.usage.reported is False
    assert call.answer.usage.tokens_out == len(GOOD.split())
    assert calibration_of(on.engine, summarising(on)).samples == 0
    assert costs.costs(on.engine).table.memory.money == call.money


class BreaksOffOnce(FakeModel):
    """Writes a little, is begun anew, and then answers."""

    # typing.override needs Python 3.12.
    async def stream(  # type: ignore[explicit-override]
        self, request: ModelRequest
    ) -> AsyncGenerator[ModelEvent, None]:
        yield Delta(text="Mara met Tobin under")
        yield Restart(reason="the connection broke")
        async for event in super().stream(request):
            yield event


def test_an_attempt_that_broke_off_is_paid_too(store: Store) -> None:
    usage = Usage(tokens_in=1000, tokens_out=500)
    answer = ModelAnswer(text=GOOD, raw=GOOD, usage=usage)
    on = stage(store, BreaksOffOnce([answer], price_in=10.0, price_out=20.0))
    on.play.make(6)
    (call,) = on.calls()
    read = sum(len(message.content.split()) for message in on.model.requests[0].messages) + 4
    assert call.money == (1000 + read) * 10 + (500 + 4) * 20
