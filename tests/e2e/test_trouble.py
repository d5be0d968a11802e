"""Ctrl-C, bugs, and folders and files that cannot be used: a clear message, and nothing lost."""

import os
import pty
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.e2e.program import PATIENCE_SECONDS, command, environment, error, inside

HERE = Path(__file__).parent
SMALL_FILE = 400_000
"""Bytes that a process may write into one file where the disk is to be full."""


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """Give a folder that everybody may look into, unlike pytest's own."""
    with TemporaryDirectory(prefix="foreword-test-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def long_story(home: Path) -> str:
    """Make a conversation whose recap takes several pieces."""
    lines = home / "story.txt"
    home.mkdir(exist_ok=True)
    text = "The lamp was lit at dusk. " * 12
    lines.write_text("\n\n".join(f"{number}. {text}" for number in range(80)), encoding="utf-8")
    story = str(inside(home, "import", str(lines))["conversation"])
    inside(home, "settings", "set", story, "context", "2048")
    return story


def until(process: subprocess.Popen[bytes], word: bytes) -> None:
    """Wait until the process says a word on standard error."""
    assert process.stderr is not None
    for line in process.stderr:
        if word in line:
            return
    raise AssertionError(f"it ended without saying {word!r}")


def test_ctrl_c_in_a_recap_keeps_the_pieces_that_were_made(tmp_path: Path) -> None:
    story = long_story(tmp_path)
    with subprocess.Popen(
        [sys.executable, str(HERE / "pausing.py"), "recap", story, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    ) as process:
        until(process, b"waiting")
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, stdout) == (130, b"")
    assert stderr.decode() == "Stopped. 1 summary of this run is kept; undo takes it back.\n"
    assert [one["state"] for one in inside(tmp_path, "summary", "list", story)] == ["in_use"]
    assert inside(tmp_path, "verify")["ok"]
    assert inside(tmp_path, "undo", story)["kind"] == "recap"
    assert inside(tmp_path, "summary", "list", story) == []


def test_a_worker_that_a_service_manager_ends_gives_its_job_back(tmp_path: Path) -> None:
    story = long_story(tmp_path)
    inside(tmp_path, "settings", "set", story, "mode", "balanced")
    with subprocess.Popen(
        [sys.executable, str(HERE / "pausing.py"), "worker"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    ) as process:
        until(process, b"waiting")
        assert [job["state"] for job in inside(tmp_path, "jobs", "--all")] == ["running"]
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == -signal.SIGTERM
    assert [job["state"] for job in inside(tmp_path, "jobs", "--all")] == ["waiting"]
    assert inside(tmp_path, "verify")["ok"]


def test_ctrl_c_while_a_text_is_typed_changes_nothing(tmp_path: Path) -> None:
    inside(tmp_path, "new", "Lamp")
    terminal, typed = pty.openpty()
    try:
        with subprocess.Popen(
            command("turn", "append", "Lamp", "--text", "-"),
            stdin=typed,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(tmp_path),
        ) as process:
            until(process, b"Ctrl-D")
            process.send_signal(signal.SIGINT)
            stdout, stderr = process.communicate(timeout=PATIENCE_SECONDS)
    finally:
        os.close(typed)
        os.close(terminal)
    assert (process.returncode, stdout) == (130, b"")
    assert stderr.startswith(b"Stopped. ")
    assert inside(tmp_path, "turn", "list", "Lamp") == []


def test_a_bug_is_one_line_and_says_how_to_find_it(tmp_path: Path) -> None:
    program = [sys.executable, str(HERE / "failing.py"), "list"]
    plain = subprocess.run(program, capture_output=True, env=environment(tmp_path), check=False)
    assert (plain.returncode, plain.stdout) == (1, b"")
    (line,) = plain.stderr.decode().splitlines()
    assert "ZeroDivisionError: one of us is wrong" in line
    assert "FOREWORD_TRACEBACK=1" in line
    traced = subprocess.run(
        [*program, "--json"],
        capture_output=True,
        env=environment(tmp_path, {"FOREWORD_TRACEBACK": "1"}),
        check=False,
    )
    assert b"Traceback" in traced.stderr
    assert b'{"error": {"type": "ZeroDivisionError"' in traced.stderr.splitlines()[-1]


def test_a_file_where_the_folder_should_be_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("mine", encoding="utf-8")
    code, failure = error(path, "list")
    assert (code, failure["type"]) == (7, "StoreReadOnly")
    assert "--data-dir" in failure["message"]
    assert path.read_text("utf-8") == "mine"


def test_a_folder_that_cannot_be_made_is_refused() -> None:
    nowhere = Path("/proc/no/such/folder")
    if not nowhere.parents[2].is_dir():
        pytest.skip("this system has no /proc")
    code, failure = error(nowhere, "new", "Lamp")
    assert (code, failure["type"]) == (7, "StoreReadOnly")


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "foreword.db").write_text("my diary" * 1000, encoding="utf-8")
    code, failure = error(tmp_path, "list")
    assert (code, failure["type"]) == (7, "StoreDamaged")
    assert (tmp_path / "foreword.db").read_text("utf-8") == "my diary" * 1000


@pytest.mark.parametrize("words", [["list"], ["new", "Bell"], ["turn", "append", "Lamp"]])
@pytest.mark.parametrize("filled", [False, True])
def test_a_read_only_folder_is_named_with_what_to_do(
    words: list[str], filled: bool, public_folder: Path
) -> None:
    home = public_folder / "home"
    home.mkdir()
    if filled:
        inside(home, "new", "Lamp")
        (home / "foreword.db").chmod(0o444)
    before = {path.name: path.read_bytes() for path in home.iterdir()}
    home.chmod(0o555)
    text = ["--text", "x"] if "append" in words else []
    done = subprocess.run(
        [sys.executable, str(HERE / "unprivileged.py"), *words, *text, "--json"],
        capture_output=True,
        env=environment(home),
        check=False,
    )
    home.chmod(0o755)
    assert (done.returncode, done.stdout) == (7, b""), done.stderr
    assert b'"type": "StoreReadOnly"' in done.stderr
    assert b"--data-dir" in done.stderr
    assert {path.name: path.read_bytes() for path in home.iterdir()} == before


@pytest.mark.parametrize("words", [["list"], ["list", "--json"]])
def test_output_that_cannot_be_written_is_no_bug(words: list[str], tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    with full.open("wb") as nowhere:
        done = subprocess.run(
            command(*words),
            stdout=nowhere,
            stderr=subprocess.PIPE,
            env=environment(tmp_path),
            check=False,
        )
    assert done.returncode == 1
    assert b"The output cannot be written: No space left on device." in done.stderr
    assert b"Traceback" not in done.stderr


def smaller_files() -> None:
    """Let every write beyond a size fail, as on a disk that is full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL_FILE, SMALL_FILE))


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    inside(tmp_path, "new", "Lamp")
    inside(tmp_path, "turn", "append", "Lamp", "--text", "It was dusk.")
    big = "The lamp was lit again. " * 40_000
    done = subprocess.run(
        command("turn", "append", "Lamp", "--text", "-", "--json"),
        input=big.encode(),
        capture_output=True,
        env=environment(tmp_path),
        preexec_fn=smaller_files,
        check=False,
    )
    assert (done.returncode, done.stdout) == (7, b"")
    assert b'{"error": {"type": "Store' in done.stderr
    assert [one["text"] for one in inside(tmp_path, "turn", "list", "Lamp")] == ["It was dusk."]
    assert inside(tmp_path, "verify")["ok"]
    assert inside(tmp_path, "turn", "append", "Lamp", "--text", big)["order"] == 2
