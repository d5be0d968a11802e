"""The arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

Conv = Annotated[
    str, typer.Argument(metavar="CONV", help="A conversation: id, title or a unique beginning.")
]
OnBranch = Annotated[
    str | None,
    typer.Option("--branch", metavar="B", help="A branch by name or number; default: the current."),
]
TurnRef = Annotated[
    str, typer.Argument(metavar="N", help="A turn: its ORDER from 1, hidden ones counted, or id:N.")
]
TurnRefs = Annotated[
    list[str], typer.Argument(metavar="N", help="Turns: each an ORDER from 1, or id:N.")
]
SummaryRef = Annotated[str, typer.Argument(metavar="ID", help="A summary: S7 or 7.")]
Text = Annotated[
    str, typer.Option("--text", metavar="T", help="The text; - reads it from standard input.")
]
MaybeText = Annotated[
    str | None,
    typer.Option("--text", metavar="T", help="The text; - reads it from standard input."),
]
ContextSize = Annotated[
    int | None,
    typer.Option(
        "--context", metavar="N", help="Size of the context in tokens, instead of the setting."
    ),
]
GoOn = Annotated[
    bool | None,
    typer.Option(
        "--yes/--no",
        help="Go on without outdated summaries and ask about them no more; or stop.",
    ),
]
Split = Annotated[
    bool,
    typer.Option("--split", help="Make several where the model cannot read so much at once."),
]
