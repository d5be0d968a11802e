"""Several processes on one store: nothing is lost or there twice, readers see one moment."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.e2e.program import command, environment
from tests.integration.crash.deeds import chat_of
from tests.integration.crash.lives import Victims, life, said
from tests.integration.crash.victim import APPENDED, LONG, RECAP_EVERY

from foreword.engine import conversations, importing, prompting, turns, verifying
from foreword.engine.context import Place
from foreword.engine.summary_views import list_summaries
from foreword.ports.format import SourceFile
from foreword.storage.sql_store import SqlStore
from foreword.testing.engines import engine_on

HEADER = {"user_name": "Ann", "character_name": "Bo", "create_date": "2026-11-30@10h00m00s"}


def test_two_processes_that_append_and_recap_lose_no_update(
    victims: Victims, database: Path, open_store: Callable[[], SqlStore]
) -> None:
    engine = engine_on(open_store())
    made = conversations.create(engine, "Story", {"context": "2048"})
    deaths = victims.live(*(life("append and recap", database, seed=seed) for seed in (1, 2)))
    assert deaths == [{"killed": False, "code": 0}] * 2

    place = Place(conversation=made.id)
    texts = [turn.content.text for turn in turns.list_turns(engine, place)]
    for seed in (1, 2):
        told = [line for line in said(database, seed) if line != "conflict"]
        assert [text for text in texts if text.startswith(f"{seed}:")] == told
        assert len(told) == APPENDED
    assert len(texts) == 2 * APPENDED
    assert verifying.verify(engine).problems == ()
    assert len(list_summaries(engine, place)) >= APPENDED // RECAP_EVERY
    assert prompting.prompt(engine, place).plan.coverage.total == 2 * APPENDED
    with engine.store.read(engine.account, made.id) as session:
        revs = [op.rev for op in session.ops()]
    assert revs == list(range(len(revs), 0, -1))


def test_a_long_reader_sees_one_moment_and_no_writer_waits_for_it(
    victims: Victims, database: Path, open_store: Callable[[], SqlStore]
) -> None:
    engine = engine_on(open_store())
    made = importing.import_chat(engine, chat_of(700))
    place = Place(conversation=made.conversation)
    with open_store().read(engine.account, made.conversation) as session:
        read = session.newest(made.branch)
        first = next(read)
        deaths = victims.live(life("append and recap", database, seed=1))
        assert deaths == [{"killed": False, "code": 0}]
        assert len([first, *read]) == 700
        assert session.branch(made.branch).turns == 700
    assert len(turns.list_turns(engine, place)) == 700 + APPENDED


def chat_file(path: Path, count: int) -> Path:
    lines = [HEADER] + [
        {"name": ("Ann", "Bo")[number % 2], "is_user": number % 2 == 0, "mes": f"t{number} spoke"}
        for number in range(count)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def import_at_once(home: Path, path: Path, times: int) -> list[int]:
    """Import a file in several processes at the same time; return how many turns each added."""
    running = [
        subprocess.Popen(
            command("import", str(path), "--json"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(home),
        )
        for _ in range(times)
    ]
    said = [process.communicate(timeout=100) for process in running]
    assert [process.returncode for process in running] == [0] * times, said
    return [json.loads(stdout)["turns"] for stdout, _ in said]


def test_a_grown_chat_that_two_commands_import_at_once_has_no_turn_twice(
    database: Path, open_store: Callable[[], SqlStore], tmp_path: Path
) -> None:
    engine = engine_on(open_store())
    path = tmp_path / "chat.jsonl"
    file = SourceFile(path=str(path), data=chat_file(path, 40).read_bytes())
    made = importing.import_file(engine, file)
    chat_file(path, 400)
    assert sorted(import_at_once(database.parent, path, 2)) == [0, 360]
    assert [known.id for known in engine.store.conversations(engine.account)] == [made.conversation]
    assert len(turns.list_turns(engine, Place(conversation=made.conversation))) == 400
    assert verifying.verify(engine).problems == ()


def test_a_new_chat_that_is_imported_at_once_becomes_one_conversation(
    victims: Victims, database: Path, open_store: Callable[[], SqlStore]
) -> None:
    deaths = victims.live(*(life("import a long chat", database, seed=seed) for seed in (1, 2, 3)))
    assert deaths == [{"killed": False, "code": 0}] * 3
    engine = engine_on(open_store())
    (known,) = engine.store.conversations(engine.account)
    assert [said(database, seed) for seed in (1, 2, 3)] == [[known.id]] * 3
    assert len(turns.list_turns(engine, Place(conversation=known.id))) == LONG
    assert verifying.verify(engine).problems == ()
