"""Which schema a database has, and bringing it to ours.

Above: `store`. Below: `upgrade`. Invariant: a database whose schema we do not know is not touched.
"""

from __future__ import annotations

from sqlalchemy import Connection, Engine, column, inspect, select, table

from foreword.errors import MigrationNeeded, StoreDamaged
from foreword.storage.dialects import WRITES

SCHEMAS = ("0001", "0002")
"""Every schema there ever was, oldest first, as the migrations name them."""

_MARK = table("alembic_version", column("version_num"))
_FOUND = select(_MARK.c.version_num)


def bring_up_to_date(engine: Engine, place: str) -> None:
    """Create or migrate the database; one that is up to date is only looked at.

    Raises:
        MigrationNeeded: a later Foreword made it.
        StoreDamaged: it belongs to another program.
    """
    with engine.connect() as connection:
        if _is_current(connection, place):
            return
    from foreword.storage.upgrade import upgrade  # noqa: PLC0415 - see there

    with engine.execution_options(**{WRITES: True}).begin() as connection:
        if not _is_current(connection, place):  # another process may have been quicker
            upgrade(connection)


def _is_current(connection: Connection, place: str) -> bool:
    names = inspect(connection).get_table_names()
    if _MARK.name not in names:
        if names:
            raise StoreDamaged(path=place, reason=f"it has tables of another program ({names[0]})")
        return False
    found = connection.scalar(_FOUND)
    if found is not None and found not in SCHEMAS:
        raise MigrationNeeded(found=str(found), wanted=SCHEMAS[-1])
    return bool(found == SCHEMAS[-1])
