"""The store on a database.

Above: bootstrap. Below: `read_session`, `write_session`, `schema`. Invariant: each method is one
transaction, and what a database says leaves this module as a `StoreError` only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection

from foreword.domain.conversation import Branch, Conversation
from foreword.domain.ids import MAIN_BRANCH, AccountId, ConversationId, Rev
from foreword.domain.storable import storable_text, storable_texts
from foreword.errors import ConversationNotFound, StoreConflict
from foreword.ports.changes import Changes
from foreword.storage import account_texts, conversations
from foreword.storage.connecting import Connections, connect
from foreword.storage.conversations import Counters, Record
from foreword.storage.failures import translated
from foreword.storage.noticing import noticing
from foreword.storage.outcomes import transaction
from foreword.storage.read_session import SqlRead
from foreword.storage.schema import bring_up_to_date
from foreword.storage.sql_jobs import SqlJobs
from foreword.storage.sql_ledger import SqlLedger
from foreword.storage.viewed_read import ViewedRead
from foreword.storage.views import Views
from foreword.storage.write_session import SqlWrite


class SqlStore:
    """See `ports.store.Store`."""

    def __init__(self, connections: Connections) -> None:
        """Use a database that has our schema."""
        self.engine = connections.engine
        self._connections = connections
        self._views = Views()

    @property
    def name(self) -> str:
        """The file, or the address without its password."""
        return self._connections.name

    @property
    def ledger(self) -> SqlLedger:
        """The ledger on the same database; it waits, fails and commits as the store does."""
        return SqlLedger(reading=self.reading, writing=self.writing, views=self._views)

    @property
    def jobs(self) -> SqlJobs:
        """Jobs and the log of memory on the same database."""
        return SqlJobs(reading=self.reading, writing=self.writing)

    @classmethod
    def open(cls, place: str | Path, *, busy_seconds: float = 30.0) -> SqlStore:
        """Open a database, made and migrated when needed.

        Args:
            place: path of a SQLite file, or an address as `sqlite:///…` or `postgresql://…`.
            busy_seconds: how long a writer waits for another one.

        Raises:
            InvalidSetting: it is neither.
            ExtraMissing: the driver for such a database is not installed.
            StoreError: it cannot be opened; the subclass says why.
        """
        connections = connect(place, busy_seconds=busy_seconds)
        with translated(connections.name):
            try:
                bring_up_to_date(connections)
            except BaseException:
                connections.engine.dispose()
                raise
        return cls(connections)

    def create(
        self,
        account: AccountId,
        conversation: ConversationId,
        *,
        title: str,
        at: str,
        settings: Mapping[str, str],
        deleted: bool = False,
    ) -> Conversation:
        """See `Store.create`."""
        new = Conversation(
            id=conversation,
            account=account,
            title=storable_text(title),
            rev=Rev(0),
            current_branch=MAIN_BRANCH,
            created_at=at,
            settings=storable_texts(settings),
            deleted=deleted,
        )
        with self.writing() as connection:
            if conversations.is_taken(connection, conversation):
                raise StoreConflict(f"conversation {conversation!r}")
            keys = conversations.add_record(connection, new, Counters(branch=MAIN_BRANCH))
            conversations.add_branch(connection, keys, Branch(id=MAIN_BRANCH, name="main"))
        return new

    def conversations(
        self, account: AccountId, *, title: str | None = None, origin: str | None = None
    ) -> tuple[Conversation, ...]:
        """See `Store.conversations`."""
        with self.reading() as connection:
            return conversations.conversations_of(connection, account, title=title, origin=origin)

    @contextmanager
    def read(self, account: AccountId, conversation: ConversationId) -> Iterator[SqlRead]:
        """See `Store.read`."""
        with self.reading() as connection:
            record = _found(connection, account, conversation)
            view, texts = self._views.at(
                record.keys.no, record.conversation.rev, record.text_changes
            )
            yield ViewedRead(connection, record, view, texts)

    @contextmanager
    def write(self, account: AccountId, conversation: ConversationId) -> Iterator[SqlWrite]:
        """See `Store.write`."""
        with self.writing() as connection:
            record = _found(connection, account, conversation, to_change=True)
            no, before = record.keys.no, record.conversation.rev
            view, texts = self._views.at(no, before, record.text_changes)
            session = SqlWrite(connection, record, view.levels, texts)
            yield session
            session.flush()
        self._views.advance(no, before, session.view_after(view))

    def defaults(self, account: AccountId) -> Mapping[str, str]:
        """See `Store.defaults`."""
        with self.reading() as connection:
            return account_texts.defaults_of(connection, account)

    def set_default(self, account: AccountId, name: str, value: str | None) -> None:
        """See `Store.set_default`."""
        with self.writing() as connection:
            account_texts.save_default(connection, account, name, value)

    def template(self, scope: str, name: str) -> str | None:
        """See `Store.template`."""
        with self.reading() as connection:
            return account_texts.find_template(connection, scope, name)

    def set_template(self, scope: str, name: str, text: str | None) -> None:
        """See `Store.set_template`."""
        with self.writing() as connection:
            account_texts.save_template(connection, scope, name, text)

    def swap_template(self, scope: str, name: str, text: str, *, before: str | None) -> None:
        """See `Store.swap_template`."""
        with self.writing() as connection:
            account_texts.swap_template(connection, scope, name, (before, text))

    def changes(self, account: AccountId, conversation: ConversationId | None = None) -> Changes:
        """See `Store.changes`."""

        def revisions() -> Mapping[ConversationId, Rev]:
            with self.reading() as connection:
                return conversations.revisions(connection, account, conversation)

        if conversation is not None and not revisions():
            raise ConversationNotFound(conversation)
        return noticing(self._connections, revisions, account=account, conversation=conversation)

    def close(self) -> None:
        """See `Store.close`."""
        self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a transaction that sees one moment and writes nothing."""
        with translated(self.name), self._connections.reading.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction that is committed at the end of the block."""
        with translated(self.name), transaction(self._connections) as connection:
            yield connection


def _found(
    connection: Connection,
    account: AccountId,
    conversation: ConversationId,
    *,
    to_change: bool = False,
) -> Record:
    record = conversations.find_record(connection, account, conversation, to_change=to_change)
    if record is None:
        raise ConversationNotFound(conversation)
    return record
