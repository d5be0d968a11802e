"""A fresh store for each test, copied from one that was migrated once."""

import shutil
import tempfile
from functools import cache
from pathlib import Path

import pytest
from tests.postgres import new_postgres_store

from foreword.storage.sql_store import SqlStore

STORES = ("memory", "sqlite", pytest.param("postgres", marks=pytest.mark.postgres))


@cache
def _migrated() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "template.db"
        SqlStore.open(path).close()
        copy = Path(folder) / "copy.db"
        shutil.copy(path, copy)
        return copy.read_bytes()


def new_sqlite_store(folder: Path, *, busy_seconds: float = 30.0) -> SqlStore:
    path = folder / "foreword.db"
    path.write_bytes(_migrated())
    return SqlStore.open(path, busy_seconds=busy_seconds)


def new_sql_store(kind: str, folder: Path) -> SqlStore:
    return new_postgres_store() if kind == "postgres" else new_sqlite_store(folder)
