"""Memory that runs by itself: where the route of a job gives nothing, others take over.

The fallback route or the last resort, in every kind of work: summaries, merges, roofs, rebuilds,
repairs.
"""

from __future__ import annotations

import asyncio
import random
import re

import pytest
from tests.integration.engine.play import Play, start
from tests.integration.jobs.faults import quiet
from tests.integration.jobs.running import Running, running

from foreword.domain.calls import ModelRequest
from foreword.domain.jobs import EventKind, JobState
from foreword.domain.summarising import Passage
from foreword.domain.turn import Role
from foreword.engine import routes
from foreword.jobs.worker import Worker
from foreword.llm.tokens import ScriptEstimator
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore
from foreword.testing.models import FakeModel, FakeModels
from foreword.testing.summarisers import EchoSummariser
from foreword.testing.virtual_time import VirtualTime

PLACES = "barn road mill well yard gate field shed wharf tower bridge ferry chapel forge".split()
STATES = "wet dry cold empty quiet dark busy shut".split()
SEASONS = "spring summer autumn winter".split()
WANTED = re.compile(r"at most (\d+) words")


def told(seed: int, tokens: int) -> str:
    """Return sentences of about seven tokens each, others for every seed."""
    draw = random.Random(seed)
    known = [f"the {a} was {b} in {c}." for a in PLACES for b in STATES for c in SEASONS]
    return " ".join(draw.sample(known, max(1, tokens // 7)))


def obeying(share: float) -> FakeModel:
    """Return a model whose answers have that share of the size that is asked for."""

    def answer(request: ModelRequest) -> str:
        wanted = WANTED.search(request.messages[-1].content)
        words = int(wanted[1]) if wanted else 50
        return told(len(model.requests), round(share * words * 7 / 6))

    model = FakeModel(answer)
    return model


PATHS = [
    ("balanced", "layers"),
    ("prefix-cache", "layers"),
    ("balanced", "two-level"),
    ("balanced", "rolling"),
    ("balanced", "originals"),
]


def driven(mode: str, strategy: str, *, fallback: FakeModel | None, last_resort: str) -> Play:
    """Let a long story run whose summaries and merges are always far too long."""
    long = obeying(2.2)
    models = {"summarise": long, "merge": long}
    if fallback is not None:
        models["fallback"] = fallback
    counter, time = ScriptEstimator(), VirtualTime()
    engine = engine_on(
        MemoryStore(),
        models=FakeModels(models),
        counter=counter,
        summariser=EchoSummariser(filled=True),
        time=time,
    )
    for name in models:
        routes.set_route(engine, name, {"url": f"http://{name}/v1", "model": f"m-{name}"})
    play = start(engine, 0, context="4000", reply="200", mode=mode, strategy=strategy)
    size = "4000" if strategy == "originals" else "500"
    play.set(last_resort=last_resort, batch_target=size, batch_cap=size)
    for number in range(80):
        play.say(told(1000 + number, 100))
        asyncio.run(Worker(engine=engine, owner="w").drain())
    return play


@pytest.mark.parametrize(("mode", "strategy"), PATHS)
@pytest.mark.parametrize("way", ["fallback", "builtin"])
def test_a_model_that_is_always_too_long_leads_to_the_fallback_or_the_last_resort(
    mode: str, strategy: str, way: str
) -> None:
    play = driven(
        mode,
        strategy,
        fallback=obeying(0.9) if way == "fallback" else None,
        last_resort="nothing" if way == "fallback" else "builtin",
    )
    views = play.summaries(all_states=True)
    assert {view.maker for view in views} == {"m-fallback" if way == "fallback" else "echo-1"}
    if strategy in {"layers", "two-level"}:
        assert max(view.layer for view in views) > 0
    assert play.prompt().plan.coverage.dropped == 0
    assert play.problems() == ()


def monster(*, way: str, last_resort: str) -> Running:
    """One turn that the route of the job cannot read, between quiet ones."""
    passages = [
        Passage(speaker="Anneke", role=Role.USER, text=quiet("en", 1)),
        Passage(speaker="Hesper", role=Role.ASSISTANT, text=told(7, 3000)),
    ]
    on = running(
        told(9, 100),
        passages=passages,
        others={"fallback": FakeModel([told(8, 100)])} if way == "fallback" else None,
        settings={"context": "9000", "last_resort": last_resort},
    )
    routes.set_route(on.play.engine, "summarise", {"context": "2048"})
    return on


@pytest.mark.parametrize(
    ("way", "last_resort", "maker"),
    [("fallback", "nothing", "m-fallback"), ("none", "builtin", "echo-1")],
)
def test_a_turn_too_long_for_the_route_is_summarised_by_who_takes_over(
    way: str, last_resort: str, maker: str
) -> None:
    on = monster(way=way, last_resort=last_resort)
    on.work()
    assert [view.maker for view in on.play.summaries()] == [maker]
    assert on.asked == 0
    (line,) = on.log(EventKind.REJECTED)
    assert "takes over: Contextual limit not sufficient." in line
    on.prove()
    # An edit of it is repaired by memory in the same way.
    on.play.edit(2, told(10, 3000))
    on.work()
    assert [view.maker for view in on.play.summaries()] == [maker]
    assert [view.id for view in on.play.summaries()] == [2]
    on.prove()


def test_a_turn_that_nobody_can_read_stays_as_it_is_and_the_log_says_why() -> None:
    on = monster(way="none", last_resort="nothing")
    (ended,) = on.work()
    assert (ended.state, on.remembered(), on.asked) == (JobState.FAILED, [], 0)
    (line,) = on.log(EventKind.FAILED)
    assert "give the route a model with a larger context" in line
    on.prove()
