"""Full text: in how many versions terms are, and which versions have all of some.

Above: `read_session`, `write_session`. Below: `dialects`. Invariant: the index knows all versions
of a conversation, shown or not, and answers are the same on every database: it counts and lists,
and what is worth more is decided elsewhere.

Source: DECISIONS D6.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from sqlalchemy import Connection, TextClause, text

from foreword.domain.ids import VersionId
from foreword.domain.terms import search_terms
from foreword.domain.turn import Version
from foreword.storage.dialects import (
    FULL_TEXT_TABLE,
    INDEX_TEXT,
    MERGE_TEXT,
    POSTGRES,
    quoted_terms,
    stored_terms,
)
from foreword.storage.keys import Keys, id_of

_MANY_VERSIONS = 1_000
_VERSIONS_A_PAGE = 8
"""Pages that may be written for the sake of so many versions: several times what they take."""
_A_FEW_ROWS = 5_000
"""So many rows PostgreSQL reads faster than its index says which of them have a term."""
_NEWEST_BY_GROUP = text(
    "SELECT (SELECT group_concat(rowid) FROM ("
    f"SELECT rowid FROM {FULL_TEXT_TABLE} WHERE {FULL_TEXT_TABLE} MATCH asked.value"
    " AND rowid BETWEEN :lowest AND :highest ORDER BY rowid DESC LIMIT :size))"
    " FROM json_each(:groups) AS asked ORDER BY asked.key"
)
"""SQLite reads hundreds of ids in one text faster than in rows."""
_NEWEST = text(
    f"SELECT id FROM {FULL_TEXT_TABLE} WHERE terms @@ CAST(:terms AS tsquery)"
    " AND id BETWEEN :lowest AND :highest ORDER BY id DESC LIMIT :size"
)
"""PostgreSQL finds the best plan for terms that it sees."""
_COUNTS: Mapping[str, TextClause] = {
    "sqlite": text(
        "SELECT (SELECT count(*) FROM ("
        f"SELECT 1 FROM {FULL_TEXT_TABLE} WHERE {FULL_TEXT_TABLE} MATCH asked.value"
        " AND rowid BETWEEN :lowest AND :highest LIMIT :most))"
        " FROM json_each(:terms) AS asked ORDER BY asked.key"
    ),
    POSTGRES: text(
        "SELECT (SELECT count(*) FROM ("
        f"SELECT 1 FROM {FULL_TEXT_TABLE} WHERE terms @@ CAST(asked.term AS tsquery)"
        " AND id BETWEEN :lowest AND :highest LIMIT :most) AS found)"
        " FROM json_array_elements_text(CAST(:terms AS json))"
        " WITH ORDINALITY AS asked (term, place)"
        " ORDER BY asked.place"
    ),
}
_PLAN_EACH_TIME = text("SET LOCAL plan_cache_mode = force_custom_plan")
"""Terms differ too much in how common they are for one plan to be good for all."""


@dataclass(frozen=True, slots=True)
class Within:
    """A range of keys of versions, both ends included."""

    lowest: int
    highest: int


def index_versions(connection: Connection, keys: Keys, versions: Iterable[Version]) -> None:
    """Make the texts of versions searchable."""
    dialect = connection.dialect.name
    rows = [
        {"id": keys.of(one.id), "terms": stored_terms(dialect, search_terms(one.content.text))}
        for one in versions
    ]
    INDEX_TEXT[dialect].run_all(connection, rows)


def settle_index(connection: Connection, versions: int) -> None:
    """Bring the index in order after so many versions were made searchable, if they are many.

    Else SQLite would merge the large segments that they leave during some later, small change.
    The work is in proportion to the versions, however large the index is.
    """
    merge = MERGE_TEXT.get(connection.dialect.name)
    if merge is not None and versions >= _MANY_VERSIONS:
        with connection.begin_nested():
            pass  # a savepoint has SQLite write what it holds in memory, which a merge leaves out
        merge.run_all(connection, [{"pages": versions // _VERSIONS_A_PAGE}])


def count_terms(
    connection: Connection, within: Within, terms: Collection[str], most: int
) -> dict[str, int]:
    """Return for each term how many versions of the range have it, at most `most`."""
    if not terms:
        return {}
    dialect = connection.dialect.name
    asked = [quoted_terms(dialect, [term]) for term in terms]
    parameters = {"lowest": within.lowest, "highest": within.highest}
    if dialect == POSTGRES and within.highest - within.lowest < _A_FEW_ROWS:
        names = {f"term{place}": term for place, term in enumerate(asked)}
        counts = connection.execute(_counts_by_reading(len(asked)), {**parameters, **names}).one()
        return {term: min(most, count) for term, count in zip(terms, counts, strict=True)}
    rows = connection.scalars(
        _COUNTS[dialect], {**parameters, "terms": json.dumps(asked), "most": most}
    )
    return dict(zip(terms, rows, strict=True))


def versions_with(
    connection: Connection, keys: Keys, groups: Sequence[Sequence[str]], limit: int
) -> tuple[tuple[VersionId, ...], ...]:
    """Return for each group the versions with all of its terms, the last ones first."""
    if not groups:
        return ()
    dialect = connection.dialect.name
    asked = [quoted_terms(dialect, terms) for terms in groups]
    parameters: dict[str, str | int] = {
        "lowest": keys.first,
        "highest": keys.last,
        "size": limit,
    }
    if dialect != POSTGRES:
        lists = connection.scalars(_NEWEST_BY_GROUP, {**parameters, "groups": json.dumps(asked)})
        found = [[] if one is None else map(int, one.split(",")) for one in lists]
    else:
        connection.execute(_PLAN_EACH_TIME)
        found = [connection.scalars(_NEWEST, {**parameters, "terms": one}) for one in asked]
    return tuple(tuple(VersionId(id_of(key)) for key in one) for one in found)


@cache
def _counts_by_reading(terms: int) -> TextClause:
    """Count so many terms on PostgreSQL by looking at every row of the range, once."""
    counts = ", ".join(
        f"count(*) FILTER (WHERE terms @@ CAST(:term{place} AS tsquery))" for place in range(terms)
    )
    return text(f"SELECT {counts} FROM {FULL_TEXT_TABLE} WHERE id BETWEEN :lowest AND :highest")
