"""Texts in the user's own editor.

Above: `templates`. Below: the program that VISUAL or EDITOR names. Invariant: what was written
stays in a file, open to its owner alone, until it was saved or is what it was before.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from foreword.errors import EditorFailed, FileUnreadable

EDITORS = ("sensible-editor", "editor", "nano", "vim", "vi", "notepad")
"""Where no variable names one, the first of these that is there."""
VARIABLES = ("VISUAL", "EDITOR")
STANDARD_ERROR = 2


class Draft:
    """A text under way, in a file."""

    def __init__(self, name: str, text: str) -> None:
        """Write a text into a new file whose name begins with `name`.

        Raises:
            EditorFailed: no file can be written where temporary ones are kept.
        """
        self._before = text
        try:
            handle, path = tempfile.mkstemp(prefix=f"foreword-{name}-", suffix=".md", text=False)
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(text if _ended(text) else f"{text}\n")
        except OSError as error:
            reason = f"no file can be written for it ({error.strerror or error})"
            raise EditorFailed(command="editor", reason=reason) from error
        self.path = Path(path)

    @property
    def text(self) -> str:
        """What the file holds now."""
        return edited_text(self.path, self._before)

    @property
    def changed(self) -> bool:
        """Whether something was written that would be lost with the file."""
        return self.path.exists() and self.text != self._before

    def edit(self) -> str:
        """Open the editor on the file, wait for its end and return the text.

        Raises:
            EditorFailed: there is none, it cannot be started, or it says that it failed.
        """
        command = editor()
        # An editor that draws needs a terminal; standard output may be a pipe that wants JSON.
        output = None if sys.stdout.isatty() else STANDARD_ERROR
        try:
            with _editor_has_the_keys():
                done = subprocess.run(  # noqa: S603 - the user's own editor
                    [*command, str(self.path)], check=False, stdout=output
                )
        except OSError as error:
            raise EditorFailed(command=command[0], reason=error.strerror or str(error)) from error
        if done.returncode:
            raise EditorFailed(command=command[0], reason=f"it ended with code {done.returncode}")
        return self.text

    def drop(self) -> None:
        """Take the file away."""
        self.path.unlink(missing_ok=True)


def editor() -> list[str]:
    """Return the command of the user's editor.

    Raises:
        EditorFailed: none is named and none is there.
    """
    for variable in VARIABLES:
        given = os.environ.get(variable, "")
        try:
            words = shlex.split(given, posix=os.name != "nt")
        except ValueError as error:
            reason = f"{variable} has a quote that does not close"
            raise EditorFailed(command=given, reason=reason) from error
        if words:
            return words
    found = next(filter(None, map(shutil.which, EDITORS)), None)
    if found is None:
        raise EditorFailed(command="editor", reason="none is there")
    return [found]


def edited_text(path: Path, before: str) -> str:
    """Return a text that was edited; a line end that only an editor wants is not part of it."""
    from foreword.cli.call import without_line_end

    text = read_file(path)
    return text if _ended(before) else without_line_end(text)


def read_file(path: Path) -> str:
    """Return the text of a file, whatever its encoding.

    Raises:
        FileUnreadable: it is not there, or cannot be read.
    """
    from foreword.formats.decoding import decode

    try:
        return decode(path.read_bytes()).text
    except OSError as error:
        reason = f"it cannot be read ({(error.strerror or str(error)).lower()})."
        raise FileUnreadable(path=str(path), reason=reason) from error


@contextmanager
def _editor_has_the_keys() -> Iterator[None]:
    """Leave Ctrl-C to the editor, which may have another use for it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # A handler that does nothing, since the editor would inherit a signal that is ignored.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _ended(text: str) -> bool:
    return text.endswith(("\n", "\r"))
