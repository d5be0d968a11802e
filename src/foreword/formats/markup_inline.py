"""The words of one paragraph from markup: spacing as browsers show it, emphasis as Markdown.

Below `markup_text`. Invariant: every sign that is no white space comes out, in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

_SPACE: Final = re.compile(r"[ \t\r\n\f]+")
_WORD: Final = re.compile(r"\w")
_SOFT_HYPHEN: Final = "\N{SOFT HYPHEN}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A stretch of text in one style."""

    text: str
    marks: str = ""
    """The marks of its emphasis in Markdown: nothing, `*`, `**` or `***`."""


def words_of(runs: Sequence[Run], *, plain: bool = False) -> str:
    """Return runs as one text; line breaks in it are newlines.

    Args:
        runs: as they stand; a line break is a run of one newline.
        plain: without emphasis, for headings.
    """
    spaced = list(_spaced(runs))
    styles = groupby(spaced, key=lambda run: "" if plain else run.marks)
    text = "".join(_marked("".join(run.text for run in group), marks) for marks, group in styles)
    return "\n".join(line.strip(" ") for line in text.split("\n")).strip()


def kept_lines(runs: Sequence[Run]) -> str:
    """Return runs with their spaces and lines as they stand, for text set in lines."""
    text = "".join(run.text for run in runs).replace("\r\n", "\n").replace("\r", "\n")
    lines = [line.rstrip() for line in text.replace(_SOFT_HYPHEN, "").split("\n")]
    full = [place for place, line in enumerate(lines) if line]
    return "\n".join(lines[full[0] : full[-1] + 1]) if full else ""


def _spaced(runs: Sequence[Run]) -> Iterator[Run]:
    """Yield the runs with one space for each white space, none at the start of a line."""
    after_space = True
    for run in runs:
        if run.text == "\n":
            text = "\n"
        else:
            text = _SPACE.sub(" ", run.text.replace(_SOFT_HYPHEN, ""))
            if after_space:
                text = text.lstrip(" ")
        if text:
            after_space = text[-1] in " \n"
            yield Run(text=text, marks=run.marks)


def _marked(text: str, marks: str) -> str:
    """Return a text with marks around each line of it that has words."""
    if not marks:
        return text
    return "\n".join(_marked_line(line, marks) for line in text.split("\n"))


def _marked_line(line: str, marks: str) -> str:
    inner = line.strip()
    if not _WORD.search(inner):
        return line
    start = line.index(inner)
    return f"{line[:start]}{marks}{inner}{marks}{line[start + len(inner) :]}"
