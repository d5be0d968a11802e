"""Where a database is, and connecting to it so that its transactions are ours.

Above: `sql_store`, `schema`. Below: `dialects`. Invariants: reading is one consistent view, writing
waits for other writers, and no password is in what this module says.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import URL, Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from foreword.errors import ExtraMissing, InvalidSetting
from foreword.storage.dialects import POSTGRES, WRITES, prepare_postgres, prepare_sqlite
from foreword.storage.failures import file_access

OWNER_ONLY: Final = 0o600
"""Permission of a new database file: stories are private."""
WANTED: Final = "the path of a SQLite file, or an address as postgresql://user@host/database"
SQLITE: Final = "sqlite"
_DRIVERS: Final = {"postgres": "postgresql+psycopg", POSTGRES: "postgresql+psycopg"}
_SECRETS: Final = ("password", "sslpassword")
_CONNECT_SECONDS: Final = 10


@dataclass(frozen=True, slots=True)
class Connections:
    """A database that can be connected to."""

    engine: Engine
    reading: Engine
    """Its transactions see one consistent view."""
    writing: Engine
    """Its transactions wait for others that write the same."""
    name: str
    """The file, or the address without its password: for messages."""
    busy_seconds: float
    """How long a writer waits: for another one, and for a server that is away."""


def connect(place: str | Path, *, busy_seconds: float) -> Connections:
    """Prepare connecting to a database; a missing SQLite file is made, nothing else is done.

    Args:
        place: path of a SQLite file, or the address of a database.
        busy_seconds: how long a writer waits for another one.

    Raises:
        InvalidSetting: it is neither.
        ExtraMissing: the driver is not installed.
        StoreReadOnly, StoreFull: the file cannot be made.
    """
    url = address_of(place)
    if url.get_backend_name() == SQLITE:
        return _sqlite(url, busy_seconds)
    return _postgres(url, busy_seconds)


def address_of(place: str | Path) -> URL:
    """Return the address of a database; a path is one of a SQLite file.

    Raises:
        InvalidSetting: it is of no database that we know.
    """
    if not str(place).strip():
        raise InvalidSetting(name="database", value="", wanted=WANTED)
    if not (isinstance(place, str) and "://" in place):
        return URL.create(SQLITE, database=str(place))
    scheme, _, rest = place.partition("://")
    try:
        url = make_url(f"{_DRIVERS.get(scheme, scheme)}://{rest}")
        backend = url.get_backend_name()
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise _unfit(scheme) from None  # what failed may hold the password
    if backend == SQLITE and url.database and url.database != ":memory:":
        return url
    if url.drivername == _DRIVERS[POSTGRES]:
        return url
    raise _unfit(scheme)


def shown(url: URL) -> str:
    """Return an address as it may be printed: without passwords; a file as its path."""
    if url.get_backend_name() == SQLITE:
        return url.database or ""
    plain = url.set(drivername=POSTGRES)
    secret = {name: "***" for name in _SECRETS if name in plain.query}
    return plain.update_query_dict(secret).render_as_string(hide_password=True)


def _unfit(scheme: str) -> InvalidSetting:
    return InvalidSetting(name="database", value=f"{scheme}://…", wanted=WANTED)


def _sqlite(url: URL, busy_seconds: float) -> Connections:
    name = url.database or ""
    if "uri" not in url.query:  # such an address says itself how the file is opened
        with file_access(name):
            _make_file(Path(name))
    # The connection used last knows most of the file: SQLite's cache is each connection's own.
    engine = create_engine(url, connect_args={"timeout": busy_seconds}, pool_use_lifo=True)
    prepare_sqlite(engine)
    return Connections(
        engine, engine, engine.execution_options(**{WRITES: True}), name, busy_seconds
    )


def _postgres(url: URL, busy_seconds: float) -> Connections:
    # The driver reports a database that is gone only when it is used: connections are tried first.
    arguments = {"client_encoding": "utf8"}
    if "connect_timeout" not in url.query:
        arguments["connect_timeout"] = str(_CONNECT_SECONDS)
    try:
        engine = create_engine(url, connect_args=arguments, pool_pre_ping=True)
    except ImportError as error:
        raise ExtraMissing(extra="postgres") from error
    prepare_postgres(engine, busy_seconds=busy_seconds)
    reading = engine.execution_options(isolation_level="REPEATABLE READ")
    writing = engine.execution_options(isolation_level="READ COMMITTED", **{WRITES: True})
    return Connections(engine, reading, writing, shown(url), busy_seconds)


def _make_file(path: Path) -> None:
    """Make the file and its folder, for their owner only."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, OWNER_ONLY))
