"""The ledger on SQLite: older databases, waiting for other writers, and look-ups by index."""

import sqlite3
import threading
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import create_engine, event
from tests.contract.databases import new_sqlite_store

from foreword.domain.ids import DEFAULT_ACCOUNT
from foreword.errors import StoreBusy
from foreword.storage.sql_store import SqlStore
from foreword.storage.upgrade import configuration
from foreword.testing.store_contract.ledger import ANSWER, MINE, NEW, STORY


def old_database(path: Path) -> None:
    """Make a database as schema 0001 had it, with a row in two of its tables."""
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        command.upgrade(configuration(connection), "0001")
    engine.dispose()
    plain = sqlite3.connect(path)
    plain.execute(
        "INSERT INTO conversation VALUES (1, 'old', ?, 'Old story', 3, 1, 'then', '{}', '', '',"
        " 0, 0, 0, 0, 1)",
        (DEFAULT_ACCOUNT,),
    )
    plain.execute("INSERT INTO setting VALUES (?, 'budget', '4096')", (DEFAULT_ACCOUNT,))
    plain.execute("INSERT INTO turn_text (rowid, terms) VALUES (7, 'lantern')")
    plain.commit()
    plain.close()


def rows(path: Path) -> dict[str, list[tuple[object, ...]]]:
    plain = sqlite3.connect(path)
    names = [
        name
        for (name,) in plain.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        if name != "alembic_version"
    ]
    found = {name: plain.execute(f"SELECT * FROM {name}").fetchall() for name in names}
    plain.close()
    return found


def test_a_database_of_the_first_schema_is_upgraded_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    old_database(path)
    before = rows(path)
    store = SqlStore.open(path)
    assert [one.title for one in store.conversations(DEFAULT_ACCOUNT)] == ["Old story"]
    assert store.defaults(DEFAULT_ACCOUNT) == {"budget": "4096"}
    after = rows(path)
    new = after.keys() - before.keys()
    assert {"model_call", "route", "note"} <= new
    assert after == {**before, **{name: [] for name in new}}
    call = store.ledger.begin(MINE, NEW)
    assert store.ledger.call(MINE, call).route == NEW.route
    store.close()


def test_an_answer_is_committed_when_it_is_recorded(tmp_path: Path) -> None:
    store = new_sqlite_store(tmp_path)
    call = store.ledger.begin(MINE, NEW)
    store.ledger.answer(MINE, call, ANSWER, ms=1, money=1)
    other = SqlStore.open(tmp_path / "foreword.db")
    assert other.ledger.call(MINE, call).answer == ANSWER
    other.close()
    store.close()


def test_an_answer_waits_for_another_writer(tmp_path: Path) -> None:
    store = new_sqlite_store(tmp_path)
    call = store.ledger.begin(MINE, NEW)
    other = sqlite3.connect(tmp_path / "foreword.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.3, other.execute, ["COMMIT"])
    release.start()
    store.ledger.answer(MINE, call, ANSWER, ms=1, money=1)
    release.join()
    assert store.ledger.call(MINE, call).answer == ANSWER
    other.close()
    store.close()


def test_an_answer_that_cannot_be_recorded_is_an_error(tmp_path: Path) -> None:
    store = new_sqlite_store(tmp_path, busy_seconds=0.05)
    call = store.ledger.begin(MINE, NEW)
    other = sqlite3.connect(tmp_path / "foreword.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy):
        store.ledger.answer(MINE, call, ANSWER, ms=1, money=1)
    other.close()
    assert store.ledger.call(MINE, call).answer is None
    store.close()


def test_look_ups_read_an_index_and_never_the_whole_table(tmp_path: Path) -> None:
    store = new_sqlite_store(tmp_path)
    plans: list[str] = []
    asked: list[tuple[str, object]] = []

    @event.listens_for(store.engine, "before_cursor_execute")
    def seen(_c: object, _u: object, statement: str, values: object, *_rest: object) -> None:
        asked.append((statement, values))

    ledger = store.ledger
    ledger.recorded(MINE, STORY, b"digest")
    ledger.calls(MINE, STORY)
    ledger.calls(MINE)
    ledger.totals(MINE, STORY)
    ledger.totals(MINE, since="2026")
    ledger.starts(MINE, "chat", "2026")
    store.close()
    plain = sqlite3.connect(tmp_path / "foreword.db")
    for statement, values in asked:
        if statement.startswith("SELECT"):
            found = plain.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall()  # type: ignore[arg-type]
            plans.append(found[0][3])
            grouped = "GROUP BY" in statement
            assert grouped or not any("TEMP B-TREE" in step for *_, step in found)
    plain.close()
    # Which index is SQLite's choice; that it is entered by these columns is not.
    assert all(plan.startswith("SEARCH model_call USING ") for plan in plans)
    assert [plan.partition(" (")[2] for plan in plans] == [
        "account_id=? AND conversation_id=? AND request_digest=? AND is_open=?)",
        "account_id=? AND conversation_id=?)",
        "account_id=?)",
        "account_id=? AND conversation_id=?)",
        "account_id=? AND started_at>?)",
        "account_id=? AND route=? AND started_at>?)",
    ]
