from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.ids import BranchId, Rev
from foreword.domain.ops import (
    Command,
    Op,
    OpKind,
    commands,
    effects_after,
    original,
    redo_target,
    standing,
    taken_back,
    undo_target,
)


def op(
    rev: int, kind: OpKind = OpKind.EDIT, *, group: int | None = None, undoes: int | None = None
) -> Op:
    return Op(
        rev=Rev(rev),
        group=Rev(rev if group is None else group),
        branch_id=BranchId(1),
        actor="user",
        kind=kind,
        at="2026-11-30T12:00:00+00:00",
        undoes=None if undoes is None else Rev(undoes),
    )


def command(rev: int, kind: OpKind = OpKind.EDIT, undoes: int | None = None) -> Command:
    (made,) = commands([op(rev, kind, undoes=undoes)])
    return made


def journal(story: str) -> list[Command]:
    """Make commands, newest first, from words: `e` edits, `u2` undoes 2, `r3` takes back undo 3."""
    kinds = {"e": OpKind.EDIT, "u": OpKind.UNDO, "r": OpKind.REDO}
    words = story.split()
    made = [
        command(rev, kinds[word[0]], int(word[1:]) if word[1:] else None)
        for rev, word in enumerate(words, start=1)
    ]
    return made[::-1]


def group_of(found: Command | None) -> int | None:
    return None if found is None else int(found.group)


# --- commands -------------------------------------------------------------------------------------


def test_the_ops_of_a_group_are_one_command_with_the_kind_of_its_first() -> None:
    recap = [op(4, OpKind.RECAP), op(5, OpKind.MERGE, group=4), op(6, OpKind.RECAP, group=4)]
    assert list(commands([*recap[::-1], op(3, OpKind.APPEND)])) == [
        Command(
            group=Rev(4),
            kind=OpKind.RECAP,
            branch_id=BranchId(1),
            revs=(Rev(4), Rev(5), Rev(6)),
        ),
        command(3, OpKind.APPEND),
    ]


def test_ops_between_those_of_a_group_are_commands_of_their_own() -> None:
    ops = [op(7), op(6, group=3), op(5), op(4, group=3), op(3), op(2)]
    assert [command.revs for command in commands(ops)] == [(7,), (3, 4, 6), (5,), (2,)]


def test_groups_that_are_entwined_come_by_their_newest_op() -> None:
    ops = [op(6, group=2), op(5, group=1), op(4, group=2), op(3, group=1), op(2), op(1)]
    assert [command.revs for command in commands(ops)] == [(2, 4, 6), (1, 3, 5)]


def test_commands_are_gathered_without_reading_further_back_than_needed() -> None:
    ops = iter([op(5, group=4), op(4), op(3), op(2)])
    assert next(commands(ops)).revs == (4, 5)
    assert next(ops).rev == 3


def test_a_group_whose_first_op_is_not_there_is_still_a_command() -> None:
    ops = [op(6, group=2), op(5), op(4, group=2)]
    assert [command.revs for command in commands(ops)] == [(4, 6), (5,)]


def test_an_empty_journal_has_no_command() -> None:
    assert list(commands([])) == []


# --- undo and redo --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("story", "undo", "redo"),
    [
        ("", None, None),
        ("e", 1, None),
        ("e e", 2, None),
        ("e e u2", 1, 3),
        ("e e u2 u1", None, 4),
        ("e e u2 u1 r4", 5, 3),
        ("e e u2 u1 r4 r3", 6, None),
        ("e u1 e", 3, None),
        ("e u1 e u3", None, 4),
        ("e u1 r2", 3, None),
        ("e u1 r2 u3", None, 4),
        ("e u1 r2 u3 r4", 5, None),
        ("e e u2 r3 e", 5, None),
        ("e e u2 r3 e u5 u4", 1, 7),
        ("e e u1", 2, 3),
        ("e e u1 u2 r4", 5, 3),
        ("e u1 e r2", 4, None),
        ("e u1 e r2 u4", 3, 5),
    ],
)
def test_undo_takes_the_last_in_force_and_redo_the_last_undone(
    story: str, undo: int | None, redo: int | None
) -> None:
    known = journal(story)
    assert group_of(undo_target(known)) == undo
    assert group_of(redo_target(known)) == redo


@pytest.mark.parametrize(
    ("story", "gone"),
    [
        ("e e", []),
        ("e e u2", [2]),
        ("e e u2 r3", [3]),
        ("e e u2 r3 u4", [2, 4]),
        ("e u1 e u3 r4", [1, 4]),
    ],
)
def test_what_an_undone_undo_took_back_is_in_force(story: str, gone: list[int]) -> None:
    assert sorted(taken_back(journal(story))) == gone


@pytest.mark.parametrize(("rev", "about"), [(1, 1), (2, 1), (3, 1), (4, 1), (5, 5), (6, 5)])
def test_a_chain_of_undo_and_redo_is_about_one_command(rev: int, about: int) -> None:
    known = journal("e u1 r2 u3 e u5")
    assert original(known, known[-rev]) == known[-about]


@pytest.mark.parametrize(("rev", "last"), [(1, 5), (2, 5), (3, 5), (4, 4), (5, 5), (6, 6)])
def test_the_last_of_a_chain_stands_for_it(rev: int, last: int) -> None:
    known = journal("e u1 r2 e u3 e")
    assert standing(known, known[-rev]) == known[-last]


# A user's view: a list of what is in force in the order of doing, and one of what was undone.

steps = st.lists(
    st.tuples(
        st.sampled_from(["do", "undo", "undo", "redo", "by id", "undo by id"]), st.integers(0, 99)
    ),
    max_size=40,
)


@given(steps)
def test_the_journal_means_what_a_stack_of_commands_would(steps: Sequence[tuple[str, int]]) -> None:
    known: list[Command] = []
    done: list[int] = []
    undone: list[int] = []

    def write(kind: OpKind, target: Command | None = None) -> int:
        undoes = None if target is None else target.group
        known.insert(0, command(len(known) + 1, kind, undoes))
        return int(known[0].group)

    for step, number in steps:
        if step == "do":
            done.append(write(OpKind.EDIT))
            undone.clear()
        elif step == "redo" and undone:
            write(OpKind.REDO, redo_target(known))
            done.append(undone.pop())
        elif step == "undo" and done:
            write(OpKind.UNDO, undo_target(known))
            undone.append(done.pop())
        elif step == "undo by id" and done:
            wanted = done.pop(number % len(done))
            write(OpKind.UNDO, standing(known, known[-wanted]))
            undone.append(wanted)
        elif step == "by id" and undone:
            wanted = undone.pop(number % len(undone))
            write(OpKind.REDO, standing(known, known[-wanted]))
            done.append(wanted)
        undo, redo = undo_target(known), redo_target(known)
        assert (group_of(undo and original(known, undo))) == (done[-1] if done else None)
        assert (group_of(redo and original(known, redo))) == (undone[-1] if undone else None)
        gone = taken_back(known)
        edits = {int(one.group) for one in known if one.kind is OpKind.EDIT}
        assert {group for group in edits if group not in gone} == set(done)


# --- conflicts ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("story", "target", "later"),
    [
        ("e e e", 1, [3, 2]),
        ("e e e", 3, []),
        ("e e u2", 1, []),
        ("e e e u2", 1, [3]),
        ("e e u1", 2, [3]),
        ("e e u1 r3", 2, []),
        ("e u1 e r2", 3, [4]),
        ("e u1 e r2 u4", 3, []),
        ("e e u2 r3", 1, [2]),
        ("e u1 r2", 3, []),
        ("e u1 r2 e", 3, [4]),
    ],
)
def test_only_what_is_still_in_force_stands_in_the_way_of_an_undo(
    story: str, target: int, later: list[int]
) -> None:
    assert [int(one.group) for one in effects_after(journal(story), Rev(target))] == later


def test_a_command_between_the_ops_of_another_stands_in_its_way_and_it_in_that_ones() -> None:
    known = list(commands([op(6), op(5, group=2), op(4), op(3, group=2), op(2), op(1)]))
    assert [one.group for one in effects_after(known, Rev(2))] == [6, 4]
    assert [one.group for one in effects_after(known, Rev(4))] == [6, 2]
    assert [one.group for one in effects_after(known, Rev(6))] == []


@dataclass
class Rows:
    """What a store does, obviously right: rows as a dict, each command with what it overwrote."""

    known: list[Command] = field(default_factory=list)
    values: dict[int, int] = field(default_factory=dict)
    before: dict[int, dict[int, int]] = field(default_factory=dict)
    after: dict[int, dict[int, int]] = field(default_factory=dict)

    def write(self, kind: OpKind, values: dict[int, int], undoes: Rev | None = None) -> None:
        rev = len(self.known) + 1
        self.known.insert(0, command(rev, kind, undoes))
        self.before[rev] = {row: self.values.get(row, 0) for row in values}
        self.after[rev] = values
        self.values.update(values)

    def touched_after(self, target: Command) -> set[int]:
        later = effects_after(self.known, target.group)
        return {row for one in later for row in self.after[one.group]}

    def take_back(self, target: Command, kind: OpKind) -> None:
        """Restore what the command overwrote, unless that was changed again."""
        if self.touched_after(target).isdisjoint(self.after[target.group]):
            self.write(kind, dict(self.before[target.group]), target.group)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["do", "do", "undo", "redo", "by id"]),
            st.sets(st.integers(1, 4), min_size=1, max_size=3),
            st.integers(0, 99),
        ),
        max_size=25,
    )
)
def test_a_row_was_changed_after_a_command_only_by_what_stands_in_the_way_of_its_undo(
    steps: Sequence[tuple[str, set[int], int]],
) -> None:
    rows = Rows()
    for step, touched, number in steps:
        undo, redo = undo_target(rows.known), redo_target(rows.known)
        if step == "do":
            rows.write(OpKind.EDIT, dict.fromkeys(touched, len(rows.known) + 1))
        elif step == "undo" and undo is not None:
            rows.take_back(undo, OpKind.UNDO)
        elif step == "redo" and redo is not None:
            rows.take_back(redo, OpKind.REDO)
        elif step == "by id" and rows.known:
            target = standing(rows.known, rows.known[number % len(rows.known)])
            redone = target.kind is OpKind.UNDO
            rows.take_back(target, OpKind.REDO if redone else OpKind.UNDO)
        gone = taken_back(rows.known)
        for target in rows.known:
            if target.group in gone:
                continue
            changed = rows.touched_after(target)
            for row, value in rows.after[target.group].items():
                assert (row in changed) == (rows.values[row] != value)
