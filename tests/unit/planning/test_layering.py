from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.unit.planning.piles import cover

from foreword.domain.ids import Pos, SummaryId
from foreword.domain.policy import Policy
from foreword.domain.summary import CoverRow
from foreword.planning.budgets import Budgets
from foreword.planning.layering import (
    MOST_REFUSED,
    LayerUse,
    crowded,
    layer_uses,
    quotas,
    still_refused,
    wins_room,
)

POLICY = Policy()
BUDGETS = Budgets(
    verbatim=22_000,
    queue=6_000,
    memory=10_000,
    summary_target=280,
    batch_target=16_000,
    batch_cap=24_000,
)


def rows(*layers: int, tokens: int = 280) -> tuple[CoverRow, ...]:
    """Make neighbours of these layers, oldest first, two turns each."""
    return tuple(
        cover(n, 2 * n - 1, 2 * n, layer=layer, tokens=tokens) for n, layer in enumerate(layers, 1)
    )


def ids(found: tuple[CoverRow, ...] | None) -> list[int] | None:
    return None if found is None else [int(row.summary_id) for row in found]


def test_layer_0_has_more_room_while_it_is_alone() -> None:
    assert quotas(rows(0, 0), POLICY, BUDGETS) == {0: 6_000, 1: 3_000, 2: 2_000}
    assert quotas(rows(1, 0), POLICY, BUDGETS) == {0: 5_000, 1: 3_000, 2: 2_000}


def test_what_each_layer_takes_is_told_and_the_deep_ones_share() -> None:
    held = rows(4, 3, 3, 1, 0, 0, 0)
    assert layer_uses(held, POLICY, replace(BUDGETS, memory=3_000)) == (
        LayerUse(name="layer 0", layers=(0,), summaries=3, tokens=840, quota=1_500, over=False),
        LayerUse(name="layer 1", layers=(1,), summaries=1, tokens=280, quota=900, over=False),
        LayerUse(
            name="layers 2 and above",
            layers=(3, 4),
            summaries=3,
            tokens=840,
            quota=600,
            over=True,
        ),
    )
    assert layer_uses((), POLICY, BUDGETS) == ()


def test_a_layer_that_holds_too_many_is_over_whatever_it_takes() -> None:
    (use,) = layer_uses(rows(*[0] * 25, tokens=1), POLICY, BUDGETS)
    assert use.over
    (use,) = layer_uses(rows(*[0] * 24, tokens=1), POLICY, BUDGETS)
    assert not use.over


def test_nothing_is_merged_while_every_layer_keeps_to_its_share() -> None:
    assert crowded(rows(*[0] * 21), (), POLICY, BUDGETS) is None
    assert crowded((), (), POLICY, BUDGETS) is None


def test_the_oldest_of_a_crowded_layer_are_merged() -> None:
    assert ids(crowded(rows(*[0] * 25, tokens=100), (), POLICY, BUDGETS)) == [1, 2, 3]
    assert ids(crowded(rows(*[0] * 22), (), POLICY, BUDGETS)) == [1, 2, 3]
    held = rows(1, 1, *[0] * 25, tokens=100)
    assert ids(crowded(held, (), POLICY, BUDGETS)) == [3, 4, 5]


def test_as_many_are_merged_as_is_set() -> None:
    four = replace(POLICY, merge_count=4)
    assert ids(crowded(rows(*[0] * 22), (), four, BUDGETS)) == [1, 2, 3, 4]


def test_a_deeper_layer_gives_way_when_the_shallow_ones_keep_to_their_share() -> None:
    held = rows(*[1] * 11, 0, 0)
    assert ids(crowded(held, (), POLICY, BUDGETS)) == [1, 2, 3]
    deep = rows(3, 2, 2, 2, 2, 2, 2, 2, 0)
    assert ids(crowded(deep, (), POLICY, BUDGETS)) == [2, 3, 4]


def test_layer_0_is_left_alone_where_a_merge_would_leave_it_too_thin() -> None:
    small = replace(BUDGETS, memory=1_000)
    # 600 tokens of quota; 700 in five: three of them away would leave 280, over 40 %.
    assert ids(crowded(rows(*[0] * 5, tokens=140), (), POLICY, small)) == [1, 2, 3]
    # 640 in four: 160 would be left, under 240.
    assert crowded(rows(*[0] * 4, tokens=160), (), POLICY, small) is None


def test_a_count_alone_is_reason_enough() -> None:
    three = replace(POLICY, layer_count=3)
    assert ids(crowded(rows(*[0] * 4, tokens=1), (), three, BUDGETS)) == [1, 2, 3]


def test_no_merge_goes_over_a_hole() -> None:
    held = rows(*[0] * 25, tokens=100)
    hole = Pos(held[1].to_pos + 1)
    assert ids(crowded(held, [hole], POLICY, BUDGETS)) == [3, 4, 5]


def test_a_merge_that_would_win_no_room_is_not_tried_again() -> None:
    held = rows(*[0] * 25, tokens=100)
    refused = [(SummaryId(1), SummaryId(2), SummaryId(3))]
    assert ids(crowded(held, (), POLICY, BUDGETS, refused)) == [2, 3, 4]
    assert ids(crowded(held, (), POLICY, BUDGETS, [(SummaryId(2),)])) == [1, 2, 3]


def test_after_too_many_merges_in_vain_none_is_tried_until_their_summaries_go() -> None:
    held = rows(*[0] * 40, tokens=300)
    refused = [tuple(SummaryId(n + one) for one in range(3)) for n in range(1, MOST_REFUSED + 1)]
    assert crowded(held, (), POLICY, BUDGETS, refused) is None
    assert still_refused(held, refused) == tuple(refused)
    assert still_refused(held[1:], refused) == tuple(refused[1:])
    assert ids(crowded(held[1:], (), POLICY, BUDGETS, refused)) == [7, 8, 9]


def test_no_layer_above_the_most_is_built() -> None:
    one = replace(POLICY, most_layers=1)
    assert ids(crowded(rows(*[0] * 25), (), one, BUDGETS)) == [1, 2, 3]
    assert crowded(rows(*[1] * 30, tokens=200), (), one, BUDGETS) is None
    assert crowded(rows(*[1] * 60), (), one, BUDGETS) is None


def test_over_the_whole_budget_the_cheapest_merge_is_taken() -> None:
    small = replace(BUDGETS, memory=1_000)
    # No layer has three, and together they take 1,120.
    held = rows(3, 2, 1, 0)
    assert ids(crowded(held, (), POLICY, small)) == [3, 4]
    refused = [(SummaryId(3), SummaryId(4))]
    assert ids(crowded(held, (), POLICY, small, refused)) == [2, 3]
    pairs = [(SummaryId(n), SummaryId(n + 1)) for n in (1, 2, 3)]
    assert crowded(held, (), POLICY, small, pairs) is None
    assert crowded(rows(1, tokens=2_000), (), POLICY, small) is None


def test_a_merge_wins_room_only_when_it_is_strictly_smaller() -> None:
    held = rows(0, 0, tokens=100)
    assert wins_room(held, 199)
    assert not wins_room(held, 200)


@given(
    layers=st.lists(st.integers(0, 4), max_size=40),
    tokens=st.integers(1, 600),
    memory=st.integers(200, 10_000),
    holes=st.sets(st.integers(1, 80), max_size=4),
)
def test_what_is_merged_are_neighbours_without_a_hole(
    layers: list[int], tokens: int, memory: int, holes: set[int]
) -> None:
    held = rows(*layers, tokens=tokens)
    gaps = [Pos(20 * number + 5) for number in holes]
    found = crowded(held, gaps, POLICY, replace(BUDGETS, memory=memory))
    if found is None:
        return
    assert len(found) >= 2
    start = held.index(found[0])
    assert found == held[start : start + len(found)]
    assert not any(found[0].to_pos < gap < found[-1].from_pos for gap in gaps)
