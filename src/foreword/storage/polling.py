"""Noticing changes of a database that tells nobody: it is asked now and then.

Above: `sql_store`. SQLite counts the commits of other connections in memory that all of them
share, so asking costs microseconds; revisions are read only when there was one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from threading import Event, Lock
from time import monotonic
from typing import Final

from foreword.domain.ids import ConversationId, Rev
from foreword.ports.changes import Change, news
from foreword.storage.failures import translated

INTERVAL: Final = 0.05
"""Seconds from one question to the next."""
Revisions = Callable[[], Mapping[ConversationId, Rev]]


class PolledChanges:
    """See `ports.changes.Changes`."""

    def __init__(self, connection: sqlite3.Connection, revisions: Revisions, *, name: str) -> None:
        """Look from now on.

        Args:
            connection: of its own, which nobody else writes through; closed at the end.
            revisions: reads those to be looked at.
            name: of the database, for messages.
        """
        self._name = name
        self._connection = connection
        self._revisions = revisions
        self._over = Event()
        self._using = Lock()
        self._commits = self._counted()
        self._known = dict(revisions())

    @property
    def closed(self) -> bool:
        """See `Changes.closed`."""
        return self._over.is_set()

    def wait(self, seconds: float | None = None) -> tuple[Change, ...]:
        """See `Changes.wait`."""
        ends = None if seconds is None else monotonic() + seconds
        while True:
            found = self._look()
            left = INTERVAL if ends is None else min(INTERVAL, ends - monotonic())
            if found or left <= 0 or self._over.wait(left):
                return found

    def close(self) -> None:
        """See `Changes.close`."""
        self._over.set()
        with self._using:
            self._connection.close()

    def _look(self) -> tuple[Change, ...]:
        with self._using:
            if self.closed:
                return ()
            commits = self._counted()
            if commits == self._commits:
                return ()
            found = self._revisions()
            self._commits = commits
        changes = news(self._known, found)
        self._known.update(found)
        return changes

    def _counted(self) -> int:
        with translated(self._name):
            (commits,) = self._connection.execute("PRAGMA data_version").fetchone()
        return int(commits)
