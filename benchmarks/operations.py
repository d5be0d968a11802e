"""What a long story must not make slow: a fork, an edit, a check; and the start of a command.

The conversation is three forks deep and has the summaries of long use, so that an edit puts some
of them out of force; the check runs over one of that length without forks. One edit, which loads
the table of the tokenizer, is made before any is measured, as every long-lived program does.
"""

import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import foreword
from benchmarks.chat_files import write_chat
from benchmarks.corpus import messages, texts
from benchmarks.progress import tell
from benchmarks.records import Outcome, Row, Target, rounded
from benchmarks.samples import Sample, median, p99, timed
from benchmarks.scales import Scale
from benchmarks.stories import prepared
from benchmarks.systems.foreword import FORKS

CHECKS = 3
CPU = "s of CPU"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """Something that is done again and again."""

    name: str
    take: Callable[[int], Sample]
    """Does it the n-th time, counted from 0."""
    times: int
    limit: float
    unit: str = "ms"
    """Of the limit."""


def run(scale: Scale, work: Path) -> Iterator[Outcome]:
    """Measure every operation; yield what is known after each."""
    work.mkdir(parents=True)
    turns = scale.operation_turns
    outcome = Outcome(name="operations", rows=(), complete=False)
    for operation in _operations(work, turns, scale.operation_samples):
        tell(f"operations: {operation.name}")
        taken = [operation.take(number) for number in range(operation.times)]
        outcome = replace(
            outcome,
            rows=(*outcome.rows, _row(operation, turns, taken)),
            targets=(*outcome.targets, _target(operation, turns, taken)),
        )
        yield outcome
    yield replace(outcome, complete=True)


def _operations(work: Path, turns: int, times: int) -> Iterator[Operation]:
    yield Operation(name="foreword --help", take=_help, times=times, limit=0.25, unit=CPU)
    chat = work / "chat.jsonl"
    write_chat(chat, messages("operations", turns), slug=chat.stem)
    tell(f"operations: preparing {turns:,} turns, {FORKS} forks deep")
    (forked,) = prepared([chat], work / "forked", forks=FORKS, summaries=True)
    with foreword.open(work / "forked") as memory:
        story = memory.conversation(forked).on_branch(f"branch {FORKS + 1}")
        yield from _changes(story, turns, times)
    tell(f"operations: preparing {turns:,} turns on one branch")
    prepared([chat], work / "straight", summaries=True)
    with foreword.open(work / "straight") as memory:

        def check(_: int) -> Sample:
            return timed(lambda: _checked(memory))

        yield Operation(name="verify", take=check, times=CHECKS, limit=2.0, unit="s")


def _changes(story: foreword.Conversation, turns: int, times: int) -> Iterator[Operation]:
    said = texts("edits")

    def fork(turn: int) -> Callable[[int], Sample]:
        return lambda _: timed(lambda: len(story.fork(turn).id))

    def edit(number: int) -> Sample:
        turn = 1 + turns * number // (2 * times)
        text = next(said)
        return timed(lambda: len(story.edit(turn, text).stale))

    story.edit(1, next(said))
    yield Operation(name="fork at the end", take=fork(turns), times=times, limit=5.0)
    yield Operation(name="fork in the middle", take=fork(turns // 2), times=times, limit=5.0)
    yield Operation(name="edit of an old turn", take=edit, times=times, limit=2.0)


def _checked(memory: foreword.Memory) -> int:
    verdict = memory.verify()
    if not verdict.ok:
        raise SystemExit(f"The prepared conversation is not sound: {verdict.problems[0]}")
    return verdict.checked


def _help(_: int) -> Sample:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    sample = timed(lambda: len(_said_by("--help")))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return replace(sample, cpu_ms=seconds * 1_000)


def _said_by(*arguments: str) -> str:
    command = [sys.executable, "-m", "foreword", *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def _row(operation: Operation, turns: int, taken: list[Sample]) -> Row:
    return {
        "operation": operation.name,
        **({} if operation.unit == CPU else {"turns": turns}),
        "median_ms": rounded(median([one.wall_ms for one in taken])),
        "p99_ms": rounded(p99([one.wall_ms for one in taken])),
        "cpu_ms": rounded(median([one.cpu_ms for one in taken])),
        "samples": len(taken),
    }


def _target(operation: Operation, turns: int, taken: list[Sample]) -> Target:
    cpu = operation.unit == CPU
    ms = median([one.cpu_ms if cpu else one.wall_ms for one in taken])
    return Target(
        what=operation.name if cpu else f"{operation.name}, {turns:,} turns",
        limit=operation.limit,
        measured=ms if operation.unit == "ms" else ms / 1_000,
        unit=operation.unit,
    )
