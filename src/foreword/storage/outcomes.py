"""Transactions that write, and what became of one whose connection was lost while it was committed.

Above: `sql_store`. Below: `connecting`. Invariant: who is told that something was not written can
do it again; where nobody can know, that is what is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from time import monotonic
from typing import Final

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from foreword.errors import OutcomeUnknown
from foreword.storage.connecting import Connections
from foreword.storage.dialects import TRANSACTION

_AGAIN: Final = 0.1
"""Seconds until the next try."""
_STATUS = text("SELECT pg_postmaster_start_time()::text, pg_xact_status(CAST(:number AS xid8))")
_NEVER_WAS: Final = "22023"
"""What a server says of a transaction that it has forgotten in a crash."""


@contextmanager
def transaction(database: Connections) -> Iterator[Connection]:
    """Open a transaction, committed at the end of the block and undone when the block raises.

    A database that does not answer the commit is asked what it did, for as long as a writer waits.

    Raises:
        OutcomeUnknown: the connection was lost while it was committed, and so was the database.
        DBAPIError: whatever else the database says; nothing was written.
    """
    with database.writing.connect() as connection, connection.begin() as begun:
        mark: tuple[str, str] | None = connection.info.get(TRANSACTION)
        yield connection
        try:
            begun.commit()
        except DBAPIError as error:
            if mark is None or not error.connection_invalidated:
                raise
            if not _was_committed(database, *mark):
                raise


def _was_committed(database: Connections, number: str, since: str) -> bool:
    """Ask until the database says what became of a transaction."""
    ends = monotonic() + database.busy_seconds
    pause = Event()
    while True:
        match _status(database, number):
            case (_, "aborted"):
                return False
            case (started, "committed") if started == since:
                return True
            case (_, "committed"):
                # A server that crashed may have given the number to another transaction.
                break
            case _ if monotonic() >= ends:
                break
            case _:
                pause.wait(_AGAIN)
    raise OutcomeUnknown(database.name)


def _status(database: Connections, number: str) -> tuple[str, str | None]:
    """Return since when the server runs, and what it says of a transaction, if anything."""
    try:
        with database.reading.connect() as connection:
            started, status = connection.execute(_STATUS, {"number": number}).one()
    except DBAPIError as error:
        return "", "aborted" if getattr(error.orig, "sqlstate", "") == _NEVER_WAS else None
    return started, status
