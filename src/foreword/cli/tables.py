"""Tables that fit the line: numbers and ids stay whole, names are cut with …, texts fold.

Above: `printing`. Below: rich. Invariant: a column that is neither a name nor wide is never cut; a
line that has no room for it grows, and the terminal wraps it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.table import Column, Table
from rich.text import Text

NAME_WIDTH = 20
"""Columns of a name in a table; of a longer one the beginning is shown."""
LEAST_NAME = 10
"""Columns that a name keeps when the line is short."""
LEAST_TEXT = 16
"""Columns that a text keeps: one that folds into short words cannot be read."""


@dataclass(slots=True)
class _Width:
    natural: int
    name: bool
    wide: bool
    given: int = 0

    @property
    def least(self) -> int:
        if not (self.name or self.wide):
            return self.natural
        return min(self.natural, LEAST_NAME if self.name else LEAST_TEXT)


def empty_table(
    columns: Sequence[str], numbers: Sequence[str], names: Sequence[str], wide: Sequence[str]
) -> Table:
    """Return a table without rows; see `printing.table`."""
    made = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for column in columns:
        made.add_column(
            column,
            justify="right" if column in numbers else "left",
            no_wrap=column not in wide,
            overflow="ellipsis" if column in names else "fold",
            max_width=NAME_WIDTH if column in names else None,
            ratio=1 if column in wide else None,
        )
    return made


def fit(made: Table, room: int) -> int:
    """Give every column of a table its width; return the width of the table.

    Names give way before texts do, and nothing else does.
    """
    widths = [_natural(column) for column in made.columns]
    # Two spaces between columns, one at each end.
    room -= 2 * len(widths)
    for width in sorted(widths, key=lambda one: one.wide):
        others = [one for one in widths if one is not width]
        if width.wide:
            waiting = [one for one in others if one.wide and not one.given]
            taken = sum(one.given for one in others)
            share = (room - taken) // (len(waiting) + 1)
        else:
            share = room - sum(one.given or one.least for one in others)
        width.given = max(width.least, min(width.natural, share))
    for column, width in zip(made.columns, widths, strict=True):
        column.width = width.given
    return sum(width.given for width in widths) + 2 * len(widths)


def shortened(text: str, width: int) -> str:
    """Return the beginning of a text, at most so many columns of a terminal wide."""
    line = Text(text)
    line.truncate(width, overflow="ellipsis")
    return line.plain


def _natural(column: Column) -> _Width:
    cells = [column.header, *column.cells]
    lines = [line for cell in cells for line in str(cell).splitlines()]
    natural = max((cell_len(line) for line in lines), default=0)
    return _Width(
        natural=min(natural, column.max_width or natural),
        name=column.overflow == "ellipsis",
        wide=not column.no_wrap,
    )
