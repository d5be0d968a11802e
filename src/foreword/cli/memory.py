"""The group of commands on automatic memory; `memory_commands` and others register into it."""

from __future__ import annotations

import typer

app = typer.Typer(name="memory", help="Read and steer automatic memory.", no_args_is_help=True)
