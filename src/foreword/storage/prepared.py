"""Statements that every turn needs, handed to SQLite's driver without a detour.

Above: `conversations`, `journal`, `contents`, `entry_changes`, `search`. Invariant: a prepared
statement does exactly what its statement does when SQLAlchemy executes it, which happens on other
databases and whenever somebody listens to what is executed. On SQLite the detour costs five times
what the statement itself does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import Any, Final

from sqlalchemy import (
    Connection,
    Delete,
    Dialect,
    Insert,
    Select,
    TextClause,
    Update,
    bindparam,
)
from sqlalchemy.sql.elements import ColumnElement

from foreword.storage.portions import portions

SQLITE: Final = "sqlite"

_FEW_NAMES: Final = tuple(f"key_{number}" for number in range(32))
_MANY_NAME: Final = "keys"

Statement = Select[*tuple[Any, ...]] | Insert | Update | Delete | TextClause
Parameters = Mapping[str, Any]
Rows = Sequence[Sequence[Any]]


def begin(connection: Connection, words: str) -> None:
    """Begin a transaction on SQLite."""
    if connection.dispatch.before_cursor_execute:
        connection.exec_driver_sql(words)
    else:
        _driver(connection).execute(words)


class Prepared:
    """A statement with parameters of fixed names, whose values drivers take as they are."""

    def __init__(self, statement: Statement, names: Iterable[str] | None = None) -> None:
        """Prepare a statement.

        Args:
            statement: a query, or a change of rows.
            names: parameters of an insert or update that sets columns by them.
        """
        self._statement = statement
        self._names = None if names is None else list(names)
        self._text = ""
        self._order: tuple[str, ...] = ()
        self._fixed: Mapping[str, Any] = {}

    def rows(self, connection: Connection, parameters: Parameters) -> Rows:
        """Execute a query and return its rows."""
        if self._takes_detour(connection):
            return connection.execute(self._statement, parameters).all()
        cursor = _driver(connection).execute(self._text, self._values(parameters))
        rows: Rows = cursor.fetchall()
        return rows

    def run(self, connection: Connection, parameters: Parameters) -> None:
        """Execute a change of rows."""
        if self._takes_detour(connection):
            connection.execute(self._statement, parameters)
            return
        _driver(connection).execute(self._text, self._values(parameters))

    def run_all(self, connection: Connection, parameters: Sequence[Parameters]) -> None:
        """Execute a change of rows for each of the parameters."""
        if self._takes_detour(connection):
            connection.execute(self._statement, parameters)
            return
        values = map(self._values, parameters)
        _driver(connection).executemany(self._text, values)

    def _takes_detour(self, connection: Connection) -> bool:
        if connection.dialect.name != SQLITE or connection.dispatch.before_cursor_execute:
            return True
        if not self._text:
            self._compile(connection.dialect)
        return False

    def _compile(self, dialect: Dialect) -> None:
        compiled = self._statement.compile(dialect=dialect, column_keys=self._names)
        self._order = tuple(compiled.positiontup or ())
        self._fixed = {name: value for name, value in compiled.params.items() if value is not None}
        self._text = str(compiled)

    def _values(self, parameters: Parameters) -> tuple[Any, ...]:
        known = {**self._fixed, **parameters} if self._fixed else parameters
        return tuple([known[name] for name in self._order])


class Listed:
    """A query for the rows of several keys: prepared for a few of them, in portions for many."""

    def __init__(
        self, column: ColumnElement[int], build: Callable[[ColumnElement[bool]], Select[Any]]
    ) -> None:
        """Prepare a query.

        Args:
            column: which has the keys.
            build: makes the query from the condition that the column has one of them.
        """
        self._few = Prepared(build(column.in_([bindparam(name) for name in _FEW_NAMES])))
        self._many = build(column.in_(bindparam(_MANY_NAME, expanding=True)))

    def rows(
        self, connection: Connection, parameters: Parameters, keys: Collection[int]
    ) -> Iterator[Sequence[Any]]:
        """Yield the rows of the keys, in no order."""
        wanted = set(keys)
        if not wanted:
            return
        if len(wanted) <= len(_FEW_NAMES):
            padded = chain(wanted, repeat(next(iter(wanted))))
            few = dict(zip(_FEW_NAMES, padded, strict=False))
            yield from self._few.rows(connection, {**parameters, **few})
            return
        for portion in portions(wanted):
            yield from connection.execute(self._many, {**parameters, _MANY_NAME: portion})


def _driver(connection: Connection) -> Any:  # noqa: ANN401 - drivers have no type in common
    return connection.connection.driver_connection
