"""What belongs to accounts and not to one conversation's course: names, defaults, templates.

Above: `store`, `read_session`, `write_session`. Below: `tables`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from sqlalchemy import Connection, bindparam, delete, insert, select, text

from foreword.domain.ids import AccountId, SpeakerId
from foreword.domain.storable import storable_text
from foreword.errors import StoreConflict
from foreword.storage.dialects import one_at_a_time
from foreword.storage.portions import portions
from foreword.storage.tables import changes, setting, speaker, template

_NAMES = select(speaker.c.id, speaker.c.name).where(
    speaker.c.account_id == bindparam("account"),
    speaker.c.id.in_(bindparam("ids", expanding=True)),
)
_ADD_NAME: Final = text(
    f"INSERT INTO {speaker.name} (account_id, id, name) VALUES (:account_id, :id, :name) "
    "ON CONFLICT DO NOTHING"
)
"""Another conversation of the account may be storing the same speaker."""
TEXTS: Final = 0x54455854
"""What a transaction locks that takes a text away and puts another in its place."""
CHANGED_TEXTS: Final = "texts"
"""What changes of defaults, templates and routes are counted under."""
_COUNT_CHANGE: Final = text(
    f'INSERT INTO {changes.name} ("of", "count") VALUES (:what, 1 + :seen) '
    f'ON CONFLICT ("of") DO UPDATE SET "count" = {changes.name}."count" + 1 + :seen'
)
_CHANGES: Final = select(changes.c.count).where(changes.c.of == CHANGED_TEXTS)
_DEFAULTS = select(setting.c.name, setting.c.value).where(
    setting.c.account_id == bindparam("account")
)
_DROP_DEFAULT = delete(setting).where(
    setting.c.account_id == bindparam("account"), setting.c.name == bindparam("setting")
)
_ADD_DEFAULT = insert(setting)
_TEMPLATE = select(template.c.text).where(
    template.c.scope == bindparam("of"), template.c.name == bindparam("called")
)
_DROP_TEMPLATE = delete(template).where(
    template.c.scope == bindparam("of"), template.c.name == bindparam("called")
)
_ADD_TEMPLATE = insert(template)


def begin_change(connection: Connection) -> None:
    """Wait for others that change texts, and tell readers that what they kept holds no longer."""
    one_at_a_time(connection, TEXTS)
    count_change(connection)


def changes_of_texts(connection: Connection) -> int:
    """Return how often texts of accounts were changed until now."""
    return connection.scalar(_CHANGES) or 0


def count_change(connection: Connection, *, seen: int = 0) -> None:
    """Count one change more, beyond the number that readers may have seen elsewhere."""
    connection.execute(_COUNT_CHANGE, {"what": CHANGED_TEXTS, "seen": seen})


def speaker_names(
    connection: Connection, account: AccountId, ids: Collection[SpeakerId]
) -> dict[SpeakerId, str]:
    """Return the names of those of the speakers that are known."""
    found: dict[SpeakerId, str] = {}
    for portion in portions(set(ids)):
        rows = connection.execute(_NAMES, {"account": account, "ids": portion})
        found.update((SpeakerId(speaker_id), name) for speaker_id, name in rows)
    return found


def add_speakers(
    connection: Connection, account: AccountId, names: Mapping[SpeakerId, str]
) -> None:
    """Store the speakers that are not known yet."""
    known = speaker_names(connection, account, names.keys())
    new = [
        {"account_id": account, "id": speaker_id, "name": storable_text(name)}
        for speaker_id, name in sorted(names.items())  # two that wait for each other end
        if speaker_id not in known
    ]
    if new:
        connection.execute(_ADD_NAME, new)


def defaults_of(connection: Connection, account: AccountId) -> dict[str, str]:
    """Return the account's default settings."""
    rows = connection.execute(_DEFAULTS, {"account": account})
    return {name: value for name, value in rows}  # noqa: C416 - a row is not a pair to mypy


def save_default(connection: Connection, account: AccountId, name: str, value: str | None) -> None:
    """Store a default setting, or take it away."""
    name = storable_text(name)
    begin_change(connection)
    connection.execute(_DROP_DEFAULT, {"account": account, "setting": name})
    if value is not None:
        row = {"account_id": account, "name": name, "value": storable_text(value)}
        connection.execute(_ADD_DEFAULT, row)


def find_template(connection: Connection, scope: str, name: str) -> str | None:
    """Return the text of a template."""
    found: str | None = connection.scalar(
        _TEMPLATE, {"of": storable_text(scope), "called": storable_text(name)}
    )
    return found


def swap_template(
    connection: Connection, scope: str, name: str, wordings: tuple[str | None, str]
) -> None:
    """Store the second of two texts for a template that has the first."""
    one_at_a_time(connection, TEXTS)
    before, after = wordings
    if find_template(connection, scope, name) != before:
        raise StoreConflict(f"template {name!r}")
    save_template(connection, scope, name, after)


def save_template(connection: Connection, scope: str, name: str, wording: str | None) -> None:
    """Store a template, or take it away."""
    name = storable_text(name)
    begin_change(connection)
    connection.execute(_DROP_TEMPLATE, {"of": scope, "called": name})
    if wording is not None:
        row = {"scope": scope, "name": name, "text": storable_text(wording)}
        connection.execute(_ADD_TEMPLATE, row)
