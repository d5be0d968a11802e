"""Real processes of the program on one store, and the model that they all ask."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from threading import Event, Lock
from typing import Any

from sqlalchemy import update
from tests.e2e.program import PATIENCE_SECONDS, command, environment

from foreword.domain.calls import ModelRequest
from foreword.domain.message import Message
from foreword.domain.turn import Role
from foreword.library import Conversation, Memory, open_memory
from foreword.storage.sql_store import SqlStore
from foreword.storage.tables import job
from foreword.testing.model_server import ModelServer
from foreword.testing.models import plausible_summary
from foreword.testing.server_answers import JSON, Answer, Asked, Say, SayThenHang

SETTINGS = {
    "context": "2000",
    "reply": "200",
    "mode": "balanced",
    "batch_target": "200",
    "batch_cap": "200",
}
ROOT = Path(__file__).parents[3]
_FENCE = re.compile(r"DATA-[0-9a-f]{12}")
_PASSAGE = re.compile(r"^▸ .+? \[[^\]]*\]: t(\d+)\b", re.MULTILINE)
LONG_AGO = "2000-01-01T00:00:00.000+00:00"


@dataclass(slots=True)
class Writer:
    """Writes plausible summaries; of the calls, counted from 1, it lets some hang."""

    hangs: frozenset[int] = frozenset()
    gate: Event = field(default_factory=Event)
    """Nothing is answered before it is set."""
    asked: int = 0
    _guard: Lock = field(default_factory=Lock)

    def __call__(self, body: JSON) -> Answer:
        with self._guard:
            self.asked += 1
            number = self.asked
        if number in self.hangs:
            return SayThenHang()
        assert self.gate.wait(PATIENCE_SECONDS)
        return Say(plausible_summary(request_of(body)), usage=False)


def request_of(body: JSON) -> ModelRequest:
    return ModelRequest(
        messages=tuple(
            Message(role=Role(one["role"]), content=one["content"]) for one in body["messages"]
        )
    )


@contextmanager
def writing(*, hangs: frozenset[int] = frozenset(), held: bool = False) -> Iterator[ModelServer]:
    """Serve a `Writer`; held, until `let_go`."""
    writer = Writer(hangs=hangs)
    if not held:
        writer.gate.set()
    with ModelServer(writer) as server:
        try:
            yield server
        finally:
            writer.gate.set()


def let_go(server: ModelServer) -> None:
    """Let a held server answer."""
    assert isinstance(server.script, Writer)
    server.script.gate.set()


def question(asked: Asked) -> str:
    """Return what was asked, without the random word of its fence."""
    return _FENCE.sub("DATA", "\n".join(one["content"] for one in asked.body["messages"]))


def read_turns(asked: Asked) -> list[int]:
    """Return the numbers of the turns that were to be summarised; none for a merge."""
    return [int(number) for number in _PASSAGE.findall(question(asked))]


def asked_once(server: ModelServer) -> list[Asked]:
    """Return the requests without those that came again."""
    return list({question(asked): asked for asked in reversed(server.requests)}.values())[::-1]


def repeated(server: ModelServer) -> list[str]:
    """Return the questions that came more often than once."""
    counted = Counter(map(question, server.requests))
    return [text for text, times in counted.items() if times > 1]


class Process:
    """A process of the program; leave it, and it is over."""

    def __init__(self, warm: Warm | None, words: tuple[str, ...], shared: Shared) -> None:
        self._folder = Path(mkdtemp(dir=shared.home))
        self._warm = warm
        self._known: subprocess.Popen[bytes] | None = None
        self.code: int | None = None
        """How it ended, once it was waited for."""
        around = environment(shared.home, {"FOREWORD_DATABASE": shared.address})
        if warm is not None:
            folder = str(self._folder)
            self.pid = warm.ask(words=(*words, "--json"), environment=around, folder=folder)
            return
        with (self._folder / "stdout").open("wb") as out, (self._folder / "stderr").open("wb") as e:
            self._known = subprocess.Popen(
                command(*words, "--json"), stdout=out, stderr=e, env=around
            )
        self.pid = self._known.pid

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        if self.code is None:
            self.end(signal.SIGKILL)

    def end(self, how: signal.Signals) -> int:
        """Send it a signal and return how it ended."""
        os.kill(self.pid, how)
        return self.wait()

    def wait(self) -> int:
        """Wait for its end; as `Popen`, say the signal that ended it as a negative number."""
        if self._known is not None:
            self.code = self._known.wait(PATIENCE_SECONDS)
        else:
            assert self._warm is not None
            self.code = self._warm.ask(wait=self.pid)
        return self.code

    @property
    def stdout(self) -> bytes:
        return (self._folder / "stdout").read_bytes()

    @property
    def stderr(self) -> bytes:
        return (self._folder / "stderr").read_bytes()


class Warm:
    """The program that forks processes of ours, see `warm`."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.integration.jobs.warm"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, **wanted: object) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(wanted) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate(timeout=PATIENCE_SECONDS)
        assert self._process.returncode == 0


@dataclass(frozen=True, slots=True)
class Shared:
    """A store, and the processes on it."""

    home: Path
    address: str
    warm: Warm
    """Where processes are forked from."""

    def start(self, *words: str, warm: bool = True) -> Process:
        """Start a process; one that is not warm begins by itself, as those of users do."""
        return Process(self.warm if warm else None, words, self)

    def run(self, *words: str) -> Any:
        """Run a command that has to succeed, in a process of its own, and return its document."""
        with self.start(*words) as process:
            assert process.wait() == 0, process.stderr.decode()
            return json.loads(process.stdout)

    def memory(self) -> Memory:
        return open_memory(self.home, database=self.address)

    def let_leases_end(self) -> None:
        """Do as if the time of every lease had passed."""
        store = SqlStore.open(self.address)
        with store.writing() as connection:
            connection.execute(update(job).values(lease_until=LONG_AGO))
        store.close()


def asking(memory: Memory, server: ModelServer, name: str = "summarise", **values: str) -> None:
    """Let the server do a job."""
    memory.set_route(name, url=server.url, model="m-1", retries="0", **values)


def tell(story: Conversation, first: int, last: int) -> None:
    """Append turns of 37 words that say which they are."""
    for number in range(first, last + 1):
        text = " ".join([f"t{number}", *["word"] * 35, f"end{number}."])
        story.append(text, role="user" if number % 2 else "assistant")


def until(true: Callable[[], bool]) -> None:
    """Wait for something that other processes do."""
    for _ in range(PATIENCE_SECONDS * 50):
        if true():
            return
        Event().wait(0.02)
    raise AssertionError("it never came true")


def at_rest(memory: Memory) -> bool:
    """Say whether no job waits or runs."""
    return not memory.engine.jobs.jobs(memory.engine.account, live=True)


def covered(story: Conversation) -> list[tuple[int | None, int | None]]:
    """Return the first and last turn of every summary in use."""
    return [(view.from_order, view.order) for view in story.summaries()]
