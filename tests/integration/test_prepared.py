"""Prepared statements do what their statements do, by either way to the database."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import (
    Column,
    Connection,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    bindparam,
    create_engine,
    event,
    insert,
    select,
    update,
)

from foreword.storage.prepared import Prepared

TABLE = Table(
    "things",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("name", Text),
    Column("digest", LargeBinary),
    Column("state", Text),
)
ADD = Prepared(insert(TABLE), names=["id", "name", "digest", "state"])
RENAME = Prepared(update(TABLE).where(TABLE.c.id == bindparam("b_id")), names=["b_id", "name"])
OPEN = Prepared(
    select(TABLE.c.id, TABLE.c.name, TABLE.c.digest)
    .where(TABLE.c.state == "open", TABLE.c.id >= bindparam("least"))
    .order_by(TABLE.c.id)
)


@pytest.fixture(params=["heard", "unheard"])
def connection(request: pytest.FixtureRequest) -> Iterator[Connection]:
    """A connection to an empty table; in one case somebody hears what is executed on it."""
    engine = create_engine("sqlite://")
    if request.param == "heard":
        event.listen(engine, "before_cursor_execute", lambda *_: None)
    TABLE.metadata.create_all(engine)
    with engine.begin() as connection:
        yield connection


def test_rows_come_back_as_they_were_given(connection: Connection) -> None:
    rows: list[dict[str, object]] = [
        {"id": 1, "name": "größer 字", "digest": b"\x00\xff", "state": "open"},
        {"id": 2, "name": None, "digest": None, "state": "open"},
        {"id": 3, "name": "gone", "digest": b"", "state": "closed"},
    ]
    ADD.run_all(connection, rows[:2])
    ADD.run(connection, rows[2])
    assert [tuple(row) for row in OPEN.rows(connection, {"least": 0})] == [
        (1, "größer 字", b"\x00\xff"),
        (2, None, None),
    ]


def test_a_change_sets_the_named_columns_of_its_row_and_no_others(connection: Connection) -> None:
    for number in (1, 2):
        row = {"id": number, "name": "a", "digest": b"d", "state": "open"}
        ADD.run(connection, row)
    RENAME.run(connection, {"b_id": 2, "name": "b"})
    assert [tuple(row) for row in OPEN.rows(connection, {"least": 1})] == [
        (1, "a", b"d"),
        (2, "b", b"d"),
    ]


def test_whoever_listens_hears_a_prepared_statement() -> None:
    engine = create_engine("sqlite://")
    TABLE.metadata.create_all(engine)
    with engine.begin() as connection:
        OPEN.rows(connection, {"least": 0})
        heard: list[str] = []
        event.listen(engine, "before_cursor_execute", lambda *said: heard.append(said[2]))
    with engine.begin() as connection:
        OPEN.rows(connection, {"least": 0})
    assert [text.split()[0] for text in heard] == ["SELECT"]
