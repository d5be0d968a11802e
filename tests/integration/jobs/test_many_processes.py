"""Several `foreword maintain --watch` on one store: together they do what is due, once."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from tests.e2e.program import PATIENCE_SECONDS
from tests.integration.jobs.processes import (
    SETTINGS,
    Shared,
    asking,
    at_rest,
    covered,
    let_go,
    read_turns,
    repeated,
    tell,
    until,
    writing,
)

from foreword.library import Conversation
from foreword.testing.model_server import ModelServer

PROCESSES = 3
TOLD = 44
"""Turns of every story before anybody works."""
MORE = 20
"""Turns that one of them gets while all watch."""


@contextmanager
def watching(shared: Shared) -> Iterator[None]:
    """Let processes work until the block ends, and then end them as a service manager does."""
    with ExitStack() as stack:
        words = ("maintain", "--all", "--watch", "--concurrency", "1")
        running = [
            stack.enter_context(shared.start(*words, warm=number > 0))
            for number in range(PROCESSES)
        ]
        yield
        ended = [(one.end(signal.SIGTERM), one.stdout, one.stderr) for one in running]
        assert ended == [(-signal.SIGTERM, b"", b"")] * PROCESSES


def read_of(server: ModelServer, stories: list[Conversation]) -> dict[str, list[int]]:
    """Return the turns that were read for each story, by the requests in order of coming."""
    known: dict[str, list[int]] = {story.id: [] for story in stories}
    names = {f"Story {number}": story.id for number, story in enumerate(stories)}
    for asked in server.requests:
        text = asked.body["messages"][-1]["content"]
        (name,) = [name for name in names if name in text]
        known[names[name]] += read_turns(asked)
    return known


def test_processes_that_watch_one_store_do_the_same_work_once(anywhere: Shared) -> None:
    with writing(held=True) as server, anywhere.memory() as memory:
        asking(memory, server)
        stories = [
            memory.new(f"Lamp {number}", **SETTINGS, char=f"Story {number}")
            for number in range(PROCESSES)
        ]
        for story in stories:
            tell(story, 1, TOLD)
        with watching(anywhere):
            # Each holds one job at most, so all of them are in the middle of one now.
            assert server.wait_for(PROCESSES, PATIENCE_SECONDS)
            let_go(server)
            until(lambda: at_rest(memory))
            tell(stories[0], TOLD + 1, TOLD + MORE)
            until(lambda: at_rest(memory))
        assert repeated(server) == []
        assert server.completed == len(server.requests)
        for story, read in zip(stories, read_of(server, stories).values(), strict=True):
            last = covered(story)[-1][1]
            assert read == list(range(1, (last or 0) + 1))
            assert [first for first, _ in covered(story)] == [
                1,
                *((last or 0) + 1 for _, last in covered(story)[:-1]),
            ]
            assert not story.memory.status().due
        assert covered(stories[0])[-1] > covered(stories[1])[-1] == covered(stories[2])[-1]
        assert memory.verify().problems == ()
