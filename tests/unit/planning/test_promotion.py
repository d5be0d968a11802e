from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from tests.unit.planning.piles import GAP, cover

from foreword.domain.ids import Pos
from foreword.domain.summary import CoverRow
from foreword.planning.promotion import to_merge


def rows(*layers: int) -> tuple[CoverRow, ...]:
    return tuple(
        cover(number, 2 * number, 2 * number, layer=layer)
        for number, layer in enumerate(layers, start=1)
    )


def chosen(known: Sequence[CoverRow], holes: Sequence[Pos] = ()) -> list[int]:
    return [int(row.summary_id) for row in to_merge(known, holes) or ()]


def hole_after(number: int) -> Pos:
    return Pos((2 * number + 1) * GAP)


def test_the_oldest_three_of_the_lowest_crowded_layer_are_merged() -> None:
    assert chosen(rows(1, 1, 1, 0, 0, 0, 0)) == [4, 5, 6]


def test_a_layer_of_two_is_not_crowded() -> None:
    assert chosen(rows(1, 1, 1, 0, 0)) == [1, 2, 3]


def test_without_a_crowded_layer_two_of_the_lowest_layer_are_merged() -> None:
    assert chosen(rows(2, 1, 1, 0, 0)) == [4, 5]


def test_without_two_alike_the_lowest_neighbours_are_merged() -> None:
    assert chosen(rows(3, 2, 1, 0)) == [3, 4]


def test_a_hole_keeps_its_neighbours_apart() -> None:
    assert chosen(rows(0, 0, 0, 0, 0), [hole_after(1)]) == [2, 3, 4]
    assert chosen(rows(0, 0, 0, 0, 0), [hole_after(1), hole_after(3)]) == [2, 3]


def test_a_summary_of_another_layer_between_keeps_three_apart() -> None:
    assert chosen(rows(0, 0, 1, 0)) == [1, 2]


def test_a_hole_before_all_summaries_parts_nothing() -> None:
    assert chosen(rows(0, 0, 0), [Pos(GAP)]) == [1, 2, 3]


def test_nothing_is_merged_without_two_neighbours() -> None:
    assert to_merge(()) is None
    assert to_merge(rows(0)) is None
    assert to_merge(rows(0, 0), [hole_after(1)]) is None


@given(st.lists(st.integers(0, 3), max_size=30))
def test_merging_again_and_again_ends_with_one_summary(layers: list[int]) -> None:
    known = list(rows(*layers))
    merged = to_merge(known)
    while merged is not None:
        at = known.index(merged[0])
        assert tuple(known[at : at + len(merged)]) == merged
        meta = cover(
            900 + len(known),
            merged[0].from_pos // GAP,
            merged[-1].to_pos // GAP,
            layer=1 + max(row.layer for row in merged),
        )
        known[at : at + len(merged)] = [meta]
        merged = to_merge(known)
    assert len(known) == min(1, len(layers))
