"""A database that goes away in the middle: nothing is half written, and what is said is true."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

import pytest
from sqlalchemy import Engine, event, make_url
from tests.integration.wire import Wire
from tests.postgres import PrivateServer, drop_database, new_database, run

from foreword.domain.ids import DEFAULT_ACCOUNT
from foreword.engine import verifying
from foreword.errors import OutcomeUnknown, StoreUnavailable
from foreword.storage.sql_store import SqlStore
from foreword.testing.engines import engine_on
from foreword.testing.store_contract.ledger import ANSWER, MINE, NEW
from foreword.testing.store_contract.teller import Teller

pytestmark = pytest.mark.postgres

LOST = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'"


@pytest.fixture
def database() -> Iterator[str]:
    address = new_database()
    yield address
    drop_database(address)


@pytest.fixture
def wire(database: str) -> Iterator[Wire]:
    between = Wire(str(make_url(database).database))
    yield between
    between.close()


def opened(place: str, *, busy_seconds: float = 30.0) -> SqlStore:
    return SqlStore.open(place, busy_seconds=busy_seconds)


def lose_all(engine: Engine) -> None:
    run(LOST.format(engine.url.database))


def test_a_read_that_loses_its_connection_says_so_and_the_next_one_works(database: str) -> None:
    store = opened(database)
    teller = Teller(store)
    teller.say("one")
    with pytest.raises(StoreUnavailable), teller.reading() as session:  # noqa: PT012 - in the middle
        assert len(list(session.ops())) == 1
        lose_all(store.engine)
        list(session.ops())
    assert teller.texts() == ["one"]
    store.close()


def test_a_connection_lost_before_any_statement_of_a_command_leaves_nothing_of_it(
    database: str,
) -> None:
    store = opened(database)
    teller = Teller(store)
    teller.say("one")
    sent: list[int] = []
    with at_each(store, sent.append):
        teller.say("two")
    for number in sent:

        def lose(now: int, number: int = number) -> None:
            if now == number:
                lose_all(store.engine)

        with at_each(store, lose), pytest.raises(StoreUnavailable):
            teller.say("never")
        assert (teller.texts(), teller.rev()) == (["one", "two"], 2)
    teller.say("three")
    assert teller.texts() == ["one", "two", "three"]
    assert verifying.verify(engine_on(store)).problems == ()
    store.close()


@contextmanager
def at_each(store: SqlStore, act: Callable[[int], None]) -> Iterator[None]:
    """Call with the number of each statement or commit of a store before it is sent."""
    numbers = count(1)

    def sent(*_: object) -> None:
        act(next(numbers))

    event.listen(store.engine, "before_cursor_execute", sent)
    event.listen(store.engine, "commit", sent)
    try:
        yield
    finally:
        event.remove(store.engine, "before_cursor_execute", sent)
        event.remove(store.engine, "commit", sent)


def test_an_answer_to_a_commit_that_is_lost_is_asked_for_again(wire: Wire) -> None:
    store = opened(wire.address)
    teller = Teller(store)
    wire.cut_at_commit = True
    teller.say("one")
    assert (teller.texts(), teller.rev()) == (["one"], 1)

    wire.cut_at_commit = True
    call = store.ledger.begin(MINE, NEW)
    wire.cut_at_commit = True
    store.ledger.answer(MINE, call, ANSWER, ms=1, money=1)
    assert [one.answer for one in store.ledger.calls(MINE)] == [ANSWER]
    assert not wire.cut_at_commit
    store.close()


def test_where_nobody_can_say_what_became_of_a_command_that_is_said(
    wire: Wire, database: str
) -> None:
    store = opened(wire.address, busy_seconds=0.2)
    teller = Teller(store)
    wire.cut_at_commit = wire.silent_then = True
    with pytest.raises(OutcomeUnknown):
        teller.say("one")
    with pytest.raises(StoreUnavailable):
        teller.rev()
    store.close()
    again = opened(database)
    assert len(again.conversations(DEFAULT_ACCOUNT)) == 1
    again.close()


def test_a_server_that_dies_and_comes_back_has_whole_commands_only() -> None:
    server = PrivateServer()
    store = opened(server.address)
    teller = Teller(store)
    teller.say("one")
    sent: list[int] = []
    with at_each(store, sent.append):
        teller.say("two")
    for moment in (len(sent) // 2, len(sent)):

        def die(number: int, moment: int = moment) -> None:
            if number == moment:
                server.kill()
                server.start()

        with at_each(store, die), pytest.raises(StoreUnavailable):
            teller.say("never")
        assert (teller.texts(), teller.rev()) == (["one", "two"], 2)
    server.kill()
    with pytest.raises(StoreUnavailable):
        teller.rev()
    server.start()
    teller.say("three")
    assert teller.texts() == ["one", "two", "three"]
    assert verifying.verify(engine_on(store)).problems == ()
    store.close()
    server.close()
