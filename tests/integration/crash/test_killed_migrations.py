"""A migration killed before any statement it writes with leaves the schema that was there.

From nothing and from every released schema, on both databases: each step of each migration.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import inspect
from tests.integration.crash.lives import Victims, life_at
from tests.integration.crash.victim import READING
from tests.integration.test_migrations import make_old, plain
from tests.postgres import drop_database, new_database

from foreword.domain.ids import DEFAULT_ACCOUNT
from foreword.storage.schema import SCHEMAS
from foreword.storage.sql_store import SqlStore
from foreword.testing.store_contract.teller import Teller

KILLED = [{"killed": True, "code": -9}]
DONE = [{"killed": False, "code": 0}]
Found = dict[str, set[str]]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str]]:
    """Two empty databases of a kind."""
    if request.param == "sqlite":
        yield str(tmp_path / "one.db"), str(tmp_path / "two.db")
        return
    one, two = new_database(empty=True), new_database(empty=True)
    yield one, two
    drop_database(one)
    drop_database(two)


def found_in(place: str) -> Found:
    """Return the columns and indexes of every table, and the schema's name."""
    engine = plain(place)
    with engine.connect() as connection:
        asked = inspect(connection)
        found = {
            table: {column["name"] for column in asked.get_columns(table)}
            | {str(index["name"]) for index in asked.get_indexes(table)}
            for table in asked.get_table_names()
        }
        if "alembic_version" in found:
            named = connection.exec_driver_sql("SELECT version_num FROM alembic_version")
            found["alembic_version"] |= {row[0] for row in named}
    engine.dispose()
    return found


def names_in(place: str) -> set[str]:
    engine = plain(place)
    names = set(inspect(engine).get_table_names())
    engine.dispose()
    return names


@pytest.mark.parametrize("schema", [None, *SCHEMAS[:-1]])
def test_a_migration_killed_before_any_write_leaves_the_old_schema(
    victims: Victims, places: tuple[str, str], tmp_path: Path, schema: str | None
) -> None:
    place, another = places
    for one in places:
        if schema is not None:
            make_old(one, schema)
    log = tmp_path / "log"
    assert victims.live(life_at("migrate", another, log)) == DONE
    sent = log.read_text("utf-8").split()
    writes = [number for number, word in enumerate(sent, 1) if word not in READING]
    assert writes
    before = found_in(place)
    for number in writes:
        assert victims.live(life_at("migrate", place, log, statements=number)) == KILLED
        assert names_in(place) == before.keys()
    assert found_in(place) == before
    assert victims.live(life_at("migrate", place, log)) == DONE
    assert found_in(place) == found_in(another)
    store = SqlStore.open(place)
    titles = [one.title for one in store.conversations(DEFAULT_ACCOUNT)]
    assert titles == ([] if schema is None else ["Old story"])
    Teller(store).say("a new one")
    store.close()
