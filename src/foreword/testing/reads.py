"""Counting what a store on a database reads, so that tests need no clock to find slow paths.

Above: tests. Below: `storage`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from sqlalchemy import event

from foreword.storage.sql_store import SqlStore

TRANSACTIONS = frozenset({"BEGIN", "COMMIT", "ROLLBACK"})


@dataclass(slots=True)
class Reads:
    """What was counted so far."""

    rows: int = 0
    """Rows fetched from the database."""
    texts: list[str] = field(default_factory=list)
    """The statements sent, without those that begin and end transactions."""

    @property
    def statements(self) -> int:
        """How many statements were sent."""
        return len(self.texts)


@contextmanager
def count_reads(store: SqlStore) -> Iterator[Reads]:
    """Count the statements that the store sends and the rows that it fetches inside the block."""
    reads = Reads()

    def row(_cursor: object, values: tuple[object, ...]) -> tuple[object, ...]:
        reads.rows += 1
        return values

    def sent(_connection: object, cursor: object, statement: str, *_rest: object) -> None:
        if statement.split(maxsplit=1)[0] not in TRANSACTIONS:
            reads.texts.append(statement)
        cursor.row_factory = row  # type: ignore[attr-defined]  # every driver's cursor has one

    event.listen(store.engine, "before_cursor_execute", sent)
    try:
        yield reads
    finally:
        event.remove(store.engine, "before_cursor_execute", sent)
