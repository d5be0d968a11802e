"""Backups of either database, put back into either of them."""

import itertools
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import create_engine
from tests.contract.databases import new_sql_store

from foreword.domain.ids import DEFAULT_ACCOUNT, MAIN_BRANCH, ConversationId
from foreword.domain.turn import Role
from foreword.engine import branches, conversations, turns
from foreword.engine.context import Engine, Place
from foreword.errors import FileUnreadable, OverwriteRefused, StoreDamaged, StoreReadOnly
from foreword.storage.backups import back_up, restore
from foreword.storage.sql_store import SqlStore
from foreword.storage.upgrade import configuration
from foreword.testing.engines import engine_on
from foreword.testing.store_contract.ledger import ANSWER, MINE, NEW
from foreword.testing.store_contract.teller import Teller
from foreword.testing.store_view import view_of

WORDS = ("apple", "bread")
SQL = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))
Maker = Callable[[str], SqlStore]


def sound(_store: SqlStore) -> tuple[str, ...]:
    return ()


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Maker]:
    opened: list[SqlStore] = []

    def make_one(kind: str) -> SqlStore:
        folder = tmp_path / f"store{len(opened)}"
        folder.mkdir()
        opened.append(new_sql_store(kind, folder))
        return opened[-1]

    yield make_one
    for store in opened:
        store.close()


def filled(store: SqlStore) -> Engine:
    """Two stories with a fork, an edit and a deleted turn, a setting, a template and a call."""
    engine = engine_on(store, ledger=store.ledger)
    for title in ("Lamp", "Bridge"):
        place = Place(conversation=conversations.create(engine, title).id, branch=MAIN_BRANCH)
        for number in range(12):
            turns.append(engine, place, f"apple {title} {number}", role=Role.USER, speaker="Ann")
        branches.fork(engine, place, "5")
        turns.edit(engine, place, "3", "bread instead")
        turns.delete(engine, place, "9")
    store.set_default(DEFAULT_ACCOUNT, "context", "2048")
    store.set_template(DEFAULT_ACCOUNT, "memory", "{{ memory }}")
    call = store.ledger.begin(MINE, NEW)
    store.ledger.answer(MINE, call, ANSWER, ms=7, money=8)
    return engine


def told(store: SqlStore) -> list[object]:
    known = store.conversations(DEFAULT_ACCOUNT)
    views: list[object] = [known, store.defaults(DEFAULT_ACCOUNT), store.ledger.calls(MINE)]
    for one in known:
        with store.read(DEFAULT_ACCOUNT, one.id) as session:
            views += [view_of(session, WORDS), list(session.ops())]
    return views


@pytest.mark.parametrize("into", SQL)
@pytest.mark.parametrize("kind", SQL)
def test_a_backup_holds_everything_and_goes_into_either_database(
    make: Maker, tmp_path: Path, kind: str, into: str
) -> None:
    store, other, file = make(kind), make(into), tmp_path / "backup.db"
    filled(store)
    back_up(store, file, check=sound)
    assert restore(other, file, check=sound) > 60
    assert told(other) == told(store)
    assert {path.name for path in tmp_path.iterdir()} == {"store0", "store1", "backup.db"}
    assert file.stat().st_mode & 0o077 == 0
    Teller(other, "later").say("apple of another day")
    assert other.ledger.begin(MINE, NEW) == store.ledger.begin(MINE, NEW)


@pytest.mark.parametrize("kind", SQL)
def test_a_restore_replaces_nothing_unless_it_is_forced(
    make: Maker, tmp_path: Path, kind: str
) -> None:
    store, file = make(kind), tmp_path / "backup.db"
    filled(store)
    before = told(store)
    back_up(store, file, check=sound)
    Teller(store, "later").say("apple of another day")
    changed = told(store)
    with pytest.raises(OverwriteRefused):
        restore(store, file, check=sound)
    assert told(store) == changed
    restore(store, file, check=sound, force=True)
    assert told(store) == before


def test_a_backup_writes_over_nothing_unless_it_is_forced(make: Maker, tmp_path: Path) -> None:
    store, file = make("sqlite"), tmp_path / "backup.db"
    file.write_text("precious")
    with pytest.raises(OverwriteRefused):
        back_up(store, file, check=sound)
    assert file.read_text() == "precious"
    back_up(store, file, check=sound, force=True)
    assert restore(store, file, check=sound) == 0
    with pytest.raises(StoreReadOnly):
        back_up(store, tmp_path / "missing" / "backup.db", check=sound)


def test_what_is_not_sound_is_neither_written_nor_put_back(make: Maker, tmp_path: Path) -> None:
    store, other, file = make("sqlite"), make("sqlite"), tmp_path / "backup.db"
    filled(store)
    with pytest.raises(StoreDamaged, match="a turn is missing"):
        back_up(store, file, check=lambda _: ("a turn is missing",))
    assert not file.exists()
    back_up(store, file, check=sound)
    with pytest.raises(StoreDamaged, match="a turn is missing"):
        restore(other, file, check=lambda _: ("a turn is missing",))
    whole = file.read_bytes()
    page = 4096
    torn = whole[: 3 * page] + b"\xa5" * page * 4 + whole[7 * page :]
    for data in (b"no database", b"", whole[: len(whole) // 2], torn):
        file.write_bytes(data)
        with pytest.raises(StoreDamaged):
            restore(other, file, check=sound)
    with pytest.raises(FileUnreadable):
        restore(other, tmp_path / "missing.db", check=sound)
    assert other.conversations(DEFAULT_ACCOUNT) == ()


@pytest.mark.parametrize("kind", SQL)
def test_a_restore_that_fails_in_the_middle_changes_nothing(
    make: Maker, tmp_path: Path, kind: str
) -> None:
    store, other, file = make("sqlite"), make(kind), tmp_path / "backup.db"
    filled(store)
    filled(other)
    before = told(other)
    back_up(store, file, check=sound)
    plain = sqlite3.connect(file)
    with plain:
        plain.execute("DROP TABLE note")
        plain.execute("CREATE TABLE note (account_id, kind, key, settings)")
        plain.execute("INSERT INTO note VALUES (NULL, NULL, NULL, NULL)")
    plain.close()
    with pytest.raises(StoreDamaged):
        restore(other, file, check=sound, force=True)
    assert told(other) == before


def test_a_backup_of_the_first_schema_is_migrated_on_the_way(make: Maker, tmp_path: Path) -> None:
    file = tmp_path / "old.db"
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        command.upgrade(configuration(connection), "0001")
        connection.exec_driver_sql(
            "INSERT INTO conversation VALUES (1, 'old', 'default', 'Old story', 0, 1, 'then', '{}',"
            " '', '', 0, 0, 0, 0, 1)"
        )
    engine.dispose()
    before = file.read_bytes()
    store = make("sqlite")
    assert restore(store, file, check=sound) == 1
    assert [one.id for one in store.conversations(DEFAULT_ACCOUNT)] == [ConversationId("old")]
    assert file.read_bytes() == before


def test_a_backup_of_a_store_in_use_is_of_one_moment(make: Maker, tmp_path: Path) -> None:
    store, other = make("sqlite"), make("sqlite")
    teller = Teller(store)
    teller.say("one")
    with teller.op() as session:
        session.put_pins([next(session.newest(MAIN_BRANCH)).turn_id])
        back_up(store, tmp_path / "backup.db", check=sound)
    restore(other, tmp_path / "backup.db", check=sound)
    with other.read(DEFAULT_ACCOUNT, teller.id) as session:
        assert session.pins(MAIN_BRANCH) == ()
        assert len(list(itertools.islice(session.ops(), 9))) == 1
