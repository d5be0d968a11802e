"""What only a database server can do: sessions side by side, lost connections, its own refusals."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import event, make_url
from tests.integration.test_sqlite_store import go, started
from tests.postgres import address_of, drop_database, new_database, new_postgres_store, run

from foreword.domain.ids import (
    DEFAULT_ACCOUNT,
    MAIN_BRANCH,
    ConversationId,
    Pos,
    SpeakerId,
    SummaryId,
    TurnId,
)
from foreword.errors import (
    MigrationNeeded,
    StoreBusy,
    StoreConflict,
    StoreDamaged,
    StoreFull,
    StoreReadOnly,
    StoreUnavailable,
)
from foreword.storage.dialects import WRITES
from foreword.storage.sql_store import SqlStore
from foreword.testing.store_contract.ledger import MINE, NEW
from foreword.testing.store_contract.teller import Teller, cover_row

pytestmark = pytest.mark.postgres

LOST = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{}'"
REFUSING = """
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{}'; END $$;
CREATE TRIGGER refusing BEFORE INSERT ON version FOR EACH ROW EXECUTE FUNCTION refuse();
"""


@pytest.fixture
def store() -> Iterator[SqlStore]:
    opened = new_postgres_store()
    yield opened
    opened.close()


def place_of(store: SqlStore) -> str:
    return address_of(store.engine.url.database or "")


def test_two_processes_append_to_one_conversation_and_lose_nothing(store: SqlStore) -> None:
    teller = Teller(store)
    processes = [started(place_of(store), name) for name in ("left", "right")]
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


def test_a_reader_sees_one_moment_and_holds_nobody_up(store: SqlStore) -> None:
    teller = Teller(store)
    teller.say("one")
    with teller.reading() as session:
        teller.say("two")
        assert len(list(session.newest(MAIN_BRANCH))) == session.branch(MAIN_BRANCH).turns == 1
    assert teller.texts() == ["one", "two"]


def test_writers_of_different_conversations_do_not_wait_for_each_other() -> None:
    store = new_postgres_store(busy_seconds=0.05)
    left, right = Teller(store, "l"), Teller(store, "r")
    with left.op() as session:
        session.ensure_speakers({SpeakerId("a"): "Ann"})
        right.say("not waiting")
        call = store.ledger.begin(MINE, NEW)
    assert (left.rev(), right.texts()) == (1, ["not waiting"])
    assert store.ledger.call(MINE, call).route == NEW.route
    store.close()


def test_a_writer_that_waits_too_long_is_told_to_try_again() -> None:
    store = new_postgres_store(busy_seconds=0.05)
    teller = Teller(store)
    with teller.op(), pytest.raises(StoreBusy):
        teller.say("too late")
    assert teller.rev() == 1
    store.close()


def test_many_who_set_the_same_things_at_once_all_succeed(store: SqlStore) -> None:
    def change(number: int) -> None:
        teller = Teller(store, f"c{number}")
        with teller.op() as session:
            session.ensure_speakers({SpeakerId("b"): "Ben", SpeakerId("a"): "Ann"})
        store.set_default(DEFAULT_ACCOUNT, "mode", f"{number}")
        store.set_template("user", "memory", f"{number}")
        store.ledger.set_route(DEFAULT_ACCOUNT, "chat", {"model": f"{number}"})
        store.ledger.set_note(DEFAULT_ACCOUNT, "breaker", "k", {"n": f"{number}"})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(change, range(12)))
    assert len(store.conversations(DEFAULT_ACCOUNT)) == 12
    assert store.defaults(DEFAULT_ACCOUNT)["mode"] in map(str, range(12))


def test_an_id_that_another_took_meanwhile_is_a_conflict(store: SqlStore) -> None:
    other = SqlStore.open(place_of(store))

    @event.listens_for(store.engine, "before_cursor_execute")
    def be_quicker(_c: object, _cursor: object, statement: str, *_rest: object) -> None:
        if statement.startswith("INSERT INTO conversation"):
            Teller(other, "c")

    with pytest.raises(StoreConflict):
        store.create(DEFAULT_ACCOUNT, ConversationId("c"), title="mine", at="", settings={})
    assert [one.title for one in store.conversations(DEFAULT_ACCOUNT)] == ["A story"]
    other.close()


def test_a_lost_connection_loses_the_command_it_was_in_and_no_other(store: SqlStore) -> None:
    teller = Teller(store)
    teller.say("one")
    database = store.engine.url.database
    with pytest.raises(StoreUnavailable), teller.op() as session:  # noqa: PT012 - in the middle
        session.put_pins([TurnId(1)])
        run(LOST.format(database))
        session.put_pins([TurnId(2)])
    with pytest.raises(StoreUnavailable), teller.op():
        run(LOST.format(database))
    run(LOST.format(database))
    assert (teller.texts(), teller.rev()) == (["one"], 1)
    teller.say("two")
    assert teller.texts() == ["one", "two"]


@pytest.mark.parametrize(
    ("state", "error"),
    [
        ("53100", StoreFull),
        ("25006", StoreReadOnly),
        ("40P01", StoreConflict),
        ("40001", StoreConflict),
        ("XX001", StoreDamaged),
        ("57P03", StoreUnavailable),
    ],
)
def test_what_the_server_refuses_has_its_own_error_and_changes_nothing(
    store: SqlStore, state: str, error: type[Exception]
) -> None:
    teller = Teller(store)
    teller.say("one")
    with store.engine.execution_options(**{WRITES: True}).begin() as connection:
        connection.exec_driver_sql(REFUSING.format(state))
    with pytest.raises(error):
        teller.say("two")
    assert (teller.texts(), teller.rev()) == (["one"], 1)


def test_a_database_that_may_only_be_read_is_read(store: SqlStore) -> None:
    Teller(store).say("one")
    options = "?options=-c%20default_transaction_read_only%3Don"
    reader = SqlStore.open(place_of(store).split("?")[0] + options + "&" + query_of(store))
    with pytest.raises(StoreReadOnly):
        reader.set_default(DEFAULT_ACCOUNT, "mode", "manual")
    assert len(reader.conversations(DEFAULT_ACCOUNT)) == 1
    reader.close()


def query_of(store: SqlStore) -> str:
    return place_of(store).split("?")[1]


def test_rows_that_point_nowhere_are_refused(store: SqlStore) -> None:
    teller = Teller(store)
    with pytest.raises(StoreDamaged, match="foreign key"), teller.op() as session:
        session.put_cover([cover_row(SummaryId(7), 1, 2)])
    assert teller.rev() == 0


def test_numbers_beyond_32_bits_are_kept_and_added_up(store: SqlStore) -> None:
    teller = Teller(store)
    first, second = teller.say("one", "two")
    far = 1 << 40
    with teller.op() as session:
        session.drop_entries([second.pos])
        session.put_entries([replace(first, tokens=far), replace(second, pos=Pos(far), tokens=far)])
    shown = teller.shown()
    assert [(one.pos, one.tokens) for one in shown] == [(first.pos, far), (far, far)]
    with teller.reading() as session:
        assert type(session.order(MAIN_BRANCH, Pos(1))) is int
    assert type(teller.branch().visible_tokens) is int


def test_words_and_texts_of_any_length_are_stored_and_found(store: SqlStore) -> None:
    teller = Teller(store)
    long = "x" * 5000
    many = " ".join(f"w{number:x}" * 3 for number in range(150_000))
    turns = teller.say(f"it's {long}a", f"it's {long}b", r"a\b 'quoted' & | ! <-> :*", many)
    assert teller.found(f"{long}a") == [turns[0].turn_id]
    assert teller.found("it", "s") == [turns[0].turn_id, turns[1].turn_id]
    assert teller.found("quoted", "a") == [turns[2].turn_id]
    assert teller.found("w0w0w0", "w9w9w9") == [turns[3].turn_id]
    assert teller.found("quoted", "|") == []


def test_a_database_of_another_program_is_left_alone() -> None:
    address = new_database(empty=True)
    other = SqlStore.open(address)
    with other.engine.execution_options(**{WRITES: True}).begin() as connection:
        connection.exec_driver_sql("DROP TABLE alembic_version")
    other.close()
    with pytest.raises(StoreDamaged, match="another program"):
        SqlStore.open(address)
    drop_database(address)


def test_a_newer_schema_is_left_alone(store: SqlStore) -> None:
    with store.engine.execution_options(**{WRITES: True}).begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(MigrationNeeded, match="9999"):
        SqlStore.open(place_of(store))


def test_several_may_make_one_store_at_once() -> None:
    address = new_database(empty=True)
    with ThreadPoolExecutor(3) as pool:
        stores = list(pool.map(SqlStore.open, [address] * 3))
    Teller(stores[0]).say("one")
    assert [len(store.conversations(DEFAULT_ACCOUNT)) for store in stores] == [1, 1, 1]
    for store in stores:
        store.close()
    drop_database(address)


def test_no_answer_is_said_without_the_password() -> None:
    with pytest.raises(StoreUnavailable) as refusal:
        SqlStore.open("postgresql://ann:s3cret@127.0.0.1:1/stories?connect_timeout=2")
    assert "127.0.0.1" in str(refusal.value)
    assert "s3cret" not in str(refusal.value)
    missing = make_url(new_database(empty=True)).set(database="missing", password="s3cret")
    with pytest.raises(StoreUnavailable, match="missing") as refusal:
        SqlStore.open(missing.render_as_string(hide_password=False))
    assert "s3cret" not in str(refusal.value)


def test_without_the_driver_it_is_named() -> None:
    program = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from foreword.errors import ExtraMissing\n"
        "from foreword.storage.sql_store import SqlStore\n"
        "try:\n    SqlStore.open('postgresql://localhost/stories')\n"
        "except ExtraMissing as error:\n    print(error)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert "foreword[postgres]" in ran.stdout
