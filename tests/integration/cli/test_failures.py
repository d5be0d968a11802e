"""Exit codes, and what is said when a command fails."""

import json
import sqlite3
from pathlib import Path

import pytest
from tests.integration.cli.door import Door, door, story, turn
from typer.testing import CliRunner

from foreword.bootstrap import open_engine
from foreword.cli.call import Call
from foreword.cli.exits import MEANINGS, ExitCode
from foreword.cli.main import app
from foreword.engine.context import Engine
from foreword.errors import StoreUnavailable
from foreword.testing.summarisers import FixedSummariser


def with_summary() -> Door:
    opened = story(6)
    opened.json("summary", "make", "c1", "--through", "4")
    return opened


@pytest.mark.parametrize(
    ("words", "code", "kind"),
    [
        (["status"], 2, "UsageError"),
        (["status", "c1", "--bogus"], 2, "UsageError"),
        (["status", "c1", "--context", "many"], 2, "UsageError"),
        (["bogus"], 2, "UsageError"),
        (["turn", "bogus"], 2, "UsageError"),
        (["turn", "append", "c1", "--text", "x", "--role", "bogus"], 2, "UsageError"),
        (["turn", "choose", "c1", "1"], 2, "UsageError"),
        (["turn", "choose", "c1", "1", "1", "--text", "x"], 2, "UsageError"),
        (["new"], 2, "UsageError"),
        (["new", "a", "--title", "b"], 2, "UsageError"),
        (["new", "a", "--set", "context"], 2, "UsageError"),
        (["settings", "set", "c1"], 2, "UsageError"),
        (["settings", "set", "a", "b", "c", "d"], 2, "UsageError"),
        (["templates", "set", "master"], 2, "UsageError"),
        (["templates", "check", "--text", "x"], 2, "UsageError"),
        (["templates", "check", "master", "f", "--text", "x"], 2, "UsageError"),
        (["export", "c1", "--output", "no/such/folder/f"], 4, "FileUnwritable"),
        (["export", "c1", "--output", "f", "--format", "docx"], 4, "ExportFormatUnknown"),
        (["status", "nope"], 3, "ConversationNotFound"),
        (["verify", "nope"], 3, "ConversationNotFound"),
        (["restore", "nope"], 3, "ConversationNotFound"),
        (["status", "c1", "--branch", "nope"], 3, "BranchNotFound"),
        (["branch", "switch", "c1", "9"], 3, "BranchNotFound"),
        (["turn", "show", "c1", "7"], 3, "TurnNotFound"),
        (["turn", "show", "c1", "0"], 3, "TurnNotFound"),
        (["turn", "show", "c1", "id:99"], 3, "TurnNotFound"),
        (["turn", "show", "c1", "one"], 3, "TurnNotFound"),
        (["turn", "show", "c1", "9" * 40], 3, "TurnNotFound"),
        (["turn", "hide", "c1", "1", "99"], 3, "TurnNotFound"),
        (["branch", "new", "c1", "--from", "99"], 3, "TurnNotFound"),
        (["turn", "choose", "c1", "1", "5"], 3, "AlternativeNotFound"),
        (["summary", "show", "c1", "S9"], 3, "SummaryNotFound"),
        (["summary", "edit", "c1", "nine", "--text", "x"], 3, "SummaryNotFound"),
        (["undo", "c1", "--id", "99"], 3, "OpNotFound"),
        (["templates", "show", "nope"], 3, "TemplateNotFound"),
        (["import", "no-such-file"], 4, "FileUnreadable"),
        (["templates", "check", "master", "no-such-file"], 4, "FileUnreadable"),
        (["new", "  "], 4, "EmptyText"),
        (["turn", "append", "c1", "--text", " "], 4, "EmptyText"),
        (["summary", "edit", "c1", "S1", "--text", ""], 4, "EmptyText"),
        (["settings", "set", "c1", "nope", "x"], 4, "UnknownSetting"),
        (["settings", "set", "c1", "context", "tiny"], 4, "InvalidSetting"),
        (["status", "c1", "--context", "3"], 4, "InvalidSetting"),
        (["templates", "set", "master", "--text", "{{"], 4, "TemplateInvalid"),
        (["templates", "check", "meta", "--text", "{{ nope }}"], 4, "TemplateInvalid"),
        (["summary", "make", "c1", "--through", "3"], 4, "SpanCovered"),
        (["summary", "unwind", "c1", "S1"], 4, "NotAMetaSummary"),
        (["summary", "merge", "c1", "S1"], 4, "MergeRefused"),
        (["redo", "c1"], 5, "NothingToRedo"),
        (["undo", "c1", "--branch", "main", "--id", "1"], 5, "UndoConflict"),
        (["prompt", "c1", "--context", "512"], 6, "ContextTooSmall"),
    ],
)
def test_a_failure_has_its_exit_code_and_its_type(words: list[str], code: int, kind: str) -> None:
    opened = with_summary()
    if kind == "ContextTooSmall":
        opened.json("settings", "set", "c1", "system", "w " * 600)
    if kind == "UndoConflict":
        opened.json("turn", "edit", "c1", "1", "--text", "T1")
    before = opened.json("turn", "list", "c1")
    failed, error = opened.error(*words)
    assert (failed, error["type"]) == (code, kind)
    assert error["message"]
    assert opened.json("turn", "list", "c1") == before


def test_an_error_object_holds_the_fields_of_the_error() -> None:
    assert with_summary().error("summary", "make", "c1", "--through", "3") == (
        4,
        {
            "type": "SpanCovered",
            "message": "Turn 3 is already covered by S1. "
            "Delete or regenerate S1, or choose a later turn.",
            "order": 3,
            "summary_id": 1,
        },
    )


def test_people_read_one_line_on_standard_error() -> None:
    result = story(1).run("turn", "show", "c1", "9")
    assert (result.exit_code, result.stdout, result.stderr) == (
        3,
        "",
        "Error: There is no turn '9'. `foreword turn list CONV` shows the numbers.\n",
    )


def test_nothing_to_undo_is_a_conflict() -> None:
    assert story(0).error("undo", "c1")[0] == ExitCode.CONFLICT


def test_an_ambiguous_beginning_names_what_it_could_mean() -> None:
    opened = door()
    opened.json("new", "Lamp one")
    opened.json("new", "Lamp two")
    code, error = opened.error("status", "lamp")
    assert (code, error["matches"]) == (3, ["c1 (Lamp one)", "c2 (Lamp two)"])
    assert opened.error("status", "c")[0] == ExitCode.NOT_FOUND
    assert opened.json("status", "LAMP TWO")["turns"] == 0


def test_an_empty_summary_is_refused_and_changes_nothing() -> None:
    opened = door(summariser=FixedSummariser("  "))
    opened.json("new", "Lamp")
    opened.json("turn", "append", "c1", "--text", "t1")
    code, error = opened.error("summary", "make", "c1", "--through", "1")
    assert (code, error["type"]) == (ExitCode.MODEL, "SummaryUnusable")
    assert opened.json("summary", "list", "c1", "--all") == []


def test_a_database_that_does_not_answer_has_its_own_code() -> None:
    def busy(_folder: Path | None, _database: str | None) -> Engine:
        raise StoreUnavailable("it is locked")

    result = CliRunner().invoke(app, ["list", "--json"], obj=Call(busy))
    assert (result.exit_code, result.stdout) == (ExitCode.STORE, "")
    assert json.loads(result.stderr)["error"]["reason"] == "it is locked"


def test_a_file_that_fails_does_not_stop_the_others(tmp_path: Path) -> None:
    names = ("a.txt", "b.bin", "c.txt")
    for name, data in zip(names, (b"Once.", b"\x89PNG\r\n\x1a\n\x00\x00", b"Twice."), strict=True):
        (tmp_path / name).write_bytes(data)
    result = door().run("import", *(str(tmp_path / name) for name in names), "--json")
    assert result.exit_code == ExitCode.REFUSED
    assert [Path(one["path"]).name for one in json.loads(result.stdout)] == ["a.txt", "c.txt"]
    failures = [line for line in result.stderr.splitlines() if line.startswith("{")]
    assert ["b.bin" in failure for failure in failures] == [True]


def test_an_empty_folder_imports_nothing(tmp_path: Path) -> None:
    assert door().json("import", str(tmp_path)) == []


def test_a_bundle_of_a_later_version_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "later.json"
    path.write_text('{"foreword_bundle": 99}', encoding="utf-8")
    code, error = door().error("import", str(path))
    assert (code, error["type"], error["found"]) == (4, "BundleTooNew", 99)
    assert "Update Foreword" in error["message"]


def test_export_leaves_an_older_file_alone_when_there_is_no_room(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    code, error = story(1).error("export", "c1", "--output", str(full))
    assert (code, error["type"]) == (ExitCode.STORE, "StoreFull")
    old = tmp_path / "old.json"
    old.write_text("old", encoding="utf-8")
    story(1).json("export", "c1", "--output", str(old))
    assert [path.name for path in tmp_path.iterdir()] == ["old.json"]


def spoiled(folder: Path) -> Engine:
    """Return an engine on a database in which somebody changed a text by hand."""
    engine = open_engine(folder)
    opened = Door(engine)
    opened.json("new", "Lamp")
    opened.json("turn", "append", "Lamp", "--text", "word for word")
    engine.store.close()
    with sqlite3.connect(folder / "foreword.db") as database:
        database.execute("UPDATE version SET text = 'other'")
    database.close()
    return open_engine(folder)


def test_verify_finds_a_text_that_was_changed_by_hand(tmp_path: Path) -> None:
    engine = spoiled(tmp_path)
    result = Door(engine).run("verify", "--json")
    engine.store.close()
    verdict = json.loads(result.stdout)
    assert (result.exit_code, verdict["ok"]) == (ExitCode.PROBLEM, False)
    assert [problem for problem in verdict["problems"] if "digest" in problem] == verdict[
        "problems"
    ]


def test_json_and_data_dir_stand_before_or_after_the_command() -> None:
    opened = story(1)
    after = opened.says("turn", "list", "c1", "--json", "--data-dir", "x")
    assert opened.says("--json", "--data-dir", "x", "turn", "list", "c1") == after
    assert json.loads(after) == [turn(1)]


def test_every_exit_code_is_explained_in_the_help() -> None:
    text = door().says("--help")
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert [f"{code.value} {meaning}" in lines for code, meaning in MEANINGS.items()] == [
        True
    ] * len(ExitCode)
