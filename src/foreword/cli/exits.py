"""Exit codes, and how a failure is reported: one line for people, one JSON object for programs.

Above: `main` and the commands that go on after a failure. Below: `errors`.
"""

from __future__ import annotations

import json
from enum import IntEnum

from foreword.cli.printing import note
from foreword.errors import (
    AmbiguousReference,
    BudgetError,
    ConflictError,
    ForewordError,
    InputError,
    ModelError,
    NotFound,
    StoreError,
)


class ExitCode(IntEnum):
    """What a command's exit code means; `docs/reference/exit-codes.md` lists the same."""

    OK = 0
    PROBLEM = 1
    USAGE = 2
    NOT_FOUND = 3
    REFUSED = 4
    CONFLICT = 5
    DOES_NOT_FIT = 6
    STORE = 7
    MODEL = 8
    INTERRUPTED = 130


MEANINGS = {
    ExitCode.OK: "done; also when there was nothing to do and it says why",
    ExitCode.PROBLEM: "a check found problems, the output cannot be written, or Foreword has a bug",
    ExitCode.USAGE: "the command line is wrong",
    ExitCode.NOT_FOUND: "what was named is not there, or could be several things",
    ExitCode.REFUSED: "what was asked cannot be done as asked, or a file cannot be read",
    ExitCode.CONFLICT: "something changed meanwhile, or nothing is left to undo or redo",
    ExitCode.DOES_NOT_FIT: "what must be sent does not fit into the context",
    ExitCode.STORE: "the data folder or its database cannot be used",
    ExitCode.MODEL: "a model or summariser gave nothing usable, or a test of a route failed",
    ExitCode.INTERRUPTED: "stopped with Ctrl-C; what was committed before is kept",
}

_CODES: tuple[tuple[type[ForewordError], ExitCode], ...] = (
    (NotFound, ExitCode.NOT_FOUND),
    (AmbiguousReference, ExitCode.NOT_FOUND),
    (InputError, ExitCode.REFUSED),
    (ConflictError, ExitCode.CONFLICT),
    (BudgetError, ExitCode.DOES_NOT_FIT),
    (StoreError, ExitCode.STORE),
    (ModelError, ExitCode.MODEL),
    (ForewordError, ExitCode.PROBLEM),
)
"""The first that fits counts."""


def exit_code_of(kind: type[ForewordError]) -> ExitCode:
    """Return the exit code of a kind of error."""
    return next(code for known, code in _CODES if issubclass(kind, known))


def report(error: ForewordError, *, as_json: bool, kept: str = "") -> ExitCode:
    """Write an error and what is kept all the same to standard error; return its exit code."""
    if as_json:
        fields = {**vars(error), "kept": kept} if kept else vars(error)
        report_json(type(error).__name__, str(error), fields)
    else:
        note(f"Error: {error}")
        if kept:
            note(kept)
    return exit_code_of(type(error))


def report_json(kind: str, message: str, fields: object = None) -> None:
    """Write an error to standard error as one line of JSON."""
    extra = fields if isinstance(fields, dict) else {}
    document = {"error": {"type": kind, "message": message, **extra}}
    note(json.dumps(document, ensure_ascii=False, default=str))


def table_of_codes() -> str:
    """Return the exit codes as the end of a help text shows them."""
    lines = (f"  {code.value:>3}  {meaning}" for code, meaning in MEANINGS.items())
    return "\n".join(("Exit codes:", *lines))
