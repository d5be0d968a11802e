"""Routes and notes of accounts: named values, each kept as one JSON text.

Above: `sql_ledger`. Below: `tables`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from sqlalchemy import Connection, bindparam, delete, insert, select

from foreword.domain.ids import AccountId
from foreword.domain.storable import storable_text, storable_texts
from foreword.storage.account_texts import TEXTS, begin_change
from foreword.storage.dialects import one_at_a_time
from foreword.storage.tables import note, route

_ROUTES = (
    select(route.c.name, route.c.settings)
    .where(route.c.account_id == bindparam("of_account"))
    .order_by(route.c.name)
)
_DROP_ROUTE = delete(route).where(
    route.c.account_id == bindparam("of_account"), route.c.name == bindparam("of_name")
)
_ADD_ROUTE = insert(route)
_NOTES = (
    select(note.c.key, note.c.settings)
    .where(note.c.account_id == bindparam("of_account"), note.c.kind == bindparam("of_kind"))
    .order_by(note.c.key)
)
_NOTE = select(note.c.settings).where(
    note.c.account_id == bindparam("of_account"),
    note.c.kind == bindparam("of_kind"),
    note.c.key == bindparam("of_key"),
)
_DROP_NOTE = delete(note).where(
    note.c.account_id == bindparam("of_account"),
    note.c.kind == bindparam("of_kind"),
    note.c.key == bindparam("of_key"),
)
_ADD_NOTE = insert(note)


def routes_of(connection: Connection, account: AccountId) -> dict[str, dict[str, str]]:
    """Return the values of every route of an account."""
    rows = connection.execute(_ROUTES, {"of_account": account})
    return {name: _values(settings) for name, settings in rows}


def save_route(
    connection: Connection, account: AccountId, name: str, values: Mapping[str, str] | None
) -> None:
    """Store the values of a route, or take it away."""
    name = storable_text(name)
    begin_change(connection)
    connection.execute(_DROP_ROUTE, {"of_account": account, "of_name": name})
    if values is not None:
        row = {"account_id": account, "name": name, "settings": _json(values)}
        connection.execute(_ADD_ROUTE, row)


def notes_of(connection: Connection, account: AccountId, kind: str) -> dict[str, dict[str, str]]:
    """Return every note of a kind."""
    rows = connection.execute(_NOTES, {"of_account": account, "of_kind": storable_text(kind)})
    return {key: _values(settings) for key, settings in rows}


def find_note(connection: Connection, account: AccountId, kind: str, key: str) -> dict[str, str]:
    """Return a note; empty when there is none."""
    settings: str | None = connection.scalar(_NOTE, _note_key(account, kind, key))
    return {} if settings is None else _values(settings)


def save_note(
    connection: Connection, account: AccountId, kind: str, key: str, values: Mapping[str, str]
) -> None:
    """Store a note; no values take it away."""
    found = _note_key(account, kind, key)
    one_at_a_time(connection, TEXTS)
    connection.execute(_DROP_NOTE, found)
    if values:
        row = {
            "account_id": account,
            "kind": found["of_kind"],
            "key": found["of_key"],
            "settings": _json(values),
        }
        connection.execute(_ADD_NOTE, row)


def _note_key(account: AccountId, kind: str, key: str) -> dict[str, str]:
    return {
        "of_account": account,
        "of_kind": storable_text(kind),
        "of_key": storable_text(key),
    }


def _json(values: Mapping[str, str]) -> str:
    return json.dumps(storable_texts(values), ensure_ascii=False)


def _values(settings: str) -> dict[str, str]:
    values: dict[str, str] = json.loads(settings)
    return values
