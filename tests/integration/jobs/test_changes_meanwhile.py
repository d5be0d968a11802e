"""Turns that change in one process while another has a summary of them written."""

from __future__ import annotations

from collections.abc import Callable

from tests.e2e.program import PATIENCE_SECONDS
from tests.integration.jobs.processes import (
    SETTINGS,
    Shared,
    asking,
    covered,
    let_go,
    question,
    tell,
    writing,
)

from foreword.domain.calls import Outcome
from foreword.engine import turns
from foreword.library import Conversation, Memory

TOLD = 34
OLD = "old3"
"""Begins what turn 3 says while a model reads it; before that, and after some changes, it is t3."""
AGAIN = "t3 " + "word " * 35
CHANGES: dict[str, Callable[[Conversation], object]] = {
    "edit": lambda story: story.edit(3, AGAIN),
    "swipe": lambda story: turns.add_alternative(story.engine, story.place, "3", AGAIN),
    "hide": lambda story: story.hide(3),
    "delete": lambda story: story.delete(3),
    "delete all that follows": lambda story: story.delete(3, following=True),
    "undo": lambda story: story.undo(),
    "fork": lambda story: story.fork(10, name="other"),
}
MODES = ("balanced", "prefix-cache")


def tell_all(memory: Memory) -> dict[str, Conversation]:
    """Tell a story for each change in each mode; return them by the name of the change."""
    made = {}
    for name in CHANGES:
        for mode in MODES:
            story = memory.new(f"{name}, {mode}", **{**SETTINGS, "mode": mode})
            tell(story, 1, TOLD)
            story.edit(3, f"{OLD} " + "word " * 35)
            made[f"{name}, {mode}"] = story.on_branch("main")
    return made


def outcomes(story: Conversation) -> list[Outcome]:
    """Return what became of the calls for a story, oldest first."""
    engine = story.engine
    return [call.outcome for call in engine.ledger.calls(engine.account, story.id)][::-1]


def is_whole(story: Conversation) -> bool:
    """Say whether summaries in use follow each other from the first turn on."""
    ends = covered(story)
    return [first for first, _ in ends] == [1, *((last or 0) + 1 for _, last in ends)][: len(ends)]


def test_a_summary_of_what_has_changed_meanwhile_is_not_used(shared: Shared) -> None:
    with writing(held=True) as server, shared.memory() as memory:
        asking(memory, server, concurrency="16")
        told = tell_all(memory)
        with shared.start("maintain", "--all", "--concurrency", "16") as process:
            assert server.wait_for(len(told), PATIENCE_SECONDS)
            assert all(OLD in question(asked) for asked in server.requests)
            for name, story in told.items():
                CHANGES[name.partition(",")[0]](story)
                assert memory.verify().problems == ()
            let_go(server)
            assert process.wait() == 0, process.stderr.decode()
        for name, story in told.items():
            made = story.summaries(all_states=True)
            stale = [one for one in outcomes(story) if one is not Outcome.USED]
            if name.startswith("fork"):
                assert (stale, covered(story.on_branch("other"))) == ([], [])
                assert OLD in made[0].text
            else:
                # The call that was open, and none after it: nothing is asked in vain.
                assert stale == [Outcome.WASTED] == outcomes(story)[:1]
                assert not any(OLD in one.text for one in made)
            assert len(outcomes(story)) == len(stale) + len(made)
            assert is_whole(story)
            assert story.prompt().plan.coverage.total == len(story.turns())
            assert not story.memory.status().due
        assert shared.run("verify")["ok"]
