"""Every store notices what is changed through it, through another one, and by other processes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import Engine

pytest.register_assert_rewrite("foreword.testing.store_contract")

from tests.contract.databases import STORES, new_sql_store  # noqa: E402
from tests.integration.test_sqlite_store import go, started  # noqa: E402
from tests.postgres import address_of, run  # noqa: E402

from foreword.domain.ids import Rev  # noqa: E402
from foreword.errors import StoreUnavailable  # noqa: E402
from foreword.ports.store import Store  # noqa: E402 - asserts must be rewritten first
from foreword.storage.backups import back_up, restore  # noqa: E402
from foreword.storage.notifying import NotifiedChanges  # noqa: E402
from foreword.storage.sql_store import SqlStore  # noqa: E402
from foreword.testing.memory_store import MemoryStore  # noqa: E402
from foreword.testing.store_contract.changes import (  # noqa: E402
    CHANGES_CHECKS,
    LONG,
    SHORT,
    at,
    looking,
)
from foreword.testing.store_contract.teller import Teller  # noqa: E402

LOST_ALL = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'"
LOST = LOST_ALL + " AND query = 'LISTEN foreword'"


@dataclass(frozen=True)
class Two:
    """Two stores on one database."""

    mine: Store
    others: Store
    place: str


def two_of(kind: str, folder: Path) -> Iterator[Two]:
    if kind == "memory":
        store = MemoryStore()
        yield Two(store, store, "")
        return
    mine = new_sql_store(kind, folder)
    database = mine.engine.url.database or ""
    place = address_of(database) if kind == "postgres" else database
    others = SqlStore.open(place)
    yield Two(mine, others, place)
    others.close()
    mine.close()


@pytest.fixture(params=STORES)
def two(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Two]:
    yield from two_of(request.param, tmp_path)


@pytest.fixture(params=STORES[1:])
def two_on_a_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Two]:
    yield from two_of(request.param, tmp_path)


@pytest.fixture
def two_on_a_server(tmp_path: Path) -> Iterator[Two]:
    yield from two_of("postgres", tmp_path)


@pytest.mark.parametrize(
    "check", CHANGES_CHECKS, ids=lambda check: check.__name__.removeprefix("test_")
)
def test_noticing_changes_keeps_the_contract(
    two: Two, check: Callable[[Store, Store], None]
) -> None:
    check(two.mine, two.others)


def test_what_another_process_changes_is_noticed(two_on_a_database: Two) -> None:
    two = two_on_a_database
    Teller(two.mine)
    with looking(two.others) as changes, looking(two.others, None) as all_changes:
        process = started(two.place, "other")
        assert process.stdout is not None
        go(process)
        revs = [Rev(0)]
        while revs[-1] < 40:
            (change,) = changes.wait(LONG)
            revs.append(change.rev)
        assert revs == sorted(set(revs))
        while all_changes.wait(LONG) != at(40):
            pass
        process.stdout.close()
        assert process.wait(60) == 0


def engine_of(store: Store) -> Engine:
    assert isinstance(store, SqlStore)
    return store.engine


@pytest.mark.postgres
def test_what_was_changed_while_the_connection_was_lost_is_told(two_on_a_server: Two) -> None:
    teller = Teller(two_on_a_server.mine)
    with looking(two_on_a_server.others) as changes:
        database = engine_of(two_on_a_server.mine).url.database
        run(LOST.format(database))
        teller.say("unheard")
        assert changes.wait(LONG) == at(1)
        assert changes.wait(SHORT) == ()
        teller.say("heard")
        assert changes.wait(LONG) == at(2)


@pytest.mark.postgres
def test_a_restore_has_everything_looked_at_again(two_on_a_server: Two, tmp_path: Path) -> None:
    mine, others = two_on_a_server.mine, two_on_a_server.others
    assert isinstance(mine, SqlStore)
    teller = Teller(mine)
    teller.say("one")
    back_up(mine, tmp_path / "backup", check=lambda _: ())
    teller.say("two")
    with looking(others) as changes:
        restore(mine, tmp_path / "backup", check=lambda _: (), force=True)
        assert changes.wait(LONG) == at(1)
        teller.say("two again")
        assert changes.wait(LONG) == at(2)


@pytest.mark.postgres
def test_a_connection_that_has_been_silent_for_long_is_not_trusted(two_on_a_server: Two) -> None:
    teller = Teller(two_on_a_server.mine)
    found = {teller.id: Rev(0)}
    engine = engine_of(two_on_a_server.others)
    changes = NotifiedChanges(
        engine, lambda: found, account=teller.account, conversation=None, quiet_seconds=0.01
    )
    found[teller.id] = Rev(7)
    assert changes.wait() == at(7)
    changes.close()


@pytest.mark.postgres
def test_a_database_that_is_gone_is_waited_for_and_then_named(two_on_a_server: Two) -> None:
    teller = Teller(two_on_a_server.mine)
    database = engine_of(two_on_a_server.mine).url.database
    with looking(two_on_a_server.others) as changes:
        run(f"ALTER DATABASE {database} ALLOW_CONNECTIONS false")
        run(LOST_ALL.format(database))
        with pytest.raises(StoreUnavailable):
            changes.wait(SHORT)
        run(f"ALTER DATABASE {database} ALLOW_CONNECTIONS true")
        teller.say("there again")
        assert changes.wait(LONG) == at(1)
