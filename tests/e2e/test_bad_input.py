"""Broken files and broken databases: what to do is said, nothing is lost.

The real program on a real data folder, in this process, as each test needs many commands.
"""

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from foreword.cli.call import Call
from foreword.cli.main import app, open_engine
from foreword.settings.database import DATABASE_FILE

HEADER = {"user_name": "Ann", "character_name": "Bo", "create_date": "2026-11-30@10h00m00s"}
TEN_MEGABYTES = 10 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Program:
    home: Path

    def run(self, *words: str) -> Result:
        given = [*words, "--json", "--data-dir", str(self.home)]
        return CliRunner().invoke(app, given, obj=Call(open_engine))

    def answer(self, *words: str) -> Any:
        done = self.run(*words)
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    def error(self, *words: str) -> tuple[int, Any]:
        done = self.run(*words)
        assert done.stdout == ""
        return done.exit_code, json.loads(done.stderr.splitlines()[-1])["error"]

    def texts(self, conversation: str) -> list[str]:
        return [turn["text"] for turn in self.answer("turn", "list", conversation)]

    @property
    def database(self) -> Path:
        return self.home / DATABASE_FILE


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")


@pytest.fixture
def told(program: Program) -> Program:
    """The program with a conversation of three turns."""
    program.answer("new", "Lamp")
    for text in ("one", "two", "three"):
        program.answer("turn", "append", "Lamp", "--text", text)
    return program


def line(text: str, *, user: bool = False) -> str:
    return json.dumps(
        {"name": "Ann" if user else "Bo", "is_user": user, "mes": text}, ensure_ascii=False
    )


def chat(path: Path, *lines: str, encoding: str = "utf-8") -> str:
    path.write_bytes("\n".join([json.dumps(HEADER), *lines]).encode(encoding))
    return str(path)


def test_bad_lines_are_skipped_and_numbered_and_the_rest_is_kept(
    program: Program, tmp_path: Path
) -> None:
    path = chat(
        tmp_path / "chat.jsonl",
        line("one"),
        '{"name": "Bo", "mes": "not closed',
        line("two", user=True),
        "[1, 2, 3]",
        "",
        "\x00\x01\x02",
        '{"name": "Bo"}',
        line("three"),
        line("four", user=True)[:-9],
    )
    done = program.answer("import", path)
    assert program.texts(done["conversation"]) == ["one", "two", "three"]
    assert {loss["where"] for loss in done["losses"]} == {
        f"line {number}" for number in (3, 5, 7, 8, 10)
    }
    assert program.answer("verify")["ok"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_chats_in_other_encodings_are_read(program: Program, tmp_path: Path, encoding: str) -> None:
    text = "Grüße aus dem Café: „schön“, sagte sie. " * 3
    path = chat(tmp_path / "chat.jsonl", line(text), line("né", user=True), encoding=encoding)
    done = program.answer("import", path)
    assert program.texts(done["conversation"]) == [text, "né"]


def test_a_message_of_ten_megabytes_is_one_turn_that_can_be_summarised(
    program: Program, tmp_path: Path
) -> None:
    text = ("The lamp was lit at dusk by Anna, as on every evening in 1893. " * 170_000)[
        :TEN_MEGABYTES
    ]
    path = chat(tmp_path / "chat.jsonl", line("Hello"), line(text), line("And then?", user=True))
    story = program.answer("import", path)["conversation"]
    assert program.answer("status", story)["state"] == "overflowing"
    assert program.answer("prompt", story)["coverage"]["dropped"] == 2
    assert [hit["order"] for hit in program.answer("search", story, "dusk")] == [2]
    (made,) = program.answer("summary", "make", story, "--through", "2")
    assert 0 < made["tokens"] < 5_000
    assert program.answer("prompt", story)["coverage"]["dropped"] == 0
    assert program.answer("turn", "show", story, "2")["text"] == text


@pytest.mark.parametrize("kept", [0.05, 0.5, 0.99])
def test_a_bundle_that_was_cut_off_is_refused_whole(
    told: Program, tmp_path: Path, kept: float
) -> None:
    path = tmp_path / "story.json"
    told.answer("export", "Lamp", "--output", str(path))
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * kept)])
    code, failure = told.error("import", str(path))
    assert (code, failure["type"]) == (4, "FileUnreadable")
    assert "cut off" in failure["message"]
    assert [one["title"] for one in told.answer("list")] == ["Lamp"]


def test_a_beginning_that_could_mean_several_conversations_names_them(told: Program) -> None:
    other = told.answer("new", "Lamp post")
    told.answer("new", "lamp-black")
    code, failure = told.error("status", "LAM")
    assert (code, failure["type"], len(failure["matches"])) == (3, "AmbiguousReference", 3)
    assert f"{other['id']} (Lamp post)" in failure["matches"]
    assert told.answer("turn", "list", "Lamp")[0]["text"] == "one"
    assert told.error("status", "lantern")[0] == 3


def test_a_database_that_was_cut_off_is_reported_and_left_alone(told: Program) -> None:
    whole = told.database.read_bytes()
    cut = whole[: len(whole) // 2 // 4096 * 4096]
    told.database.write_bytes(cut)
    failures = [told.run(*words) for words in (["list"], ["turn", "list", "Lamp"], ["verify"])]
    assert {done.exit_code for done in failures} <= {0, 3, 7}
    assert any('"StoreDamaged"' in done.stderr for done in failures)
    told.database.write_bytes(whole)
    assert told.texts("Lamp") == ["one", "two", "three"]


def test_a_database_that_is_cut_to_nothing_is_made_anew(told: Program) -> None:
    told.database.write_bytes(b"")
    assert told.answer("list") == []


def test_a_folder_in_the_place_of_the_database_is_refused(program: Program) -> None:
    program.database.mkdir(parents=True)
    code, failure = program.error("list")
    assert (code, failure["type"]) == (7, "StoreReadOnly")
    assert program.database.is_dir()


def test_a_database_of_a_later_version_is_left_alone(told: Program) -> None:
    with closing(sqlite3.connect(told.database)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    before = told.database.read_bytes()
    for words in (["list"], ["new", "Bell"], ["turn", "append", "Lamp", "--text", "four"]):
        code, failure = told.error(*words)
        assert (code, failure["type"], failure["found"]) == (7, "MigrationNeeded", "9999")
    assert told.database.read_bytes() == before


def test_a_copy_without_its_write_ahead_file_is_an_earlier_moment(
    told: Program, tmp_path: Path
) -> None:
    engine = open_engine(told.home, None)  # holds the database open, so that nothing is moved over
    with engine.store.read(engine.account, engine.store.conversations(engine.account)[0].id):
        told.answer("turn", "append", "Lamp", "--text", "four")
        copy = Program(tmp_path / "copy")
        copy.home.mkdir()
        shutil.copyfile(told.database, copy.database)
    engine.store.close()
    assert copy.texts("Lamp") == ["one", "two", "three"]
    assert copy.answer("verify")["ok"]
    assert told.texts("Lamp") == ["one", "two", "three", "four"]


def test_rubbish_in_the_write_ahead_file_is_not_believed(told: Program) -> None:
    told.database.with_name(f"{DATABASE_FILE}-wal").write_bytes(b"rubbish" * 10_000)
    assert told.texts("Lamp") == ["one", "two", "three"]
    assert told.answer("verify")["ok"]
    told.answer("turn", "append", "Lamp", "--text", "four")
    assert told.texts("Lamp") == ["one", "two", "three", "four"]


@pytest.mark.parametrize(
    ("words", "code", "kind"),
    [
        (["import", "/" + "x" * 5000], 4, "FileUnreadable"),
        (["export", "Lamp", "--output", "/" + "x" * 5000], 4, "FileUnwritable"),
        (["search", "Lamp", "one", "--limit", "9" * 40], 0, ""),
        (["history", "Lamp", "--limit", "9" * 40], 0, ""),
    ],
)
def test_names_and_numbers_that_are_far_too_long_are_no_bugs(
    told: Program, words: list[str], code: int, kind: str
) -> None:
    done = told.run(*words)
    assert done.exit_code == code
    assert f'"type": "{kind}"' in done.stderr or not kind
