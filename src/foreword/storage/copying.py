"""Every row of one database into another, which may be of another kind.

Above: `backups`. Below: `tables`, `search`. Invariants: ids stay what they are; what is searchable
is made anew from the texts, since databases keep it differently.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Column, Connection, Table, func, insert, literal, select, text

from foreword.domain.ids import VersionId
from foreword.storage.account_texts import changes_of_texts, count_change
from foreword.storage.contents import versions_of
from foreword.storage.dialects import FULL_TEXT_TABLE, POSTGRES, announce
from foreword.storage.keys import Keys
from foreword.storage.search import index_versions, settle_index
from foreword.storage.tables import conversation, metadata, model_call

PORTION = 500
_COUNTED = ((conversation, conversation.c.no), (model_call, model_call.c.id))
"""Tables whose keys the database counts."""
_TABLES: tuple[Table, ...] = tuple(metadata.sorted_tables)
_EMPTY_FULL_TEXT = {
    "sqlite": text(f"INSERT INTO {FULL_TEXT_TABLE} ({FULL_TEXT_TABLE}) VALUES ('delete-all')"),
    POSTGRES: text(f"DELETE FROM {FULL_TEXT_TABLE}"),
}
_ANALYZE = text("ANALYZE")
"""PostgreSQL would count rows later by itself, and choose slow plans until then."""
_WAIT_FOR_WRITERS = text("LOCK TABLE conversation, model_call IN EXCLUSIVE MODE")


def is_empty(connection: Connection) -> bool:
    """Say whether no table holds a row."""
    any_row = (select(literal(1)).select_from(table).limit(1) for table in _TABLES)
    return all(connection.execute(query).first() is None for query in any_row)


def replace_rows(source: Connection, target: Connection) -> int:
    """Put the rows of one database in the place of another's; return how many there are.

    Both have our newest schema. The target's transaction makes it all or nothing.
    """
    if target.dialect.name == POSTGRES:
        target.execute(_WAIT_FOR_WRITERS)
    seen = changes_of_texts(target)
    target.execute(_EMPTY_FULL_TEXT[target.dialect.name])
    for table in reversed(_TABLES):
        target.execute(table.delete())
    copied = sum(_copy(source, target, table) for table in _TABLES)
    count_change(target, seen=seen)
    if target.dialect.name == POSTGRES:
        for table, key in _COUNTED:
            _count_on(target, table, key)
    indexed = 0
    for keys, highest in _conversations(target):
        indexed += highest
        for first in range(1, highest + 1, PORTION):
            ids = [VersionId(one) for one in range(first, min(first + PORTION, highest + 1))]
            found = versions_of(target, keys, ids)
            if found:
                index_versions(target, keys, found.values())
    settle_index(target, indexed)
    if target.dialect.name == POSTGRES:
        target.execute(_ANALYZE)
    announce(target)
    return copied


def _copy(source: Connection, target: Connection, table: Table) -> int:
    copied = 0
    everything = select(table).order_by(*table.primary_key.columns)
    rows = source.execute(everything, execution_options={"yield_per": PORTION})
    for portion in rows.mappings().partitions():
        target.execute(insert(table), [dict(row) for row in portion])
        copied += len(portion)
    return copied


def _count_on(target: Connection, table: Table, key: Column[int]) -> None:
    """Have PostgreSQL count on behind the highest key."""
    highest = target.scalar(select(func.max(key))) or 0
    sequence = func.pg_get_serial_sequence(table.name, key.name)
    target.execute(select(func.setval(sequence, max(highest, 1), highest > 0)))


def _conversations(target: Connection) -> Iterator[tuple[Keys, int]]:
    found = target.execute(select(conversation.c.no, conversation.c.last_version)).all()
    for no, highest in found:
        yield Keys(no), highest
