"""A call of a command: what every command needs, and how commands are registered.

Above: the modules with commands. Below: typer. Every command takes `--json`, `--data-dir` and
`--database`, before or after its name; `register` adds them, so that no command repeats them.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar, get_type_hints

import typer

from foreword.cli.printing import note, write_json

if TYPE_CHECKING:
    from foreword.engine.context import Engine, Place  # noqa: TC004 - only dataclass sees it, unread

Opener = Callable[[Path | None, str | None], "Engine"]
"""Opens the engine on what `--data-dir` and `--database` name."""
Command = TypeVar("Command", bound=Callable[..., None])

KEYWORD = inspect.Parameter.KEYWORD_ONLY
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
DataDir = Annotated[
    Path | None,
    typer.Option(
        "--data-dir",
        metavar="FOLDER",
        help="Where conversations are kept, instead of FOREWORD_HOME or the user's data folder.",
    ),
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        help="A SQLite file or a postgresql:// address, instead of FOREWORD_DATABASE or the "
        "file in the data folder.",
    ),
]


@dataclass(slots=True)
class Call:
    """One call of the command line."""

    opener: Opener
    json: bool = False
    data_dir: Path | None = None
    database: str | None = None
    kept: str = ""
    """What stays when the call is stopped now; empty when it is nothing."""
    opened: Engine | None = None

    @property
    def engine(self) -> Engine:
        """The engine, opened when it is first needed."""
        if self.opened is None:
            self.opened = self.opener(self.data_dir, self.database)
        return self.opened

    def place(self, conversation: str, branch: str | None = None) -> Place:
        """Return what a conversation and, perhaps, a branch reference name."""
        from foreword.engine.references import find_place

        return find_place(self.engine, conversation, branch)

    def answer(self, document: object, people: Callable[[], None]) -> None:
        """Print a result: a JSON document for programs, or what `people` prints."""
        if self.json:
            write_json(document)
        else:
            people()
        # A full disk behind standard output is to be met here, not when Python shuts down.
        sys.stdout.flush()

    def close(self) -> None:
        """Let go of the database."""
        if self.opened is not None:
            self.opened.store.close()
            self.opened = None


def register(app: typer.Typer, name: str | None = None) -> Callable[[Command], Command]:
    """Make a function a command; its first parameter is the `Call`, its docstring the help.

    A parameter whose type is a dataclass stands for options, one for each of its fields.
    """

    def decorate(function: Command) -> Command:
        hints = get_type_hints(function, include_extras=True)
        _, *own = inspect.signature(function).parameters.values()
        groups = {one.name: hints[one.name] for one in own if is_dataclass(hints[one.name])}

        def run(ctx: typer.Context, **given: object) -> None:
            call = _call(ctx)
            call.json = bool(given.pop("json")) or call.json
            data_dir = given.pop("data_dir")
            call.data_dir = data_dir if isinstance(data_dir, Path) else call.data_dir
            database = given.pop("database")
            call.database = database if isinstance(database, str) else call.database
            for group, kind in groups.items():
                given[group] = kind(**{one.name: given.pop(one.name) for one in fields(kind)})
            function(call, **given)

        parameters = [
            inspect.Parameter("ctx", KEYWORD, annotation=typer.Context),
            *(part for one in own for part in _parts(one, hints[one.name])),
            inspect.Parameter("json", KEYWORD, annotation=AsJson, default=False),
            inspect.Parameter("data_dir", KEYWORD, annotation=DataDir, default=None),
            inspect.Parameter("database", KEYWORD, annotation=Database, default=None),
        ]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        run.__doc__ = function.__doc__
        run.__name__ = function.__name__
        app.command(name)(run)
        return function

    return decorate


def _parts(parameter: inspect.Parameter, hint: object) -> Iterator[inspect.Parameter]:
    """Yield a parameter, or those that the fields of its dataclass are."""
    if not (isinstance(hint, type) and is_dataclass(hint)):
        yield parameter.replace(kind=KEYWORD, annotation=hint)
        return
    hints = get_type_hints(hint, include_extras=True)
    for one in fields(hint):
        yield inspect.Parameter(one.name, KEYWORD, annotation=hints[one.name], default=one.default)


def read_text(option: str) -> str:
    """Return the text of a `--text` option; `-` reads standard input.

    One line break at the end of the input belongs to the pipe, not to the text.
    """
    if option != "-":
        return option
    from foreword.formats.decoding import decode

    if sys.stdin.isatty():
        note("Reading the text from the terminal; end it with Ctrl-D.")
    return without_line_end(decode(sys.stdin.buffer.read()).text)


def without_line_end(text: str) -> str:
    """Return `text` without the line break at its end, if there is one."""
    for ending in ("\r\n", "\n", "\r"):
        if text.endswith(ending):
            return text[: -len(ending)]
    return text


def _call(ctx: typer.Context) -> Call:
    call = ctx.obj
    if not isinstance(call, Call):
        raise TypeError("the root of the command line makes the call")
    return call
