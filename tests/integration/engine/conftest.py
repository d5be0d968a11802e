"""Every test that asks for `store` runs in memory and on SQLite, some on PostgreSQL too."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.postgres import new_postgres_store

from foreword.engine.context import Engine
from foreword.ports.store import Store
from foreword.storage.sql_store import SqlStore
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore

STORES = ("memory", "sqlite", pytest.param("postgres", marks=pytest.mark.postgres))
ON_A_SERVER = frozenset(
    {"test_drafts", "test_recap_runs", "test_undo_by_id", "test_replies", "test_undo_and_redo_all"}
)
"""Modules whose tests write, wait for models in between, and read again."""


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the schema and nothing in it: copying it is faster than migrating."""
    path = tmp_path_factory.mktemp("database") / "empty.db"
    SqlStore.open(path).close()
    return path


@pytest.fixture
def open_sqlite(empty_database: Path, tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Opens an empty SQLite store each time it is called."""
    opened: list[SqlStore] = []

    def open_one() -> Store:
        path = tmp_path / f"{len(opened)}.db"
        shutil.copyfile(empty_database, path)
        opened.append(SqlStore.open(path))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "store" in metafunc.fixturenames:
        on_a_server = metafunc.module.__name__.rpartition(".")[2] in ON_A_SERVER
        metafunc.parametrize("store", STORES if on_a_server else STORES[:2], indirect=True)


@pytest.fixture
def store(request: pytest.FixtureRequest, open_sqlite: Callable[[], Store]) -> Iterator[Store]:
    if request.param == "postgres":
        opened = new_postgres_store()
        yield opened
        opened.close()
    else:
        yield MemoryStore() if request.param == "memory" else open_sqlite()


@pytest.fixture
def engine(store: Store) -> Engine:
    return engine_on(store)
