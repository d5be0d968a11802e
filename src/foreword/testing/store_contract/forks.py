"""Forks: what they share, and that nothing done on one side shows on the other."""

# ruff: noqa: D103 - the name of a check says what it checks

from __future__ import annotations

from foreword.domain.ids import MAIN_BRANCH, BranchId, Pos
from foreword.domain.ops import OpKind, RowKey, RowKind
from foreword.domain.turn import Alternative
from foreword.errors import BranchNotFound
from foreword.ports.store import Store
from foreword.testing.store_contract.teller import (
    AT,
    Teller,
    content_of,
    cover_row,
    entry_of,
    refused,
    summary_of,
    version_of,
)


def test_a_fork_shows_its_parent_up_to_the_fork(store: Store) -> None:
    teller = Teller(store)
    one, two, _ = teller.say("one", "two", "three")
    fork = teller.fork(two.pos)
    assert (fork.id, fork.parent, fork.fork_pos, fork.fork_rev) == (2, MAIN_BRANCH, two.pos, 1)
    assert fork.tip_pos == two.pos
    assert teller.shown(fork.id) == [one, two]
    teller.say("other three", branch=fork.id)
    assert teller.texts(fork.id) == ["one", "two", "other three"]
    assert teller.texts() == ["one", "two", "three"]


def test_what_happens_on_the_parent_does_not_show_in_its_fork(store: Store) -> None:
    teller = Teller(store)
    one, two, three = teller.say("one", "two", "three")
    teller.edit(one, "one edited before")
    fork = teller.fork(three.pos)
    teller.edit(one, "one edited after")
    teller.drop(two)
    teller.hide(three)
    teller.say("four")
    assert teller.texts(fork.id) == ["one edited before", "two", "three"]
    assert teller.texts() == ["one edited after", "(three)", "four"]


def test_what_happens_in_a_fork_does_not_show_on_its_parent(store: Store) -> None:
    teller = Teller(store)
    one, two, three = teller.say("one", "two", "three")
    fork = teller.fork(three.pos)
    teller.edit(one, "one of the fork", branch=fork.id)
    teller.drop(two, branch=fork.id)
    teller.hide(three, branch=fork.id)
    assert teller.texts(fork.id) == ["one of the fork", "(three)"]
    assert teller.texts() == ["one", "two", "three"]


def test_a_dropped_inherited_turn_can_be_put_back_and_dropped_again(store: Store) -> None:
    teller = Teller(store)
    one, two = teller.say("one", "two")
    fork = teller.fork(two.pos)
    teller.drop(one, branch=fork.id)
    teller.drop(one, branch=fork.id)
    assert teller.texts(fork.id) == ["two"]
    with teller.op(fork.id) as session:
        session.put_entries([one])
    assert teller.texts(fork.id) == ["one", "two"]
    with teller.op(fork.id) as session:
        session.drop_entries([one.pos])
        session.put_entries([one])
        session.drop_entries([one.pos])
    assert teller.texts(fork.id) == ["two"]


def test_what_a_parent_dropped_before_the_fork_is_not_inherited(store: Store) -> None:
    teller = Teller(store)
    one, two = teller.say("one", "two")
    first = teller.fork(two.pos)
    teller.drop(one, branch=first.id)
    second = teller.fork(two.pos, parent=first.id)
    with teller.op(second.id) as session:
        session.put_entries([one])
        session.drop_entries([one.pos])
        assert session.touched(second.id, session.conversation.rev) == frozenset()
    assert teller.texts(second.id) == ["two"]
    with teller.op(second.id) as session:
        session.put_entries([one])
    assert teller.texts(second.id) == ["one", "two"]


def test_forks_three_deep_keep_their_own_and_share_the_rest(store: Store) -> None:
    teller = Teller(store)
    said = teller.say(*(f"m{number}" for number in range(1, 7)))
    first = teller.fork(said[4].pos)
    own = teller.say("f6", "f7", branch=first.id)
    second = teller.fork(own[0].pos, parent=first.id)
    teller.drop(said[1], branch=first.id)
    teller.edit(said[2], "f3", branch=first.id)
    teller.edit(said[3], "s4", branch=second.id)
    third = teller.fork(said[3].pos, parent=second.id)
    teller.edit(said[0], "m1 edited")
    teller.drop(said[3], branch=second.id)
    teller.say("t5", branch=third.id)
    teller.hide(said[2], branch=third.id)
    assert teller.texts() == ["m1 edited", "m2", "m3", "m4", "m5", "m6"]
    assert teller.texts(first.id) == ["m1", "f3", "m4", "m5", "f6", "f7"]
    assert teller.texts(second.id) == ["m1", "m2", "m3", "m5", "f6"]
    assert teller.texts(third.id) == ["m1", "m2", "(m3)", "s4", "t5"]


def test_a_fork_of_a_fork_does_not_see_what_its_parent_did_later(store: Store) -> None:
    teller = Teller(store)
    one, two = teller.say("one", "two")
    first = teller.fork(two.pos)
    teller.drop(one, branch=first.id)
    second = teller.fork(two.pos, parent=first.id)
    with teller.op(first.id) as session:
        session.put_entries([one])
    assert teller.texts(first.id) == ["one", "two"]
    assert teller.texts(second.id) == ["two"]


def test_a_long_story_is_found_by_place_across_its_forks(store: Store) -> None:
    teller = Teller(store)
    said = teller.say(*(f"m{number}" for number in range(200)))
    first = teller.fork(said[150].pos)
    teller.drop(*said[5:9], *said[90:93], branch=first.id)
    teller.say(*(f"f{number}" for number in range(70)), branch=first.id)
    second = teller.fork(said[120].pos, parent=first.id)
    with teller.op(second.id) as session:
        session.put_entries([said[6], said[91]])
        session.drop_entries([said[0].pos, said[119].pos])
    teller.say(*(f"s{number}" for number in range(70)), branch=second.id)
    main = [f"m{number}" for number in range(200)]
    left = [*main[:5], *main[9:90], *main[93:]]
    assert teller.texts(first.id) == [
        *left[: left.index("m150") + 1],
        *(f"f{number}" for number in range(70)),
    ]
    assert teller.texts(second.id) == [
        *main[1:5],
        "m6",
        *main[9:90],
        "m91",
        *main[93:119],
        "m120",
        *(f"s{number}" for number in range(70)),
    ]


def test_turns_put_between_inherited_ones_are_counted_in_their_place(store: Store) -> None:
    teller = Teller(store)
    said = teller.say(*(f"m{number}" for number in range(150)))
    fork = teller.fork(said[-1].pos)
    with teller.op(fork.id) as session:
        session.drop_entries([said[20].pos, said[21].pos])
        for place in (10, 30):
            (turn,) = session.new_turn_ids(1)
            (version,) = session.add_versions([version_of(turn, content_of(f"after {place}"))])
            session.put_entries([entry_of(version, said[place].pos + 1)])
    expected = [f"m{number}" for number in range(150) if number not in {20, 21}]
    for place in (10, 30):
        expected.insert(expected.index(f"m{place}") + 1, f"after {place}")
    assert teller.texts(fork.id) == expected


def test_a_fork_begins_with_its_parents_alternatives_and_keeps_its_own(store: Store) -> None:
    teller = Teller(store)
    (one,) = teller.say("one")

    def swipe(branch: BranchId, alt_no: int, text: str) -> Alternative:
        with teller.op(branch, OpKind.CHOOSE) as session:
            (version,) = session.add_versions([version_of(one.turn_id, content_of(text))])
            swipe = Alternative(turn_id=one.turn_id, alt_no=alt_no, version_id=version.id)
            session.put_alternatives([swipe])
        return swipe

    first, second = swipe(MAIN_BRANCH, 1, "first"), swipe(MAIN_BRANCH, 2, "second")
    fork = teller.fork(one.pos)
    third = swipe(MAIN_BRANCH, 3, "third")
    other = swipe(fork.id, 2, "other second")
    with teller.reading() as session:
        assert session.alternatives(MAIN_BRANCH, [one.turn_id]) == {
            one.turn_id: (first, second, third)
        }
        assert session.alternatives(fork.id, [one.turn_id]) == {one.turn_id: (first, other)}
        assert session.alternatives(fork.id, []) == {}


def test_pins_and_cover_of_the_parent_are_not_the_forks(store: Store) -> None:
    teller = Teller(store)
    (one,) = teller.say("one")
    with teller.op() as session:
        summary = session.add_summary(summary_of())
        session.put_cover([cover_row(summary.id, one.pos, one.pos)])
        session.put_pins([one.turn_id])
    fork = teller.fork(one.pos)
    with teller.reading() as session:
        assert (session.pins(fork.id), session.cover(fork.id)) == ((), ())
        assert session.cover_history(fork.id) == frozenset()
    with teller.op(fork.id) as session:
        session.put_pins([one.turn_id])
    with teller.op() as session:
        session.drop_pins([one.turn_id])
    with teller.reading() as session:
        assert (session.pins(fork.id), session.pins(MAIN_BRANCH)) == ((one,), ())


def test_an_undo_in_a_fork_brings_back_what_was_inherited(store: Store) -> None:
    teller = Teller(store)
    one, two = teller.say("one", "two")
    fork = teller.fork(two.pos)
    teller.drop(one, branch=fork.id)
    dropped = teller.rev()
    teller.edit(two, "two edited", branch=fork.id)
    edited = teller.rev()
    key = RowKey(RowKind.ENTRY, one.pos)
    with teller.reading() as session:
        assert session.touched(fork.id, dropped) == {key}
        assert session.touched(MAIN_BRANCH, dropped) == frozenset()
    teller.undo(dropped, branch=fork.id)
    assert teller.texts(fork.id) == ["one", "two edited"]
    teller.undo(edited, branch=fork.id)
    assert teller.texts(fork.id) == ["one", "two"]
    teller.undo(teller.rev(), branch=fork.id)
    assert teller.texts(fork.id) == ["one", "two edited"]
    assert teller.texts() == ["one", "two"]


def test_a_fork_made_in_the_same_transaction_shares_what_was_written_before(store: Store) -> None:
    teller = Teller(store)
    (one,) = teller.say("one")
    with teller.op() as session:
        session.drop_entries([one.pos])
        fork = session.add_branch("fork", parent=MAIN_BRANCH, fork_pos=one.pos)
        session.begin(fork.id, OpKind.FORK, actor="user", at=AT)
        session.put_entries([one])
    assert (teller.texts(), teller.texts(fork.id)) == ([], ["one"])


def test_branches_are_renamed_removed_and_acknowledged(store: Store) -> None:
    teller = Teller(store)
    teller.say("one")
    fork = teller.fork(0)
    with store.write(teller.account, teller.id) as session:
        session.change_branch(fork.id, name="other", removed=True)
        session.acknowledge(fork.id, teller_rev := session.conversation.rev)
    changed = teller.branch(fork.id)
    assert (changed.name, changed.removed, changed.acknowledged) == ("other", True, teller_rev)
    with store.write(teller.account, teller.id) as session:
        session.change_branch(fork.id, removed=False)
    changed = teller.branch(fork.id)
    assert (changed.name, changed.removed) == ("other", False)
    with teller.reading() as session:
        assert session.branches() == (teller.branch(), changed)
        assert session.conversation.rev == teller_rev


def test_a_fork_of_an_unknown_branch_is_refused(store: Store) -> None:
    teller = Teller(store)
    with refused(BranchNotFound), store.write(teller.account, teller.id) as session:
        session.add_branch("fork", parent=BranchId(9), fork_pos=Pos(0))
    with teller.reading() as session:
        assert len(session.branches()) == 1
