"""A program that runs the command line in processes that it forks, so that each begins at once.

Everything is imported once; a process of the program alone takes seconds for that. Each line of
standard input is what to do, the answer is a process id or an exit code.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import traceback

from foreword.cli.main import main as program
from foreword.jobs import maintaining, worker  # noqa: F401 - loaded once, so that lives are short
from foreword.llm import streaming  # noqa: F401 - the same
from foreword.storage import sql_store, upgrade  # noqa: F401 - the same
from foreword.testing.word_counter import WordCounter  # noqa: F401 - the same


def live(words: list[str], environment: dict[str, str], folder: str) -> None:
    """Be the program, with files for what it says."""
    for stream, name in ((0, os.devnull), (1, f"{folder}/stdout"), (2, f"{folder}/stderr")):
        os.dup2(os.open(name, os.O_RDWR | os.O_CREAT, 0o600), stream)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["foreword", *words]
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - for a whole life
    program()


def begin(words: list[str], environment: dict[str, str], folder: str) -> int:
    """Fork; return the child's process id."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        live(words, environment, folder)
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - whatever it is, this process must not go on as its parent
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def main() -> None:
    gc.freeze()  # what is there already is not looked through, and so not copied, in every life
    for line in sys.stdin:
        wanted = json.loads(line)
        if "wait" in wanted:
            answer = os.waitstatus_to_exitcode(os.waitpid(wanted["wait"], 0)[1])
        else:
            answer = begin(wanted["words"], wanted["environment"], wanted["folder"])
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
