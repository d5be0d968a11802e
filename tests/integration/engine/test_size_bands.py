"""Automatic memory holds a model to a band of sizes; summaries by hand are judged as before."""

from __future__ import annotations

import asyncio

import pytest
from tests.integration.engine.play import start

from foreword.domain.turn import Role
from foreword.engine import routes
from foreword.engine.context import Engine, Place, reading
from foreword.engine.upkeep import Limits, keep_up, look
from foreword.errors import SummaryUnusable
from foreword.planning.upkeep import Asked
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore
from foreword.testing.models import FakeModel, FakeModels

PLACES = "barn road mill well yard gate field shed wharf tower bridge ferry chapel forge".split()
MONTHS = ("in spring", "in summer", "in autumn", "in winter")
TOLD = [f"the {place} was wet {month}." for month in MONTHS for place in PLACES]
"""Sentences of six tokens."""


def sized(tokens: int) -> str:
    return " ".join(TOLD[: tokens // 6])


def told(*answers: str) -> tuple[Engine, Place, FakeModel]:
    """A story that exceeds its budgets, told to a model."""
    model = FakeModel(answers)
    engine = engine_on(MemoryStore(), models=FakeModels(model))
    play = start(engine, 0, context="2000", reply="200", mode="balanced", summary_target="100")
    for number in range(32):
        role = Role.ASSISTANT if number % 2 else Role.USER
        play.say(" ".join(["word"] * 36), first=role)
    routes.set_route(engine, "summarise", {"url": "http://model/v1", "model": "m-1"})
    return engine, play.place, model


def outcomes(engine: Engine) -> list[str]:
    calls = engine.ledger.calls(engine.account)[::-1]
    return [f"{call.purpose.value} {call.outcome.value}" for call in calls]


def run(engine: Engine, place: Place) -> None:
    asyncio.run(keep_up(engine, place, asked=Asked.AUTOMATIC, limits=Limits(steps=1)))


def test_a_draft_beyond_the_band_is_asked_for_again_by_how_much_to_shrink() -> None:
    engine, place, model = told(sized(200), sized(100))
    with reading(engine, place) as at:
        assert look(engine, at).budgets.summary_target == 100
    run(engine, place)
    assert outcomes(engine) == ["summary rejected", "repair used"]
    assert "cut about half of it" in model.requests[1].messages[-1].content


def test_a_draft_that_is_still_too_long_is_refused() -> None:
    engine, place, _ = told(sized(200), sized(170))
    with pytest.raises(SummaryUnusable, match="the target is 100"):
        run(engine, place)
    assert outcomes(engine)[:2] == ["summary rejected", "repair rejected"]
    with reading(engine, place) as at:
        assert at.session.cover(at.branch.id) == ()


def test_a_draft_that_is_still_too_short_is_taken() -> None:
    engine, place, model = told(sized(36), sized(36))
    run(engine, place)
    assert "about three times as much" in model.requests[1].messages[-1].content
    with reading(engine, place) as at:
        assert [row.tokens for row in at.session.cover(at.branch.id)] == [36]
