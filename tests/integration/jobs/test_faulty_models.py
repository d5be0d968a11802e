"""A model that answers with rubbish while memory runs by itself.

Whatever it writes, none of it is remembered, every turn stays accounted for, the log says why, the
calls end, and memory goes on as soon as the model is well again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import pytest
from tests.integration.engine.play import Play, start
from tests.integration.jobs.faults import ARRIVAL, FAULTS, Fault, quiet

from foreword.domain.jobs import EventKind, EventLevel, JobState
from foreword.domain.summarising import Passage
from foreword.engine import routes, turns
from foreword.engine.event_log import events
from foreword.jobs.maintaining import find_due
from foreword.jobs.worker import Ended, Worker
from foreword.llm.tokens import ScriptEstimator
from foreword.planning.breaker import LONGEST_COOLDOWN, OPENS_AFTER
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
    others: dict[str, FakeModel] | None = None,
    **settings: str,
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
    play = start(engine, 0, **{**SETTINGS, **settings, "memory": "off"})
    for one in passages:
        turns.append(engine, play.place, one.text, role=one.role, speaker=one.speaker or None)
    each = counter.count(quiet(language, 10))
    for number in range(10, 10 + VERBATIM // each + 1):
        play.say(quiet(language, number))
    play.set(memory="on")
    for name in ("summarise", *(others or {})):
        routes.set_route(engine, name, {"url": "http://model/v1", "model": f"m-{name}"})
    return Running(play, patient, time, language)


def _faulty(fault: Fault) -> Running:
    return running(fault.faulty, passages=fault.passages, language=fault.language, **fault.settings)


by_id = pytest.mark.parametrize("fault", FAULTS, ids=[fault.id for fault in FAULTS])


@by_id
def test_a_faulty_answer_is_never_remembered_and_memory_goes_on_when_the_model_is_well(
    fault: Fault,
) -> None:
    on = _faulty(fault)
    (ended,) = on.work()
    assert (ended.state, on.remembered(), on.asked) == (JobState.FAILED, [], CALLS_A_RUN)
    (line,) = on.log(EventKind.FAILED)
    assert line.startswith("m-summarise gave no usable summary: ")
    assert fault.says in line
    assert "\n" not in line
    on.prove()
    # However long it stays ill, its breaker ends the calls.
    for number in range(8):
        on.goes_on(number)
        on.work()
        on.prove()
    assert (on.asked, on.remembered()) == (OPENS_AFTER * CALLS_A_RUN, [])
    # It needs no help to go on when it is well.
    well = fault.honest if fault.twin_passages is None else fault.other
    on.patient.heal(well)
    on.time.advance(timedelta(seconds=LONGEST_COOLDOWN))
    on.goes_on(9)
    on.work()
    assert on.remembered()[0] == (fault.kept or well.text)
    on.prove()


@by_id
def test_an_honest_answer_that_looks_like_a_fault_is_remembered(fault: Fault) -> None:
    on = running(
        fault.honest,
        passages=fault.passages if fault.twin_passages is None else fault.twin_passages,
        language=fault.language,
        **fault.settings,
    )
    on.work()
    assert on.remembered()[0] == (fault.kept or fault.honest.text)
    assert on.play.summaries()[0].maker == "m-summarise"
    assert on.log(EventKind.MADE)[0].startswith("S1 of layer 0 stands for turns 1 to ")
    on.prove()
