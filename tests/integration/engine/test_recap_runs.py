"""Recap runs: what they make, what they leave, and that whatever goes wrong moves nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.integration.engine.play import Play, start

from foreword.domain.ops import OpKind
from foreword.domain.summarising import MergeRequest, SummaryDraft, SummaryRequest
from foreword.engine import committing, history, recap, repairing, summaries
from foreword.engine.context import Engine
from foreword.engine.recap import MERGE_FIRST, Progress
from foreword.engine.status import status
from foreword.errors import (
    AlreadyUndone,
    MergeRefused,
    StoreConflict,
    SummaryNotInUse,
    SummaryUnusable,
)
from foreword.planning.recap_states import State
from foreword.ports.store import Store
from foreword.testing.engines import engine_on
from foreword.testing.summarisers import (
    EchoSummariser,
    FixedSummariser,
    RecordingSummariser,
    Request,
)

WORDS = 46
"""Words of a turn: fifty tokens with what a message costs."""


def long_story(engine: Engine, turns: int, *, context: int = 2048) -> Play:
    play = start(engine, context=str(context))
    return play.say(*(" ".join([f"t{n}", *["la"] * (WORDS - 1)]) for n in range(1, turns + 1)))


def state(play: Play) -> State:
    return status(play.engine, play.place).advice.state


def test_a_run_takes_all_but_the_reserve_in_pieces_and_one_undo_takes_it_back(
    store: Store,
) -> None:
    play = long_story(engine_on(store, summariser=EchoSummariser(filled=True)), 40)
    before = play.state()
    assert state(play) is State.OVERFLOWING

    run = play.recap()

    assert (run.reason, run.before.state, run.after.state) == (
        "",
        State.OVERFLOWING,
        State.CHAT_MORE,
    )
    assert play.cover() == (
        "S1[1 2 3 4 5 6 7 8] S2[9 10 11 12 13 14] S3[15 16 17 18 19 20] "
        "S4[21 22 23 24 25 26] S5[27 28 29 30 31 32 33 34] 35 36 37 38 39 40"
    )
    assert len(run.made) == len(play.summaries()) == 5
    (command, *_) = history.history(play.engine, play.place)
    assert (command.kind, command.ops) == (OpKind.RECAP, 5)

    play.undo()
    assert play.state() == before
    play.redo()
    assert len(play.summaries()) == 5
    assert play.problems() == ()


def test_a_run_in_chat_more_makes_nothing_unless_told_to(store: Store) -> None:
    play = long_story(engine_on(store), 10)
    assert state(play) is State.CHAT_MORE

    run = play.recap()
    assert (run.made, run.before) == ((), run.after)
    assert run.reason == run.before.sentence

    forced = play.recap(anyway=True)
    assert [view.order for view in forced.made] == [4]
    assert play.cover() == "S1[1 2 3 4] 5 6 7 8 9 10"


def test_a_pile_that_stands_in_the_reserve_gives_up_its_oldest_only_when_told_to(
    store: Store,
) -> None:
    play = long_story(engine_on(store), 4)
    assert play.recap().made == ()

    assert len(play.recap(anyway=True).made) == 1
    assert play.cover() == "S1[1 2] 3 4"

    last = play.recap(anyway=True)
    assert (last.made, last.reason) == ((), recap.ALL_KEPT)


def test_a_run_stops_before_it_leaves_no_room_and_merges_when_allowed(store: Store) -> None:
    engine = engine_on(store, summariser=EchoSummariser(filled=True))
    play = long_story(engine, 60, context=1024)

    stopped = play.recap()
    assert stopped.reason == MERGE_FIRST
    assert len(stopped.made) == 3

    run = play.recap(merge=True)
    assert run.after.state in {State.CHAT_MORE, State.RECAP_NOW}
    assert run.reason == ""
    assert any(view.layer > 0 for view in run.made)
    covered = sum(row.n_turns for row in play.state().cover if row.state.value == "used")
    assert covered >= 56
    assert play.problems() == ()

    play.undo()
    assert [view.id for view in play.summaries()] == [view.id for view in stopped.made]


def test_no_room_makes_nothing_without_merging_and_one_piece_anyway(store: Store) -> None:
    engine = engine_on(store, summariser=EchoSummariser(filled=True))
    play = long_story(engine, 30, context=1024)
    play.recap()
    play.recap(anyway=True)
    assert state(play) is State.NO_ROOM

    run = play.recap()

    assert (run.made, run.reason) == ((), run.before.sentence)
    assert len(play.recap(anyway=True).made) == 1


@pytest.mark.parametrize(
    ("turns", "context"), [(40, 2048), (60, 1024), (12, 1024), (200, 4096), (10, 2048)]
)
def test_the_price_is_what_a_run_then_does(store: Store, turns: int, context: int) -> None:
    recorder = RecordingSummariser(EchoSummariser(filled=True))
    play = long_story(engine_on(store, summariser=recorder), turns, context=context)
    before = play.state()

    price = recap.price(play.engine, play.place)
    assert play.state() == before

    run = play.recap()
    assert price.reason == run.reason
    assert price.calls == len(run.made) == len(recorder.requests)
    assert price.pieces == tuple(
        (view.from_order, view.order, view.src_tokens) for view in run.made
    )
    assert price.tokens_in == sum(view.src_tokens or 0 for view in run.made)
    assert price.tokens_out == sum(view.tokens for view in run.made)


def test_a_small_hole_is_priced_at_what_its_recap_may_take(store: Store) -> None:
    recorder = RecordingSummariser(EchoSummariser(filled=True))
    play = long_story(engine_on(store, summariser=recorder), 40)
    play.make(2)
    play.make(4)
    play.delete_summary(1)

    price = recap.price(play.engine, play.place)
    run = play.recap()

    assert price.pieces[0] == (1, 2, 100)
    assert price.tokens_out == sum(view.tokens for view in run.made)
    assert price.pieces == tuple(
        (view.from_order, view.order, view.src_tokens) for view in run.made
    )


def test_who_watches_is_told_before_each_piece(store: Store) -> None:
    play = long_story(engine_on(store), 40)
    told: list[Progress] = []

    run = asyncio.run(recap.recap(play.engine, play.place, watch=told.append))

    assert [progress.made for progress in told] == list(range(len(run.made)))
    assert [progress.piece_tokens for progress in told] == [view.src_tokens for view in run.made]
    assert told[0].left_tokens == sum(view.src_tokens or 0 for view in run.made)


def test_a_run_that_is_stopped_keeps_the_pieces_it_has_made(store: Store) -> None:
    play = long_story(engine_on(store), 40)

    def stop(progress: Progress) -> None:
        if progress.made == 2:
            task = asyncio.current_task()
            assert task is not None
            task.cancel()

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(recap.recap(play.engine, play.place, watch=stop))

    assert [view.id for view in play.summaries()] == [1, 2]
    assert play.problems() == ()
    play.undo()
    assert play.summaries() == ()


class ModelBroke(Exception):
    """What a model's client might raise."""


def broken(_: Request) -> None:
    raise ModelBroke


COMMANDS: dict[str, Callable[[Play], object]] = {
    "make": lambda play: play.make(9),
    "recap": lambda play: play.recap(),
    "merge": lambda play: play.merge(1, 2),
    "regenerate": lambda play: asyncio.run(
        summaries.regenerate(play.engine, play.place, play.summaries()[0].id)
    ),
    "repair": lambda play: asyncio.run(repairing.repair(play.engine, play.place)),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("failure", ["raises", "blank"])
def test_a_summariser_that_fails_leaves_everything_as_it_was(
    store: Store, command: str, failure: str
) -> None:
    play = long_story(engine_on(store), 60)
    for through in (3, 6, 8):
        play.make(through)
    play.edit(7, "changed spoke")
    before, journal = play.state(), history.history(play.engine, play.place)
    summariser = (
        RecordingSummariser(EchoSummariser(), before=broken)
        if failure == "raises"
        else FixedSummariser(" \n\t ")
    )
    failing = replace(play, engine=replace(play.engine, summariser=summariser))

    with pytest.raises(ModelBroke if failure == "raises" else SummaryUnusable):
        COMMANDS[command](failing)

    assert play.state() == before
    assert history.history(play.engine, play.place) == journal
    assert play.problems() == ()


def test_a_span_edited_during_the_call_is_read_again(store: Store) -> None:
    recorder = RecordingSummariser(EchoSummariser())
    play = long_story(engine_on(store, summariser=recorder), 40)

    def edit_once(_: Request) -> None:
        recorder.before = None
        play.edit(2, "changed meanwhile")

    recorder.before = edit_once
    run = play.recap()

    assert run.made[0].text == "sum(t1,changed,t3,t4,t5,t6,t7,t8)"
    assert len(recorder.requests) == len(run.made) + 1
    assert play.problems() == ()
    play.undo()
    assert play.summaries() == ()


@pytest.mark.parametrize("command", ["make", "recap"])
def test_a_span_that_keeps_changing_ends_in_a_conflict_and_nothing_is_lost(
    store: Store, command: str
) -> None:
    recorder = RecordingSummariser(EchoSummariser())
    play = long_story(engine_on(store, summariser=recorder), 40)
    edits: list[str] = []

    def edit(_: Request) -> None:
        edits.append(f"edit {len(edits)}")
        play.edit(2, edits[-1])

    recorder.before = edit
    with pytest.raises(StoreConflict) as raised:
        COMMANDS[command](play)

    assert raised.value.retryable
    assert len(recorder.requests) == len(edits) == committing.ATTEMPTS
    assert play.summaries() == ()
    assert play.sent()[-1].startswith("t40 ")
    assert play.problems() == ()


def test_summaries_changed_during_a_merge_are_read_again(store: Store) -> None:
    recorder = RecordingSummariser(EchoSummariser())
    play = long_story(engine_on(store, summariser=recorder), 8)
    play.make(3)
    play.make(6)

    def edit_once(_: Request) -> None:
        recorder.before = None
        summaries.edit(play.engine, play.place, play.summaries()[0].id, "by hand")

    recorder.before = edit_once
    with pytest.raises(SummaryNotInUse) as refused:
        play.merge(1, 2)

    assert (refused.value.summary_id, refused.value.state) == (1, "replaced")
    assert play.cover() == "S3[1 2 3] S2[4 5 6] 7 8"
    assert play.problems() == ()


def test_a_turn_shown_again_between_two_summaries_during_their_merge_is_not_swallowed(
    store: Store,
) -> None:
    recorder = RecordingSummariser(EchoSummariser())
    play = long_story(engine_on(store, summariser=recorder), 8)
    play.hide(4)
    play.make(3)
    play.make(6)
    assert play.cover() == "S1[1 2 3] (4) S2[5 6] 7 8"

    def unhide(_: Request) -> None:
        recorder.before = None
        play.unhide(4)

    recorder.before = unhide
    with pytest.raises(MergeRefused) as refused:
        play.merge(1, 2)

    assert refused.value.summary_ids == (1, 2)
    assert play.cover() == "S1[1 2 3] 4 S2[5 6] 7 8"
    assert play.problems() == ()


@pytest.mark.parametrize("command", ["regenerate", "repair"])
def test_what_changes_during_a_rewrite_is_a_conflict(store: Store, command: str) -> None:
    recorder = RecordingSummariser(EchoSummariser())
    play = long_story(engine_on(store, summariser=recorder), 8)
    play.make(3)
    if command == "repair":
        play.edit(2, "changed spoke")

    def edit(_: Request) -> None:
        play.edit(1, "changed meanwhile")

    recorder.before = edit

    with pytest.raises(StoreConflict):
        COMMANDS[command](play)

    assert play.summaries() == ()
    assert play.problems() == ()


def test_no_call_is_made_inside_a_transaction(store: Store) -> None:
    recorder = RecordingSummariser(EchoSummariser())
    play = long_story(engine_on(store, summariser=recorder), 60, context=1024)
    kinds: list[type[Request]] = []

    def write(request: Request) -> None:
        # A writer would wait in vain for a transaction that is open during the call.
        play.say("said meanwhile")
        kinds.append(type(request))

    recorder.before = write
    play.recap(merge=True)
    play.make(len(play.state().entries) - 1)

    assert set(kinds) <= {SummaryRequest, MergeRequest}
    assert len(kinds) == len(recorder.requests)
    assert play.problems() == ()


def test_summaries_that_keep_changing_end_in_a_conflict(store: Store) -> None:
    recorder = RecordingSummariser(EchoSummariser())
    play = long_story(engine_on(store, summariser=recorder), 8)
    play.make(3)
    play.make(6)
    recorder.answered.clear()

    def hide_and_show(_: Request) -> None:
        play.hide(2)
        play.unhide(2)

    recorder.before = hide_and_show
    with pytest.raises(StoreConflict):
        play.merge(1, 2)

    assert len(recorder.requests) == committing.ATTEMPTS
    assert play.cover() == "S1[1 2 3] S2[4 5 6] 7 8"
    assert play.problems() == ()


class Verbose:
    """Writes merges that are longer than what they merge."""

    maker = "verbose-1"

    async def summarise(self, request: SummaryRequest) -> SummaryDraft:
        return SummaryDraft(text=" ".join(["la"] * request.target_tokens))

    async def merge(self, request: MergeRequest) -> SummaryDraft:
        return SummaryDraft(text=" ".join(["la"] * (5 * request.target_tokens)))


def test_a_run_whose_merges_win_no_room_stops_instead_of_going_on_for_ever(store: Store) -> None:
    play = long_story(engine_on(store, summariser=Verbose()), 40, context=1024)

    run = play.recap(merge=True)

    assert run.reason == recap.NOTHING_TO_MERGE
    assert [view.layer for view in run.made] == [0, 0, 0]
    assert [view.layer for view in play.summaries()] == [0, 0, 0]
    assert play.problems() == ()
    play.undo()
    assert play.summaries() == ()


def test_a_recap_that_is_undone_while_it_runs_makes_no_more(store: Store) -> None:
    recorder = RecordingSummariser(EchoSummariser())
    play = long_story(engine_on(store, summariser=recorder), 40)

    def undo_the_first(_: Request) -> None:
        if len(recorder.requests) == 1:
            play.undo()

    recorder.before = undo_the_first
    with pytest.raises(AlreadyUndone):
        play.recap()

    assert len(recorder.requests) == 2
    assert play.summaries() == ()
    assert play.problems() == ()


def test_a_run_that_leaves_the_context_overflowing_says_which_turn_is_in_the_way(
    store: Store,
) -> None:
    play = long_story(engine_on(store), 40)
    play.say(" ".join(["la"] * 1900))
    run = play.recap()

    assert run.made
    assert run.after.state is State.OVERFLOWING
    assert run.reason.startswith("Turn 41 ")
