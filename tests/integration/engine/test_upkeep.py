"""Automatic memory on a branch: what it makes by itself, and what it leaves alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.integration.engine.play import Play, start

from foreword.domain.ops import OpKind
from foreword.domain.summarising import MergeRequest, SummaryDraft, SummaryRequest
from foreword.domain.turn import Role
from foreword.engine import history, rebuilding, turns
from foreword.engine.context import MEMORY, reading
from foreword.engine.rebuilding import Chosen
from foreword.engine.upkeep import Kept, Limits, due, keep_up, look
from foreword.errors import StoreConflict
from foreword.planning.layering import MOST_REFUSED
from foreword.planning.steps import Reason
from foreword.planning.upkeep import Asked
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore
from foreword.testing.summarisers import EchoSummariser, RecordingSummariser, Request

STRATEGIES = ("layers", "two-level", "rolling", "originals")
PER_TURN = 40
"""Tokens of a turn here: 36 words and the overhead of a message."""
ENOUGH = 32
"""Turns that exceed both budgets of a story here: 990 and 270 tokens."""


def story(before: Callable[[Request], None] | None = None, **values: str) -> Play:
    """A conversation whose summaries have exactly as many words as they may."""
    summariser = RecordingSummariser(EchoSummariser(filled=True), before)
    engine = engine_on(MemoryStore(), summariser=summariser)
    chosen = {"context": "2000", "reply": "200", "mode": "balanced", **values}
    return start(engine, 0, **chosen)


def say(play: Play, first: int, last: int, words: int = 36) -> Play:
    for number in range(first, last + 1):
        text = " ".join([f"t{number}", *["word"] * (words - 1)])
        play.say(text, first=Role.USER if number % 2 else Role.ASSISTANT)
    return play


def tell(play: Play, turns_: int) -> list[Kept]:
    """Say turns one after another; memory works after each."""
    kept = []
    for number in range(1, turns_ + 1):
        say(play, number, number)
        kept.append(upkeep(play))
    return kept


def upkeep(play: Play, asked: Asked = Asked.AUTOMATIC, limits: Limits | None = None) -> Kept:
    return asyncio.run(keep_up(play.engine, play.place, asked=asked, limits=limits or Limits()))


def budget(play: Play) -> tuple[int, int, int]:
    with reading(play.engine, play.place) as at:
        found = look(play.engine, at).budgets
    return found.verbatim, found.queue, found.memory


def pile(play: Play) -> int:
    with reading(play.engine, play.place) as at:
        return look(play.engine, at).loaded.pile.tokens


def depth(play: Play) -> int:
    return max((view.generation_depth for view in play.summaries()), default=0)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("mode", ["balanced", "prefix-cache"])
def test_a_growing_story_stays_within_its_budgets_and_loses_nothing(
    mode: str, strategy: str
) -> None:
    play = story(mode=mode, strategy=strategy)
    verbatim, queue, memory = budget(play)
    for kept in tell(play, 160):
        assert kept.wait.reason in {Reason.BELOW, Reason.NO_GAIN}
    assert verbatim <= pile(play) < verbatim + queue + PER_TURN
    assert sum(view.tokens for view in play.summaries()) <= memory
    coverage = play.prompt().plan.coverage
    assert (coverage.dropped, coverage.turns) == (0, 160)
    assert play.problems() == ()


@pytest.mark.parametrize(
    ("strategy", "most"), [("layers", 5), ("two-level", 2), ("originals", 1), ("rolling", 8)]
)
def test_the_depth_of_a_strategy_stays_within_its_bound(strategy: str, most: int) -> None:
    play = story(strategy=strategy)
    tell(play, 240)
    assert 1 <= depth(play) <= most


def test_nothing_is_made_below_both_budgets() -> None:
    play = say(story(), 1, ENOUGH - 1)
    assert not due(play.engine, play.place)
    assert upkeep(play).wait.reason is Reason.BELOW
    say(play, ENOUGH, ENOUGH)
    assert due(play.engine, play.place)
    assert [view.layer for view in upkeep(play).made] == [0]


def test_size_makes_it_act_and_the_number_of_turns_does_not() -> None:
    few, many = story(), story()
    say(few, 1, 12, words=101)
    say(many, 1, 84, words=11)
    assert (pile(few), pile(many)) == (1260, 1260)
    assert (due(few.engine, few.place), due(many.engine, many.place)) == (True, True)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"mode": "manual"}, Reason.NOT_AUTOMATIC),
        ({"mode": "advised"}, Reason.NOT_AUTOMATIC),
        ({"memory": "off"}, Reason.OFF),
        ({"paused": "on"}, Reason.PAUSED),
    ],
)
def test_memory_that_may_not_run_by_itself_runs_when_it_is_asked(
    values: dict[str, str], reason: Reason
) -> None:
    play = say(story(None, **values), 1, ENOUGH)
    assert (upkeep(play).made, upkeep(play).wait.reason) == ((), reason)
    by_hand = upkeep(play, Asked.RECAP)
    assert (len(by_hand.made), by_hand.wait.reason) == (1, Reason.DONE)


def test_what_memory_made_is_passed_by_when_the_user_undoes() -> None:
    play = say(story(), 1, ENOUGH)
    upkeep(play)
    assert history.history(play.engine, play.place, limit=1)[0].actor == MEMORY
    assert play.undo().kind is OpKind.APPEND
    assert play.cover() == "S1[1 2 3 4 5 6] " + " ".join(map(str, range(7, ENOUGH)))


def test_a_command_of_the_user_is_one_undo() -> None:
    play = say(story(batch_target="200", batch_cap="200"), 1, 2 * ENOUGH)
    made = upkeep(play, Asked.RECAP).made
    assert len(made) > 2
    undone = play.undo()
    assert (undone.kind, play.summaries()) == (OpKind.RECAP, ())


def test_what_the_user_took_away_is_not_made_again_by_itself() -> None:
    play = say(story(), 1, ENOUGH)
    made = upkeep(play).made[0]
    play.delete_summary(made.id)
    assert upkeep(play).wait.reason is Reason.BARRED
    # What comes after it is summarised as before.
    say(play, ENOUGH + 1, ENOUGH + 8)
    assert upkeep(play).wait.reason is Reason.BELOW or play.summaries()
    assert play.cover().startswith("1 2 3 4 5 6 S2[7")
    assert upkeep(play, Asked.RECAP).made
    assert play.cover().startswith("S3[1 2 3 4 5 6] S2[7")


def test_a_turn_that_reads_differently_is_free_again() -> None:
    play = say(story(), 1, ENOUGH)
    play.delete_summary(upkeep(play).made[0].id)
    for number in range(1, 7):
        play.edit(number, " ".join([f"new{number}", *["word"] * 45]))
    assert upkeep(play).made


def test_the_newest_exchange_is_left_for_another_answer() -> None:
    play = say(story(verbatim="100", queue="50"), 1, 4, words=300)
    upkeep(play)
    assert play.cover() == "S1[1 2] 3 4"
    assert upkeep(play, Asked.RECAP).made == ()


def test_the_breaker_takes_everything_through_the_last_answer() -> None:
    play = say(story(), 1, 9)
    play.pin(8)
    kept = upkeep(play, Asked.BREAKER)
    assert (play.cover(), kept.wait.reason) == ("S1[1 2 3 4 5 6 7 8] 9", Reason.DONE)
    assert play.sent()[-1].startswith("t9 ")
    assert any(text.startswith("t8 ") for text in play.sent())


def test_an_edit_while_the_summariser_works_makes_it_read_again() -> None:
    play = story()
    changes = iter([True, False, False])

    def meddle(_request: Request) -> None:
        if next(changes):
            turns.edit(play.engine, play.place, "2", "t2 changed meanwhile")

    play = story(meddle)
    say(play, 1, ENOUGH + 1)
    kept = upkeep(play)
    assert [view.state for view in kept.made] == ["in_use"]
    assert "t2" in kept.made[0].text
    assert play.problems() == ()


def test_turns_that_change_every_time_end_the_run_and_change_nothing() -> None:
    versions = iter(range(100))

    def meddle(_request: Request) -> None:
        words = " ".join(["word"] * 40)
        turns.edit(play.engine, play.place, "2", f"t2 version {next(versions)} {words}")

    play = story(meddle)
    say(play, 1, ENOUGH + 1)
    with pytest.raises(StoreConflict):
        upkeep(play)
    assert (play.summaries(), play.problems()) == ((), ())


def test_a_flush_of_prefix_cache_is_one_commit() -> None:
    play = story(mode="prefix-cache", batch_target="200", batch_cap="200")
    say(play, 1, 36)
    before = play.last_command()
    made = upkeep(play).made
    assert len(made) > 1
    assert [one.id for one in history.history(play.engine, play.place, limit=1)] == [before + 1]


def test_a_flush_whose_turns_change_is_not_taken_in_part() -> None:
    calls = iter(range(100))

    def meddle(_request: Request) -> None:
        if next(calls) == 2:
            turns.edit(play.engine, play.place, "1", "t1 changed meanwhile and shorter")
            play.set(paused="on")

    play = story(meddle, mode="prefix-cache", batch_target="200", batch_cap="200")
    say(play, 1, 36)
    assert upkeep(play).wait.reason is Reason.PAUSED
    assert play.summaries() == ()


def test_each_batch_of_a_flush_is_told_of_those_before_it() -> None:
    play = story(mode="prefix-cache", batch_target="200", batch_cap="200")
    say(play, 1, 36)
    upkeep(play)
    asked = play.engine.summariser
    assert isinstance(asked, RecordingSummariser)
    texts = [draft.text for _, draft in asked.answered]
    earlier = [getattr(request, "earlier", ()) for request in asked.requests]
    assert earlier == [tuple(texts[:place]) for place in range(len(texts))]


def test_a_merge_that_wins_no_room_is_refused_and_not_paid_again() -> None:
    class Wordy:
        maker = "wordy-1"

        async def summarise(self, request: SummaryRequest) -> SummaryDraft:
            return await EchoSummariser(filled=True).summarise(request)

        async def merge(self, request: MergeRequest) -> SummaryDraft:
            return SummaryDraft(text=" ".join(request.blocks))

    asked: list[Request] = []
    summariser = RecordingSummariser(Wordy(), asked.append)
    engine = engine_on(MemoryStore(), summariser=summariser)
    play = start(engine, context="2000", reply="200", mode="balanced", layer_count="3")
    tell(play, 80)
    merges = [request for request in asked if isinstance(request, MergeRequest)]
    assert len(merges) == len({request.blocks for request in merges}) == MOST_REFUSED
    assert {view.layer for view in play.summaries()} == {0}


def test_stale_summaries_are_repaired_by_themselves() -> None:
    play = story()
    tell(play, 80)
    play.edit(3, " ".join(["t3new", *["word"] * 35]))
    assert due(play.engine, play.place)
    kept = upkeep(play)
    assert kept.repaired > 0
    assert any("t3new" in view.text for view in play.summaries(all_states=True))
    assert play.prompt().plan.coverage.dropped == 0
    assert play.problems() == ()


def test_a_run_ends_at_its_limit_and_goes_on_later() -> None:
    play = say(story(batch_target="200", batch_cap="200"), 1, 3 * ENOUGH)
    first = upkeep(play, limits=Limits(steps=2))
    assert (len(first.made), first.wait.reason) == (2, Reason.LIMIT)
    assert upkeep(play).wait.reason is Reason.BELOW


def test_a_depth_limit_rebuilds_just_that_block_from_its_turns() -> None:
    play = story(layer_count="3")
    tell(play, 160)
    deep = [view for view in play.summaries() if view.generation_depth > 2]
    assert deep
    others = {view.id for view in play.summaries() if view.generation_depth <= 2}
    play.set(depth_limit="2")
    upkeep(play)
    assert depth(play) <= 2
    assert others & {view.id for view in play.summaries()}
    assert play.problems() == ()


def test_a_rebuild_by_hand_brings_every_summary_back_to_its_turns() -> None:
    play = story(layer_count="3", batch_target="300", batch_cap="300")
    tell(play, 160)
    before = play.state()
    priced = rebuilding.price(play.engine, play.place)
    made = asyncio.run(rebuilding.rebuild(play.engine, play.place))
    assert priced.summaries == tuple(row.summary_id for row in before.cover if row.state == "used")
    assert depth(play) <= 2
    assert priced.calls == len(made)
    assert play.problems() == ()
    play.undo()
    assert play.state() == before


def test_a_rebuild_takes_the_chosen_summary_or_span_alone() -> None:
    play = story()
    tell(play, 120)
    first, *others = [view.id for view in play.summaries()]
    chosen = Chosen(ids=(first,))
    made = asyncio.run(rebuilding.rebuild(play.engine, play.place, chosen))
    assert [view.id for view in play.summaries()] == [made[-1].summary.id, *others]
    assert play.states()[first] == "replaced"
    span = Chosen(first="1", last="1")
    assert rebuilding.price(play.engine, play.place, span).summaries == (made[-1].summary.id,)


@settings(max_examples=15, deadline=None)
@given(
    strategy=st.sampled_from(STRATEGIES),
    mode=st.sampled_from(["balanced", "prefix-cache"]),
    sizes=st.lists(st.integers(min_value=1, max_value=300), min_size=20, max_size=60),
)
def test_whatever_the_turns_are_nothing_is_lost_and_the_run_ends(
    strategy: str, mode: str, sizes: list[int]
) -> None:
    play = story(strategy=strategy, mode=mode)
    for number, size in enumerate(sizes, 1):
        say(play, number, number, words=size)
        upkeep(play)
    verbatim, queue, _ = budget(play)
    newest = sum(size + 4 for size in sizes[-2:])
    assert pile(play) < max(verbatim + queue, newest) + 2 * max(sizes) + 8
    assert play.problems() == ()
