"""Counting what a store on a database reads, so that tests need no clock to find slow paths.

Above: tests. Below: `storage`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from foreword.storage.observing import observed
from foreword.storage.sql_store import SqlStore


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

    def add_row(self) -> None:
        """Count one row."""
        self.rows += 1


@contextmanager
def count_reads(store: SqlStore) -> Iterator[Reads]:
    """Count the statements that the store sends and the rows that it fetches inside the block."""
    reads = Reads()
    with observed(store.engine, sent=reads.texts.append, fetched=reads.add_row):
        yield reads
