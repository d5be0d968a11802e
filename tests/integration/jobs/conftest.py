"""A store for several processes."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.jobs.processes import Shared, Warm
from tests.postgres import drop_database, new_database

from foreword.storage.sql_store import SqlStore


@pytest.fixture(scope="session")
def warm() -> Iterator[Warm]:
    started = Warm()
    yield started
    started.close()


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the schema and nothing in it: copying it is faster than migrating."""
    path = tmp_path_factory.mktemp("database") / "empty.db"
    SqlStore.open(path).close()
    return path


@pytest.fixture
def shared(empty_file: Path, tmp_path: Path, warm: Warm) -> Shared:
    """A store in a SQLite file."""
    address = shutil.copyfile(empty_file, tmp_path / "foreword.db")
    return Shared(tmp_path, str(address), warm)


@pytest.fixture
def on_server(tmp_path: Path, warm: Warm) -> Iterator[Shared]:
    """A store on a PostgreSQL server."""
    address = new_database()
    yield Shared(tmp_path, address, warm)
    drop_database(address)


@pytest.fixture(params=["shared", pytest.param("on_server", marks=pytest.mark.postgres)])
def anywhere(request: pytest.FixtureRequest) -> Shared:
    """Each of them in turn."""
    found: Shared = request.getfixturevalue(request.param)
    return found
