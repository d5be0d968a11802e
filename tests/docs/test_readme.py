"""What the README shows is what the repository has."""

import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
EXAMPLE = ROOT / "examples" / "ten_lines.py"
STORY = files("foreword") / "data" / "lantern_road" / "lantern-road.jsonl"
MAX_LINES = 150


def test_the_readme_shows_the_example_that_is_run() -> None:
    _, start, rest = EXAMPLE.read_text("utf-8").partition("# --8<-- [start:lines]\n")
    shown, end, _ = rest.partition("# --8<-- [end:lines]\n")
    assert start
    assert end
    assert f"```python\n{shown}```\n" in README


def test_the_example_of_the_readme_prints_the_proof_and_the_messages(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), str(STORY), str(tmp_path / "memory")],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    proof, *messages = done.stdout.splitlines()
    assert "turns=266" in proof
    assert [line for line in messages if line.startswith("system: ")] != []
    assert [line for line in messages if line.startswith("user: ")] != []


def test_the_readme_can_be_read_in_one_sitting() -> None:
    assert len(README.splitlines()) <= MAX_LINES
