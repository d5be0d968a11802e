"""What only a database file can do: several processes, full disks, damage, other schemas."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event
from tests.contract.databases import new_sqlite_store

from foreword.domain.ids import DEFAULT_ACCOUNT, MAIN_BRANCH, BranchId, ConversationId, SummaryId
from foreword.errors import (
    MigrationNeeded,
    StoreBusy,
    StoreDamaged,
    StoreFull,
    StoreReadOnly,
)
from foreword.storage.dialects import WRITES
from foreword.storage.sql_store import SqlStore
from foreword.testing.reads import Reads, count_reads
from foreword.testing.store_contract.teller import Teller, cover_row, summary_of

APPENDING = """
import sys
from foreword.storage.sql_store import SqlStore
from foreword.testing.store_contract.teller import Teller

teller = Teller.__new__(Teller)
teller.store = SqlStore.open(sys.argv[1])
teller.account, teller.id = "default", "c"
print("ready", flush=True)
sys.stdin.readline()
for number in range(40):
    teller.say(f"{sys.argv[2]} {number}")
"""

HOLDING = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    opened = new_sqlite_store(tmp_path)
    yield opened
    opened.close()


def started(path: Path | str, name: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", APPENDING, str(path), name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def go(process: "subprocess.Popen[str]") -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.close()


def test_two_processes_append_to_one_conversation_and_lose_nothing(tmp_path: Path) -> None:
    store = new_sqlite_store(tmp_path)
    teller = Teller(store)
    processes = [started(tmp_path / "foreword.db", name) for name in ("left", "right")]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        go(process)
    for process in processes:
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(60) == 0
    texts = teller.texts()
    for name in ("left", "right"):
        said = [text for text in texts if text.startswith(name)]
        assert said == [f"{name} {number}" for number in range(40)]
    assert (len(texts), teller.rev()) == (80, 80)
    store.close()


def test_two_processes_may_make_one_store(tmp_path: Path) -> None:
    making = (
        "import sys; from foreword.storage.sql_store import SqlStore; SqlStore.open(sys.argv[1])"
    )
    path = tmp_path / "new" / "foreword.db"
    processes = [subprocess.Popen([sys.executable, "-c", making, str(path)]) for _ in range(3)]
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    store = SqlStore.open(path)
    Teller(store).say("one")
    store.close()


def test_a_new_store_is_made_with_its_folder_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "down" / "foreword.db"
    store = SqlStore.open(path)
    Teller(store).say("one")
    modes = {file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    assert modes == {0o600}
    store.close()
    again = SqlStore.open(f"sqlite:///{path}")
    assert len(again.conversations(DEFAULT_ACCOUNT)) == 1
    again.close()


def test_opening_a_current_store_does_not_load_the_migrations(tmp_path: Path) -> None:
    new_sqlite_store(tmp_path).close()
    program = (
        "import sys; from foreword.storage.sql_store import SqlStore; "
        "SqlStore.open(sys.argv[1]).close(); sys.exit('alembic' in sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "foreword.db")], check=False
    )
    assert run.returncode == 0


def test_a_file_in_the_place_of_the_folder_is_not_writable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StoreReadOnly) as refusal:
        SqlStore.open(tmp_path / "file" / "foreword.db")
    assert refusal.value.path == str(tmp_path / "file" / "foreword.db")


def test_a_folder_in_the_place_of_the_file_is_not_writable(tmp_path: Path) -> None:
    with pytest.raises(StoreReadOnly):
        SqlStore.open(tmp_path)


def test_a_store_opened_for_reading_only_refuses_to_write_and_still_reads(
    store: SqlStore, tmp_path: Path
) -> None:
    Teller(store).say("one")
    reader = SqlStore.open(f"sqlite:///file:{tmp_path}/foreword.db?mode=ro&uri=true")
    with pytest.raises(StoreReadOnly):
        reader.set_default(DEFAULT_ACCOUNT, "mode", "manual")
    assert len(reader.conversations(DEFAULT_ACCOUNT)) == 1
    reader.close()
    with pytest.raises(StoreReadOnly):
        SqlStore.open(f"sqlite:///file:{tmp_path}/missing.db?mode=ro&uri=true")
    assert {path.name.split("-")[0] for path in tmp_path.iterdir()} == {"foreword.db"}


@pytest.mark.parametrize(
    "data", [b"this is no database" * 99, b"SQLite format 3\x00" + b"\xff" * 999]
)
def test_a_file_that_is_no_database_is_damaged(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "foreword.db"
    path.write_bytes(data)
    with pytest.raises(StoreDamaged):
        SqlStore.open(path)
    assert path.read_bytes() == data


def test_damage_inside_the_file_is_reported(tmp_path: Path) -> None:
    store = new_sqlite_store(tmp_path)
    Teller(store).say(*("text " * 100 for _ in range(200)))
    store.close()
    path = tmp_path / "foreword.db"
    data = bytearray(path.read_bytes())
    data[8192:] = b"\xa5" * (len(data) - 8192)
    path.write_bytes(data)
    with pytest.raises(StoreDamaged):  # noqa: PT012 - whichever of them meets the damage
        damaged = SqlStore.open(path)
        with damaged.read(DEFAULT_ACCOUNT, ConversationId("c")) as session:
            list(session.newest(MAIN_BRANCH))


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "foreword.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreDamaged, match="bookmarks"):
        SqlStore.open(path)
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("bookmarks",)]
    connection.close()
    assert len(path.read_bytes()) == len(before)


def test_a_newer_schema_is_left_alone(tmp_path: Path) -> None:
    new_sqlite_store(tmp_path).close()
    connection = sqlite3.connect(tmp_path / "foreword.db")
    with connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(MigrationNeeded) as refusal:
        SqlStore.open(tmp_path / "foreword.db")
    assert (refusal.value.args[0].count("9999"), "Update" in str(refusal.value)) == (1, True)


def test_a_full_disk_loses_only_the_command_that_met_it(store: SqlStore) -> None:
    teller = Teller(store)
    teller.say("one")

    @event.listens_for(store.engine, "begin")
    def fill_up(connection: Connection) -> None:
        connection.exec_driver_sql("PRAGMA max_page_count = 80")

    with pytest.raises(StoreFull) as refusal:
        teller.say(*("large " * 20_000 for _ in range(10)))
    assert refusal.value.path.endswith("foreword.db")
    assert teller.texts() == ["one"]
    teller.say("two")
    assert teller.texts() == ["one", "two"]


def test_a_writer_that_waits_too_long_is_told_to_try_again(tmp_path: Path) -> None:
    store = new_sqlite_store(tmp_path, busy_seconds=0.05)
    teller = Teller(store)
    with teller.op(), pytest.raises(StoreBusy):
        store.set_default(DEFAULT_ACCOUNT, "mode", "manual")
    assert (store.defaults(DEFAULT_ACCOUNT), teller.rev()) == ({}, 1)
    store.close()


def test_trouble_with_other_files_inside_a_session_is_not_the_stores(
    store: SqlStore, tmp_path: Path
) -> None:
    teller = Teller(store)
    with pytest.raises(FileNotFoundError), teller.op():
        (tmp_path / "missing").read_text("utf-8")
    assert teller.rev() == 0


def test_rows_that_point_nowhere_are_refused(store: SqlStore) -> None:
    teller = Teller(store)
    with pytest.raises(StoreDamaged, match="FOREIGN KEY"), teller.op() as session:
        session.put_cover([cover_row(SummaryId(7), 1, 2)])
    assert teller.rev() == 0


def long_story(store: SqlStore, turns: int) -> tuple[Teller, tuple[BranchId, ...]]:
    """A conversation with a cover, a pin, and forks three deep near its end."""
    teller = Teller(store, f"c{turns}")
    said = teller.say(*(["words"] * turns))
    branches = [MAIN_BRANCH]
    for back in (30, 20, 10):
        fork = teller.fork(said[-back].pos, parent=branches[-1])
        teller.edit(said[-back - 2], "edited", branch=fork.id)
        teller.drop(said[-back - 4], branch=fork.id)
        branches.append(fork.id)
    for branch in branches:
        with teller.op(branch) as session:
            for number in range(3):
                summary = session.add_summary(summary_of())
                lo = 1 + number * 1024
                session.put_cover([cover_row(summary.id, lo, lo + 1023)])
            session.put_pins([said[2].turn_id, said[-50].turn_id])
    return teller, tuple(branches)


def append_and_prompt(teller: Teller, branch: BranchId) -> None:
    teller.say("another turn", branch=branch)
    with teller.reading() as session:
        cover = session.cover(branch)
        session.summaries([row.summary_id for row in cover])
        window = list(islice(session.newest(branch, after=cover[-1].to_pos), 40))
        shown = [*session.pins(branch), *window]
        session.versions([entry.version_id for entry in shown])
        session.order(branch, window[-1].pos)


def reads_of(teller: Teller, branch: BranchId) -> Reads:
    append_and_prompt(teller, branch)
    with count_reads(teller.store) as reads:  # type: ignore[arg-type]
        append_and_prompt(teller, branch)
    return reads


@pytest.mark.slow
def test_an_append_and_a_prompt_read_the_same_in_long_and_short_stories(store: SqlStore) -> None:
    short, branches = long_story(store, 1_000)
    long, _ = long_story(store, 100_000)
    counted = [
        [(reads.statements, reads.rows) for reads in (reads_of(teller, b) for b in branches)]
        for teller in (short, long)
    ]
    assert counted[0] == counted[1]
    assert max(statements for statements, _ in counted[0]) <= 45
    assert max(rows for _, rows in counted[0]) <= 400


def test_no_statement_of_an_append_or_a_prompt_looks_through_a_table(store: SqlStore) -> None:
    teller, branches = long_story(store, 1_000)
    plans: list[str] = []

    def explain(_connection: object, cursor: Any, text: str, values: object, *_: object) -> None:
        if text.startswith(("SELECT", "UPDATE", "DELETE")) and isinstance(values, tuple):
            found = cursor.connection.execute(f"EXPLAIN QUERY PLAN {text}", values)
            plans.extend(row[-1] for row in found)

    event.listen(store.engine, "before_cursor_execute", explain)
    for branch in branches:
        append_and_prompt(teller, branch)
    event.remove(store.engine, "before_cursor_execute", explain)
    searched = {plan.split(" (")[0] for plan in plans if plan.startswith(("SCAN", "SEARCH"))}
    assert "SEARCH entry USING COVERING INDEX ix_entry_standing" in searched
    assert {plan for plan in searched if plan.startswith("SCAN")} <= {"SCAN places"}


def test_writers_begin_at_once_and_readers_with_a_snapshot(store: SqlStore) -> None:
    begun: list[str] = []

    @event.listens_for(store.engine, "before_cursor_execute")
    def note(_connection: object, _cursor: object, text: str, *_rest: object) -> None:
        if text.startswith("BEGIN"):
            begun.append(text)

    store.defaults(DEFAULT_ACCOUNT)
    store.set_default(DEFAULT_ACCOUNT, "mode", "manual")
    with store.engine.execution_options(**{WRITES: True}).connect() as connection:
        settings = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "foreign_keys", "synchronous")
        ]
    assert begun == ["BEGIN", "BEGIN IMMEDIATE", "BEGIN IMMEDIATE"]
    assert settings == ["wal", 1, 1]


def test_another_process_that_writes_for_long_is_named_and_nothing_is_lost(tmp_path: Path) -> None:
    store = new_sqlite_store(tmp_path, busy_seconds=0.05)
    teller = Teller(store)
    teller.say("one")
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(tmp_path / "foreword.db")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(StoreBusy) as refusal:
        teller.say("too early")
    assert refusal.value.path == str(tmp_path / "foreword.db")
    assert teller.texts() == ["one"]
    holder.communicate("\n", timeout=60)
    teller.say("two")
    assert teller.texts() == ["one", "two"]
    store.close()
