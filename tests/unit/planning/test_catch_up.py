from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.planning.piles import cover, pile
from tests.unit.planning.test_upkeep import World, world

from foreword.domain.policy import Mode, Strategy
from foreword.planning.catch_up import CatchUp, plan_catch_up
from foreword.planning.steps import Condense, Promote, Rebuild, Roll, Roof


def planned(
    told: World, affordable: Callable[[int, int, int], bool] = lambda _calls, _in, _out: True
) -> CatchUp:
    return plan_catch_up(told.material(), told.depths, affordable=affordable)


def test_nothing_is_planned_where_nothing_is_due() -> None:
    assert planned(world(20)) == CatchUp(
        calls=0,
        summaries=0,
        merges={},
        tokens_in=0,
        tokens_out=0,
        turns=0,
        memory_tokens=0,
        capped=False,
    )


def test_a_pile_is_planned_as_it_would_be_summarised() -> None:
    found = planned(world(32))
    assert found == CatchUp(
        calls=1,
        summaries=1,
        merges={},
        tokens_in=240,
        tokens_out=67,
        turns=6,
        memory_tokens=67,
        capped=False,
    )


def test_a_cap_ends_the_plan_early() -> None:
    told = world(200, batch_target=200, batch_cap=200)
    whole, some = planned(told), planned(told, lambda calls, _in, _out: calls < 3)
    assert (some.calls, some.capped) == (3, True)
    assert (whole.calls > 20, whole.capped) == (True, False)


def test_merges_are_counted_by_the_layer_they_make() -> None:
    found = planned(world(400, layer_count=3, batch_target=200, batch_cap=200))
    assert list(found.merges) == [1, 2, 3, 4]
    assert list(found.merges.values()) == sorted(found.merges.values(), reverse=True)
    assert found.calls == found.summaries + sum(found.merges.values())


def test_summaries_that_are_there_are_gone_on_from() -> None:
    told = world(60, strategy=Strategy.TWO_LEVEL)
    told.run()
    told.turns += pile("ua" * 40, 40, start=61)
    before = planned(told)
    steps = told.run()
    assert before.summaries == sum(1 for one in steps if isinstance(one, Condense))
    assert before.merges.get(1, 0) == sum(1 for one in steps if isinstance(one, Roof))


def test_a_roof_over_blocks_that_are_merged_already_is_planned() -> None:
    told = world(60, strategy=Strategy.TWO_LEVEL)
    for start in range(0, 20, 4):
        told.put(told.turns[start : start + 4], layer=0, depth=1)
    while not any(row.layer for row in told.rows):
        told.turns += pile("ua", 40, start=len(told.turns) + 1)
        told.run()
    told.turns += pile("ua" * 200, 40, start=len(told.turns) + 1)
    told.policy = replace(told.policy, batch_target=200, batch_cap=200)
    assert planned(told).merges[1] >= 1


@pytest.mark.parametrize("strategy", Strategy)
@given(turns=st.integers(1, 240), batch=st.integers(200, 900), prefix=st.booleans())
def test_a_plan_is_what_a_run_with_summaries_of_the_expected_size_does(
    strategy: Strategy, turns: int, batch: int, prefix: bool
) -> None:
    told = world(
        turns,
        40,
        strategy=strategy,
        batch_target=batch,
        batch_cap=batch,
        mode=Mode.PREFIX_CACHE if prefix else Mode.BALANCED,
        depth_limit=3 if strategy is Strategy.ROLLING else None,
    )
    found = planned(told)
    steps = told.run()
    summaries = sum(
        len(one.pieces) if one.atomic else 1 for one in steps if isinstance(one, Condense)
    )
    if strategy in {Strategy.LAYERS, Strategy.TWO_LEVEL}:
        assert found.summaries == summaries
    assert found.turns == len(told.turns) - len(told.open_turns())
    others = sum(isinstance(one, Promote | Roll | Roof | Rebuild) for one in steps)
    assert found.calls >= summaries + others
    assert found.calls == found.summaries + sum(found.merges.values())


def test_a_deep_summary_is_rebuilt_in_the_plan_too() -> None:
    told = world(40, depth_limit=2)
    told.put(told.turns[0:2], layer=2, depth=3)
    assert planned(told).tokens_in >= 80
    long = world(200, depth_limit=2, batch_target=200, batch_cap=200, layer_count=3)
    long.rows = [replace(cover(1, 1, 60, layer=2), src_tokens=2_400)]
    long.depths = {long.rows[0].summary_id: 3}
    assert planned(long).merges[1] >= 1
