"""A line of a text with a mark under the place that is wrong.

Above: `inputs`. Below: nothing. Invariant: an excerpt is one line of text, however long the line
is, and the mark stands under the place in a terminal, whatever signs come before it.
"""

from __future__ import annotations

from unicodedata import category, east_asian_width

WIDTH = 78
"""Characters of a line that an excerpt shows."""


def excerpt(line: int, column: int, text: str) -> str:
    """Return the line under its number and, where the column is known, a mark under it.

    Args:
        line: its number, from 1.
        column: from 1; 0 where it is not known.
        text: the whole line.
    """
    first = max(0, min(column - WIDTH // 2, len(text) - WIDTH))
    shown = "".join(map(_shown, text[first : first + WIDTH]))
    opened = "…" if first else ""
    closed = "…" if first + WIDTH < len(text) else ""
    head = f"  {line} | "
    excerpted = f"{head}{opened}{shown}{closed}"
    if not column:
        return excerpted
    before = opened + "".join(map(_shown, text[first : column - 1]))
    gap = " " * (len(head) - 2 + sum(map(_columns, before)))
    return f"{excerpted}\n{gap[: len(head) - 2]}| {gap[len(head) - 2 :]}^"


def _shown(sign: str) -> str:
    """Return a sign of known width for one that a terminal might obey."""
    return " " if category(sign) in {"Cc", "Zl", "Zp"} else sign


def _columns(sign: str) -> int:
    if category(sign) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if east_asian_width(sign) in {"W", "F"} else 1
