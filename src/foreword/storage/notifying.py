"""Noticing changes of a PostgreSQL database, which tells those who listen.

Above: `sql_store`, which imports this only for such a database. Below: `dialects.announce`, which
speaks in the transaction that changes something. Invariant: whatever may have been missed, after a
lost connection or a restore, is made good by reading the revisions.
"""

from __future__ import annotations

import json
import selectors
import socket
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from threading import Lock
from time import monotonic
from typing import Final, cast

import psycopg
from sqlalchemy import Engine

from foreword.domain.ids import AccountId, ConversationId, Rev
from foreword.errors import StoreUnavailable
from foreword.ports.changes import Change, news
from foreword.storage.connecting import shown
from foreword.storage.dialects import CHANNEL, EVERYTHING
from foreword.storage.failures import translated
from foreword.storage.polling import Revisions

AGAIN: Final = 1.0
"""Seconds until the next try to connect."""
QUIET: Final = 30.0
"""Seconds without a word after which revisions are read: a connection can be dead and not know."""


class NotifiedChanges:
    """See `ports.changes.Changes`."""

    def __init__(
        self,
        engine: Engine,
        revisions: Revisions,
        *,
        account: AccountId,
        conversation: ConversationId | None,
        quiet_seconds: float = QUIET,
    ) -> None:
        """Listen from now on.

        Args:
            engine: makes the connection, which is then its own.
            revisions: reads those to be looked at.
            account: whose conversations they are.
            conversation: the only one of interest; None: all of the account.
            quiet_seconds: how long nothing must be heard until revisions are read anyway.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        self._engine = engine
        self._revisions = revisions
        self._account = account
        self._only = conversation
        self._quiet = quiet_seconds
        self._over = False
        self._using = Lock()
        self._listener: Listener | None = Listener(engine)
        self._woken, self._waker = socket.socketpair()
        try:
            self._known = dict(revisions())
        except BaseException:
            self.close()
            raise

    @property
    def closed(self) -> bool:
        """See `Changes.closed`."""
        return self._over

    def wait(self, seconds: float | None = None) -> tuple[Change, ...]:
        """See `Changes.wait`."""
        ends = None if seconds is None else monotonic() + seconds
        try:
            with self._using:
                return self._wait(ends)
        finally:
            self._tidy()

    def close(self) -> None:
        """See `Changes.close`."""
        if not self._over:
            self._over = True
            self._waker.send(b"!")
        self._tidy()

    def _tidy(self) -> None:
        """Let go of everything once it is closed; by whoever of the two comes last."""
        if self._over and self._using.acquire(blocking=False):
            with closing(self._woken), closing(self._waker):
                self._drop()
            self._using.release()

    def _wait(self, ends: float | None) -> tuple[Change, ...]:
        while not self._over:
            left = self._quiet if ends is None else ends - monotonic()
            try:
                found = self._look()
            except StoreUnavailable:
                if left <= 0:
                    raise
                found = ()
            if found or left <= 0:
                return found
            self._pause(left)
        return ()

    def _look(self) -> tuple[Change, ...]:
        if self._listener is not None:
            try:
                words = self._listener.heard()
            except StoreUnavailable:
                words = [EVERYTHING]
            silent = monotonic() - self._listener.last_word >= self._quiet
            if not silent and EVERYTHING not in words:
                return self._told(dict(self._newer(words)))
            self._drop()
        self._listener = Listener(self._engine)
        return self._told(self._revisions())

    def _newer(self, words: Iterable[str]) -> Iterator[tuple[ConversationId, Rev]]:
        for word in words:
            account, conversation, rev = json.loads(word)
            of_interest = account == self._account and self._only in {None, conversation}
            # What was said before revisions were read is heard after it, and is old.
            if of_interest and rev > self._known.get(conversation, 0):
                yield conversation, rev

    def _told(self, found: Mapping[ConversationId, Rev]) -> tuple[Change, ...]:
        changes = news(self._known, found)
        self._known.update(found)
        return changes

    def _pause(self, left: float) -> None:
        """Wait for a word, or without a connection until it is time to try again."""
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._woken, selectors.EVENT_READ)
            if self._listener is not None:
                waiting.register(self._listener, selectors.EVENT_READ)
            waiting.select(min(left, AGAIN if self._listener is None else self._quiet))

    def _drop(self) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener = None


class Listener:
    """A connection of its own on which the database tells of changes."""

    def __init__(self, engine: Engine) -> None:
        """Begin to listen.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        with translated(shown(engine.url)), _translated():
            lent = engine.raw_connection()
        self._connection = cast("psycopg.Connection", lent.driver_connection)
        lent.detach()
        with _translated():
            self._connection.rollback()
            self._connection.autocommit = True
            self._connection.execute(f"LISTEN {CHANNEL}")
        self.last_word = monotonic()

    def fileno(self) -> int:
        """Return what becomes readable when there is something to hear."""
        return self._connection.fileno()

    def heard(self) -> list[str]:
        """Return what was said meanwhile.

        Raises:
            StoreUnavailable: the connection is lost.
        """
        with _translated():
            words = [one.payload for one in self._connection.notifies(timeout=0)]
        if words:
            self.last_word = monotonic()
        return words

    def close(self) -> None:
        """Let go of the connection, whatever became of it."""
        self._connection.close()


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except psycopg.Error as error:
        raise StoreUnavailable(" ".join(str(error).split())) from error
