"""Watching what is sent to a database and what comes back, for tests and benchmarks.

Above: `foreword.testing.reads`. It changes nothing of what is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, event

TRANSACTIONS = frozenset({"BEGIN", "COMMIT", "ROLLBACK"})


@contextmanager
def observed(
    engine: Engine, *, sent: Callable[[str], None], fetched: Callable[[], None]
) -> Iterator[None]:
    """Call `sent` for each statement but those of transactions, and `fetched` for each row."""

    def row(_cursor: object, values: tuple[object, ...]) -> tuple[object, ...]:
        fetched()
        return values

    def execute(_connection: object, cursor: object, statement: str, *_rest: object) -> None:
        if statement.split(maxsplit=1)[0] not in TRANSACTIONS:
            sent(statement)
        cursor.row_factory = row  # type: ignore[attr-defined]  # SQLite's cursors have one

    event.listen(engine, "before_cursor_execute", execute)
    try:
        yield
    finally:
        event.remove(engine, "before_cursor_execute", execute)
