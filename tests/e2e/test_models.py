"""Models through the real program: routes, summaries, replies, keys and costs."""

from __future__ import annotations

import os
import pty
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.program import PATIENCE_SECONDS, answer, command, environment, error, inside, run
from tests.integration.engine.stage import GOOD, REFUSAL, STORY

from foreword.testing.model_server import ModelServer, Reset, Say, SayThenHang, Status

ROOT = Path(__file__).parents[2]
ANSWER = "Mara runs to the water before he has finished."
BEGUN = "Mara runs to the water"
QUESTION = "Continue generation without those summaries? [y/n]"


def ferry(home: Path, server: ModelServer, *options: str) -> None:
    """Make the story, and give `chat` the server."""
    inside(home, "new", "Ferry")
    for number, text in enumerate(STORY):
        role = "assistant" if number % 2 else "user"
        inside(home, "turn", "append", "Ferry", "--role", role, "--text", text)
    words = ("--url", server.url, "--model", "fake", "--retries", "0", *options)
    inside(home, "routes", "set", "chat", *words)


def texts(home: Path) -> list[str]:
    return [turn["text"] for turn in inside(home, "turn", "list", "Ferry")]


def typed(home: Path, words: list[str], prompt: bytes, line: bytes) -> tuple[int, bytes, bytes]:
    """Run a command in a terminal, type a line at its prompt; return code, output, screen."""
    terminal, side = pty.openpty()
    process = subprocess.Popen(
        command(*words),
        stdin=side,
        stdout=subprocess.PIPE,
        stderr=side,
        env=environment(home),
        start_new_session=True,
    )
    os.close(side)
    screen = b""
    with process:
        assert process.stdout is not None
        while prompt not in screen:
            screen += os.read(terminal, 4096)
        os.write(terminal, line)
        output = process.stdout.read()
        process.wait(timeout=PATIENCE_SECONDS)
    try:
        while found := os.read(terminal, 4096):
            screen += found
    except OSError:
        pass  # the other side is closed
    os.close(terminal)
    return process.returncode, output, screen


def test_a_route_is_set_tried_and_used_and_what_it_cost_is_told(tmp_path: Path) -> None:
    script = [
        Say("One, two, three, four, five."),
        Say(GOOD),
        Say(ANSWER, reasoning="She would run."),
    ]
    with ModelServer(script, context=16384) as server:
        ferry(tmp_path, server, "--price-in", "1", "--price-out", "2")
        tried = answer(tmp_path, "routes", "test", "chat")
        assert (tried["ok"], tried["context"], tried["usage_reported"]) == (True, 16384, True)
        assert tried["streams"]
        assert tried["price"] == {"in": 1.0, "out": 2.0}

        made = run(tmp_path, "summary", "make", "Ferry", "--through", "6")
        assert made.returncode == 0, made.stderr.decode()
        assert made.stderr.decode() == f"{GOOD}\n"
        assert GOOD in made.stdout.decode()

        written = run(tmp_path, "write", "Ferry", "And Mara?")
        assert written.returncode == 0, written.stderr.decode()
        assert written.stdout.decode() == f"{ANSWER}\n"
        assert written.stderr.decode() == "She would run.\n"
        assert server.completed == 3
    assert texts(tmp_path)[-2:] == ["And Mara?", ANSWER]
    assert inside(tmp_path, "status", "Ferry")["context_source"] == "route"
    spent = inside(tmp_path, "cost", "Ferry")
    words = len(ANSWER.split()) + 3
    assert (spent["chat"]["calls"], spent["memory"]["calls"]) == (1, 1)
    assert (spent["chat"]["tokens_out"], spent["chat"]["money"]) == (words, 100 + 2 * words)
    assert spent["today"] > spent["total"]["money"]
    assert answer(tmp_path, "verify")["ok"]


def test_ctrl_c_stops_the_server_at_once_and_keeps_what_was_written(tmp_path: Path) -> None:
    with ModelServer([SayThenHang(BEGUN)]) as server:
        ferry(tmp_path, server)
        with subprocess.Popen(
            command("write", "Ferry", "And Mara?"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(tmp_path),
        ) as process:
            assert process.stdout is not None
            shown = process.stdout.read(len(BEGUN))
            process.send_signal(signal.SIGINT)
            rest, stderr = process.communicate(timeout=PATIENCE_SECONDS)
        assert server.hung_up.wait(PATIENCE_SECONDS)
    assert (process.returncode, shown + rest) == (130, f"{BEGUN}\n".encode())
    assert stderr.decode() == (
        "Stopped. What you said and what the model wrote until then is kept; "
        "one undo takes it back.\n"
    )
    assert texts(tmp_path)[-2:] == ["And Mara?", BEGUN]
    assert [row["outcome"] for row in inside(tmp_path, "cost", "Ferry", "--calls")] == ["stopped"]


def test_ctrl_c_before_the_reply_begins_keeps_what_was_said(tmp_path: Path) -> None:
    with ModelServer([SayThenHang()]) as server:
        ferry(tmp_path, server)
        with subprocess.Popen(
            command("write", "Ferry", "And Mara?"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(tmp_path),
        ) as process:
            assert server.wait_for(1)
            process.send_signal(signal.SIGINT)
            stdout, stderr = process.communicate(timeout=PATIENCE_SECONDS)
        assert server.hung_up.wait(PATIENCE_SECONDS)
    assert (process.returncode, stdout) == (130, b"")
    assert stderr == b"Stopped. What you said is kept; the model had written nothing yet.\n"
    assert texts(tmp_path)[-1] == "And Mara?"


def test_a_reply_that_nobody_reads_any_more_is_kept_whole(tmp_path: Path) -> None:
    long = " ".join([ANSWER] * 50)
    with ModelServer([Say(long)]) as server:
        ferry(tmp_path, server)
        with subprocess.Popen(
            command("write", "Ferry"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(tmp_path),
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            said = process.stderr.read()
            process.wait(timeout=PATIENCE_SECONDS)
    assert b"bug" not in said
    assert texts(tmp_path)[-1] == long


def test_ctrl_c_in_a_summary_changes_nothing(tmp_path: Path) -> None:
    with ModelServer([SayThenHang(BEGUN)]) as server:
        ferry(tmp_path, server)
        with subprocess.Popen(
            command("summary", "make", "Ferry", "--through", "6"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(tmp_path),
        ) as process:
            assert process.stderr is not None
            process.stderr.read(len(BEGUN))
            process.send_signal(signal.SIGINT)
            stdout, stderr = process.communicate(timeout=PATIENCE_SECONDS)
        assert server.hung_up.wait(PATIENCE_SECONDS)
    assert (process.returncode, stdout) == (130, b"")
    assert stderr.decode() == "\nStopped. Nothing was changed by what was under way.\n"
    assert inside(tmp_path, "summary", "list", "Ferry", "--all") == []


@pytest.mark.parametrize(
    ("broken", "kind"),
    [
        (Status(401, "bad key"), "KeyRejected"),
        (Status(404, "no such model"), "ModelUnknown"),
        (Status(503, "busy"), "ModelOverloaded"),
        (Status(200, "x", content_type="text/html"), "AnswerUnreadable"),
        (Reset(), "ModelUnreachable"),
    ],
)
def test_a_test_says_what_is_wrong_with_a_route(
    broken: Status | Reset, kind: str, tmp_path: Path
) -> None:
    with ModelServer([broken]) as server:
        ferry(tmp_path, server)
        done = run(tmp_path, "routes", "test", "chat")
        assert (done.returncode, done.stderr) == (8, b"")
        assert "It does not work. Route 'chat': " in done.stdout.decode()
        code, failure = error(tmp_path, "write", "Ferry")
        assert (code, failure["type"]) == (8, kind)


def test_what_the_gates_refuse_never_becomes_a_summary(tmp_path: Path) -> None:
    with ModelServer([Say(REFUSAL)]) as server:
        ferry(tmp_path, server)
        code, failure = error(tmp_path, "summary", "make", "Ferry", "--through", "6")
    assert (code, failure["type"], failure["raw"]) == (8, "SummaryUnusable", REFUSAL)
    assert inside(tmp_path, "summary", "list", "Ferry", "--all") == []
    kept = inside(tmp_path, "cost", "Ferry", "--call", str(failure["call"]))
    assert kept["raw"] == REFUSAL


def test_a_key_is_typed_unseen_sent_and_never_shown(tmp_path: Path) -> None:
    key = "sk-secret-1"
    with ModelServer([Say("One, two.")]) as server:
        ferry(tmp_path, server)
        words = ["routes", "set", "chat", "--ask-key"]
        code, output, screen = typed(tmp_path, words, b"not shown", f"{key}\n".encode())
        assert code == 0, screen.decode()
        assert key.encode() not in output + screen
        assert answer(tmp_path, "routes", "test", "chat")["ok"]
        sent = {name.lower(): value for name, value in server.requests[-1].headers.items()}
        assert sent["authorization"] == f"Bearer {key}"
    (path,) = (tmp_path / "keys").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert key.encode() not in (tmp_path / "foreword.db").read_bytes()


@pytest.mark.parametrize(("line", "code", "turns"), [(b"y\n", 0, 8), (b"what\nno\n", 4, 6)])
def test_in_a_terminal_the_question_about_summaries_waits_for_an_answer(
    line: bytes, code: int, turns: int, tmp_path: Path
) -> None:
    with ModelServer([Say(GOOD), Say(ANSWER)]) as server:
        ferry(tmp_path, server)
        inside(tmp_path, "summary", "make", "Ferry", "--through", "6")
        inside(tmp_path, "turn", "edit", "Ferry", "2", "--text", "Tobin says no.")
        words = ["write", "Ferry", "And Mara?"]
        found, output, screen = typed(tmp_path, words, QUESTION.encode(), line)
    assert found == code, screen.decode()
    assert output.decode() == (f"{ANSWER}\n" if code == 0 else "")
    assert len(texts(tmp_path)) == turns


@pytest.mark.parametrize("words", [["--help"], ["routes", "set", "--help"], ["list"], ["status"]])
def test_what_asks_no_model_loads_nothing_that_speaks_to_one(
    words: list[str], tmp_path: Path
) -> None:
    with ModelServer() as server:
        ferry(tmp_path, server)
    program = (
        "import sys\n"
        "from foreword.cli.main import main\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as left:\n"
        "    assert left.code == 0, left.code\n"
        "heavy = {'anthropic', 'genai_prices', 'httpx2', 'openai', 'pydantic_ai', 'tenacity'}\n"
        "assert heavy.isdisjoint(sys.modules), heavy & sys.modules.keys()\n"
    )
    named = [*words, "Ferry"] if words == ["status"] else words
    done = subprocess.run(
        [sys.executable, "-c", program, *named],
        capture_output=True,
        env=environment(tmp_path),
        check=False,
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")


def test_the_example_of_the_library_page_runs(tmp_path: Path) -> None:
    story = tmp_path / "story.txt"
    story.write_text("\n\n".join(STORY), encoding="utf-8")
    with ModelServer([Say("The lamp stands in the window.")], context=8192) as server:
        done = subprocess.run(
            [
                sys.executable,
                str(ROOT / "examples" / "with_a_model.py"),
                str(story),
                str(tmp_path / "memory"),
                server.url,
                "fake",
            ],
            capture_output=True,
            env=environment(tmp_path),
            check=False,
        )
    assert (done.returncode, done.stderr.decode()) == (0, "")
    written, turn, spent = done.stdout.decode().splitlines()
    assert written == "The lamp stands in the window."
    assert turn.startswith("turn 3, ")
    assert spent == "calls for chat: 1, for memory: 0"
