"""What the log of memory says, and what it holds at which level."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import cast

from tests.integration.engine.play import Play, start

from foreword.domain.jobs import EventKind, EventLevel
from foreword.domain.turn import Role
from foreword.engine import memory, routes
from foreword.engine.event_log import events
from foreword.engine.upkeep import keep_up
from foreword.errors import RateLimited, StoreUnavailable
from foreword.jobs.worker import Worker
from foreword.ports.jobs import JobQueue
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore
from foreword.testing.models import FakeModel, FakeModels
from foreword.testing.summarisers import EchoSummariser


def told(turns: int = 32, model: FakeModel | None = None, **values: str) -> Play:
    models = FakeModels(FakeModel() if model is None else model)
    engine = engine_on(MemoryStore(), summariser=EchoSummariser(filled=True), models=models)
    if model is not None:
        routes.set_route(engine, "summarise", {"url": "http://model/v1", "model": "m-1"})
    settings = {"context": "2000", "reply": "200", "mode": "balanced", **values}
    play = start(engine, 0, **settings)
    for number in range(1, turns + 1):
        text = " ".join([f"t{number}", *["word"] * 35])
        play.say(text, first=Role.USER if number % 2 else Role.ASSISTANT)
    return play


def said(play: Play, level: EventLevel = EventLevel.PROMPTS) -> list[tuple[str, str]]:
    return [(one.kind.value, one.text) for one in events(play.engine, play.place, level=level)]


def run(play: Play) -> None:
    asyncio.run(keep_up(play.engine, play.place))


def test_a_summary_is_told_with_its_turns_and_the_reason() -> None:
    play = told()
    run(play)
    ((kind, text),) = said(play)
    assert kind == "made"
    assert text == (
        "S1 of layer 0 stands for turns 1 to 6 (240 tokens) in 67 tokens, written by echo-1. "
        "290 tokens stood before the verbatim turns."
    )


def test_merges_repairs_and_commands_are_told() -> None:
    play = told(100, batch_target="200", batch_cap="200")
    run(play)
    play.edit(3, "t3 says something else entirely now")
    run(play)
    memory.stop(play.engine, play.place)
    memory.resume(play.engine, play.place)
    memory.clear(play.engine, play.place)
    kinds = {kind for kind, _ in said(play)}
    assert {"made", "promoted", "repaired", "stopped", "resumed", "cleared"} <= kinds


def test_a_rebuild_is_told() -> None:
    play = told(200, layer_count="3", batch_target="200", batch_cap="200")
    run(play)
    play.set(depth_limit="2")
    run(play)
    assert any(kind == "rebuilt" for kind, _ in said(play))


def test_numbers_behind_a_step_stand_in_the_log_for_debugging() -> None:
    quiet, loud = told(), told(memory_log="debug")
    for play in (quiet, loud):
        run(play)
    assert "planned" not in dict(said(quiet))
    assert dict(said(loud))["planned"] == (
        "1,280 tokens are uncovered, 990 stay word for word and 270 may wait; summaries take 0 of "
        "450. Turns of 240 tokens are to be summarised."
    )
    assert "planned" not in dict(said(loud, EventLevel.NORMAL))


def test_what_a_model_was_asked_is_held_only_where_it_is_wanted() -> None:
    quiet, loud = told(model=FakeModel()), told(model=FakeModel(), memory_log="prompts")
    for play in (quiet, loud):
        run(play)
    assert "asked" not in dict(said(quiet))
    (asked,) = [one for one in events(loud.engine, loud.place) if one.kind is EventKind.ASKED]
    data = dict(asked.data)
    assert "t1 word" in data["prompt"]
    assert data["answer"]
    assert dict(said(loud))["answered"] == (
        "m-1 wrote a summary for route summarise; it is accepted."
    )


def test_no_key_gets_into_the_log() -> None:
    error = RateLimited(route="summarise", detail="key sk-proj_abcdefghijkl1234 is over its limit")
    play = told(model=FakeModel([error]))
    asyncio.run(Worker(engine=play.engine, owner="w").drain())
    (failed,) = [text for kind, text in said(play) if kind == "failed"]
    assert "over its limit" in failed
    assert "sk-proj" not in failed


def test_a_key_in_use_is_in_no_line_whatever_it_looks_like() -> None:
    key = "correct-horse-battery"
    play = told(model=FakeModel([f"The traveller wrote {key} on the wall, and t1 word word."]))
    play = replace(play, engine=replace(play.engine, keys=lambda _routes: (key,)))
    play.edit(1, f"t1 {key} " + "word " * 35)
    play.set(memory_log="prompts", last_resort="builtin")
    run(play)
    lines = events(play.engine, play.place)
    assert any("[key removed]" in dict(one.data).get("prompt", "") for one in lines)
    assert key not in repr(lines)


def test_a_log_that_cannot_be_written_stops_nothing() -> None:
    class Full:
        def __init__(self, jobs: JobQueue) -> None:
            self._jobs = jobs

        def log(self, *_: object) -> None:
            raise StoreUnavailable("the disk is full")

        def __getattr__(self, name: str) -> object:
            return getattr(self._jobs, name)

    play = told()
    full = replace(play.engine, jobs=cast("JobQueue", Full(play.engine.jobs)))
    asyncio.run(keep_up(full, play.place))
    assert len(play.summaries()) == 1
    assert said(play) == []
