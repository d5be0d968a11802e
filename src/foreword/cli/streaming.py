"""What a model writes, shown as it comes.

Above: commands that ask models. Below: the terminal. Invariants: nothing is shown with `--json`;
text of a model is shown, never obeyed; what is not the answer itself goes to standard error.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Self

from foreword.cli.printing import clean, note

if TYPE_CHECKING:
    from foreword.domain.calls import Delta, Restart

DIM, PLAIN = "\x1b[2m", "\x1b[0m"


class Streaming:
    """Shows the pieces of an answer: reasoning, and text on whichever stream it belongs to.

    A piece may end in the middle of a line; `end_line` closes it before anything else is written.
    """

    def __init__(self, *, quiet: bool, reply: bool = False) -> None:
        """Show nothing when quiet; a reply goes to standard output, all else to standard error."""
        self.quiet = quiet
        self.reply = reply
        self.text = ""
        """Of the answer, since it was begun anew the last time."""
        self.broken: OSError | None = None
        """Why nothing more can be shown; the answer goes on, since it is paid for."""
        self._open = ""
        self._held = ""
        self._thinking = False
        self._dim = sys.stderr.isatty() and not os.environ.get("NO_COLOR")

    def hear(self, event: Delta | Restart) -> None:
        """Show a piece, or say why the answer is begun anew."""
        from foreword.domain.calls import Restart

        if isinstance(event, Restart):
            self.begin_anew(event.reason)
            return
        if not event.reasoning:
            self.text += event.text
        if self.quiet or self.broken is not None:
            return
        try:
            if event.reasoning is not self._thinking:
                self.end_line()
                self._thinking = event.reasoning
            self._show(event.text, to_output=self.reply and not event.reasoning)
        except OSError as error:
            self.broken, self._open = error, ""

    def begin_anew(self, reason: str) -> None:
        """Say that what was shown does not count, and why."""
        self.text = ""
        if not self.quiet:
            self.end_line()
            note(f"Begun anew: {reason}")

    def end_line(self) -> None:
        """End the line that the last piece left open."""
        if self._open:
            stream = sys.stdout if self._open == "output" else sys.stderr
            stream.write("\n")
            stream.flush()
        self._open = self._held = ""

    def __enter__(self) -> Self:
        """Return itself; at the end of the block the line is ended, whatever happened."""
        return self

    def __exit__(self, *ending: object) -> None:
        """End the line."""
        self.end_line()

    def _show(self, text: str, *, to_output: bool) -> None:
        where = "output" if to_output else "error"
        if self._open not in {"", where}:
            self.end_line()
        whole = self._held + text
        # Half a line break: the other half may be in the next piece.
        self._held = "\r" if whole.endswith("\r") else ""
        shown = clean(whole.removesuffix("\r"))
        if not shown:
            return
        if to_output:
            sys.stdout.write(shown)
            sys.stdout.flush()
        else:
            sys.stderr.write(f"{DIM}{shown}{PLAIN}" if self._dim else shown)
            sys.stderr.flush()
        self._open = "" if shown.endswith("\n") else where
