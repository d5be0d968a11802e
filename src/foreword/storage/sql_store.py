"""The store on a database.

Above: bootstrap. Below: `read_session`, `write_session`, `schema`. Invariant: each method is one
transaction, and what a database says leaves this module as a `StoreError` only.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, make_url

from foreword.domain.conversation import Branch, Conversation
from foreword.domain.ids import MAIN_BRANCH, AccountId, ConversationId, Rev
from foreword.domain.storable import storable_text, storable_texts
from foreword.errors import ConversationNotFound, StoreConflict, StoreUnavailable
from foreword.storage import account_texts, conversations
from foreword.storage.conversations import Counters, Record
from foreword.storage.dialects import WRITES, prepare_sqlite
from foreword.storage.failures import file_access, translated
from foreword.storage.read_session import SqlRead
from foreword.storage.schema import bring_up_to_date
from foreword.storage.sql_ledger import SqlLedger
from foreword.storage.write_session import SqlWrite

OWNER_ONLY = 0o600
"""Permission of a new database file: stories are private."""


class SqlStore:
    """See `ports.store.Store`."""

    def __init__(self, engine: Engine, place: str) -> None:
        """Use an engine whose database has our schema; messages name it by `place`."""
        self.engine = engine
        self._writer = engine.execution_options(**{WRITES: True})
        self._place = place

    @property
    def ledger(self) -> SqlLedger:
        """The ledger on the same database; it waits, fails and commits as the store does."""
        return SqlLedger(reading=self._reading, writing=self._writing)

    @classmethod
    def open(cls, place: str | Path, *, busy_seconds: float = 30.0) -> SqlStore:
        """Open a database, made and migrated when needed.

        Args:
            place: path of a SQLite file, or its address as `sqlite:///…`.
            busy_seconds: how long a writer waits for another one.

        Raises:
            StoreError: it cannot be opened; the subclass says why.
        """
        url = _address(place)
        name = url.database or ""
        if url.get_backend_name() != "sqlite" or not name:
            raise StoreUnavailable(f"{place} is not the path or address of a SQLite file")
        if "uri" not in url.query:  # such an address says itself how the file is opened
            with file_access(name):
                _make_file(Path(name))
        with translated(name):
            engine = create_engine(url, connect_args={"timeout": busy_seconds})
            prepare_sqlite(engine)
            try:
                bring_up_to_date(engine, name)
            except BaseException:
                engine.dispose()
                raise
        return cls(engine, name)

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
        with self._writing() as connection:
            if conversations.is_taken(connection, conversation):
                raise StoreConflict(f"conversation {conversation!r}")
            keys = conversations.add_record(connection, new, Counters(branch=MAIN_BRANCH))
            conversations.add_branch(connection, keys, Branch(id=MAIN_BRANCH, name="main"))
        return new

    def conversations(self, account: AccountId) -> tuple[Conversation, ...]:
        """See `Store.conversations`."""
        with self._reading() as connection:
            return conversations.conversations_of(connection, account)

    @contextmanager
    def read(self, account: AccountId, conversation: ConversationId) -> Iterator[SqlRead]:
        """See `Store.read`."""
        with self._reading() as connection:
            yield SqlRead(connection, _found(connection, account, conversation))

    @contextmanager
    def write(self, account: AccountId, conversation: ConversationId) -> Iterator[SqlWrite]:
        """See `Store.write`."""
        with self._writing() as connection:
            session = SqlWrite(connection, _found(connection, account, conversation))
            yield session
            session.flush()

    def defaults(self, account: AccountId) -> Mapping[str, str]:
        """See `Store.defaults`."""
        with self._reading() as connection:
            return account_texts.defaults_of(connection, account)

    def set_default(self, account: AccountId, name: str, value: str | None) -> None:
        """See `Store.set_default`."""
        with self._writing() as connection:
            account_texts.save_default(connection, account, name, value)

    def template(self, scope: str, name: str) -> str | None:
        """See `Store.template`."""
        with self._reading() as connection:
            return account_texts.find_template(connection, scope, name)

    def set_template(self, scope: str, name: str, text: str | None) -> None:
        """See `Store.set_template`."""
        with self._writing() as connection:
            account_texts.save_template(connection, scope, name, text)

    def close(self) -> None:
        """See `Store.close`."""
        self.engine.dispose()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with translated(self._place), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with translated(self._place), self._writer.begin() as connection:
            yield connection


def _found(connection: Connection, account: AccountId, conversation: ConversationId) -> Record:
    record = conversations.find_record(connection, account, conversation)
    if record is None:
        raise ConversationNotFound(conversation)
    return record


def _address(place: str | Path) -> URL:
    if isinstance(place, str) and "://" in place:
        return make_url(place)
    return URL.create("sqlite", database=str(place))


def _make_file(path: Path) -> None:
    """Make the file and its folder, for their owner only."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, OWNER_ONLY))
