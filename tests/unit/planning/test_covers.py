from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.planning.forests import Forest, at, forest_of, forests

from foreword.domain.ids import Pos, SummaryId
from foreword.domain.summary import CoverRow, CoverState
from foreword.errors import MergeRefused, NotAMetaSummary, SummaryNotFound, SummaryNotInUse
from foreword.planning.covers import (
    CoverChange,
    deleted,
    descendants,
    forked_cover,
    list_states,
    merge_range,
    merged_cover,
    replaced_cover,
    unwound,
    used_row,
)
from foreword.planning.validity import overlapping

USED, STALE, MERGED = CoverState.USED, CoverState.STALE, CoverState.MERGED


def ids(rows: Iterable[CoverRow]) -> list[int]:
    return [int(row.summary_id) for row in rows]


def row_of(forest: Forest, number: int, state: CoverState | None = None) -> CoverRow:
    row = forest.rows[SummaryId(number)]
    return row if state is None else replace(row, state=state)


def apply(forest: Forest, change: CoverChange) -> None:
    """Close and open the rows of a change, as a store does."""
    for summary_id in change.drop:
        forest.rows.pop(summary_id, None)
    forest.put(change.put)


def ticked(forest: Forest, *numbers: int) -> list[int]:
    """Return what a merge of these would take."""

    def hole_between(lo: Pos, hi: Pos) -> bool:
        return bool(forest.visible(Pos(lo + 1), Pos(hi - 1)))

    return ids(merge_range(forest.used, map(SummaryId, numbers), hole_between=hole_between))


# --- merging --------------------------------------------------------------------------------------


def test_a_merge_takes_what_stands_between_the_ticked_too() -> None:
    forest = forest_of(10, (1, 2), (3, 4), (5, 6), (7, 8), (9, 10))
    assert ticked(forest, 4, 2) == [2, 3, 4]
    assert ticked(forest, 1, 2) == [1, 2]
    assert ticked(forest, 1, 3, 5) == [1, 2, 3, 4, 5]


def test_summaries_of_any_layers_can_be_merged() -> None:
    forest = forest_of(6, (1, 2), (3, 4), (5, 6))
    forest.merge(1, 2)
    assert ticked(forest, 4, 3) == [4, 3]


@pytest.mark.parametrize("numbers", [(), (2,), (2, 2)])
def test_a_merge_needs_two_different_summaries(numbers: tuple[int, ...]) -> None:
    with pytest.raises(MergeRefused, match="at least two") as raised:
        ticked(forest_of(4, (1, 2), (3, 4)), *numbers)
    assert raised.value.summary_ids == tuple(sorted(set(numbers)))


def test_a_merge_across_turns_without_a_summary_is_refused_with_the_place() -> None:
    forest = forest_of(9, (1, 2), (3, 4), (7, 8))
    with pytest.raises(MergeRefused, match="Between S2 and S3 there are turns") as raised:
        ticked(forest, 1, 3)
    assert raised.value.summary_ids == (2, 3)


def test_hidden_turns_between_summaries_are_no_hole() -> None:
    forest = forest_of(9, (1, 2), (5, 6), hidden=[3, 4])
    assert ticked(forest, 1, 2) == [1, 2]


def test_a_meta_summary_stands_over_all_it_merged() -> None:
    forest = forest_of(6, (1, 2), (4, 6), hidden=[3, 5])
    before = list(forest.used)
    meta = forest.copy().merge(1, 2)
    change = merged_cover(meta, before)
    assert change == CoverChange(
        put=(
            CoverRow(
                summary_id=meta.id,
                state=USED,
                layer=1,
                from_pos=at(1),
                to_pos=at(6),
                n_turns=4,
                src_tokens=400,
                tokens=20,
            ),
            row_of(forest, 1, MERGED),
            row_of(forest, 2, MERGED),
        )
    )


def test_another_text_takes_the_place_of_a_summary() -> None:
    forest = forest_of(4, (1, 2), (3, 4))
    new = forest.copy().summarise(1, 2, edited_from=1, tokens=77)
    old = row_of(forest, 1)
    assert replaced_cover(old, new) == CoverChange(
        put=(replace(old, summary_id=new.id, tokens=77),), drop=(SummaryId(1),)
    )


# --- unwinding and deleting -----------------------------------------------------------------------


def tower() -> Forest:
    """Make S4 of S1 and S2, and S5 of S4 and S3."""
    forest = forest_of(6, (1, 2), (3, 4), (5, 6))
    forest.merge(1, 2)
    forest.merge(4, 3)
    return forest


def unwind(forest: Forest, number: int) -> None:
    summary = forest.summaries[SummaryId(number)]
    apply(forest, unwound(summary, row_of(forest, number), forest.rows))


def delete(forest: Forest, number: int) -> None:
    summary, row = forest.summaries[SummaryId(number)], row_of(forest, number)
    apply(forest, deleted(summary, row, forest.rows, forest.summaries))


def test_meta_summaries_unwind_one_level_at_a_time() -> None:
    forest = tower()
    unwind(forest, 5)
    assert forest.states() == {1: "merged", 2: "merged", 3: "used", 4: "used"}
    unwind(forest, 4)
    assert forest.states() == {1: "used", 2: "used", 3: "used"}


def test_a_summary_of_turns_cannot_be_unwound() -> None:
    with pytest.raises(NotAMetaSummary) as raised:
        unwind(forest_of(2, (1, 2)), 1)
    assert raised.value.summary_id == 1


def test_a_deleted_summary_of_turns_leaves_a_hole() -> None:
    forest = forest_of(4, (1, 2), (3, 4))
    delete(forest, 1)
    assert forest.states() == {2: "used"}


def test_a_deleted_meta_summary_takes_the_one_it_replaced_with_it() -> None:
    forest = tower()
    delete(forest, 5)
    assert forest.states() == {1: "merged", 2: "merged", 4: "used"}


def test_a_replaced_meta_summary_goes_with_all_that_is_inside_it() -> None:
    forest = forest_of(6, (1, 2), (3, 4), (5, 6))
    forest.merge(2, 3)
    forest.merge(1, 4)
    delete(forest, 5)
    assert forest.states() == {1: "used"}


def test_descendants_come_after_what_they_are_in() -> None:
    forest = forest_of(8, (1, 2), (3, 4), (5, 6), (7, 8))
    forest.merge(1, 2)
    forest.merge(3, 4)
    forest.merge(5, 6)
    found = descendants(SummaryId(7), forest.summaries)
    assert sorted(found) == [1, 2, 3, 4, 5, 6]
    for parent in (5, 6):
        places = [found.index(child) for child in forest.summaries[SummaryId(parent)].children]
        assert min(places) > found.index(SummaryId(parent))
    assert descendants(SummaryId(1), forest.summaries) == ()


# --- words of the list ----------------------------------------------------------------------------


def words(forest: Forest) -> dict[int, str]:
    found = list_states(forest.rows.values(), forest.summaries)
    return {int(summary_id): word for summary_id, word in sorted(found.items())}


def test_only_the_newest_merged_summary_was_replaced() -> None:
    assert words(tower()) == {1: "merged", 2: "replaced", 3: "replaced", 4: "merged", 5: "in_use"}


def test_an_edited_summary_was_replaced() -> None:
    forest = forest_of(2, (1, 2))
    new = forest.summarise(1, 2, edited_from=1)
    apply(forest, replaced_cover(row_of(forest, 1), new))
    assert words(forest) == {1: "replaced", 2: "in_use"}


def test_an_edited_summary_that_is_back_is_in_use() -> None:
    forest = forest_of(2, (1, 2))
    forest.summarise(1, 2, edited_from=1)
    del forest.rows[SummaryId(2)]
    assert words(forest) == {1: "in_use", 2: "deleted"}


def test_a_summary_without_a_row_was_deleted() -> None:
    forest = forest_of(4, (1, 2), (3, 4))
    delete(forest, 1)
    assert words(forest) == {1: "deleted", 2: "in_use"}


def test_stale_summaries_are_named_so_whatever_is_inside_them() -> None:
    forest = forest_of(4, (1, 2), (3, 4))
    forest.merge(1, 2)
    forest.put([row_of(forest, 3, STALE), row_of(forest, 1, STALE), row_of(forest, 2, USED)])
    assert words(forest) == {1: "stale", 2: "in_use", 3: "stale"}


def test_a_stale_meta_summary_replaces_nothing_any_more() -> None:
    forest = forest_of(6, (1, 2), (3, 4), (5, 6))
    forest.merge(1, 2)
    forest.put([row_of(forest, 4, STALE), row_of(forest, 1, STALE), row_of(forest, 2, USED)])
    forest.merge(2, 3)
    assert words(forest) == {1: "stale", 2: "merged", 3: "replaced", 4: "stale", 5: "in_use"}


def test_the_row_of_a_summary_in_use_is_found() -> None:
    forest = tower()
    row = row_of(forest, 5)
    assert used_row(forest.rows.values(), SummaryId(5), {SummaryId(5): "in_use"}) == row


@pytest.mark.parametrize(
    ("number", "word"), [(1, "merged"), (2, "replaced"), (5, "stale"), (6, "deleted")]
)
def test_a_summary_that_is_not_in_use_cannot_be_changed(number: int, word: str) -> None:
    forest = tower()
    forest.summarise(1, 2)
    forest.put([row_of(forest, 5, STALE)])
    del forest.rows[SummaryId(6)]
    states = list_states(forest.rows.values(), forest.summaries)
    with pytest.raises(SummaryNotInUse) as raised:
        used_row(forest.rows.values(), SummaryId(number), states)
    assert (raised.value.summary_id, raised.value.state) == (number, word)


def test_a_summary_that_never_was_is_not_found() -> None:
    with pytest.raises(SummaryNotFound) as raised:
        used_row([], SummaryId(7), {})
    assert raised.value.reference == "S7"


# --- forking --------------------------------------------------------------------------------------


def fork(forest: Forest, last: int) -> Forest:
    """Return the branch that forks after the turn `last`."""

    def visible_after(lo: Pos, hi: Pos) -> bool:
        return bool(forest.visible(Pos(lo + 1), hi))

    def parts(summary: SummaryId) -> list[CoverRow]:
        row = forest.rows[summary]
        assert row.from_pos <= at(last) < row.to_pos
        return [forest.rows[child] for child in forest.summaries[summary].children]

    held = [row for row in forest.rows.values() if row.state is not MERGED]
    begun = [row for row in held if row.from_pos <= at(last)]
    rows = forked_cover(begun, at(last), parts=parts, visible_after=visible_after)
    assert list(rows) == sorted(rows, key=lambda row: (row.from_pos, -row.layer, row.summary_id))
    assert rows == forked_cover(held, at(last), parts=parts, visible_after=visible_after)
    merged = forest.in_state(MERGED)
    inherited = {row.summary_id: row for row in merged if row.to_pos <= at(last)}
    return Forest(
        turns={number: entry for number, entry in forest.turns.items() if number <= last},
        summaries=forest.summaries,
        rows=inherited | {row.summary_id: row for row in rows},
    )


@pytest.mark.parametrize(
    ("last", "states"),
    [
        (6, {1: "merged", 2: "merged", 3: "merged", 4: "merged", 5: "used"}),
        (5, {1: "merged", 2: "merged", 4: "used"}),
        (4, {1: "merged", 2: "merged", 4: "used"}),
        (3, {1: "used"}),
        (2, {1: "used"}),
        (1, {}),
    ],
)
def test_a_fork_opens_meta_summaries_to_their_largest_parts_before_it(
    last: int, states: dict[int, str]
) -> None:
    assert fork(tower(), last).states() == states


def test_a_fork_keeps_a_summary_of_which_only_hidden_turns_lie_behind_it() -> None:
    forest = forest_of(6, (1, 2), (3, 6))
    forest.merge(1, 2)
    forest.turns[5] = replace(forest.turns[5], hidden=True)
    forest.turns[6] = replace(forest.turns[6], hidden=True)
    child = fork(forest, 4)
    assert child.states() == {1: "merged", 2: "merged", 3: "used"}
    assert {row.to_pos for row in child.rows.values()} == {at(2), at(4)}


def test_a_fork_takes_stale_summaries_along_that_end_before_it() -> None:
    forest = forest_of(8, (1, 2), (3, 4), (5, 8))
    forest.put(row_of(forest, number, STALE) for number in (1, 3))
    assert fork(forest, 7).states() == {1: "stale", 2: "used"}


def test_a_fork_inside_a_stale_meta_summary_keeps_what_it_opened() -> None:
    forest = forest_of(4, (1, 2), (3, 4))
    forest.merge(1, 2)
    forest.put([row_of(forest, 3, STALE), row_of(forest, 2, STALE), row_of(forest, 1, USED)])
    assert fork(forest, 3).states() == {1: "used"}
    forest.put([row_of(forest, 2, USED), row_of(forest, 1, STALE)])
    assert fork(forest, 3).states() == {1: "stale"}


def test_a_fork_behind_a_stale_meta_summary_has_it_and_what_it_opened() -> None:
    forest = forest_of(4, (1, 2), (3, 4))
    forest.merge(1, 2)
    forest.put([row_of(forest, 3, STALE), row_of(forest, 2, USED)])
    del forest.rows[SummaryId(1)]
    assert fork(forest, 4).states() == {2: "used", 3: "stale"}


def test_a_meta_summary_unwinds_in_a_fork_as_in_its_parent() -> None:
    child = fork(tower(), 5)
    unwind(child, 4)
    assert child.states() == {1: "used", 2: "used"}


@given(forests(), st.integers(1, 14))
def test_a_fork_has_in_force_all_that_stands_before_it_and_nothing_twice(
    forest: Forest, last: int
) -> None:
    child = fork(forest, last)
    assert overlapping(child.rows.values()) is None
    for row in child.rows.values():
        assert row.to_pos <= at(last)
        assert child.says_its_span(row)
        assert row.n_turns == child.span(row.from_pos, row.to_pos).n_turns
    inside = [key for row in child.used for key in descendants(row.summary_id, child.summaries)]
    assert sorted(inside) == sorted(ids(child.in_state(MERGED)))
    kept = {key for key, row in forest.rows.items() if not forest.visible(at(last + 1), row.to_pos)}
    tops = {key for key in kept if not kept & {*parents(forest, key)}}
    assert {row.summary_id for row in child.used} == tops


def parents(forest: Forest, summary_id: SummaryId) -> list[SummaryId]:
    """Return the summaries that this one was merged into."""
    return [key for key, one in forest.summaries.items() if summary_id in one.children]


@given(forests(), st.data())
def test_a_merge_unwound_or_a_summary_put_back_is_the_cover_before(
    forest: Forest, data: st.DataObject
) -> None:
    metas = [row for row in forest.used if row.layer]
    if not metas:
        return
    row = data.draw(st.sampled_from(metas))
    before = forest.copy()
    unwind(forest, int(row.summary_id))
    assert overlapping(forest.rows.values()) is None
    meta = forest.summaries[row.summary_id]
    apply(forest, merged_cover(meta, [forest.rows[child] for child in meta.children]))
    assert forest.rows == before.rows


@given(forests(), st.data())
def test_deleting_leaves_nothing_over_the_place_that_was_taken(
    forest: Forest, data: st.DataObject
) -> None:
    if not forest.used:
        return
    row = data.draw(st.sampled_from(forest.used))
    replaced = forest.summaries[row.summary_id].replaced
    hole = forest.rows[row.summary_id if replaced is None else replaced]
    before = sum(one.n_turns for one in forest.used)
    delete(forest, int(row.summary_id))
    assert overlapping(forest.rows.values()) is None
    assert not any(one.overlaps(hole.from_pos, hole.to_pos) for one in forest.rows.values())
    assert sum(one.n_turns for one in forest.used) == before - hole.n_turns
