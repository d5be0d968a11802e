"""kill -9 in a flush: another process goes on, nothing is lost, no recorded call is made again."""

from __future__ import annotations

import signal
import sqlite3
from contextlib import closing
from dataclasses import dataclass

import pytest
from tests.e2e.program import PATIENCE_SECONDS
from tests.integration.jobs.processes import (
    SETTINGS,
    Shared,
    asked_once,
    asking,
    covered,
    read_turns,
    repeated,
    tell,
    until,
    writing,
)

from foreword.testing.model_server import ModelServer

BALANCED = SETTINGS
PREFIX_CACHE = {**SETTINGS, "mode": "prefix-cache"}
TOLD = 42
FLUSH = 6
"""Batches that `prefix-cache` makes of them at once."""
STUCK = """
CREATE VIEW endless AS
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT n FROM numbers;
CREATE TRIGGER stuck BEFORE INSERT ON summary WHEN (SELECT count(*) FROM summary) = {stored}
BEGIN SELECT count(*) FROM endless; END;
"""
"""Nobody comes past the summary behind so many stored ones."""
LOOSE = "DROP TRIGGER stuck; DROP VIEW endless;"


@dataclass(frozen=True, slots=True)
class Point:
    """Where a process dies."""

    hangs: int | None = None
    """In this call, which is never answered."""
    stuck: tuple[int, int] | None = None
    """With so many answers on record, in the commit of the summary behind so many stored ones."""


def look_at(shared: Shared, query: str) -> int:
    with closing(sqlite3.connect(shared.address)) as connection:
        return int(connection.execute(query).fetchone()[0])


def is_writing(shared: Shared) -> bool:
    """Say whether somebody is in the middle of a transaction that writes."""
    with closing(sqlite3.connect(shared.address, timeout=0)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return True
        return False


def change(shared: Shared, script: str) -> None:
    with closing(sqlite3.connect(shared.address)) as connection:
        connection.executescript(script)


def reach(shared: Shared, server: ModelServer, point: Point) -> None:
    """Wait until a process is where it is to die."""
    if point.hangs is not None:
        assert server.wait_for(point.hangs, PATIENCE_SECONDS)
        return
    assert point.stuck is not None
    answers, _ = point.stuck
    recorded = "SELECT count(*) FROM model_call WHERE finish <> ''"
    until(lambda: look_at(shared, recorded) == answers and is_writing(shared))


@pytest.mark.parametrize(
    ("values", "point", "visible"),
    [
        pytest.param(BALANCED, Point(hangs=1), 0, id="balanced, in the first call"),
        pytest.param(BALANCED, Point(hangs=2), 1, id="balanced, between two batches"),
        pytest.param(BALANCED, Point(stuck=(3, 2)), 2, id="balanced, before the third commit"),
        pytest.param(PREFIX_CACHE, Point(hangs=1), 0, id="prefix-cache, in the first call"),
        pytest.param(PREFIX_CACHE, Point(hangs=2), 0, id="prefix-cache, between two batches"),
        pytest.param(
            PREFIX_CACHE, Point(stuck=(FLUSH, 0)), 0, id="prefix-cache, before the commit"
        ),
        pytest.param(
            PREFIX_CACHE, Point(stuck=(FLUSH, 3)), 0, id="prefix-cache, within the commit"
        ),
    ],
)
def test_what_a_killed_process_was_told_is_not_asked_for_again(
    shared: Shared, values: dict[str, str], point: Point, visible: int
) -> None:
    kill_and_go_on(shared, values, point, visible=visible)


@pytest.mark.postgres
def test_on_a_server_it_is_not_asked_for_again_either(on_server: Shared) -> None:
    kill_and_go_on(on_server, PREFIX_CACHE, Point(hangs=3), visible=0)


def kill_and_go_on(shared: Shared, values: dict[str, str], point: Point, *, visible: int) -> None:
    """Kill a process at a point, look at what it left, and let another one finish the work."""
    hangs = frozenset() if point.hangs is None else frozenset({point.hangs})
    with writing(hangs=hangs) as server, shared.memory() as memory:
        asking(memory, server)
        story = memory.new("Lamp", **values)
        tell(story, 1, TOLD)
        if point.stuck is not None:
            change(shared, STUCK.format(stored=point.stuck[1]))
        with shared.start("maintain", "--all", "--watch") as killed:
            reach(shared, server, point)
            assert killed.end(signal.SIGKILL) == -signal.SIGKILL
        if point.stuck is not None:
            change(shared, LOOSE)
        assert len(story.summaries(all_states=True)) == visible
        assert memory.verify().problems == ()

        shared.let_leases_end()
        (ended,) = shared.run("maintain", "--all")
        made = story.summaries(all_states=True)
        assert (ended["state"], ended["made"]) == ("done", len(made) - visible)
        # Only the call that was open was made again.
        assert len(repeated(server)) == len(hangs)
        assert server.completed == len(made) == len(server.requests) - len(hangs)
        read = [number for asked in asked_once(server) for number in read_turns(asked)]
        assert read == list(range(1, (covered(story)[-1][1] or 0) + 1))
        assert not story.memory.status().due
        assert memory.verify().problems == ()
