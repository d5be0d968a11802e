"""Goes through a page as a reader would, and says where it prints something else than is shown.

`python -m tests.docs.replay docs/start/install.md` writes into the page what is printed there now.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.docs.pages import Block, Command, blocks_of, commands_of, matches, shown_now
from tests.docs.sessions import Printed, Session

FAILS = ("Error:", '{"error":')
"""How the lines begin that a page shows of a command which is meant to fail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Lines of a page, from an index on, that should be others."""

    what: str
    first: int
    shown: tuple[str, ...]
    printed: str
    code: int = 0


def differences(text: str, folder: Path) -> Iterator[Difference]:
    """Run the blocks of a page in order and yield what is not as shown."""
    before: Block | None = None
    printed = ""
    with Session(folder, text) as session:
        for block in blocks_of(text):
            if block.is_output:
                if before is not None and not matches(block.lines, printed):
                    yield _difference("the block before", block, printed)
            elif block.is_run and block.language == "python":
                printed = session.run_python(block)
            elif block.is_run:
                for command in commands_of(block):
                    done = session.run(command)
                    printed = done.text
                    if not _as_shown(command, done):
                        yield _wrong(command, done)
            before = block


def _as_shown(command: Command, done: Printed) -> bool:
    fails = any(line.startswith(FAILS) for line in command.shown)
    return fails == (done.code != 0) and (not command.shown or matches(command.shown, done.text))


def _wrong(command: Command, done: Printed) -> Difference:
    return Difference(
        what=command.text,
        first=command.first,
        shown=command.shown,
        printed=done.text,
        code=done.code,
    )


def _difference(what: str, block: Block, printed: str) -> Difference:
    return Difference(what=what, first=block.first, shown=block.lines, printed=printed)


def rewrite(page: Path) -> None:
    """Write what is printed now into a page; commands that show nothing go on to show nothing."""
    text = page.read_text("utf-8")
    lines = text.splitlines()
    with TemporaryDirectory() as folder:
        found = list(differences(text, Path(folder)))
    for one in reversed(found):
        if one.shown:
            new = shown_now(one.shown, one.printed)
            lines[one.first : one.first + len(one.shown)] = new
        else:
            sys.stderr.write(f"{page}: {one.what} ends with {one.code}\n{one.printed}\n")
    page.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        rewrite(Path(name))
