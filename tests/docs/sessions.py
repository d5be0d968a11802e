"""Runs what pages show, as a reader would: in one fresh folder, one command after another.

`foreword` runs in this process, everything else in bash. Addresses that a page names stand for
servers of ours: a model's, and a PostgreSQL database.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, chdir, contextmanager, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from string import Template
from types import TracebackType

from tests.docs.model import refusing_model, working_model
from tests.docs.pages import ROOT, Block, Command
from tests.postgres import drop_database, new_database
from typer.testing import CliRunner

from foreword.cli.main import app

MODELS = {
    "http://localhost:8080/v1": working_model,
    "http://localhost:8081/v1": refusing_model,
}
DATABASE_URL = "postgresql://ann@db.example/stories"
HOME = "/home/ann/foreword"
"""How pages show the data folder."""
WIDTH = "80"
AT_HAND = ("src", "examples")
"""What a reader has who stands in the folder of the repository."""

_PLAIN = re.compile(
    r"foreword(?: [^|&;<>$`*~()\\]*)?(?: <<'(?P<end>\w+)'\n(?P<text>.*)\n(?P=end))?", re.DOTALL
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """What a command printed, on both streams as a terminal shows them, and how it ended."""

    text: str
    code: int


@dataclass(slots=True)
class Session:
    """A reader at work on one page; use it in a `with` block."""

    folder: Path
    page: str
    """The text of the page: which servers it needs."""
    values: dict[str, str] = field(default_factory=dict)
    """Variables of the environment, as far as they are the page's."""
    names: dict[str, object] = field(default_factory=lambda: {"__name__": "__main__"})
    """What the Python blocks have defined."""
    last_code: int = 0
    _here: Path = Path()
    _servers: ExitStack = field(default_factory=ExitStack)
    _addresses: dict[str, str] = field(default_factory=dict)

    def __enter__(self) -> Session:
        self._here = self.folder / "work"
        self._here.mkdir()
        for name in AT_HAND:
            (self._here / name).symlink_to(ROOT / name)
        self.values = {
            "FOREWORD_HOME": str(self.folder / "home"),
            "FOREWORD_DATABASE": "",
            "COLUMNS": WIDTH,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }
        for named, model in MODELS.items():
            if named in self.page:
                self._addresses[named] = self._servers.enter_context(model()).url
        self._addresses[HOME] = self.values["FOREWORD_HOME"]
        if DATABASE_URL in self.page:
            database = new_database(empty=True)
            self._servers.callback(drop_database, database)
            self._addresses[DATABASE_URL] = database
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._servers.close()

    def run(self, command: Command) -> Printed:
        """Run a command of a console block."""
        text = self._given(command.text)
        plain = _PLAIN.fullmatch(text)
        exported = re.fullmatch(r"export (\w+)=(.*)", text)
        if exported:
            known = {**os.environ, **self.values, "PWD": str(self._here)}
            value = "".join(shlex.split(exported[2]))
            self.values[exported[1]] = Template(value).safe_substitute(known)
            done = Printed(text="", code=0)
        elif plain:
            line, _, _ = text.partition(" <<'")
            done = self._foreword(shlex.split(line, comments=True)[1:], plain["text"])
        else:
            done = self._bash(text)
        self.last_code = done.code
        return Printed(text=self._shown(done.text), code=done.code)

    def run_python(self, block: Block) -> str:
        """Run a Python block after those before it and return what it prints."""
        printed = StringIO()
        code = compile(self._given("\n".join(block.lines)), "block", "exec")
        with self._outside(), redirect_stdout(printed):
            exec(code, self.names)
        return self._shown(printed.getvalue())

    def _foreword(self, words: list[str], text: str | None) -> Printed:
        with self._outside():
            typed = None if text is None else text + "\n"
            done = CliRunner().invoke(app, words, input=typed, prog_name="foreword")
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Printed(text=done.output, code=done.exit_code)

    def _bash(self, text: str) -> Printed:
        script = f"(exit {self.last_code})\n{text}"
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=self._here,
            env={**os.environ, **self.values},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )
        return Printed(text=done.stdout, code=done.returncode)

    @contextmanager
    def _outside(self) -> Iterator[None]:
        """Stand in the reader's folder, with the reader's environment."""
        before = dict(os.environ)
        os.environ.update(self.values)
        try:
            with chdir(self._here):
                yield
        finally:
            os.environ.clear()
            os.environ.update(before)

    def _given(self, text: str) -> str:
        for named, real in self._addresses.items():
            text = text.replace(named, real)
        return text

    def _shown(self, text: str) -> str:
        for named, real in self._addresses.items():
            text = text.replace(real, named)
        return text
