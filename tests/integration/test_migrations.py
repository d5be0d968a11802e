"""Migrations from every released schema, on both databases; killed ones are in `crash`."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import Engine, create_engine, event, inspect
from tests.postgres import drop_database, new_database

from foreword.domain.ids import DEFAULT_ACCOUNT
from foreword.storage.connecting import address_of
from foreword.storage.schema import SCHEMAS
from foreword.storage.sql_store import SqlStore
from foreword.storage.upgrade import configuration
from foreword.testing.store_contract.teller import Teller

STORY = (
    "INSERT INTO conversation (id, account_id, title, rev, current_branch, created_at,"
    " settings, source, origin, deleted, last_turn, last_version, last_summary, last_branch)"
    " VALUES ('old', 'default', 'Old story', 0, 1, 'then', '{}', '', '', 0, 0, 0, 0, 1)"
)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "old.db")
        return
    address = new_database(empty=True)
    yield address
    drop_database(address)


def plain(place: str) -> Engine:
    """Connections with the database's own transactions, around all that is done in one."""
    engine = create_engine(address_of(place))
    if engine.dialect.name == "sqlite":

        @event.listens_for(engine, "connect")
        def connected(connection: object, _record: object) -> None:
            connection.isolation_level = None  # type: ignore[attr-defined]

    return engine


def make_old(place: str, schema: str) -> None:
    engine = plain(place)
    with engine.begin() as connection:
        command.upgrade(configuration(connection), schema)
        connection.exec_driver_sql(STORY)
    engine.dispose()


def tables(place: str) -> tuple[set[str], str]:
    engine = plain(place)
    with engine.connect() as connection:
        names = set(inspect(connection).get_table_names())
        found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one()
    engine.dispose()
    return names, found


@pytest.mark.parametrize("schema", SCHEMAS)
def test_every_released_schema_becomes_the_newest_and_keeps_its_stories(
    place: str, schema: str
) -> None:
    make_old(place, schema)
    store = SqlStore.open(place)
    assert [one.title for one in store.conversations(DEFAULT_ACCOUNT)] == ["Old story"]
    Teller(store).say("a new one")
    assert store.ledger.calls(DEFAULT_ACCOUNT) == ()
    store.close()
    assert tables(place)[1] == SCHEMAS[-1]
