"""The `foreword` program: all commands, and what happens when one fails or is stopped.

Above: the console script and `python -m foreword`. Below: one module for each group of commands.
"""

from __future__ import annotations

import io
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from foreword import __version__
from foreword.cli import (
    branches,
    conversations,
    databases,
    demo,
    files,
    journal,
    maintaining,
    memory,
    memory_commands,
    memory_log,
    prompts,
    rebuilds,
    recaps,
    routes,
    searching,
    serving,
    settings,
    spending,
    summaries,
    templates,
    turns,
    upstreams,
    writing,
)
from foreword.cli.call import AsJson, Call, Database, DataDir, Opener
from foreword.cli.exits import ExitCode, report, report_json, table_of_codes
from foreword.cli.printing import note
from foreword.errors import ForewordError

if TYPE_CHECKING:
    from foreword.engine.context import Engine

TRACEBACK_VARIABLE = "FOREWORD_TRACEBACK"

_UsageError: type[Exception] = typer.BadParameter.__mro__[1]
"""Typer has its own copy of this class of click's, under no public name."""


class Program(TyperGroup):
    """The root of the command line: reports failures instead of raising them."""

    # typing.override needs Python 3.12, and the contexts are typer's own type.
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # type: ignore[explicit-override]  # noqa: ANN401
        """Remember whether JSON was asked for, so that a wrong command line answers in it too."""
        ctx.meta["foreword.json"] = "--json" in args
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:  # type: ignore[explicit-override]  # noqa: ANN401
        """Run the command and turn what it raises into a message and an exit code."""
        try:
            return super().invoke(ctx)
        except ForewordError as error:
            code = report(error, as_json=ctx.obj.json, kept=ctx.obj.kept)
            raise typer.Exit(code) from error
        except KeyboardInterrupt as error:
            note(f"Stopped. {ctx.obj.kept or 'Nothing was changed by what was under way.'}")
            raise typer.Exit(ExitCode.INTERRUPTED) from error
        except _UsageError as error:
            if not ctx.meta["foreword.json"]:
                raise
            report_json("UsageError", getattr(error, "format_message", error.__str__)())
            raise typer.Exit(ExitCode.USAGE) from error


app = typer.Typer(
    cls=Program,
    name="foreword",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\n" + table_of_codes(),
)
TOP = (demo, conversations, files, recaps, prompts, writing, maintaining, journal, searching)
for module in (*TOP, spending, serving):
    module.add_to(app)
rebuilds.add_to(summaries.app)
memory_commands.add_to(memory.app)
memory_log.add_to(memory.app)
for module_with_group in (
    summaries,
    memory,
    turns,
    branches,
    templates,
    settings,
    routes,
    upstreams,
    databases,
):
    app.add_typer(module_with_group.app)


def _version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"foreword {__version__}\n")
        raise typer.Exit


@app.callback()
def root(
    ctx: typer.Context,
    json: AsJson = False,
    data_dir: DataDir = None,
    database: Database = None,
    version: Annotated[  # noqa: ARG001 - its callback answers
        bool, typer.Option("--version", is_eager=True, callback=_version, help="Say which it is.")
    ] = False,
) -> None:
    """Keep long conversations inside a model's context without losing them."""
    call = ctx.obj if isinstance(ctx.obj, Call) else Call(open_engine)
    call.json, call.data_dir, call.database = json, data_dir, database
    ctx.obj = call
    ctx.call_on_close(call.close)


def open_engine(data_dir: Path | None, database: str | None) -> Engine:
    """Open the engine on a data folder or a database; loads the database only now."""
    from foreword.bootstrap import open_engine as opened

    return opened(data_dir, database=database)


def main(arguments: Sequence[str] | None = None, *, opener: Opener = open_engine) -> NoReturn:
    """Run the command line and leave with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        app(args=given, prog_name="foreword", obj=Call(opener))
    except OSError as error:
        _report_output(error, as_json="--json" in given)
    except Exception as error:  # noqa: BLE001 - the outermost door: nothing may end in a traceback
        _report_bug(error, as_json="--json" in given)
    sys.exit(ExitCode.PROBLEM)


def _report_output(error: OSError, *, as_json: bool) -> None:
    """Say that the terminal, pipe or file behind standard output takes no more."""
    message = (
        f"The output cannot be written: {error.strerror or error}. What the command did before is "
        "kept; free some space or choose another place for the output."
    )
    if as_json:
        report_json(type(error).__name__, message)
    else:
        note(f"Error: {message}")


def _report_bug(error: Exception, *, as_json: bool) -> None:
    message = (
        f"Foreword has a bug: {type(error).__name__}: {error}. What was committed before is kept. "
        f"Run it again with {TRACEBACK_VARIABLE}=1 to see where, and report it."
    )
    if os.environ.get(TRACEBACK_VARIABLE):
        logging.getLogger("foreword").error("unexpected", exc_info=error)
    if as_json:
        report_json(type(error).__name__, message)
    else:
        note(f"Error: {message}")
