"""A story whose memory runs by itself, with a model that is ill until it is healed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.integration.engine.play import Play, start
from tests.integration.jobs.faults import ARRIVAL, quiet

from foreword.domain.jobs import EventKind, EventLevel
from foreword.domain.summarising import Passage
from foreword.engine import routes, turns
from foreword.engine.event_log import events
from foreword.jobs.maintaining import find_due
from foreword.jobs.worker import Ended, Worker
from foreword.llm.tokens import ScriptEstimator
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore
from foreword.testing.models import Answer, FakeModel, FakeModels
from foreword.testing.summarisers import EchoSummariser
from foreword.testing.virtual_time import VirtualTime

SETTINGS = {
    "context": "4000",
    "reply": "200",
    "mode": "balanced",
    "verbatim": "600",
    "queue": "250",
    "summary_target": "280",
    "batch_target": "2000",
}
VERBATIM = 640
"""Tokens of quiet turns that are said behind a text, so that all of it is to be summarised."""
CALLS_A_RUN = 2
"""The draft, and one that is asked for because the first is refused."""


class Patient:
    """A model that is ill until it is healed."""

    def __init__(self, *ill: Answer) -> None:
        self.answers: Sequence[Answer] = ill
        self.model = FakeModel(lambda _request: self.answers[self._next()])
        self._since = 0

    def heal(self, *well: Answer) -> None:
        self.answers, self._since = well, len(self.model.requests)

    def _next(self) -> int:
        asked = len(self.model.requests) - self._since
        return min(asked, len(self.answers)) - 1


@dataclass(frozen=True, slots=True)
class Running:
    """A story whose memory runs by itself, and the model that it asks."""

    play: Play
    patient: Patient
    time: VirtualTime
    language: str

    @property
    def asked(self) -> int:
        return len(self.patient.model.requests)

    def work(self) -> list[Ended]:
        """Let a worker do what is due."""
        ended: list[Ended] = []
        find_due(self.play.engine, self.play.place.conversation)
        asyncio.run(Worker(engine=self.play.engine, owner="w", ended=ended.append).drain())
        return ended

    def goes_on(self, number: int) -> None:
        """Say one more turn."""
        self.play.say(quiet(self.language, 100 + number))

    def log(self, *kinds: EventKind) -> list[str]:
        found = events(self.play.engine, self.play.place, level=EventLevel.NORMAL)
        return [event.text for event in found if not kinds or event.kind in kinds]

    def remembered(self) -> list[str]:
        return [view.text for view in self.play.summaries(all_states=True)]

    def prove(self) -> None:
        """Prove that every turn has one fate, the newest among those that are sent."""
        prompt = self.play.prompt()
        coverage = prompt.plan.coverage
        *_, newest = turns.list_turns(self.play.engine, self.play.place)
        assert coverage.total == coverage.turns == newest.order
        assert newest.text in prompt.messages[-1].content
        assert self.play.problems() == ()


def running(
    *answers: Answer,
    passages: Sequence[Passage] = ARRIVAL,
    language: str = "en",
    others: Mapping[str, FakeModel] | None = None,
    settings: Mapping[str, str] | None = None,
) -> Running:
    """Tell a text and some quiet turns; nothing is summarised before `work`."""
    patient, time, counter = Patient(*answers), VirtualTime(), ScriptEstimator()
    engine = engine_on(
        MemoryStore(),
        models=FakeModels({"summarise": patient.model, "merge": patient.model, **(others or {})}),
        counter=counter,
        time=time,
        summariser=EchoSummariser(filled=True),
    )
    play = start(engine, 0, **{**SETTINGS, **(settings or {}), "memory": "off"})
    for one in passages:
        turns.append(engine, play.place, one.text, role=one.role, speaker=one.speaker or None)
    each = counter.count(quiet(language, 10))
    for number in range(10, 10 + VERBATIM // each + 1):
        play.say(quiet(language, number))
    play.set(memory="on")
    for name in ("summarise", *(others or {})):
        routes.set_route(engine, name, {"url": "http://model/v1", "model": f"m-{name}"})
    return Running(play, patient, time, language)
