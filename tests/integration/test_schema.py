"""The migrations make exactly the schema that the tables describe, on every database."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, inspect
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable
from tests.postgres import drop_database, new_database

from foreword.storage.dialects import FULL_TEXT_TABLE
from foreword.storage.schema import SCHEMAS
from foreword.storage.sql_store import SqlStore
from foreword.storage.tables import metadata
from foreword.storage.upgrade import configuration, upgrade

TEXTS_ONLY = {"note", "route", "setting", "speaker", "template"}


def differences(connection: Connection) -> list[object]:
    """What the tables describe and the database has not, or the other way round."""

    def ours(name: str | None, kind: str, _parents: object) -> bool:
        return not (kind == "table" and str(name).startswith(FULL_TEXT_TABLE))

    options = {"include_name": ours, "compare_type": True}
    return list(compare_metadata(MigrationContext.configure(connection, opts=options), metadata))


def definitions(path: Path) -> set[tuple[str, str, str | None]]:
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    connection.close()
    return {(kind, name, "".join((sql or "").split())) for kind, name, sql in rows}


@pytest.fixture
def postgres() -> Iterator[str]:
    address = new_database(empty=True)
    yield address.replace("postgresql://", "postgresql+psycopg://", 1)
    drop_database(address)


def test_the_migrations_end_at_the_newest_known_schema() -> None:
    scripts = ScriptDirectory.from_config(configuration())
    assert [script.revision for script in scripts.walk_revisions()] == list(reversed(SCHEMAS))
    assert scripts.get_current_head() == SCHEMAS[-1]


def test_a_migrated_database_is_what_the_tables_describe(tmp_path: Path) -> None:
    migrated = SqlStore.open(tmp_path / "migrated.db")
    with migrated.engine.connect() as connection:
        assert differences(connection) == []
    migrated.close()
    described = create_engine(f"sqlite:///{tmp_path}/described.db")
    metadata.create_all(described)
    described.dispose()
    names = {name for _, name, _ in definitions(tmp_path / "migrated.db")}
    assert {name for _, name, _ in definitions(tmp_path / "described.db")} <= names
    texts = [
        {sql for _, name, sql in definitions(tmp_path / file) if name == FULL_TEXT_TABLE}
        for file in ("migrated.db", "described.db")
    ]
    assert texts[0] == texts[1]


def test_every_statement_of_the_schema_can_be_said_in_postgresql() -> None:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    for table in metadata.sorted_tables:
        made = str(CreateTable(table).compile(dialect=dialect))
        assert made.strip().startswith("CREATE TABLE")
        assert "BIGINT" in made or table.name in TEXTS_ONLY
        for index in table.indexes:
            assert "CREATE INDEX" in str(CreateIndex(index).compile(dialect=dialect))


@pytest.mark.postgres
def test_the_tables_can_be_made_in_postgresql(postgres: str) -> None:
    engine = create_engine(postgres)
    with engine.begin() as connection:
        metadata.create_all(connection)
        made = set(inspect(connection).get_table_names())
        assert made == {*metadata.tables, FULL_TEXT_TABLE}
        assert differences(connection) == []
        connection.rollback()
    engine.dispose()


@pytest.mark.postgres
def test_the_migrations_can_be_run_in_postgresql(postgres: str) -> None:
    engine = create_engine(postgres)
    with engine.begin() as connection:
        upgrade(connection)
        made = set(inspect(connection).get_table_names())
        assert made == {*metadata.tables, FULL_TEXT_TABLE, "alembic_version"}
        assert differences(connection) == []
        connection.rollback()
    engine.dispose()
