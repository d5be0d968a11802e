"""Noticing what others change, in the way a database allows.

Above: `sql_store`. Below: `polling`, `notifying`.
"""

from __future__ import annotations

import sqlite3
from typing import cast

from foreword.domain.ids import AccountId, ConversationId
from foreword.ports.changes import Changes
from foreword.storage.connecting import Connections
from foreword.storage.dialects import POSTGRES
from foreword.storage.failures import translated
from foreword.storage.polling import PolledChanges, Revisions


def noticing(
    database: Connections,
    revisions: Revisions,
    *,
    account: AccountId,
    conversation: ConversationId | None,
) -> Changes:
    """Begin to notice changes; see `Store.changes`.

    Args:
        database: where.
        revisions: reads those to be looked at, in a transaction of its own.
        account: whose conversations they are.
        conversation: the only one of interest; None: all of the account.
    """
    if database.engine.dialect.name == POSTGRES:
        from foreword.storage.notifying import NotifiedChanges  # noqa: PLC0415 - needs the driver

        return NotifiedChanges(
            database.engine, revisions, account=account, conversation=conversation
        )
    with translated(database.name):
        lent = database.engine.raw_connection()
    connection = cast("sqlite3.Connection", lent.driver_connection)
    lent.detach()
    return PolledChanges(connection, revisions, name=database.name)
