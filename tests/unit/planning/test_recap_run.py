from hypothesis import given
from hypothesis import strategies as st
from tests.unit.planning.piles import parted_at, parted_stories, pile

from foreword.domain.ids import TurnId
from foreword.domain.policy import Cadence, Resolution
from foreword.domain.turn import Entry
from foreword.planning.pieces import last_cut
from foreword.planning.recap import Load, would_block
from foreword.planning.recap_run import RunPlan, load_after, plan_run

CADENCE, RESOLUTION = Cadence.RECOMMENDED, Resolution.RECOMMENDED


def load_of(context: int, summaries: int = 0) -> Load:
    return Load(context=context, reply=context // 4, fixed=0, summaries=summaries)


def run(load: Load, *stretches: tuple[Entry, ...], pinned: tuple[TurnId, ...] = ()) -> RunPlan:
    turns = [turn for stretch in stretches for turn in stretch]
    cut = last_cut(reversed(turns), load.reserve, parted_at(stretches))
    return plan_run(
        load,
        stretches,
        cut=cut.pos,
        cadence=CADENCE,
        resolution=RESOLUTION,
        pinned=pinned,
    )


def test_a_run_takes_all_pieces_and_says_what_they_cost() -> None:
    plan = run(load_of(4096), pile("ua" * 30, 50))
    assert [piece.tokens for piece in plan.pieces] == [800, 700, 1000]
    assert (plan.source_tokens, plan.blocked) == (2500, False)


def test_a_run_stops_before_the_piece_that_leaves_no_room() -> None:
    room_for_one = 4096 - 1024 - 410 - 256 - 130
    plan = run(load_of(4096, summaries=room_for_one), pile("ua" * 30, 50))
    assert (len(plan.pieces), plan.blocked) == (1, True)


def test_pinned_turns_in_a_piece_take_room_from_then_on() -> None:
    turns = pile("ua" * 30, 50)
    plan = run(load_of(4096), turns)
    after = load_after(load_of(4096), plan.pieces[0], pinned=[TurnId(1), TurnId(2), TurnId(60)])
    assert (after.summaries, after.pins) == (120, 100)


def test_pins_can_block_a_run() -> None:
    room_for_one = 4096 - 1024 - 410 - 256 - 130
    plan = run(load_of(4096, summaries=room_for_one), pile("ua" * 30, 50), pinned=(TurnId(1),))
    assert plan == RunPlan(pieces=(), blocked=True)


@given(parted_stories(), st.integers(2000, 40_000), st.integers(0, 20_000))
def test_a_planned_run_never_ends_without_room(
    stretches: tuple[tuple[Entry, ...], ...], context: int, summaries: int
) -> None:
    load = load_of(context, summaries)
    before = would_block(load)
    plan = run(load, *stretches)
    for piece in plan.pieces:
        load = load_after(load, piece, pinned=())
    assert would_block(load) == before
    assert not (before and plan.pieces)
