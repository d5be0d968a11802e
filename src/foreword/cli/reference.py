"""Writes the reference pages from the program itself.

`python -m foreword.cli.reference docs/reference` writes them anew; a test compares them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from foreword.cli.exits import MEANINGS
from foreword.cli.main import app
from foreword.cli.reference_errors import error_page
from foreword.cli.reference_settings import settings_page

WIDTH = 96
MADE_BY = "<!-- Made by `python -m foreword.cli.reference docs/reference`: do not edit. -->"

COMMANDS_HEAD = """# Commands

Every command takes `--json`, `--data-dir` and `--database`, before or after its name.

- **CONV** is a conversation: its id, its title, or a beginning of either that fits one only.
- **N** is a turn: its ORDER on the branch from 1 (hidden turns are counted), or `id:N`.
- **ID** is a summary: `S7` or `7`.
- **Texts** come from `--text T`, or from standard input with `--text -`; one line break at the end
  of the input is not part of the text.
- **The data folder** is `--data-dir`, else `FOREWORD_HOME`, else the user's data folder of the
  system. It holds `foreword.db`.
- **The database** is `--database`, else that file in `--data-dir`, else `FOREWORD_DATABASE`, else
  that file: the path of a SQLite file, or `postgresql://user@host/name`. See
  [databases](../databases.md).

With `--json`, standard output holds one JSON document in UTF-8 and nothing else; progress, notices
and errors go to standard error. The documents: [JSON](json.md). How failures are
reported: [exit codes](exit-codes.md).
"""

CODES_HEAD = """# Exit codes

| code | meaning |
| --- | --- |
"""

CODES_TAIL = """
## Errors

A failure is one line on standard error. With `--json` that line is a JSON object, standard output
stays empty, and the other keys are the fields of the error:

```json
{"error": {"type": "TurnNotFound", "message": "There is no turn '9'. …", "reference": "9"}}
```

Notices may stand before it: the error is the last line. Types are API, the wording of messages is
not. `import` of several files goes on after a file that fails: it reports each failure so, prints
the files that were imported, and ends with the code of the first failure.

All of them, with their fields and messages: [errors](errors.md). A wrong command line is a
`UsageError`.
"""

AnyCommand = TyperGroup | TyperCommand


def command_page() -> str:
    """Return the page of all commands, as Markdown."""
    root = get_command(app)
    if not isinstance(root, AnyCommand):
        raise TypeError("the root is a group of commands")
    sections = (f"## {name}\n\n```text\n{text}\n```\n" for name, text in _helps(root, None))
    return "\n".join((COMMANDS_HEAD, *sections))


def exit_code_page() -> str:
    """Return the page of exit codes and of how failures are reported, as Markdown."""
    codes = "".join(f"| {code.value} | {meaning} |\n" for code, meaning in MEANINGS.items())
    return f"{CODES_HEAD}{codes}{CODES_TAIL}"


PAGES: Mapping[str, Callable[[], str]] = {
    "cli.md": command_page,
    "errors.md": error_page,
    "exit-codes.md": exit_code_page,
    "settings.md": settings_page,
}
"""What makes each page."""


def page(name: str) -> str:
    """Return a page as it stands in its file."""
    return f"{MADE_BY}\n\n{PAGES[name]()}"


def write_pages(folder: Path) -> None:
    """Write all pages into a folder."""
    for name in PAGES:
        (folder / name).write_text(page(name), encoding="utf-8")


def _helps(command: AnyCommand, above: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - typer's own
    """Yield each command's full name with its help, groups before what is in them."""
    context = command.make_context(
        command.name, [], parent=above, resilient_parsing=True, terminal_width=WIDTH
    )
    yield context.command_path, command.get_help(context).rstrip()
    if isinstance(command, TyperGroup):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if isinstance(below, AnyCommand):
                yield from _helps(below, context)


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
