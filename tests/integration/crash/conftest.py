"""A program that can be killed again and again, and databases for it to work on."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.integration.crash.lives import Victims

from foreword.storage.sql_store import SqlStore


@pytest.fixture(scope="session")
def victims() -> Iterator[Victims]:
    started = Victims()
    yield started
    started.close()


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("database") / "empty.db"
    SqlStore.open(path).close()
    return path


@pytest.fixture
def database(empty_database: Path, tmp_path: Path) -> Path:
    """A database with the schema and nothing in it."""
    return Path(shutil.copyfile(empty_database, tmp_path / "foreword.db"))


@pytest.fixture
def open_store(database: Path) -> Iterator[Callable[[], SqlStore]]:
    """Opens the database, each time it is called, as another process would."""
    opened: list[SqlStore] = []

    def open_one() -> SqlStore:
        opened.append(SqlStore.open(database))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()
