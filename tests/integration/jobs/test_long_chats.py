"""Chats of thousands of messages whose memory runs by itself, with the built-in summariser.

`make long` makes them five times as long.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil, log2
from random import Random

import pytest
from tests.integration.engine.play import Play, start

from foreword.domain.summarising import MergeRequest, SummaryDraft, SummaryRequest
from foreword.domain.turn import Role
from foreword.engine import turns
from foreword.engine.context import reading
from foreword.engine.upkeep import keep_up, look
from foreword.llm.builtin import BuiltinSummariser
from foreword.llm.tokens import ScriptEstimator
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore

MESSAGES = 10_000 if "LONG_STORIES" in os.environ else 1_200
STAGES = 4
"""Equal parts, after each of which everything is proved."""
LINEAR = 1.5
"""Times the calls and tokens of the second part that a later part may take.

The last would take more than twice as many if they grew with the square of the length.
"""
WHO = "Anneke Hesper Matthis Nib Ruben Oake Brandt Odile Bram Tobin Mara Ilse".split()
DOES = "carries hides sells mends forgets promises counts finds".split()
WHAT = "lantern ledger key letter map coin boat whistle bell rope".split()
WHERE = "mill ferry chapel bridge harbour cellar tower market".split()


class Counting:
    """The built-in summariser, and the tokens that it is given."""

    def __init__(self, counter: ScriptEstimator) -> None:
        self.inner = BuiltinSummariser(counter)
        self.count = counter.count
        self.maker = self.inner.maker
        self.calls = self.tokens = 0

    async def summarise(self, request: SummaryRequest) -> SummaryDraft:
        self._note(*(one.text for one in request.passages), *request.earlier)
        return await self.inner.summarise(request)

    async def merge(self, request: MergeRequest) -> SummaryDraft:
        self._note(*request.blocks)
        return await self.inner.merge(request)

    def _note(self, *texts: str) -> None:
        self.calls += 1
        self.tokens += sum(map(self.count, texts))


def messages(seed: str) -> Iterator[str]:
    """Yield messages of one or two sentences without end; the same for the same seed."""
    draw = Random(seed)
    while True:
        yield " ".join(
            f"{draw.choice(WHO)} {draw.choice(DOES)} the {draw.choice(WHAT)} at the "
            f"{draw.choice(WHERE)} and asks for {draw.randint(2, 90)} marks."
            for _ in range(draw.randint(1, 2))
        )


@dataclass(frozen=True, slots=True)
class Stage:
    """What a part of the chat took."""

    calls: int
    tokens: int
    depth: int


def tell(mode: str) -> tuple[Play, list[Stage]]:
    """Tell the chat in parts, prove each, and return what they took."""
    counter = ScriptEstimator()
    counting = Counting(counter)
    engine = engine_on(MemoryStore(), counter=counter, summariser=counting)
    play = start(engine, 0, mode=mode, context="8192")
    stages: list[Stage] = []
    source, newest = messages(mode), ""
    for part in range(1, STAGES + 1):
        calls, tokens = counting.calls, counting.tokens
        for number in range(MESSAGES // STAGES):
            role = Role.ASSISTANT if number % 2 else Role.USER
            newest = next(source)
            turns.append(engine, play.place, newest, role=role)
            if role is Role.ASSISTANT and number % 10 == 9:
                asyncio.run(keep_up(engine, play.place))
        prove(play, part * (MESSAGES // STAGES), newest)
        depth = max(view.generation_depth for view in play.summaries())
        stages.append(Stage(counting.calls - calls, counting.tokens - tokens, depth))
    return play, stages


def prove(play: Play, told: int, newest: str) -> None:
    """Prove coverage and budgets, and that the newest message is sent."""
    prompt = play.prompt()
    coverage = prompt.plan.coverage
    assert (coverage.total, coverage.turns, coverage.dropped) == (told, told, 0)
    spoken = [one.content for one in prompt.messages]
    assert sum(play.engine.counter.count(text) + 4 for text in spoken) <= prompt.plan.limit
    assert newest in spoken[-1]
    spans = [(view.from_order, view.order) for view in play.summaries()]
    ends = [0, *(last for _, last in spans if last is not None)]
    assert [first for first, _ in spans] == [end + 1 for end in ends[:-1]]
    assert ends[-1] == coverage.covered
    with reading(play.engine, play.place) as at:
        looked = look(play.engine, at)
    assert sum(view.tokens for view in play.summaries()) <= looked.budgets.memory
    assert looked.loaded.pile.tokens < looked.budgets.trigger


@pytest.mark.timeout(600)
@pytest.mark.parametrize("mode", ["balanced", "prefix-cache"])
def test_a_long_chat_stays_within_its_budgets_at_a_cost_that_grows_with_its_length(
    mode: str, record_property: Callable[[str, object], None]
) -> None:
    play, stages = tell(mode)
    record_property("stages", str(stages))
    assert play.problems() == ()
    blocks = sum(view.layer == 0 for view in play.summaries(all_states=True))
    assert max(stage.depth for stage in stages) <= ceil(log2(blocks)) + 1
    _, second, *later = stages
    for stage in later:
        assert stage.calls <= LINEAR * second.calls
        assert stage.tokens <= LINEAR * second.tokens
