from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.unit.planning.forests import Forest, at, forest_of, forests, turn

from foreword.domain.ids import SummaryId
from foreword.domain.summary import CoverRow, CoverState
from foreword.planning.repair import RepairPlan, RepairStep, plan_repair
from foreword.planning.validity import overlapping, revalidate


def planned(forest: Forest) -> RepairPlan:
    return plan_repair(forest.rows.values(), forest.span)


def edit(forest: Forest, *numbers: int, version: int = 1) -> None:
    """Change turns, each in a command of its own."""
    for number in numbers:
        forest.turns[number] = replace(turn(number, version), hidden=forest.turns[number].hidden)
        settle(forest, number)


def delete(forest: Forest, *numbers: int) -> None:
    for number in numbers:
        del forest.turns[number]
        settle(forest, number)


def hide(forest: Forest, number: int, *, hidden: bool = True) -> None:
    forest.turns[number] = replace(forest.turns[number], hidden=hidden)
    settle(forest, number)


def settle(forest: Forest, number: int) -> None:
    forest.put(revalidate(forest.cover(), at(number), at(number)))


def step(
    number: int, first: int, last: int, *, children: Sequence[int] = (), reads: int, writes: int
) -> RepairStep:
    return RepairStep(
        summary_id=SummaryId(number),
        from_pos=at(first),
        to_pos=at(last),
        children=tuple(map(SummaryId, children)),
        tokens_in=reads,
        tokens_out=writes,
    )


# --- examples -------------------------------------------------------------------------------------


def test_a_branch_without_stale_summaries_needs_no_repair() -> None:
    forest = forest_of(6, (1, 2), (3, 4))
    forest.merge(1, 2)
    plan = planned(forest)
    assert plan == RepairPlan(steps=())
    assert (plan.calls, plan.tokens) == (0, 0)


def test_a_stale_summary_is_remade_from_its_turns_as_they_read_now() -> None:
    forest = forest_of(6, (1, 3), (4, 6))
    edit(forest, 2)
    assert planned(forest).steps == (step(1, 1, 3, reads=301, writes=30),)


def test_an_edit_under_metas_of_metas_remakes_one_summary_and_merges_each_level_again() -> None:
    forest = forest_of(8, (1, 2), (3, 4), (5, 6), (7, 8))
    forest.merge(1, 2)
    forest.merge(5, 3)
    forest.merge(6, 4)
    edit(forest, 3)
    plan = planned(forest)
    assert plan.steps == (
        step(2, 3, 4, reads=201, writes=30),
        step(5, 1, 4, children=[1, 2], reads=60, writes=20),
        step(6, 1, 6, children=[5, 3], reads=50, writes=20),
        step(7, 1, 8, children=[6, 4], reads=50, writes=20),
    )
    assert (plan.calls, plan.tokens) == (4, 201 + 60 + 50 + 50 + 30 + 3 * 20)


def test_a_hole_the_user_recapped_in_another_way_is_not_remade() -> None:
    forest = forest_of(6, (1, 4), (5, 6))
    forest.merge(1, 2)
    edit(forest, 2)
    forest.summarise(1, 2, tokens=11)
    forest.summarise(3, 4, tokens=12)
    assert planned(forest).steps == (
        step(3, 1, 6, children=[4, 5, 2], reads=11 + 12 + 30, writes=20),
    )


def test_a_hole_that_is_recapped_in_part_is_left_to_the_user() -> None:
    forest = forest_of(6, (1, 4), (5, 6))
    forest.merge(1, 2)
    edit(forest, 2)
    forest.summarise(1, 2)
    assert planned(forest).steps == ()


def test_a_hole_the_user_recapped_further_than_the_meta_summary_is_left_alone() -> None:
    forest = forest_of(7, (1, 2), (3, 4), (5, 6))
    forest.merge(1, 2)
    edit(forest, 4)
    del forest.rows[SummaryId(3)]
    forest.summarise(3, 7)
    assert planned(forest).steps == ()


def test_turns_covered_from_outside_do_not_count_for_those_that_are_not_covered() -> None:
    forest = forest_of(6, (3, 4), (5, 6))
    forest.merge(1, 2)
    edit(forest, 3, 5)
    for number in (1, 2):
        del forest.rows[SummaryId(number)]
    forest.summarise(1, 3)
    forest.summarise(5, 5)
    assert planned(forest).steps == ()


def test_a_meta_summary_merged_anew_by_the_user_is_not_merged_again() -> None:
    forest = forest_of(4, (1, 2), (3, 4))
    forest.merge(1, 2)
    edit(forest, 1)
    forest.summarise(1, 2)
    forest.merge(4, 2)
    assert planned(forest).steps == ()


def test_a_summary_whose_turns_were_all_deleted_is_not_remade() -> None:
    forest = forest_of(6, (1, 2), (3, 4), (5, 6))
    forest.merge(1, 2)
    forest.merge(4, 3)
    delete(forest, 1, 2)
    assert planned(forest).steps == (step(5, 1, 6, children=[2, 3], reads=60, writes=20),)


def test_a_summary_whose_turns_are_all_hidden_is_not_remade() -> None:
    forest = forest_of(4, (1, 2), (3, 4))
    hide(forest, 1)
    hide(forest, 2)
    assert planned(forest).steps == ()


def test_hidden_turns_are_not_read() -> None:
    forest = forest_of(4, (1, 4))
    hide(forest, 2)
    assert planned(forest).steps == (step(1, 1, 4, reads=300, writes=30),)


def test_of_stale_summaries_over_the_same_turns_only_the_newest_is_remade() -> None:
    forest = forest_of(6, (1, 4))
    edit(forest, 2)
    forest.summarise(1, 2)
    forest.summarise(3, 6)
    edit(forest, 2, 4, version=2)
    assert planned(forest).steps == (
        step(2, 1, 2, reads=202, writes=30),
        step(3, 3, 6, reads=402, writes=30),
    )


def test_a_deleted_summary_is_not_remade() -> None:
    forest = forest_of(4, (1, 2), (3, 4))
    edit(forest, 1, 3)
    del forest.rows[SummaryId(1)]
    assert planned(forest).steps == (step(2, 3, 4, reads=201, writes=30),)


def test_of_stale_meta_summaries_over_the_same_turns_only_the_newest_is_merged_again() -> None:
    forest = forest_of(4, (1, 2), (3, 4))
    forest.merge(1, 2)
    edit(forest, 1)
    forest.summarise(1, 2)
    forest.merge(4, 2)
    edit(forest, 1, version=2)
    assert planned(forest).steps == (
        step(4, 1, 2, reads=202, writes=30),
        step(5, 1, 4, children=[4, 2], reads=60, writes=20),
    )


# --- plans carried out ----------------------------------------------------------------------------


def carried_out(forest: Forest, plan: RepairPlan) -> list[list[CoverRow]]:
    """Do what a plan says and return the cover after each step."""
    made: dict[SummaryId, SummaryId] = {}
    covers = []
    for one in plan.steps:
        if one.children:
            wanted = [made.get(child, child) for child in one.children]
            assert all(forest.rows[child].state is CoverState.USED for child in wanted)
            new = forest.merge(*map(int, wanted), tokens=one.tokens_out)
        else:
            new = forest.summarise(one.from_pos // 2, one.to_pos // 2, tokens=one.tokens_out)
        made[one.summary_id] = new.id
        covers.append(forest.used)
    return covers


damage = st.lists(
    st.tuples(st.sampled_from(["edit", "edit", "hide", "show", "delete"]), st.integers(1, 14)),
    min_size=1,
    max_size=6,
)


def damaged(forest: Forest, commands: Sequence[tuple[str, int]]) -> None:
    for version, (kind, number) in enumerate(commands, start=1):
        if number not in forest.turns:
            continue
        match kind:
            case "edit":
                edit(forest, number, version=version)
            case "delete":
                delete(forest, number)
            case _:
                hide(forest, number, hidden=kind == "hide")


@given(forests(), damage)
def test_a_repair_leaves_every_step_in_force_exactly_once_and_never_two_over_one_turn(
    forest: Forest, commands: Sequence[tuple[str, int]]
) -> None:
    damaged(forest, commands)
    before = {row.summary_id for row in forest.rows.values()}
    plan = planned(forest)
    for one, cover in zip(plan.steps, carried_out(forest, plan), strict=True):
        assert overlapping(cover) is None
        over = [row for row in cover if row.overlaps(one.from_pos, one.to_pos)]
        assert len(over) == 1
        assert forest.says_its_span(over[0])
        assert over[0].summary_id not in before
        assert over[0].n_turns == forest.span(one.from_pos, one.to_pos).n_turns


@given(forests(), damage)
def test_steps_need_only_what_is_in_force_or_made_by_earlier_ones(
    forest: Forest, commands: Sequence[tuple[str, int]]
) -> None:
    damaged(forest, commands)
    usable = {row.summary_id for row in forest.used}
    stale = {row.summary_id for row in forest.in_state(CoverState.STALE)}
    for one in planned(forest).steps:
        assert one.summary_id in stale
        assert set(one.children) <= usable
        assert len(one.children) != 1
        usable = usable - set(one.children) | {one.summary_id}
        stale.remove(one.summary_id)


@given(forests(), damage)
def test_the_price_is_what_the_steps_read_and_write(
    forest: Forest, commands: Sequence[tuple[str, int]]
) -> None:
    damaged(forest, commands)
    plan = planned(forest)
    tokens = {row.summary_id: row.tokens for row in forest.rows.values()}
    read = sum(
        sum(tokens[child] for child in one.children)
        if one.children
        else forest.span(one.from_pos, one.to_pos).src_tokens
        for one in plan.steps
    )
    assert plan.calls == len(plan.steps)
    assert plan.tokens == read + sum(tokens[one.summary_id] for one in plan.steps)


@given(forests(), damage)
def test_after_a_repair_every_stale_summary_is_covered_or_could_not_be_remade(
    forest: Forest, commands: Sequence[tuple[str, int]]
) -> None:
    damaged(forest, commands)
    stale = forest.in_state(CoverState.STALE)
    carried_out(forest, planned(forest))
    for row in stale:
        left = [
            entry
            for entry in forest.visible(row.from_pos, row.to_pos)
            if not any(one.overlaps(entry.pos, entry.pos) for one in forest.used)
        ]
        met = any(one.overlaps(row.from_pos, row.to_pos) for one in forest.used)
        assert met or not left
    assert planned(forest).steps == ()
