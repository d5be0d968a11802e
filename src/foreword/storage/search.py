"""Full text: which versions have all of some terms, and where they are shown.

Above: `read_session`, `write_session`. Below: `dialects`, `entries`. The index knows versions; a
version is found where the branch shows it, so swipes not chosen, hidden, deleted and overridden
turns are not found without the index knowing of them.

Source: DECISIONS D6.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from heapq import merge
from itertools import islice

from sqlalchemy import Connection, Integer, Row, Select, bindparam, column, select, text

from foreword.domain.terms import search_terms
from foreword.domain.turn import Entry, Version
from foreword.storage.dialects import (
    FULL_TEXT_TABLE,
    INDEX_TEXT,
    POSTGRES,
    quoted_terms,
    stored_terms,
)
from foreword.storage.entries import entries_at, of_level
from foreword.storage.keys import EVERYWHERE, LIVE, Keys, id_of
from foreword.storage.lineage import Level, Levels

_PORTION = 64
_TABLES = {
    "sqlite": f"{FULL_TEXT_TABLE} CROSS JOIN version CROSS JOIN entry INDEXED BY ix_entry_turn",
    POSTGRES: f"{FULL_TEXT_TABLE}, version, entry",
}
_KEY = {"sqlite": f"{FULL_TEXT_TABLE}.rowid", POSTGRES: f"{FULL_TEXT_TABLE}.id"}
_MATCHES = {
    "sqlite": f"{FULL_TEXT_TABLE} MATCH :terms",
    POSTGRES: f"{FULL_TEXT_TABLE}.terms @@ CAST(:terms AS tsquery)",
}
_AS_OF = "+entry.rev_from <= :as_of AND +entry.rev_to > :as_of"


def _found(dialect: str, *, own: bool) -> Select[int, int]:
    """Select positions where a level shows versions with the terms, newest first.

    The index of terms comes first, since it knows best what is rare: SQLite takes the tables of a
    CROSS JOIN in the order they are written in, PostgreSQL has statistics.
    """
    return (
        select(column("pos", Integer), column("version_id", Integer))
        .select_from(text(_TABLES[dialect]))
        .where(
            text(_MATCHES[dialect]),
            text(f"{_KEY[dialect]} BETWEEN :lowest AND :highest"),
            text(f"version.id = {_KEY[dialect]}"),
            text("entry.branch_id = :branch AND entry.turn_id = version.turn_id"),
            text("entry.version_id = version.id AND entry.hidden = 0"),
            text(f"entry.rev_to = {LIVE}" if own else _AS_OF),
            text("+entry.pos < :below"),
        )
        .order_by(column("pos").desc())
        .limit(bindparam("size"))
    )


_FOUND = {(dialect, own): _found(dialect, own=own) for dialect in _TABLES for own in (True, False)}


def index_versions(connection: Connection, keys: Keys, versions: Iterable[Version]) -> None:
    """Make the texts of versions searchable."""
    dialect = connection.dialect.name
    rows = [
        {"id": keys.of(one.id), "terms": stored_terms(dialect, search_terms(one.content.text))}
        for one in versions
    ]
    connection.execute(INDEX_TEXT[dialect], rows)


def search_entries(
    connection: Connection, keys: Keys, levels: Levels, terms: Collection[str]
) -> Iterator[Entry]:
    """Yield the shown, unhidden entries whose text has all of the terms, newest first."""
    wanted = frozenset(part for term in terms for part in search_terms(term))
    if not wanted:
        return
    parameters: dict[str, str | int] = {
        "terms": quoted_terms(connection.dialect.name, wanted),
        "lowest": keys.first,
        "highest": keys.last,
    }
    streams = [_candidates(connection, level, parameters) for level in levels]
    candidates = merge(*streams, key=lambda row: -row.pos)
    last = EVERYWHERE
    while portion := list(islice(candidates, _PORTION)):
        shown = entries_at(connection, levels, {row.pos for row in portion})
        for pos, version_key in portion:
            found = shown.get(pos)
            if found is None or found.hidden or pos == last:
                continue
            if found.version_id == id_of(version_key):
                last = pos
                yield found


def _candidates(
    connection: Connection, level: Level, query: dict[str, str | int]
) -> Iterator[Row[int, int]]:
    """Yield where a level shows what was asked for, whether nearer levels have rows or not."""
    statement = _FOUND[connection.dialect.name, level.own]
    below = min(EVERYWHERE, level.upto + 1)
    while True:
        parameters = {**query, **of_level(level), "below": below, "size": _PORTION}
        rows = connection.execute(statement, parameters).all()
        yield from rows
        if len(rows) < _PORTION:
            return
        below = rows[-1].pos
