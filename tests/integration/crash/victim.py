"""A program that lives many short lives: each is a forked process that works on a store.

Everything is imported once, so that a life begins at once. Each line of standard input is a list of
lives to be lived at the same time; the answer is a list of how they ended. A life writes a line
into its log after each command that is done.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import resource
import select
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, TypedDict

from sqlalchemy import Engine as Database
from sqlalchemy import event
from tests.integration.crash import commands
from tests.integration.crash.deeds import chat_of, deeds

from foreword.domain.turn import Role
from foreword.engine import importing, recap, replying, summaries, turns
from foreword.engine.context import Engine, Place
from foreword.errors import StoreConflict, StoreFull
from foreword.llm import streaming  # noqa: F401 - loaded once, so that lives are short
from foreword.llm.models import RoutedModels
from foreword.storage import upgrade  # noqa: F401 - the same
from foreword.storage.sql_store import SqlStore
from foreword.testing.engines import engine_on
from foreword.testing.word_counter import WordCounter

LONG = 3_000
"""Turns of the chat that is imported."""
TOLD = 6
"""Turns of the story that a model summarises."""
APPENDED = 200
"""Turns that each of two writers appends."""
RECAP_EVERY = 40
LONGEST_SECONDS = 60.0
COMMIT = "COMMIT"
READING = frozenset({"SELECT", "PRAGMA", "BEGIN", "SET"})
"""First words of statements that leave everything as it is."""


class Life(TypedDict):
    """What a process is to do, and when it dies."""

    deed: str
    database: str
    log: str
    seed: int
    statements: int
    """It kills itself before so many statements or commits are sent; 0 for never."""


class Death(TypedDict):
    """How a life ended."""

    killed: bool
    code: int


def any_deeds(life: Life) -> Iterator[str]:
    yield from deeds(engine_on(SqlStore.open(life["database"])), life["seed"])


def open_store(life: Life) -> Iterator[str]:
    SqlStore.open(life["database"]).close()
    yield "opened"


def migrate(life: Life) -> Iterator[str]:
    """Bring a database to the newest schema and yield what was sent for it."""
    sent: list[str] = []
    watch(sent.append)
    SqlStore.open(life["database"]).close()
    yield from sent


def import_long_chat(life: Life) -> Iterator[str]:
    engine = engine_on(SqlStore.open(life["database"]))
    engine = replace(engine, new_id=lambda: f"p{life['seed']}")
    done = importing.import_chat(engine, chat_of(LONG, title="Long"))
    yield done.conversation


def append_and_recap(life: Life) -> Iterator[str]:
    """Append many turns to the only conversation and recap now and then."""
    engine = engine_on(SqlStore.open(life["database"]))
    (known,) = engine.store.conversations(engine.account)
    place = Place(conversation=known.id)
    for number in range(1, APPENDED + 1):
        text = f"{life['seed']}:{number} {'la ' * 30}"
        turns.append(engine, place, text, role=(Role.ASSISTANT, Role.USER)[number % 2])
        yield text
        if number % RECAP_EVERY == 0:
            try:
                asyncio.run(recap.recap(engine, place, merge=True))
            except StoreConflict:
                yield "conflict"


def summarise(life: Life) -> Iterator[str]:
    """Let the model of the database's route summarise the only conversation."""
    engine = asking_engine(life)
    (known,) = engine.store.conversations(engine.account)
    asyncio.run(summaries.make(engine, Place(conversation=known.id), str(TOLD)))
    yield "summarised"


def answer(life: Life) -> Iterator[str]:
    """Let the model of the database's route write the next turn of the only conversation."""
    engine = asking_engine(life)
    (known,) = engine.store.conversations(engine.account)
    asyncio.run(replying.reply(engine, Place(conversation=known.id)))
    yield "answered"


def command(name: str, life: Life) -> Iterator[str]:
    """Do a command and yield what was sent for it: `INSERT`, `COMMIT`; die at the end too."""
    store = SqlStore.open(life["database"])
    ids = f"n{life['statements']}-"
    act = commands.doing(engine_on(store), name, ids=ids)
    sent: list[str] = []
    watch(sent.append)
    if life["statements"]:
        die_before(life["statements"])
    act()
    if life["statements"]:
        os.kill(os.getpid(), signal.SIGKILL)
    yield from sent


def squeezed(name: str, life: Life) -> Iterator[str]:
    """Do a command while no file may grow beyond as many bytes as the seed says."""
    store = SqlStore.open(life["database"])
    act = commands.doing(engine_on(store), name, ids=f"n{life['seed']}-")
    resource.setrlimit(resource.RLIMIT_FSIZE, (life["seed"], resource.RLIM_INFINITY))
    try:
        act()
        ended = "done"
    except StoreFull:
        ended = "full"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    yield ended


def asking_engine(life: Life) -> Engine:
    store = SqlStore.open(life["database"])
    models = RoutedModels(lambda _: "", WordCounter())
    return engine_on(store, ledger=store.ledger, models=models)


DEEDS: dict[str, Callable[[Life], Iterator[str]]] = {
    "any": any_deeds,
    "open": open_store,
    "migrate": migrate,
    "import a long chat": import_long_chat,
    "append and recap": append_and_recap,
    "let a model summarise": summarise,
    "let a model answer": answer,
    **{name: partial(command, name) for name in commands.COMMANDS},
    **{f"squeezed {name}": partial(squeezed, name) for name in commands.COMMANDS},
}
"""What a process can do; those that are commands of their own count no statement before them."""


def live(life: Life, go: int) -> None:
    """Wait for the others, then do the deed."""
    os.read(go, 1)
    if life["statements"] and life["deed"] not in commands.COMMANDS:
        die_before(life["statements"])
    log = os.open(life["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for line in DEEDS[life["deed"]](life):
        os.write(log, f"{line}\n".encode())


def die_before(statement: int) -> None:
    """Kill this process when it is about to send its n-th statement or commit."""
    sent = count(1)

    def one_more(_word: str) -> None:
        if next(sent) == statement:
            os.kill(os.getpid(), signal.SIGKILL)

    watch(one_more)


def watch(sending: Callable[[str], object]) -> None:
    """Call with the first word of each statement, and with `COMMIT`, before it is sent."""

    def statement(_connection: Any, _cursor: Any, text: str, *_rest: Any) -> None:
        sending(text.split(maxsplit=1)[0])

    event.listen(Database, "before_cursor_execute", statement)
    event.listen(Database, "commit", lambda _connection: sending(COMMIT))


def begin(life: Life, go: int) -> tuple[int, int]:
    """Fork; return the child's process id and a pipe that ends when it does."""
    ends, end = os.pipe()
    child = os.fork()
    if child:
        os.close(end)
        return child, ends
    code = 1
    try:
        live(life, go)
        code = 0
    except BaseException:  # noqa: BLE001 - whatever it is, this process must not go on as its parent
        traceback.print_exc()
    finally:
        os._exit(code)


def end(child: int, ends: int) -> Death:
    if not select.select([ends], [], [], LONGEST_SECONDS)[0]:
        os.kill(child, signal.SIGKILL)
    os.close(ends)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return {"killed": code == -signal.SIGKILL, "code": code}


def main() -> None:
    gc.freeze()  # what is there already is not looked through, and so not copied, in every life
    for line in sys.stdin:
        lives: list[Life] = json.loads(line)
        go, start = os.pipe()
        born = []
        for life in lives:
            Path(life["log"]).touch()
            born.append(begin(life, go))
        os.write(start, b"!" * len(lives))
        deaths = [end(*one) for one in born]
        os.close(go)
        os.close(start)
        sys.stdout.write(json.dumps(deaths) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
