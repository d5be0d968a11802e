"""What differs between databases: beginning a transaction, waiting for others, full text.

Above: `connecting`, `schema`, `search`. Below: `tables`. Everything else in storage is the same
SQL for all of them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from hashlib import sha256

from sqlalchemy import DDL, Connection, Engine, event, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.schema import ExecutableDDLElement

from foreword.storage.prepared import Prepared, begin
from foreword.storage.tables import metadata

WRITES = "foreword_writes"
"""Execution option of connections that are going to write."""
TRANSACTION = "foreword_transaction"
"""Where a connection's `info` has the number of its transaction, on a database that tells it, and
since when that counts them."""

_PRAGMAS = (
    "PRAGMA journal_mode = WAL",  # readers go on while somebody writes
    "PRAGMA synchronous = NORMAL",  # survives a killed process; the last commits not a power cut
    "PRAGMA foreign_keys = ON",
)

FULL_TEXT_TABLE = "turn_text"
# Texts stand in `version`, so they are not kept again; ranking is ours, so positions are not kept;
# terms come cut and in ASCII (domain.terms), so the plainest tokenizer does.
_FTS5_OPTIONS = "content='', detail='none', tokenize='ascii'"
FULL_TEXT: Mapping[str, tuple[str, ...]] = {
    "sqlite": (f"CREATE VIRTUAL TABLE {FULL_TEXT_TABLE} USING fts5(terms, {_FTS5_OPTIONS})",),
    "postgresql": (
        f"CREATE TABLE {FULL_TEXT_TABLE} (id BIGINT PRIMARY KEY, terms TSVECTOR NOT NULL)",
        f"CREATE INDEX ix_{FULL_TEXT_TABLE}_terms ON {FULL_TEXT_TABLE} USING gin (terms)",
    ),
}
"""Statements that create the full-text index, by name of the database."""

for _name, _statements in FULL_TEXT.items():
    for _statement in _statements:
        _made: ExecutableDDLElement = DDL(_statement)  # type: ignore[no-untyped-call]
        event.listen(metadata, "after_create", _made.execute_if(dialect=_name))

POSTGRES = "postgresql"
INDEX_TEXT: Mapping[str, Prepared] = {
    "sqlite": Prepared(text(f"INSERT INTO {FULL_TEXT_TABLE} (rowid, terms) VALUES (:id, :terms)")),
    POSTGRES: Prepared(
        text(f"INSERT INTO {FULL_TEXT_TABLE} (id, terms) VALUES (:id, CAST(:terms AS tsvector))")
    ),
}
"""Makes the terms of a version, as `stored_terms` writes them, searchable."""

MERGE_TEXT: Mapping[str, Prepared] = {
    "sqlite": Prepared(
        text(f"INSERT INTO {FULL_TEXT_TABLE} ({FULL_TEXT_TABLE}, rank) VALUES ('merge', -:pages)")
    ),
}
"""Brings the segments of the full-text index together, writing about so many pages at most; a
negative number has all of them merged. What is left over is done in small steps by later writes.

Source: SQLite documentation, FTS5 extension, 6.8 "The 'merge' command".
"""

CHANNEL = "foreword"
"""Where PostgreSQL tells of changes: a list of account, conversation and revision as JSON."""
EVERYTHING = ""
"""What it tells there when anything may have changed."""
_LONGEST_WORD = 7_000
"""Characters, all of them ASCII; PostgreSQL passes on less than 8 000 bytes."""
_ANNOUNCE = text("SELECT pg_notify(:channel, :word)")
_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(:what)")
_LONGEST_TERM = 200
"""Characters; PostgreSQL takes no term of more than 2 046 bytes."""
_MOST_OF_A_TEXT = 1_000_000
"""Characters of different terms; PostgreSQL takes 1 MiB of them in one text."""


def prepare_sqlite(engine: Engine) -> None:
    """Make every connection of the engine safe, and every transaction ours to begin.

    The driver would begin transactions late and only before some statements; SQLite's own
    isolation needs readers to begin a snapshot and writers to wait for each other at once.
    """

    @event.listens_for(engine, "connect")
    def connected(connection: DBAPIConnection, _record: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in _PRAGMAS:
            cursor.execute(pragma)
        cursor.close()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get(WRITES, False)
        begin(connection, "BEGIN IMMEDIATE" if writes else "BEGIN")


def prepare_postgres(engine: Engine, *, busy_seconds: float) -> None:
    """Have readers write nothing, and writers wait no longer than so many seconds for another.

    Writers learn the number of their transaction in passing, see `outcomes`.
    """
    milliseconds = max(1, round(busy_seconds * 1000))
    patience = (
        f"SELECT set_config('lock_timeout', '{milliseconds}', true),"
        " pg_current_xact_id()::text, pg_postmaster_start_time()::text"
    )

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get(WRITES, False)
        if writes:
            _, number, since = connection.exec_driver_sql(patience).one()
            connection.info[TRANSACTION] = (number, since)
        else:
            connection.exec_driver_sql("SET TRANSACTION READ ONLY")


def one_at_a_time(connection: Connection, what: int) -> None:
    """Wait until no other transaction that named the same is under way.

    On SQLite every transaction that writes has waited for all others when it began.
    """
    if connection.dialect.name == POSTGRES:
        connection.execute(_ONE_AT_A_TIME, {"what": what})


def announce(connection: Connection, *change: str | int) -> None:
    """Tell those who listen of a change, if the transaction is committed.

    Only where the database can: SQLite is asked instead, and pays nothing here.

    Args:
        connection: in the transaction that makes the change.
        change: account, conversation and revision; none of them: anything may have changed.
    """
    if connection.dialect.name == POSTGRES:
        word = json.dumps(change) if change else EVERYTHING
        short = word if len(word) < _LONGEST_WORD else EVERYTHING
        connection.execute(_ANNOUNCE, {"channel": CHANNEL, "word": short})


def stored_terms(dialect: str, terms: Collection[str]) -> str:
    """Return the terms of a text as the full-text index of a database takes them."""
    if dialect != POSTGRES:
        return " ".join(terms)
    kept: list[str] = []
    room = _MOST_OF_A_TEXT
    for term in dict.fromkeys(terms):
        lexeme = _lexeme(term)
        room -= len(lexeme)
        if room < 0:
            break
        kept.append(lexeme)
    return " ".join(kept)


def quoted_terms(dialect: str, terms: Collection[str]) -> str:
    """Return a query for all of the terms, in this order, none of which is read as an operator."""
    if dialect == POSTGRES:
        return " & ".join(map(_lexeme, terms))
    return " AND ".join('"' + term.replace('"', '""') + '"' for term in terms)


def _lexeme(term: str) -> str:
    """Return a term in quotes, a very long one by its beginning and its digest."""
    if len(term) > _LONGEST_TERM:
        term = term[:_LONGEST_TERM] + sha256(term.encode()).hexdigest()
    return "'" + term.replace("\\", "\\\\").replace("'", "''") + "'"
