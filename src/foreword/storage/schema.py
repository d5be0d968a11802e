"""Which schema a database has, and bringing it to ours.

Above: `sql_store`. Below: `connecting`, `upgrade`. Invariant: a database whose schema
we do not know is not touched.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, column, inspect, select, table

from foreword.errors import MigrationNeeded, StoreDamaged
from foreword.storage.connecting import Connections
from foreword.storage.dialects import one_at_a_time

SCHEMAS = ("0001", "0002", "0003", "0004", "0005")
"""Every schema there ever was, oldest first, as the migrations name them."""

_MIGRATING: Final = 0x464F5245
"""What migrations lock in a database that would let two of them begin."""
_MARK = table("alembic_version", column("version_num"))
_FOUND = select(_MARK.c.version_num)


def bring_up_to_date(database: Connections) -> str | None:
    """Create or migrate the database; return the schema it had, None when it was empty.

    Raises:
        MigrationNeeded: a later Foreword made it.
        StoreDamaged: it belongs to another program.
    """
    found = found_schema(database)
    if found == SCHEMAS[-1]:
        return found
    from foreword.storage.upgrade import upgrade  # noqa: PLC0415 - see there

    with database.writing.begin() as connection:
        one_at_a_time(connection, _MIGRATING)
        if _found(connection, database.name) != SCHEMAS[-1]:  # another may have been quicker
            upgrade(connection)
    return found


def found_schema(database: Connections) -> str | None:
    """Return the schema that a database has, None when it is empty; nothing is changed.

    Raises:
        MigrationNeeded, StoreDamaged: see `bring_up_to_date`.
    """
    with database.reading.connect() as connection:
        return _found(connection, database.name)


def _found(connection: Connection, place: str) -> str | None:
    names = inspect(connection).get_table_names()
    if _MARK.name not in names:
        if names:
            raise StoreDamaged(path=place, reason=f"it has tables of another program ({names[0]})")
        return None
    found = connection.scalar(_FOUND)
    if found is not None and found not in SCHEMAS:
        raise MigrationNeeded(found=str(found), wanted=SCHEMAS[-1])
    return None if found is None else str(found)
