"""Every test that asks for `store` runs on the store in memory and on SQLite."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from foreword.engine.context import Engine
from foreword.ports.store import Store
from foreword.storage.sql_store import SqlStore
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore


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


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, open_sqlite: Callable[[], Store]) -> Store:
    return MemoryStore() if request.param == "memory" else open_sqlite()


@pytest.fixture
def engine(store: Store) -> Engine:
    return engine_on(store)
