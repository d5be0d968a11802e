"""Lets systems take turns, so that whatever else the machine does meets all of them.

Each entry has a process of its own (`worker`), which is prepared once. Then rounds: in each, every
entry measures one slice, in an order that is drawn anew. Nobody works while another is measured.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.progress import tell
from benchmarks.samples import Sample

PREPARED_AT_ONCE = 2
OFFLINE = {
    "HTTP_PROXY": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "LANGSMITH_TRACING": "false",
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
}
"""What a package that would ask another machine meets: a door that is shut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Who is measured, with how long a conversation."""

    system: str
    turns: int
    samples: int
    """How many are wanted."""
    budget: int = 0
    """Tokens of a prompt, where there is one."""
    given: str = ""
    """A file or folder that was prepared for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How samples are shared out over the rounds."""

    rounds: int
    seconds: float
    """Longest slice; it has one sample at least."""
    enough_seconds: float
    """An entry that has measured so long, and has `least` samples, is done."""
    least: int


@dataclass(slots=True)
class Lap:
    """What was measured of an entry so far."""

    entry: Entry
    samples: list[Sample] = field(default_factory=list)
    resident_mb: float = 0.0
    peak_mb: float = 0.0
    done: bool = False

    @property
    def seconds(self) -> float:
        """How long the calls took that were measured."""
        return sum(one.wall_ms + one.aside_ms + one.upkeep_ms for one in self.samples) / 1_000


def race(
    measure: str, entries: Sequence[Entry], pace: Pace, work: Path
) -> Generator[list[Lap], None, None]:
    """Measure; yield the laps after every round, so that a run that is stopped has what it had.

    Args:
        measure: the name of a module with a function `samples(entry, folder)`: it yields an empty
            sample when it is prepared, then one for each call.
        entries: who takes part.
        pace: how the samples are shared out.
        work: a folder for their files, which is removed.
    """
    runners = [_Runner(measure, entry, work / f"{n:02}") for n, entry in enumerate(entries)]
    order = random.Random(measure)
    pool = ThreadPoolExecutor(PREPARED_AT_ONCE)
    try:
        list(pool.map(_Runner.prepare, runners))
        for number in range(pace.rounds):
            running = [runner for runner in runners if not runner.lap.done]
            if not running:
                break
            tell(f"round {number + 1} of {pace.rounds}, {len(running)} measured")
            for runner in order.sample(running, len(running)):
                runner.run(pace, -(-runner.lap.entry.samples // pace.rounds))
            yield [runner.lap for runner in runners if runner.lap.samples]
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for runner in runners:
            runner.stop()


class _Runner:
    """An entry with its process."""

    def __init__(self, measure: str, entry: Entry, folder: Path) -> None:
        self.lap = Lap(entry=entry)
        self._measure = measure
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None

    def prepare(self) -> None:
        """Start the process and wait until it is ready; one that fails takes no part."""
        entry = self.lap.entry
        tell(f"preparing {entry.system}, {entry.turns:,} turns")
        self._folder.mkdir(parents=True)
        command = [sys.executable, "-m", "benchmarks.worker", self._measure]
        self._process = subprocess.Popen(
            [*command, json.dumps(asdict(entry)), str(self._folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, **OFFLINE},
            start_new_session=True,  # an interrupt is for the one who races; it ends the others
        )
        self._answer()

    def run(self, pace: Pace, most: int) -> None:
        """Measure one slice."""
        assert self._process is not None
        assert self._process.stdin is not None
        lap = self.lap
        most = min(most, lap.entry.samples - len(lap.samples))
        try:
            self._process.stdin.write(f"{most} {pace.seconds}\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            lap.done = True
            return
        answer = self._answer()
        found = answer.get("samples", [])
        assert isinstance(found, list)
        lap.samples += [Sample(**one) for one in found]
        lap.resident_mb = float(str(answer.get("resident_mb", lap.resident_mb)))
        lap.peak_mb = float(str(answer.get("peak_mb", lap.peak_mb)))
        enough = lap.seconds >= pace.enough_seconds and len(lap.samples) >= pace.least
        lap.done = not found or len(lap.samples) >= lap.entry.samples or enough

    def stop(self) -> None:
        """End the process and remove its files."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)  # with what it has started itself
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    with suppress(BrokenPipeError):
                        pipe.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _answer(self) -> dict[str, object]:
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self.lap.done = True
            tell(f"{self.lap.entry.system}: it failed, see above; it is left out from here on")
            return {}
        answer: dict[str, object] = json.loads(line)
        return answer
