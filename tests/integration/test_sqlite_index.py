"""The full-text index of SQLite after many versions at once: no segments that wait for a merge."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from foreword.domain.ids import SpeakerId, TurnId, VersionId
from foreword.domain.turn import Content, Role, TextPart, Version
from foreword.storage.dialects import FULL_TEXT_TABLE
from foreword.storage.keys import Keys
from foreword.storage.search import index_versions, settle_index
from foreword.storage.sql_store import SqlStore

SEGMENTS = text(f"SELECT count(DISTINCT segid) FROM {FULL_TEXT_TABLE}_idx")
HOLDING = text(f"SELECT count(*) FROM {FULL_TEXT_TABLE} WHERE {FULL_TEXT_TABLE} MATCH :term")
COUNT = 1_000
KEYS = Keys(1)


def version(number: int) -> Version:
    words = " ".join(f"w{number}x{place}" for place in range(120))
    return Version(
        id=VersionId(number),
        turn_id=TurnId(number),
        alt_no=1,
        content=Content(
            role=Role.USER,
            speaker=SpeakerId("you"),
            parts=(TextPart(text=f"lantern {words}"),),
        ),
        tokens=1,
        digest=number.to_bytes(16, "big"),
    )


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    store = SqlStore.open(tmp_path / "index.db")
    with store.engine.connect() as connection:
        yield connection
    store.close()


def stored(connection: Connection, versions: int) -> tuple[int, int]:
    """Index `COUNT` versions as if they were so many; return segments and versions found."""
    index_versions(connection, KEYS, map(version, range(1, COUNT + 1)))
    settle_index(connection, versions)
    connection.commit()
    found = connection.scalar(HOLDING, {"term": "lantern"})
    return connection.scalar(SEGMENTS) or 0, found or 0


def test_many_versions_leave_one_segment(connection: Connection) -> None:
    assert stored(connection, 100 * COUNT) == (1, COUNT)


def test_the_work_is_in_proportion_to_the_versions(connection: Connection) -> None:
    segments, found = stored(connection, COUNT)
    assert segments > 1
    assert found == COUNT


def test_a_few_versions_merge_nothing(connection: Connection) -> None:
    segments, found = stored(connection, COUNT - 1)
    assert segments > 1
    assert found == COUNT
