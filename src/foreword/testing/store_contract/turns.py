"""Turns on one branch: appending, editing, hiding, deleting, counting, finding by place."""

# ruff: noqa: D103 - the name of a check says what it checks

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from foreword.domain.ids import MAIN_BRANCH, POSITION_GAP, BranchId, Pos, TurnId, VersionId
from foreword.domain.ops import OpKind
from foreword.domain.turn import Entry
from foreword.errors import BranchNotFound
from foreword.ports.store import Store
from foreword.testing.store_contract.teller import (
    FARTHEST,
    Teller,
    content_of,
    entry_of,
    refused,
    version_of,
)


def test_a_new_conversation_has_an_empty_main_branch(store: Store) -> None:
    teller = Teller(store)
    branch = teller.branch()
    assert (branch.id, branch.name, branch.parent) == (MAIN_BRANCH, "main", None)
    assert (branch.tip_pos, branch.turns, branch.visible_tokens) == (0, 0, 0)
    assert teller.shown() == []


def test_what_is_appended_stands_in_order(store: Store) -> None:
    teller = Teller(store)
    said = [*teller.say("one", "two"), *teller.say("three")]
    assert teller.shown() == said
    assert teller.texts() == ["one", "two", "three"]
    assert teller.branch().tip_pos == 3 * POSITION_GAP


def test_an_edit_shows_the_new_text_in_the_same_place(store: Store) -> None:
    teller = Teller(store)
    one, two = teller.say("one", "two")
    edited = teller.edit(one, "another one")
    assert teller.shown() == [edited, two]
    assert teller.texts() == ["another one", "two"]


def test_hidden_turns_stand_but_are_counted_apart(store: Store) -> None:
    teller = Teller(store)
    one, _ = teller.say("one", "two")
    teller.hide(one)
    assert teller.texts() == ["(one)", "two"]
    assert (teller.branch().visible_turns, teller.branch().hidden_turns) == (1, 1)
    teller.hide(one, hidden=False)
    assert teller.texts() == ["one", "two"]


def test_a_dropped_turn_is_gone_and_its_place_is_not_used_again(store: Store) -> None:
    teller = Teller(store)
    one, two = teller.say("one", "two")
    teller.drop(two)
    assert teller.shown() == [one]
    (three,) = teller.say("three")
    assert three.pos == two.pos + POSITION_GAP
    assert teller.texts() == ["one", "three"]


def test_dropping_where_nothing_stands_changes_nothing(store: Store) -> None:
    teller = Teller(store)
    teller.say("one")
    before = teller.branch()
    with teller.op() as session:
        session.drop_entries([Pos(7), Pos(99 * POSITION_GAP)])
        rev = session.conversation.rev
    with teller.reading() as session:
        assert session.touched(MAIN_BRANCH, rev) == frozenset()
    assert teller.branch() == before


def test_a_turn_can_be_put_between_two_others(store: Store) -> None:
    teller = Teller(store)
    one, two = teller.say("one", "two")
    with teller.op() as session:
        (turn,) = session.new_turn_ids(1)
        (version,) = session.add_versions([version_of(turn, content_of("between"))])
        session.put_entries([entry_of(version, one.pos + 1)])
    assert teller.texts() == ["one", "between", "two"]
    assert teller.branch().tip_pos == two.pos


def test_a_later_row_of_one_op_takes_the_place_of_an_earlier_one(store: Store) -> None:
    teller = Teller(store)
    with teller.op() as session:
        (turn,) = session.new_turn_ids(1)
        versions = session.add_versions(
            [version_of(turn, content_of("draft")), version_of(turn, content_of("final"))]
        )
        session.put_entries([entry_of(version, POSITION_GAP) for version in versions])
        session.put_entries([entry_of(versions[0], POSITION_GAP)])
        session.put_entries([entry_of(versions[1], POSITION_GAP)])
    assert teller.texts() == ["final"]


def test_hundreds_of_turns_are_read_and_found_by_place(store: Store) -> None:
    teller = Teller(store)
    said = teller.say(*(f"turn {number}" for number in range(300)))
    teller.drop(*said[40:120])
    left = [*said[:40], *said[120:]]
    assert teller.shown() == left
    with teller.reading() as session:
        middle = [entry for entry in left if said[30].pos < entry.pos < said[250].pos]
        stretch = session.newest(MAIN_BRANCH, before=said[250].pos, after=said[30].pos)
        assert list(stretch) == middle[::-1]
        assert list(session.between(MAIN_BRANCH, middle[0].pos, middle[-1].pos)) == middle


def test_reading_gives_one_entry_at_a_time(store: Store) -> None:
    teller = Teller(store)
    said = teller.say(*(f"turn {number}" for number in range(100)))
    with teller.reading() as session:
        newest, oldest = session.newest(MAIN_BRANCH), session.between(MAIN_BRANCH, Pos(0), FARTHEST)
        for entries in (newest, oldest, session.ops()):
            assert isinstance(entries, Iterator)
        assert list(islice(newest, 3)) == said[:-4:-1]
        assert next(newest) == said[-4]
        assert list(islice(oldest, 3)) == said[:3]


def test_orders_count_what_stands_up_to_a_position(store: Store) -> None:
    teller = Teller(store)
    one, two, three = teller.say("one", "two", "three")
    teller.drop(two)
    with teller.reading() as session:
        orders = [
            session.order(MAIN_BRANCH, Pos(pos))
            for pos in (0, one.pos, two.pos, three.pos - 1, three.pos, 5 * three.pos)
        ]
        assert orders == [0, 1, 1, 1, 2, 2]
        assert session.orders(MAIN_BRANCH, []) == {}
        assert session.nth(MAIN_BRANCH, 0) is None


def test_a_turn_that_does_not_stand_has_no_entry(store: Store) -> None:
    teller = Teller(store)
    one, two = teller.say("one", "two")
    teller.drop(one)
    with teller.reading() as session:
        found: list[Entry | None] = [
            session.entry(MAIN_BRANCH, turn) for turn in (one.turn_id, two.turn_id, TurnId(99))
        ]
    assert found == [None, two, None]


def test_unknown_branches_are_refused_by_name(store: Store) -> None:
    teller = Teller(store)
    with teller.reading() as session, refused(BranchNotFound):
        session.branch(BranchId(9))
    with teller.reading() as session, refused(BranchNotFound):
        session.cover(BranchId(9))
    with refused(BranchNotFound), teller.op(BranchId(9)):
        pass


def test_rows_cannot_be_changed_before_an_op_was_begun(store: Store) -> None:
    teller = Teller(store)
    (one,) = teller.say("one")
    for begun in (False, True):
        with refused(ValueError), store.write(teller.account, teller.id) as session:
            if begun:
                session.begin(MAIN_BRANCH, OpKind.EDIT, actor="user", at="")
                session.add_branch("fork", parent=MAIN_BRANCH, fork_pos=one.pos)
            session.drop_entries([one.pos])
    assert teller.shown() == [one]
    with teller.reading() as session:
        assert len(session.branches()) == 1


def test_ids_are_never_given_twice(store: Store) -> None:
    teller = Teller(store)
    with teller.op() as session:
        assert session.new_turn_ids(0) == ()
        assert session.new_turn_ids(2) == (1, 2)
        assert session.new_turn_ids(1) == (3,)
        stored = session.add_versions([version_of(TurnId(7), content_of("from a file"))])
        assert [version.id for version in stored] == [1]
        assert session.add_versions([]) == ()
        assert session.new_turn_ids(1) == (8,)
    with teller.op() as session:
        assert session.new_turn_ids(1) == (9,)
        (version,) = session.add_versions([version_of(TurnId(9), content_of("next"))])
        assert version.id == 2


def test_versions_are_read_as_they_were_stored(store: Store) -> None:
    teller = Teller(store)
    with teller.op() as session:
        turns = session.new_turn_ids(600)
        stored = session.add_versions(
            [version_of(turn, content_of(f"text {turn}")) for turn in turns]
        )
    with teller.reading() as session:
        ids = [version.id for version in stored]
        assert session.versions([*ids, VersionId(9999)]) == {
            version.id: version for version in stored
        }
        assert session.versions([]) == {}
