"""Summaries by models: what is asked, what is refused, and that nothing bad becomes memory."""

from __future__ import annotations

import asyncio

import pytest
from tests.integration.engine.stage import GOOD, HALVES, REFUSAL, STORY, stage, unwritable

from foreword.domain.calls import Delta, Finish, ModelAnswer, ModelRequest
from foreword.engine import repairing, summaries
from foreword.errors import (
    CallFailed,
    KeyRejected,
    ModelUnreachable,
    StoreUnavailable,
    SummaryUnusable,
)
from foreword.ports.store import Store
from foreword.testing.models import FakeModel

UNREACHABLE = ModelUnreachable(route="summarise", detail="connection refused")


def test_what_a_model_writes_is_committed_under_its_name(store: Store) -> None:
    on = stage(store, FakeModel([GOOD]))
    on.play.make(6)
    (view,) = on.play.summaries()
    assert (view.text, view.maker, on.play.cover()) == (GOOD, "m-1", "S1[1 2 3 4 5 6]")
    (call,) = on.calls()
    assert (call.outcome.value, call.open, call.summary) == ("used", False, view.id)


def test_the_source_is_fenced_with_a_word_that_changes(store: Store) -> None:
    on = stage(store, FakeModel(HALVES))
    on.play.make(4)
    on.play.make(6)
    first, second = on.prompts()
    assert ("<<<FENCE-1\n" in first, "FENCE-1>>>" in first) == (True, True)
    assert ("FENCE-1" in second, "<<<FENCE-2\n" in second) == (False, True)


def test_reasoning_is_kept_beside_the_text(store: Store) -> None:
    answer = ModelAnswer(text=GOOD, reasoning="Who paid whom?", raw=GOOD)
    on = stage(store, FakeModel([answer]))
    on.play.make(6)
    (view,) = on.play.summaries()
    assert (view.text, view.reasoning) == (GOOD, "Who paid whom?")


def test_a_refused_draft_is_asked_for_again_with_what_is_wrong(store: Store) -> None:
    on = stage(store, FakeModel([REFUSAL, GOOD]))
    on.play.make(6)
    assert on.outcomes() == ["summary rejected", "repair used"]
    _, repair = on.prompts()
    assert REFUSAL in repair
    assert "Mara waits under the old bridge" in repair
    assert [view.text for view in on.play.summaries()] == [GOOD]


def test_an_answer_that_was_cut_off_may_be_longer_the_second_time(store: Store) -> None:
    cut = ModelAnswer(text=GOOD[:120], raw=GOOD[:120], finish=Finish.LENGTH)
    on = stage(store, FakeModel([cut, GOOD]))
    on.play.make(6)
    first, second = (request.max_tokens for request in on.model.requests)
    assert first is not None
    assert second == 4 * first


def test_after_a_second_refusal_the_fallback_is_asked(store: Store) -> None:
    other = FakeModel([GOOD])
    on = stage(store, FakeModel([REFUSAL]), others={"fallback": other})
    on.route("fallback", model="m-2")
    on.play.make(6)
    assert on.outcomes() == ["summary rejected", "repair rejected", "summary used"]
    assert [view.maker for view in on.play.summaries()] == ["m-2"]


def test_when_nothing_usable_comes_everything_stays_and_the_words_are_kept(store: Store) -> None:
    on = stage(store, FakeModel([REFUSAL]))
    before = on.play.state()
    with pytest.raises(SummaryUnusable) as caught:
        on.play.make(6)
    assert (caught.value.raw, caught.value.maker, "refusal" in caught.value.gates) == (
        REFUSAL,
        "m-1",
        True,
    )
    assert on.play.state() == before
    assert on.outcomes() == ["summary rejected", "repair rejected"]
    assert [call.answer and call.answer.raw for call in on.calls()] == [REFUSAL, REFUSAL]


def test_the_built_in_summariser_stands_in_where_the_policy_says_so(store: Store) -> None:
    on = stage(store, FakeModel([REFUSAL]), last_resort="builtin")
    on.play.make(6)
    assert [view.maker for view in on.play.summaries()] == ["echo-1"]


def test_a_route_that_cannot_be_reached_leads_to_the_fallback(store: Store) -> None:
    on = stage(store, FakeModel([UNREACHABLE]), others={"fallback": FakeModel([GOOD])})
    on.route("fallback", model="m-2")
    on.play.make(6)
    assert on.outcomes() == ["summary failed", "summary used"]


@pytest.mark.parametrize("error", [UNREACHABLE, KeyRejected(route="summarise", detail="401")])
def test_without_a_fallback_the_failure_is_told_and_nothing_moves(
    store: Store, error: CallFailed
) -> None:
    on = stage(store, FakeModel([error]))
    before = on.play.state()
    with pytest.raises(type(error)):
        on.play.make(6)
    assert (on.play.state(), on.outcomes()) == (before, ["summary failed"])


def test_a_stopped_summary_changes_nothing_and_ends_the_request(store: Store) -> None:
    on = stage(store, FakeModel([GOOD]))
    before = on.play.state()
    heard: list[Delta] = []

    async def stopped() -> None:
        task: asyncio.Task[object]

        def listen(event: object) -> None:
            if isinstance(event, Delta):
                heard.append(event)
                task.cancel()

        task = asyncio.ensure_future(summaries.make(on.engine, on.play.place, "6", listen=listen))
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(stopped())
    assert len(heard) == 1
    assert (on.play.state(), on.outcomes(), on.model.stopped) == (before, ["summary stopped"], 1)


def test_what_was_edited_during_the_call_is_read_again(store: Store) -> None:
    def answer(request: ModelRequest) -> str:
        if len(on.model.requests) == 1:
            on.play.edit(1, STORY[0].replace("eleven", "twelve"))
        return GOOD.replace("eleven", "twelve") if "twelve" in str(request) else GOOD

    on = stage(store, FakeModel(answer))
    on.play.make(6)
    assert on.outcomes() == ["summary wasted", "summary used"]
    assert "twelve" in on.play.summaries()[0].text


def test_a_paid_answer_that_could_not_be_stored_is_not_paid_again(store: Store) -> None:
    on = stage(store, FakeModel([GOOD]))
    with pytest.raises(StoreUnavailable):
        unwritable(on.play).make(6)
    assert [(call.outcome.value, call.open) for call in on.calls()] == [("answered", True)]
    on.play.make(6)
    assert len(on.model.requests) == 1
    assert on.outcomes() == ["summary used"]


def test_a_regenerated_summary_is_always_asked_for(store: Store) -> None:
    on = stage(store, FakeModel([GOOD]))
    summary = on.play.make(6)
    asyncio.run(summaries.regenerate(on.engine, on.play.place, summary))
    assert on.outcomes() == ["summary used", "summary used"]


def test_merges_go_to_their_own_route(store: Store) -> None:
    merged = (
        "Mara paid Tobin eleven coins to be taken across before Sunday; soldiers hold the ferry "
        "and Captain Ilse is at the fort at Brennick."
    )
    on = stage(store, FakeModel(HALVES), others={"merge": FakeModel([merged])})
    on.route("merge", model="m-2")
    first, second = on.play.make(4), on.play.make(6)
    on.play.merge(first, second)
    assert [(view.text, view.maker) for view in on.play.summaries()] == [(merged, "m-2")]


def test_a_stale_summary_is_remade_through_the_route(store: Store) -> None:
    on = stage(store, FakeModel([GOOD]))
    on.play.make(6)
    on.play.edit(2, STORY[1].replace("laughs", "smiles"))
    (done,) = asyncio.run(repairing.repair(on.engine, on.play.place))
    assert (done.made.text, on.play.cover()) == (GOOD, "S2[1 2 3 4 5 6]")
