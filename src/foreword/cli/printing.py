"""What reaches the terminal: results on standard output, everything else on standard error.

Above: every command. Below: rich. Invariants: text of a story is shown, never interpreted, whatever
it holds; with `--json` standard output holds one document and nothing else.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from foreword.domain.amounts import counted
from foreword.domain.storable import storable_text

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

LEAST_WIDTH = 60
"""Columns below which a table would cut ids: a narrower terminal wraps the lines by itself."""
count = counted
"""A number with its noun: `1 turn`, `4,096 tokens`."""
PREVIEW = 240
"""Characters of a text that a list shows."""

_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
"""Everything that moves a cursor, changes a colour or turns the direction of what follows."""


def clean(text: str) -> str:
    """Return `text` without what a terminal would obey; line breaks and tabs stay."""
    return _CONTROL.sub("", storable_text(text.replace("\r\n", "\n").replace("\r", "\n")))


def one_line(text: str, *, limit: int = PREVIEW) -> str:
    """Return the beginning of `text` on one line."""
    line = " ".join(clean(text[: 4 * limit]).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def write(text: str) -> None:
    """Write text to standard output as it is, but for control characters."""
    sys.stdout.write(clean(text) + "\n")


def write_json(value: object) -> None:
    """Write one JSON document to standard output."""
    text = storable_text(json.dumps(value, ensure_ascii=False, indent=2))
    sys.stdout.write(_CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")


def note(text: str) -> None:
    """Write a line to standard error: progress, a notice, what to do next."""
    sys.stdout.flush()
    sys.stderr.write(clean(text) + "\n")
    sys.stderr.flush()


def show(*blocks: RenderableType) -> None:
    """Write tables, trees and lines to standard output, as wide as the terminal."""
    from rich.table import Table

    from foreword.cli.tables import fit

    console = _console()
    room = console.width
    for block in blocks:
        console.width = max(room, fit(block, room)) if isinstance(block, Table) else room
        console.print(block)


def table(
    *columns: str, numbers: Sequence[str] = (), names: Sequence[str] = (), wide: Sequence[str] = ()
) -> Table:
    """Return an empty table.

    Args:
        columns: their headings.
        numbers: those that are aligned to the right.
        names: those of which a long one is cut with …
        wide: those that fold when the line is too long; the others stay whole.
    """
    from foreword.cli.tables import empty_table

    return empty_table(columns, numbers, names, wide)


def _console() -> Console:
    from rich.console import Console

    console = Console(markup=False, highlight=False, emoji=False)
    console.width = max(console.width, LEAST_WIDTH)
    return console
