"""What databases and file systems say, in the words of `foreword.errors`.

Above: everything in storage that opens a connection.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from foreword.errors import (
    StoreBusy,
    StoreConflict,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnavailable,
)

_PRIMARY_CODE = 0xFF
_FULL = frozenset({sqlite3.SQLITE_FULL})
_NOT_WRITTEN = frozenset({sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE})
"""What SQLite says where a quota is used up, or no file for its index fits on the disk."""
_READ_ONLY = frozenset(
    {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}
)
_BROKEN = frozenset(
    {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_ERROR}
)


_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})

_BUSY_STATES = frozenset({"55P03"})
"""PostgreSQL after waiting for a lock as long as it was told to."""
_FULL_STATES = frozenset({"53100"})
_READ_ONLY_STATES = frozenset({"25006", "42501"})
_CONFLICT_STATES = frozenset({"23505", "40001", "40P01"})
"""Unique rows, and transactions that the database stopped for the sake of others."""
_BROKEN_CLASSES = frozenset({"22", "23", "42", "XX"})
"""PostgreSQL on values and rows that cannot be, tables that are not there, pages that broke."""


@contextmanager
def translated(place: str) -> Iterator[None]:
    """Raise what the database says as a `StoreError`, or as a `StoreConflict`.

    Args:
        place: the file or address that messages name.
    """
    try:
        yield
    except (DBAPIError, PoolTimeout, sqlite3.Error) as error:  # the driver itself on connecting
        raise _from_database(error, place) from error


@contextmanager
def file_access(place: str) -> Iterator[None]:
    """Raise what the file system says as a `StoreError`.

    Not around a session: what its user does with files meanwhile is not the store's.
    """
    try:
        yield
    except OSError as error:
        raise _from_system(error, place) from error


def _from_database(
    error: DBAPIError | PoolTimeout | sqlite3.Error, place: str
) -> StoreError | StoreConflict:
    said = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(said, sqlite3.Error):
        return _from_sqlite(said, place)
    return _from_postgres(getattr(said, "sqlstate", None) or "", str(said), place)


def _from_postgres(state: str, said: str, place: str) -> StoreError | StoreConflict:
    """Say what one of PostgreSQL's states means; without a state there was no answer."""
    reason = " ".join(said.split())
    if state in _CONFLICT_STATES:
        return StoreConflict(place)
    if state in _BUSY_STATES:
        return StoreBusy(place)
    if state in _FULL_STATES:
        return StoreFull(place)
    if state in _READ_ONLY_STATES:
        return StoreReadOnly(place)
    if state[:2] in _BROKEN_CLASSES:
        return StoreDamaged(path=place, reason=reason)
    return StoreUnavailable(reason)


def _from_sqlite(said: sqlite3.Error, place: str) -> StoreError:
    exact = getattr(said, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    code = exact & _PRIMARY_CODE
    if code in _BUSY:
        return StoreBusy(place)
    if code in _FULL or exact in _NOT_WRITTEN:
        return StoreFull(place)
    if code in _READ_ONLY:
        return StoreReadOnly(place)
    if code in _BROKEN:
        return StoreDamaged(path=place, reason=str(said))
    return StoreUnavailable(str(said))


def _from_system(error: OSError, place: str) -> StoreError:
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return StoreFull(place)
    return StoreReadOnly(place)
