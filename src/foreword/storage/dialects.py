"""What differs between databases: connecting, beginning a transaction, full text.

Above: `connections`, `schema`, `search`. Below: `tables`. Everything else in storage is the same
SQL for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import DDL, Connection, Engine, TextClause, event, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.schema import ExecutableDDLElement

from foreword.storage.tables import metadata

WRITES = "foreword_writes"
"""Execution option of connections that are going to write."""

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

INDEX_TEXT: Mapping[str, TextClause] = {
    "sqlite": text(f"INSERT INTO {FULL_TEXT_TABLE} (rowid, terms) VALUES (:id, :terms)"),
}
"""Makes the terms of a version, joined by spaces, searchable."""


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
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def quoted_terms(terms: frozenset[str]) -> str:
    """Return an FTS5 query for all of the terms, none of which is read as an operator."""
    return " AND ".join('"' + term.replace('"', '""') + '"' for term in sorted(terms))
