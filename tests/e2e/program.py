"""The real program in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from foreword.cli.main import app

PATIENCE_SECONDS = 100


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "foreword", *words]


def environment(home: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "FOREWORD_TRACEBACK"}
    return {**kept, "FOREWORD_HOME": str(home), "NO_COLOR": "1", **(more or {})}


def run(
    home: Path,
    *words: str,
    stdin: bytes = b"",
    more: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run a command on a data folder and wait for its end."""
    return subprocess.run(
        command(*words),
        input=stdin,
        capture_output=True,
        env=environment(home, more),
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def answer(home: Path, *words: str, stdin: bytes = b"") -> Any:
    """Run a command that has to succeed with `--json` and return its document."""
    done = run(home, *words, "--json", stdin=stdin)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def inside(home: Path, *words: str) -> Any:
    """Answer like `answer`, but without a process for each command: for long journeys."""
    words = (*words, "--json", "--data-dir", str(home))
    done = CliRunner().invoke(app, words, catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def error(home: Path, *words: str) -> tuple[int, Any]:
    """Run a command that has to fail with `--json`; return its code and its error."""
    done = run(home, *words, "--json")
    assert done.stdout == b""
    return done.returncode, json.loads(done.stderr.decode().splitlines()[-1])["error"]
