"""`foreword memory stop` in one process ends the call of another, until `memory resume`."""

from __future__ import annotations

import signal

from tests.e2e.program import PATIENCE_SECONDS
from tests.integration.jobs.processes import (
    SETTINGS,
    Shared,
    asking,
    at_rest,
    covered,
    tell,
    until,
    writing,
)

TOLD = 40
MORE = 10
HANG_UP_SECONDS = 10
"""A second is what is promised; machines that test are busy."""


def test_stop_hangs_up_in_another_process_and_lasts_until_resume(shared: Shared) -> None:
    with writing(hangs=frozenset({1})) as server, shared.memory() as memory:
        asking(memory, server)
        story = memory.new("Lamp", **SETTINGS)
        tell(story, 1, TOLD)
        with shared.start("maintain", "--all", "--watch") as watching:
            assert server.wait_for(1, PATIENCE_SECONDS)
            assert shared.run("memory", "stop", story.id) == {"paused": True, "stopped": [1]}
            assert server.hung_up.wait(HANG_UP_SECONDS)
            until(lambda: at_rest(memory))
            assert server.abandoned == server.requests
            (job,) = shared.run("jobs", story.id)
            assert (job["state"], job["made"]) == ("stopped", 0)

            tell(story, TOLD + 1, TOLD + MORE)
            assert shared.run("maintain", "--all") == []
            assert (len(server.requests), covered(story)) == (1, [])
            assert shared.run("memory", "resume", story.id) == {"paused": False, "due": True}
            until(lambda: server.completed > 0 and at_rest(memory))
            assert watching.end(signal.SIGTERM) == -signal.SIGTERM
        assert covered(story)[0][0] == 1
        assert not story.memory.status().due
        assert memory.verify().problems == ()
