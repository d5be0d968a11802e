"""What turns were, revision by revision: on branches, on forks, after undo."""

# ruff: noqa: D103 - the name of a check says what it checks

from __future__ import annotations

from dataclasses import replace

from foreword.domain.ids import MAIN_BRANCH, BranchId, Pos, Rev, TurnId
from foreword.domain.ops import OpKind, RowKey, RowKind
from foreword.domain.turn import Entry
from foreword.ports.store import Store
from foreword.testing.store_contract.teller import Teller, content_of, entry_of, version_of

Told = list[tuple[int, int | None, str]]


def told(teller: Teller, turn: TurnId, branch: BranchId = MAIN_BRANCH) -> Told:
    """Return what a turn said from which revision until which."""
    with teller.reading() as session:
        found = session.standings(branch, turn)
        versions = session.versions([one.entry.version_id for one in found])
        return [
            (one.since, one.until, versions[one.entry.version_id].content.text) for one in found
        ]


def rewrite(teller: Teller, entry: Entry, text: str, branch: BranchId = MAIN_BRANCH) -> Entry:
    """Give a turn another text by one op."""
    with teller.op(branch) as session:
        (version,) = session.add_versions([version_of(entry.turn_id, content_of(text))])
        new = entry_of(version, entry.pos)
        session.put_entries([new])
        return new


def test_every_text_of_a_turn_is_told_with_its_revisions(store: Store) -> None:
    teller = Teller(store)
    one, two = teller.say("one", "two")
    rewrite(teller, one, "uno")
    teller.say("three")
    rewrite(teller, one, "eins")
    assert told(teller, one.turn_id) == [(1, 2, "one"), (2, 4, "uno"), (4, None, "eins")]
    assert told(teller, two.turn_id) == [(1, None, "two")]
    assert told(teller, TurnId(9)) == []


def test_a_turn_that_is_deleted_and_restored_stood_twice(store: Store) -> None:
    teller = Teller(store)
    (one,) = teller.say("one")
    with teller.op(kind=OpKind.DELETE) as session:
        session.drop_entries([one.pos])
    teller.say("two")
    assert told(teller, one.turn_id) == [(1, 2, "one")]
    with teller.op(kind=OpKind.UNDO) as session:
        session.restore([RowKey(RowKind.ENTRY, one.pos)], Rev(2))
    assert told(teller, one.turn_id) == [(1, 2, "one"), (4, None, "one")]


def test_a_fork_tells_what_its_parent_was_until_then(store: Store) -> None:
    teller = Teller(store)
    one, two = teller.say("one", "two")
    edited = rewrite(teller, one, "uno")
    fork = teller.fork(one.pos)
    rewrite(teller, edited, "main")
    rewrite(teller, edited, "fork", fork.id)
    deep = teller.fork(one.pos, parent=fork.id)
    with teller.op(deep.id, OpKind.DELETE) as session:
        session.drop_entries([one.pos])
    fork_rev = fork.fork_rev
    assert told(teller, one.turn_id) == [(1, 2, "one"), (2, fork_rev + 2, "uno"), (4, None, "main")]
    shown = [(1, 2, "one"), (2, 5, "uno"), (5, None, "fork")]
    assert told(teller, one.turn_id, fork.id) == shown
    assert told(teller, one.turn_id, deep.id) == [*shown[:2], (5, 7, "fork")]
    assert told(teller, two.turn_id, fork.id) == []


def test_a_fork_that_undoes_its_own_change_shows_its_parent_s_again(store: Store) -> None:
    teller = Teller(store)
    (one,) = teller.say("one")
    fork = teller.fork(one.pos)
    rewrite(teller, one, "fork", fork.id)
    before = teller.say("x", branch=fork.id)[0].pos
    with teller.op(fork.id, OpKind.UNDO) as session:
        session.restore([RowKey(RowKind.ENTRY, one.pos)], Rev(3))
    found = told(teller, one.turn_id, fork.id)
    assert [text for _, _, text in found] == ["one", "fork", "one"]
    assert found[-1][1] is None
    assert before > one.pos


def test_another_turn_in_its_place_ends_a_turn(store: Store) -> None:
    teller = Teller(store)
    (one,) = teller.say("one")
    fork = teller.fork(one.pos)
    with teller.op(fork.id) as session:
        (number,) = session.new_turn_ids(1)
        (version,) = session.add_versions([version_of(number, content_of("other"))])
        session.put_entries([entry_of(version, one.pos)])
        rev = session.conversation.rev
    assert told(teller, one.turn_id, fork.id) == [(1, rev, "one")]
    assert told(teller, number, fork.id) == [(rev, None, "other")]


def test_a_hidden_turn_is_told_apart(store: Store) -> None:
    teller = Teller(store)
    (one,) = teller.say("one")
    with teller.op(kind=OpKind.HIDE) as session:
        session.put_entries([replace(one, hidden=True)])
    with teller.reading() as session:
        found = session.standings(MAIN_BRANCH, one.turn_id)
    assert [(one.since, one.entry.hidden) for one in found] == [(1, False), (2, True)]


def test_ops_are_found_by_their_revisions(store: Store) -> None:
    teller, other = Teller(store), Teller(store, "other")
    teller.say("one")
    teller.say("two")
    other.say("one")
    with teller.reading() as session:
        ops = {op.rev: op for op in session.ops()}
        assert session.ops_at([Rev(2), Rev(9), Rev(1)]) == ops
        assert session.ops_at([]) == {}
        assert session.ops_at([Rev(2)]) == {Rev(2): ops[Rev(2)]}
        assert all(entry.pos > Pos(0) for entry in session.newest(MAIN_BRANCH))
