from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.planning.forests import Forest, at, digest_of, forest_of, forests, turn

from foreword.domain.digest import span_digest
from foreword.domain.ids import Pos, SummaryId
from foreword.domain.summary import CoverState
from foreword.domain.turn import Entry
from foreword.planning.covers import descendants
from foreword.planning.validity import (
    SpanState,
    overlapping,
    revalidate,
    says,
    span_state,
)

USED, STALE, MERGED = CoverState.USED, CoverState.STALE, CoverState.MERGED


def touch(forest: Forest, first: int, last: int | None = None, *, broken: bool = False) -> None:
    """Check what stands over the turns from `first` to `last` and write what changes."""
    hi = at(first if last is None else last)
    forest.put(revalidate(forest.cover(), at(first), hi, broken=broken))


def edit(forest: Forest, number: int, version: int = 1) -> None:
    forest.turns[number] = replace(turn(number, version), hidden=forest.turns[number].hidden)


def hide(forest: Forest, *numbers: int, hidden: bool = True) -> None:
    for number in numbers:
        forest.turns[number] = replace(forest.turns[number], hidden=hidden)


# --- what a span says -----------------------------------------------------------------------------


def test_hidden_turns_are_no_part_of_a_span() -> None:
    turns = [turn(1, hidden=True), turn(2), turn(3, hidden=True), turn(4, 5)]
    assert span_state(turns) == SpanState(
        digest=span_digest([digest_of(2), digest_of(4, 5)]),
        first_digest=digest_of(2),
        n_turns=2,
        src_tokens=205,
    )


@pytest.mark.parametrize("turns", [[], [turn(1, hidden=True)]])
def test_a_span_without_visible_turns_has_no_first_digest(turns: list[Entry]) -> None:
    assert span_state(turns) == SpanState(
        digest=span_digest([]), first_digest=b"", n_turns=0, src_tokens=0
    )


def test_a_summary_says_its_span_only_word_for_word() -> None:
    forest = forest_of(3, (1, 3))
    summary = forest.summaries[SummaryId(1)]
    assert says(summary, forest.span(at(1), at(3)))
    assert not says(summary, forest.span(at(1), at(2)))
    edit(forest, 2)
    assert not says(summary, forest.span(at(1), at(3)))


# --- examples -------------------------------------------------------------------------------------


def test_an_edit_takes_only_the_summary_over_it_out_of_use() -> None:
    forest = forest_of(9, (1, 3), (4, 6), (7, 9))
    edit(forest, 5)
    changed = revalidate(forest.cover(), at(5), at(5))
    assert changed == (replace(forest.rows[SummaryId(2)], state=STALE),)


@pytest.mark.parametrize("broken", [False, True])
def test_a_stale_meta_summary_opens_to_what_is_still_true(broken: bool) -> None:
    forest = forest_of(8, (1, 2), (3, 4), (5, 6), (7, 8))
    forest.merge(1, 2)
    forest.merge(5, 3)
    forest.merge(6, 4)
    edit(forest, 3)
    touch(forest, 3, broken=broken)
    assert forest.states() == {
        1: "used",
        2: "stale",
        3: "used",
        4: "used",
        5: "stale",
        6: "stale",
        7: "stale",
    }


def test_restored_words_bring_the_summary_back() -> None:
    forest = forest_of(4, (1, 2), (3, 4))
    before = dict(forest.rows)
    edit(forest, 1)
    touch(forest, 1)
    edit(forest, 1, version=0)
    touch(forest, 1)
    assert forest.rows == before


def test_a_meta_summary_does_not_come_back_over_what_it_opened() -> None:
    forest = forest_of(4, (1, 2), (3, 4))
    forest.merge(1, 2)
    edit(forest, 1)
    touch(forest, 1)
    edit(forest, 1, version=0)
    touch(forest, 1)
    assert forest.states() == {1: "used", 2: "used", 3: "stale"}


def test_a_meta_summary_of_which_all_went_comes_back_with_all_that_it_merged() -> None:
    forest = forest_of(6, (1, 2), (3, 4), (5, 6))
    forest.merge(1, 2)
    forest.merge(4, 3)
    before = dict(forest.rows)
    hide(forest, 1, 2, 3, 4, 5, 6)
    touch(forest, 1, 6)
    assert set(forest.states().values()) == {"stale"}
    hide(forest, 1, 2, 3, 4, 5, 6, hidden=False)
    touch(forest, 1, 6)
    assert forest.rows == before


def test_hiding_makes_stale_and_showing_again_brings_back() -> None:
    forest = forest_of(3, (1, 3))
    hide(forest, 2)
    touch(forest, 2)
    assert forest.states() == {1: "stale"}
    hide(forest, 2, hidden=False)
    touch(forest, 2)
    assert forest.states() == {1: "used"}


def test_a_hidden_turn_may_change_or_go_without_harm() -> None:
    forest = forest_of(3, (1, 3), hidden=[2])
    edit(forest, 2)
    assert revalidate(forest.cover(), at(2), at(2)) == ()
    del forest.turns[2]
    assert revalidate(forest.cover(), at(2), at(2)) == ()


def test_another_version_with_the_same_words_renews_only_the_counts() -> None:
    forest = forest_of(3, (1, 3))
    forest.turns[2] = replace(forest.turns[2], tokens=500)
    (row,) = revalidate(forest.cover(), at(2), at(2))
    assert row == replace(forest.rows[SummaryId(1)], src_tokens=100 + 504 + 100)


def test_a_summary_does_not_come_back_over_one_in_use() -> None:
    forest = forest_of(4, (1, 3))
    edit(forest, 2)
    touch(forest, 2)
    forest.summarise(3, 4)
    edit(forest, 2, version=0)
    touch(forest, 2)
    assert forest.states() == {1: "stale", 2: "used"}


def test_of_two_that_could_come_back_the_higher_layer_does_then_the_newer() -> None:
    forest = forest_of(4, (1, 2), (3, 4))
    forest.merge(1, 2)
    hide(forest, 1, 2, 3, 4)
    touch(forest, 1, 4)
    hide(forest, 1, 2, 3, 4, hidden=False)
    forest.summarise(1, 4)
    forest.put([replace(forest.rows[SummaryId(4)], state=STALE)])
    touch(forest, 2)
    assert forest.states() == {1: "merged", 2: "merged", 3: "used", 4: "stale"}
    plain = forest_of(2, (1, 2), (1, 2))
    plain.put([replace(row, state=STALE) for row in plain.rows.values()])
    touch(plain, 1)
    assert plain.states() == {1: "stale", 2: "used"}


def test_a_meta_summary_does_not_come_back_without_what_it_merged() -> None:
    forest = forest_of(4, (1, 2), (3, 4))
    forest.merge(1, 2)
    forest.put([replace(row, state=STALE) for row in forest.rows.values()])
    del forest.rows[SummaryId(1)]
    touch(forest, 3)
    assert forest.states() == {2: "used", 3: "stale"}


def test_a_meta_summary_does_not_come_back_without_what_its_parts_merged() -> None:
    forest = forest_of(6, (1, 2), (3, 4), (5, 6))
    forest.merge(1, 2)
    forest.merge(4, 3)
    forest.put([replace(row, state=STALE) for row in forest.rows.values()])
    del forest.rows[SummaryId(1)]
    touch(forest, 5)
    assert forest.states() == {2: "stale", 3: "used", 4: "stale", 5: "stale"}


def test_a_stale_meta_summary_whose_part_has_gone_opens_the_others() -> None:
    forest = forest_of(4, (1, 2), (3, 4))
    forest.merge(1, 2)
    del forest.rows[SummaryId(1)]
    edit(forest, 1)
    touch(forest, 1)
    assert forest.states() == {2: "used", 3: "stale"}


def test_what_stands_nowhere_near_is_not_read() -> None:
    forest = forest_of(6, (1, 2), (3, 4), (5, 6))
    forest.merge(1, 2)
    asked: list[tuple[Pos, Pos]] = []

    def span(lo: Pos, hi: Pos) -> SpanState:
        asked.append((lo, hi))
        return forest.span(lo, hi)

    seen = replace(forest.cover(), span=span)
    edit(forest, 1)
    assert len(revalidate(seen, at(1), at(1), broken=True)) == 3
    assert asked == []
    assert len(revalidate(seen, at(1), at(1))) == 3
    assert asked == [(at(1), at(4)), (at(1), at(2))]


def test_nothing_changes_where_nothing_stands() -> None:
    forest = forest_of(4, (1, 2))
    assert revalidate(forest.cover(), at(3), at(4), broken=True) == ()


def test_two_rows_in_use_over_one_position_are_found() -> None:
    forest = forest_of(6, (1, 2), (3, 4), (4, 6))
    assert overlapping(forest.used[:2]) is None
    assert overlapping([]) is None
    assert overlapping(reversed(forest.used)) == (forest.used[1], forest.used[2])
    stale = [replace(row, state=STALE) for row in forest.used[1:]]
    assert overlapping([forest.used[0], *stale]) is None


# --- the rule, restated ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One command on a branch: the same change to every turn from `first` to `last`."""

    kind: str
    first: int
    last: int
    version: int

    def on(self, forest: Forest) -> bool:
        """Change the turns; say whether visible words at a single position certainly differ."""
        broken = False
        for number in range(self.first, self.last + 1):
            entry = forest.turns.get(number)
            if self.kind == "restore" and entry is None:
                forest.turns[number] = turn(number)
            if entry is None:
                continue
            match self.kind:
                case "edit":
                    edit(forest, number, self.version)
                    after = forest.turns[number]
                    broken = not after.hidden and after.digest != entry.digest
                case "delete":
                    del forest.turns[number]
                    broken = not entry.hidden
                case "hide" | "show":
                    hide(forest, number, hidden=self.kind == "hide")
                case _:
                    edit(forest, number, 0)
        return broken and self.first == self.last


@st.composite
def commands(draw: st.DrawFn) -> Step:
    first = draw(st.integers(1, 14))
    return Step(
        kind=draw(st.sampled_from(["edit", "delete", "hide", "show", "restore", "restore"])),
        first=first,
        last=min(14, first + draw(st.sampled_from([0, 0, 0, 2, 13]))),
        version=draw(st.integers(0, 1)),
    )


def settled_naively(forest: Forest, lo: Pos, hi: Pos) -> dict[SummaryId, CoverState]:
    """Say what revalidation must make of every row, by reading everything."""
    states = {key: row.state for key, row in forest.rows.items()}

    def settle(key: SummaryId) -> None:
        if forest.says_its_span(forest.rows[key]):
            states[key] = USED
            return
        states[key] = STALE
        for child in forest.summaries[key].children:
            settle(child)

    touched = [row for row in forest.rows.values() if row.from_pos <= hi and lo <= row.to_pos]
    for row in touched:
        if row.state is USED:
            settle(row.summary_id)
    stale = [row for row in touched if row.state is STALE]
    for row in sorted(stale, key=lambda row: (row.layer, row.summary_id), reverse=True):
        over = [
            other
            for other in forest.rows.values()
            if states[other.summary_id] is USED
            and other.from_pos <= row.to_pos
            and row.from_pos <= other.to_pos
        ]
        if states[row.summary_id] is STALE and not over and forest.says_its_span(row):
            states[row.summary_id] = USED
            for key in descendants(row.summary_id, forest.summaries):
                states[key] = MERGED
    return states


def remerge(forest: Forest, number: int) -> None:
    """Merge two neighbours in use again, as a user would between other commands."""
    used = forest.used
    if len(used) < 2:
        return
    place = number % (len(used) - 1)
    left, right = used[place : place + 2]
    if forest.span(left.from_pos, right.to_pos).n_turns == left.n_turns + right.n_turns:
        forest.merge(int(left.summary_id), int(right.summary_id))


@given(forests(), st.lists(st.tuples(commands(), st.integers(0, 9)), max_size=8))
def test_rows_are_settled_as_the_rule_says(
    forest: Forest, steps: Sequence[tuple[Step, int]]
) -> None:
    for step, number in steps:
        broken = step.on(forest)
        lo, hi = at(step.first), at(step.last)
        expected = settled_naively(forest, lo, hi)
        plain = revalidate(forest.cover(), lo, hi)
        assert revalidate(forest.cover(), lo, hi, broken=broken) == plain
        assert all(forest.rows[row.summary_id] != row for row in plain)
        assert list(plain) == sorted(
            plain, key=lambda row: (row.from_pos, -row.layer, row.summary_id)
        )
        forest.put(plain)
        assert {key: row.state for key, row in forest.rows.items()} == expected
        assert_sound(forest)
        remerge(forest, number)
        assert_sound(forest)


def assert_sound(forest: Forest) -> None:
    """Check what holds of every branch between commands."""
    assert overlapping(forest.rows.values()) is None
    inside = {key for row in forest.used for key in descendants(row.summary_id, forest.summaries)}
    assert {row.summary_id for row in forest.in_state(MERGED)} == inside
    for row in forest.used:
        state = forest.span(row.from_pos, row.to_pos)
        assert forest.says_its_span(row)
        assert (row.n_turns, row.src_tokens) == (state.n_turns, state.src_tokens)


@given(forests(), commands())
def test_settling_twice_changes_nothing_more(forest: Forest, step: Step) -> None:
    step.on(forest)
    forest.put(revalidate(forest.cover(), at(step.first), at(step.last)))
    assert revalidate(forest.cover(), at(step.first), at(step.last)) == ()


@given(forests())
def test_a_branch_that_nothing_happened_to_needs_no_change(forest: Forest) -> None:
    assert revalidate(forest.cover(), at(1), at(14)) == ()
