"""What noticing changes does on every store, as plain checks of two stores on one database.

The second store may be the first one where nothing else can reach it. See
`foreword.ports.changes`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread

from foreword.domain.ids import (
    DEFAULT_ACCOUNT,
    MAIN_BRANCH,
    AccountId,
    BranchId,
    ConversationId,
    Rev,
)
from foreword.domain.ops import OpKind
from foreword.errors import BranchNotFound, ConversationNotFound
from foreword.ports.changes import Change, Changes
from foreword.ports.store import Store
from foreword.testing.store_contract.teller import AT, Teller, refused

LONG = 30.0
"""Seconds in which what is to happen must have happened."""
SHORT = 0.1
"""Seconds in which what must not happen would."""
OTHERS = AccountId("others")


@contextmanager
def looking(store: Store, conversation: str | None = "c") -> Iterator[Changes]:
    """Notice the changes of a conversation of the default account, or of all of them."""
    only = None if conversation is None else ConversationId(conversation)
    changes = store.changes(DEFAULT_ACCOUNT, only)
    try:
        yield changes
    finally:
        changes.close()


def at(rev: int, conversation: str = "c") -> tuple[Change, ...]:
    """Return what is told of a conversation that is at a revision."""
    return (Change(conversation=ConversationId(conversation), rev=Rev(rev)),)


def test_a_change_is_told_to_others_and_to_oneself_once(mine: Store, others: Store) -> None:
    """Whoever changes a conversation, everybody who looks is told, once."""
    teller = Teller(mine)
    teller.say("before")
    with looking(others) as there, looking(mine) as here:
        teller.say("one")
        assert (there.wait(LONG), here.wait(LONG)) == (at(2), at(2))
        assert (there.wait(SHORT), here.wait(SHORT)) == ((), ())
        teller.say("two")
        assert there.wait(LONG) == at(3)


def test_who_waits_already_is_told_too(mine: Store, others: Store) -> None:
    """A change ends the waiting that began before it."""
    teller = Teller(mine)
    with looking(others) as changes:
        told: list[tuple[Change, ...]] = []
        waiting = Thread(target=lambda: told.append(changes.wait()))
        waiting.start()
        teller.say("one")
        waiting.join(LONG)
        assert told == [at(1)]


def test_nothing_is_told_before_it_is_committed(mine: Store, others: Store) -> None:
    """What is told can be read."""
    teller = Teller(mine)
    with looking(others) as changes:
        with teller.op():
            assert changes.wait(SHORT) == ()
        assert changes.wait(LONG) == at(1)


def test_what_is_undone_by_its_transaction_is_never_told(mine: Store, others: Store) -> None:
    """What never came to be is never told."""
    teller = Teller(mine)
    with looking(others) as changes:
        with refused(BranchNotFound), teller.op() as session:
            session.branch(BranchId(99))
        assert changes.wait(SHORT) == ()
        teller.say("one")
        assert changes.wait(LONG) == at(1)
        assert changes.wait(SHORT) == ()


def test_changes_that_nobody_waited_for_are_told_as_one(mine: Store, others: Store) -> None:
    """Only the newest revision is told."""
    teller = Teller(mine)
    with looking(others) as changes:
        with mine.write(teller.account, teller.id) as session:
            for _ in range(3):
                session.begin(MAIN_BRANCH, OpKind.EDIT, actor="a", at=AT)
        assert changes.wait(LONG) == at(3)
        assert changes.wait(SHORT) == ()


def test_what_is_no_op_is_not_told(mine: Store, others: Store) -> None:
    """A new title is no new revision."""
    teller = Teller(mine)
    with looking(others) as changes:
        with mine.write(teller.account, teller.id) as session:
            session.change_conversation(title="Another story")
        assert changes.wait(SHORT) == ()


def test_only_the_conversation_that_was_asked_for_is_told_of(mine: Store, others: Store) -> None:
    """Others change without a word."""
    tellers = [Teller(mine), Teller(mine, "d")]
    with looking(others) as changes:
        tellers[1].say("not yours")
        assert changes.wait(SHORT) == ()
        tellers[0].say("yours")
        assert changes.wait(LONG) == at(1)


def test_all_of_an_account_are_told_of_new_ones_too(mine: Store, others: Store) -> None:
    """Conversations made later are looked at too."""
    known = Teller(mine)
    with looking(others, None) as changes:
        known.say("one")
        assert changes.wait(LONG) == at(1)
        Teller(mine, "e", OTHERS).say("of another account")
        Teller(mine, "d").say("new")
        assert changes.wait(LONG) == at(1, "d")
        assert changes.wait(SHORT) == ()


def test_ids_of_any_length_and_script_are_told_of(mine: Store, others: Store) -> None:
    """Whatever an id is, it is told whole."""
    for name in ("кот 'n' \"dog\"", "x" * 9_000, "ж" * 3_000):
        teller = Teller(mine, name)
        with looking(others, name) as changes:
            teller.say("one")
            assert changes.wait(LONG) == at(1, name)


def test_closing_ends_the_waiting_at_once(mine: Store, others: Store) -> None:
    """Another thread can end the waiting, for good."""
    Teller(mine)
    changes = others.changes(DEFAULT_ACCOUNT, ConversationId("c"))
    assert not changes.closed
    told: list[tuple[Change, ...]] = []
    waiting = Thread(target=lambda: told.append(changes.wait()))
    waiting.start()
    changes.close()
    waiting.join(LONG)
    assert (told, changes.closed) == ([()], True)
    changes.close()
    assert changes.wait() == ()


def test_a_conversation_of_nobody_or_of_others_is_not_found(mine: Store, others: Store) -> None:
    """Nobody listens to conversations of others."""
    Teller(mine, "theirs", OTHERS)
    for name in ("theirs", "nobodys"):
        with refused(ConversationNotFound):
            others.changes(DEFAULT_ACCOUNT, ConversationId(name))


CHANGES_CHECKS: tuple[Callable[[Store, Store], None], ...] = tuple(
    value for name, value in list(globals().items()) if name.startswith("test_")
)
"""Each takes two stores on one empty database."""
