"""The bundled story, told message by message, through every mode and every way to rebuild.

With the built-in summariser, and once with a small local model that is not up to it.
`make long` tells it to the end in every combination; the suite does so in one of them a mode.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import ceil, log2
from pathlib import Path

import pytest
from tests.integration.engine.play import Play, start
from tests.integration.llm.test_local_model import gguf

from foreword.domain.calls import Outcome
from foreword.domain.policy import Strategy
from foreword.domain.turn import Role
from foreword.engine import routes, templates, turns
from foreword.engine.context import reading
from foreword.engine.upkeep import Limits, keep_up, look
from foreword.llm.builtin import BuiltinSummariser
from foreword.llm.models import RoutedModels
from foreword.llm.tokens import ScriptEstimator
from foreword.ports.chat_model import ChatModels
from foreword.prompts.templates import TemplateName
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore
from foreword.testing.virtual_time import VirtualTime

PART = 66
"""Messages of the story that most combinations get through in the suite."""
LONG = "LONG_STORIES" in os.environ
"""Set by `make long`."""
EVERY = 22
"""Messages after which memory works and everything is proved."""
MODES = ("balanced", "prefix-cache")
CONTEXTS = (4096, 8192)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the story."""

    name: str
    role: Role
    text: str


@cache
def story() -> tuple[Message, ...]:
    """Return all messages of the bundled story."""
    path = files("foreword") / "data" / "lantern_road" / "lantern-road.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]
    return tuple(
        Message(row["name"], Role.USER if row["is_user"] else Role.ASSISTANT, row["mes"])
        for row in rows
    )


def tell(play: Play, messages: Sequence[Message], *, before: Sequence[Message] = ()) -> None:
    """Tell messages; memory works and everything is proved now and then, and at the end."""
    for number, one in enumerate(messages, 1):
        turns.append(play.engine, play.place, one.text, role=one.role, speaker=one.name)
        if number % EVERY == 0 or number == len(messages):
            asyncio.run(keep_up(play.engine, play.place))
            prove(play, (*before, *messages[:number]))


def prove(play: Play, told: Sequence[Message]) -> None:
    """Prove the coverage by enumeration, the budgets, and that the newest message is sent."""
    prompt = play.prompt()
    spoken = [one.content for one in prompt.messages]
    coverage = prompt.plan.coverage
    assert coverage.total == coverage.turns == len(told)
    assert coverage.dropped == 0
    cost = sum(play.engine.counter.count(text) + 4 for text in spoken)
    assert cost <= prompt.plan.limit == prompt.context - prompt.reply
    assert told[-1].text in spoken[-1]
    # Every message is said word for word, or stands in the span of exactly one summary.
    spans = [range(view.from_order or 0, (view.order or 0) + 1) for view in play.summaries()]
    for order, one in enumerate(told, 1):
        covered = sum(order in span for span in spans)
        assert covered == 1 or (covered == 0 and any(one.text in text for text in spoken))
    with reading(play.engine, play.place) as at:
        looked = look(play.engine, at)
    assert sum(view.tokens for view in play.summaries()) <= looked.budgets.memory
    assert play.problems() == ()


def most_depth(play: Play, strategy: Strategy) -> int:
    """Return the passes that words may have gone through."""
    match strategy:
        case Strategy.LAYERS:
            blocks = sum(view.layer == 0 for view in play.summaries(all_states=True))
            return ceil(log2(blocks)) + 1
        case Strategy.TWO_LEVEL:
            return 2
        case Strategy.ROLLING:
            return 8
        case Strategy.ORIGINALS:
            return 1


def new(models: ChatModels | None = None, **settings: str) -> Play:
    counter = ScriptEstimator()
    engine = engine_on(
        MemoryStore(), counter=counter, summariser=BuiltinSummariser(counter), models=models
    )
    return start(engine, 0, **settings)


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("strategy", [*Strategy])
def test_the_story_goes_through_every_mode_and_every_way_to_rebuild(
    strategy: Strategy, mode: str, context: int
) -> None:
    whole = LONG or (strategy is Strategy.LAYERS and context == CONTEXTS[0])
    play = new(mode=mode, strategy=strategy.value, context=str(context))
    tell(play, story() if whole else story()[:PART])
    views = play.summaries()
    depth = max(view.generation_depth for view in views)
    assert 1 <= depth <= most_depth(play, strategy)
    if strategy in {Strategy.LAYERS, Strategy.TWO_LEVEL} and whole:
        assert depth > 1


@pytest.fixture(scope="module")
def model_file() -> Path:
    file = gguf()
    if file is None or importlib.util.find_spec("xllamacpp") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("the small local model is not installed")
        pytest.skip("the small local model is not installed")
    return file


@pytest.mark.timeout(300)
def test_a_model_that_is_not_up_to_the_story_leaves_memory_whole(model_file: Path) -> None:
    models = RoutedModels(lambda _route: "", ScriptEstimator(), VirtualTime().sleep)
    play = new(models, mode="balanced", context="4096", last_resort="builtin")
    play.set(batch_target="200", batch_cap="200")
    short = "Say in two sentences what happens:\n\n{{ text }}\n"
    templates.save(play.engine, TemplateName.SUMMARY, short)
    templates.save(play.engine, TemplateName.REPAIR, short + "{{ direction }}\n")
    local = {"kind": "local", "model": str(model_file), "context": "2048", "output": "16"}
    routes.set_route(play.engine, "summarise", {**local, "temperature": "0", "retries": "0"})
    begun, rest = story()[:24], story()[24:PART]
    for one in begun:
        turns.append(play.engine, play.place, one.text, role=one.role, speaker=one.name)
    asyncio.run(keep_up(play.engine, play.place, limits=Limits(steps=1)))
    calls = play.engine.ledger.calls(play.engine.account)
    used = {call.summary for call in calls if call.outcome is Outcome.USED}
    written = {view.id for view in play.summaries(all_states=True) if view.maker.endswith("gguf")}
    # What it wrote was refused or used, and never kept without a judgement.
    assert written == used
    assert 1 <= len(calls) <= 2
    assert len(play.summaries()) == 1
    routes.remove_route(play.engine, "summarise")
    play.set(batch_target="", batch_cap="")
    tell(play, rest, before=begun)
