"""Lives of processes as tests ask for them, see `victim`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.integration.crash.victim import Death, Life

ROOT = Path(__file__).parents[3]


class Victims:
    """The program whose children work and are killed."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.integration.crash.victim"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def live(self, *lives: Life) -> list[Death]:
        """Let processes live at the same time; return how each ended."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(lives) + "\n")
        self.process.stdin.flush()
        deaths: list[Death] = json.loads(self.process.stdout.readline())
        return deaths

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        assert self.process.wait(60) == 0


def life(deed: str, database: Path, *, seed: int = 0, statements: int = 0) -> Life:
    return life_at(deed, str(database), log_of(database, seed), seed=seed, statements=statements)


def life_at(deed: str, place: str, log: Path, *, seed: int = 0, statements: int = 0) -> Life:
    return {
        "deed": deed,
        "database": place,
        "log": str(log),
        "seed": seed,
        "statements": statements,
    }


def log_of(database: Path, seed: int = 0) -> Path:
    return database.with_name(f"{seed}.log")


def said(database: Path, seed: int = 0) -> list[str]:
    """Return the commands that the process told us were done."""
    return log_of(database, seed).read_text("utf-8").splitlines()
