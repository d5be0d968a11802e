"""What users do, through the real program and its database."""

import json
import stat
import subprocess
import sys
from importlib.resources import as_file, files
from pathlib import Path

import pytest
from tests.e2e.program import answer, command, environment, inside, run

from foreword import __version__

STORY = files("foreword") / "data" / "lantern_road" / "lantern-road.jsonl"
FATES = ("verbatim", "covered", "masked", "hidden", "dropped")


def imported(home: Path) -> str:
    with as_file(STORY) as path:
        done = answer(home, "import", str(path))
    assert done["turns"] == 266
    return str(done["conversation"])


def unnumbered(prompt: dict[str, object]) -> dict[str, object]:
    """Leave out under which number a prompt is kept."""
    return {name: value for name, value in prompt.items() if name != "number"}


def test_a_long_story_is_kept_inside_a_small_context(tmp_path: Path) -> None:
    story = imported(tmp_path)
    inside(tmp_path, "settings", "set", story, "context", "8192")
    assert inside(tmp_path, "status", story)["state"] == "overflowing"
    assert inside(tmp_path, "prompt", story)["coverage"]["dropped"] > 0

    assert answer(tmp_path, "recap", story, "--merge") != []
    found = answer(tmp_path, "prompt", story)
    assert found["coverage"]["dropped"] == 0
    assert sum(found["coverage"][fate] for fate in FATES) == found["coverage"]["total"] == 266
    assert found["tokens"] == sum(section["tokens"] for section in found["sections"])
    assert found["tokens"] <= 8192 - found["reserve"]

    edited = inside(tmp_path, "turn", "edit", story, "18", "--text", "Something else happened.")
    assert edited[0]["text"] == "Something else happened."
    assert inside(tmp_path, "status", story)["stale"] > 0
    assert inside(tmp_path, "summary", "repair", story) != []
    assert inside(tmp_path, "prompt", story)["coverage"]["dropped"] == 0

    inside(tmp_path, "undo", story)
    assert inside(tmp_path, "undo", story)["kind"] == "edit"
    assert unnumbered(inside(tmp_path, "prompt", story)) == unnumbered(found)
    assert answer(tmp_path, "verify")["ok"]


def test_a_fork_goes_its_own_way_and_travels_in_a_bundle(tmp_path: Path) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    story = imported(home)
    inside(home, "summary", "make", story, "--through", "40")
    parent = inside(home, "prompt", story)
    fork = inside(home, "branch", "new", story, "--from", "60", "--name", "what if")
    assert (fork["turns"], fork["forked_at"], fork["current"]) == (60, 60, True)
    inside(home, "turn", "append", story, "--role", "user", "--text", "And then?")
    inside(home, "turn", "delete", story, "10", "--following")
    again = inside(home, "prompt", story, "--branch", "main")
    assert unnumbered(again) == unnumbered(parent)

    path = str(tmp_path / "story.json")
    answer(home, "export", story, "--output", path)
    again = answer(other, "import", path)["conversation"]
    for words in (["branch", "list"], ["turn", "list"], ["summary", "list"]):
        assert inside(other, *words, again) == inside(home, *words, story)
    carried = unnumbered(inside(other, "prompt", again))
    assert carried == unnumbered(inside(home, "prompt", story))


def test_what_one_process_wrote_the_next_one_reads(tmp_path: Path) -> None:
    made = answer(tmp_path, "new", "Lamp")
    answer(tmp_path, "turn", "append", "Lamp", "--text", "-", stdin="Grüße 木\n".encode())
    assert answer(tmp_path, "turn", "show", made["id"], "1")["text"] == "Grüße 木"
    identifier = str(made["id"])
    assert (identifier.islower(), identifier.isdigit()) == (True, False)


def test_ten_megabytes_are_one_turn(tmp_path: Path) -> None:
    text = ("The lamp was lit at dusk, as on every evening. " * 230_000)[: 10 * 1024 * 1024]
    inside(tmp_path, "new", "Lamp")
    done = answer(tmp_path, "turn", "append", "Lamp", "--text", "-", stdin=text.encode())
    assert done["text"] == text
    inside(tmp_path, "turn", "append", "Lamp", "--text", "And then?")
    assert inside(tmp_path, "status", "Lamp")["state"] == "overflowing"
    assert inside(tmp_path, "prompt", "Lamp")["coverage"]["dropped"] == 1
    assert inside(tmp_path, "search", "Lamp", "dusk")[0]["order"] == 1


def test_the_data_folder_is_the_option_then_the_variable_and_private(tmp_path: Path) -> None:
    home, given = tmp_path / "home", tmp_path / "a" / "given"
    answer(home, "new", "Lamp")
    answer(home, "--data-dir", str(given), "new", "Bell")
    assert [one["title"] for one in inside(home, "list")] == ["Lamp"]
    assert [one["title"] for one in inside(given, "list")] == ["Bell"]
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert [path.name for path in home.iterdir() if path.suffix == ".db"] == ["foreword.db"]


def test_without_option_and_variable_the_users_data_folder_is_used(tmp_path: Path) -> None:
    more = {"FOREWORD_HOME": "", "XDG_DATA_HOME": str(tmp_path / "data"), "HOME": str(tmp_path)}
    done = run(tmp_path, "new", "Lamp", "--json", more=more)
    assert done.returncode == 0, done.stderr.decode()
    assert [path.name for path in tmp_path.rglob("foreword.db")] == ["foreword.db"]


def test_json_is_utf_8_whatever_the_terminal_speaks(tmp_path: Path) -> None:
    inside(tmp_path, "new", "Grüße 木")
    more = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = run(tmp_path, "list", "--json", more=more)
    assert json.loads(done.stdout.decode("utf-8"))[0]["title"] == "Grüße 木"
    assert "Grüße 木" in run(tmp_path, "list", more=more).stdout.decode("utf-8")


@pytest.mark.parametrize("words", [["--help"], ["turn", "--help"], ["--version"]])
def test_help_loads_no_database_no_tokenizer_and_no_event_loop(words: list[str]) -> None:
    program = (
        "import sys\n"
        "from foreword.cli.main import app\n"
        "try:\n"
        "    app(args=sys.argv[1:])\n"
        "except SystemExit as left:\n"
        "    assert left.code == 0, left.code\n"
        "heavy = {'alembic', 'asyncio', 'bpe_openai', 'jinja2', 'sentencex', 'sqlalchemy'}\n"
        "assert heavy.isdisjoint(sys.modules), heavy & sys.modules.keys()\n"
    )
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_console_script_is_the_same_program(tmp_path: Path) -> None:
    script = Path(sys.executable).with_name("foreword")
    done = subprocess.run([script, "--version"], capture_output=True, check=True)
    assert done.stdout.decode().strip() == f"foreword {__version__}"
    assert run(tmp_path, "--version").stdout == done.stdout


def test_a_reader_that_leaves_early_gets_no_traceback(tmp_path: Path) -> None:
    story = imported(tmp_path)
    with subprocess.Popen(
        command("turn", "list", story, "--json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
    assert b"Traceback" not in said
    assert b"Foreword has a bug" not in said
