"""The command line on an engine that a test holds in its hand."""

import json
from dataclasses import dataclass, field
from typing import Any

from typer.testing import CliRunner, Result

from foreword.cli.call import Call
from foreword.cli.main import app
from foreword.engine.context import Engine
from foreword.ports.summariser import Summariser
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore

AT = "2026-01-01T00:00:00+00:00"
"""What the engine's clock shows."""


@dataclass(slots=True)
class Door:
    engine: Engine = field(default_factory=lambda: engine_on(MemoryStore()))

    def run(self, *words: str, text: str | bytes | None = None, width: int = 100) -> Result:
        """Run a command; text goes to its standard input."""
        environment = {"COLUMNS": str(width), "NO_COLOR": "1"}
        call = Call(lambda *_: self.engine)
        return CliRunner().invoke(app, list(words), input=text, obj=call, env=environment)

    def says(self, *words: str, text: str | bytes | None = None, width: int = 100) -> str:
        """Run a command that has to succeed and return its standard output."""
        result = self.run(*words, text=text, width=width)
        assert result.exit_code == 0, result.output
        return result.stdout

    def json(self, *words: str, text: str | bytes | None = None) -> Any:
        """Run a command that has to succeed with `--json` and return its document."""
        return json.loads(self.says(*words, "--json", text=text))

    def error(self, *words: str, text: str | bytes | None = None) -> tuple[int, Any]:
        """Run a command that has to fail with `--json`; return its code and its error."""
        result = self.run(*words, "--json", text=text)
        assert result.stdout == ""
        return result.exit_code, json.loads(result.stderr.splitlines()[-1])["error"]


def door(*, summariser: Summariser | None = None) -> Door:
    return Door(engine_on(MemoryStore(), summariser=summariser))


def story(turns: int, *, words: int = 1, title: str = "Lamp") -> Door:
    """Return a door to one conversation, `c1`, of turns `t1`, `t2` and so on, user first."""
    opened = door()
    opened.says("new", title)
    for number in range(1, turns + 1):
        role = "user" if number % 2 else "assistant"
        text = " ".join([f"t{number}", *(["w"] * (words - 1))])
        opened.says("turn", "append", "c1", "--role", role, "--text", text)
    return opened


def summary(**changes: object) -> dict[str, object]:
    """Return the JSON of the first summary of a story of `t1` to `t4`, but for the changes."""
    return {
        "id": 1,
        "turn_id": 4,
        "order": 4,
        "layer": 0,
        "generation_depth": 1,
        "tokens": 1,
        "state": "in_use",
        "text": "sum(t1,t2,t3,t4)",
        "reasoning": "",
        "replaced": None,
        "sources": {"turns": [1, 2, 3, 4]},
        "from_order": 1,
        "source_tokens": 20,
        "maker": "echo-1",
        "scene_time": "",
        **changes,
    }


def turn(number: int, **changes: object) -> dict[str, object]:
    """Return the JSON of a turn of a story, but for the changes."""
    role = "user" if number % 2 else "assistant"
    return {
        "id": number,
        "order": number,
        "role": role,
        "speaker": role,
        "text": f"t{number}",
        "tokens": 1,
        "hidden": False,
        "pinned": False,
        "alternatives": [1],
        "alternative": 1,
        "reasoning": "",
        "sent_at": AT,
        **changes,
    }
