"""Rows that stand from one revision until another: opening, closing, restoring them.

Above: the modules of entries, pins, alternatives and cover rows. Below: `tables`. Invariant: at
most one row of a key stands on a branch at a revision; a closed row is never opened again, since
forks read it as of their revision.

Source: DECISIONS D1, D2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import (
    Column,
    Connection,
    Table,
    bindparam,
    delete,
    insert,
    select,
    union_all,
    update,
)
from sqlalchemy.sql.elements import ColumnElement, UnaryExpression
from sqlalchemy.sql.operators import custom_op

from foreword.domain.ids import Rev
from foreword.domain.ops import RowKey, RowKind
from foreword.storage.keys import LIVE, NOW, Keys, id_of
from foreword.storage.prepared import Listed, Prepared

Key = tuple[int, int]
"""The key and the part of a `RowKey`; the part is 0 where a kind has none."""
Values = dict[str, int | str | bytes | None]
"""A row by the names of its columns."""
KEYED = frozenset({RowKind.COVER})
"""Kinds whose rows are known by a database key, where row keys have the plain id."""


def unindexed(column: ColumnElement[int]) -> ColumnElement[int]:
    """Return the column as a value that lets no index be chosen for its sake.

    Without statistics SQLite weighs a range on any column alike; only the one that is written
    beside says which range is narrow.
    """
    return UnaryExpression(column, operator=custom_op("+"), type_=column.type)


@dataclass(frozen=True, slots=True)
class Place:
    """Where and when rows are changed: the branch of the op begun last, at its revision."""

    connection: Connection
    branch: int
    rev: Rev


class Versioned:
    """One table of such rows."""

    def __init__(self, kind: RowKind, table: Table, key: str, part: str | None = None) -> None:
        """Name the table and the columns that a row is known by within its branch."""
        self._kind = kind
        self._key = key
        self._part = part
        columns = table.c
        known_by: list[Column[int]] = [columns[key], *([columns[part]] if part else [])]
        is_row = [
            columns.branch_id == bindparam("b_branch_id"),
            columns.rev_from == bindparam("b_rev_from"),
            *(column == bindparam(f"b_{column.name}") for column in known_by),
        ]
        self._names = [column.name for column in columns]
        self._at = Listed(
            columns[key],
            lambda listed: select(table).where(
                columns.branch_id == bindparam("branch"),
                listed,
                unindexed(columns.rev_from) <= bindparam("as_of"),
                unindexed(columns.rev_to) > bindparam("as_of"),
            ),
        )
        self._insert = Prepared(insert(table), names=self._names)
        self._close = Prepared(update(table).where(*is_row).values(rev_to=bindparam("at")))
        self._erase = Prepared(delete(table).where(*is_row))
        self.touched = union_all(
            *(
                select(*known_by).where(
                    columns.branch_id == bindparam("branch"), at == bindparam("rev")
                )
                for at in (columns.rev_from, columns.rev_to)
            )
        )

    def key_of(self, row: Values) -> Key:
        """Return the key of a row."""
        key, part = row[self._key], row[self._part] if self._part else 0
        if not isinstance(key, int) or not isinstance(part, int):
            raise TypeError("keys of versioned rows are numbers")
        return key, part

    def row_key(self, known_by: Sequence[int]) -> RowKey:
        """Name a row by what `touched` selects of it."""
        key, *part = known_by
        return RowKey(self._kind, id_of(key) if self._kind in KEYED else key, *part)

    def own(self, place: Place, keys: Collection[Key], *, as_of: int = NOW) -> dict[Key, Values]:
        """Return the branch's own rows of these keys, the live ones or those of a revision."""
        found: dict[Key, Values] = {}
        here = {"branch": place.branch, "as_of": as_of}
        for row in self._at.rows(place.connection, here, {key for key, _ in keys}):
            values: Values = dict(zip(self._names, row, strict=True))
            found[self.key_of(values)] = values
        return {key: found[key] for key in keys if key in found}

    def open(self, place: Place, rows: Iterable[Values]) -> None:
        """Write rows that stand from now on; the ones of their keys must be closed."""
        opened = [
            {**row, "branch_id": place.branch, "rev_from": place.rev, "rev_to": LIVE}
            for row in rows
        ]
        if opened:
            self._insert.run_all(place.connection, opened)

    def close(self, place: Place, rows: Iterable[Values]) -> None:
        """End live rows; one that this very op opened has never stood and goes."""
        closed: list[Mapping[str, object]] = []
        erased: list[Mapping[str, object]] = []
        for row in rows:
            named = {f"b_{name}": row[name] for name in self._names if name != "rev_to"}
            if row["rev_from"] == place.rev:
                erased.append(named)
            else:
                closed.append({**named, "at": place.rev})
        if closed:
            self._close.run_all(place.connection, closed)
        if erased:
            self._erase.run_all(place.connection, erased)

    def put(self, place: Place, rows: Sequence[Values]) -> None:
        """Open rows in the place of those of the same keys; the last of a key counts."""
        newest = {self.key_of(row): row for row in rows}
        self.close(place, self.own(place, newest.keys()).values())
        self.open(place, newest.values())

    def drop(self, place: Place, keys: Collection[Key]) -> int:
        """Close the rows of these keys and return how many there were."""
        rows = self.own(place, set(keys))
        self.close(place, rows.values())
        return len(rows)

    def restore(self, place: Place, keys: Collection[Key], before: Rev) -> int:
        """Copy what stood just before a revision; return how many keys this concerned."""
        live = self.own(place, keys)
        then = self.own(place, keys, as_of=before - 1)
        self.close(place, live.values())
        self.open(place, then.values())
        return len(live.keys() | then.keys())


def keys_of(kind: RowKind, row_keys: Iterable[RowKey], keys: Keys) -> set[Key]:
    """Return the keys of one kind among row keys."""
    return {
        (keys.of(row.key) if kind in KEYED else row.key, row.part)
        for row in row_keys
        if row.kind is kind
    }
