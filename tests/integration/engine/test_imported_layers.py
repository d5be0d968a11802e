"""Layers of Summaryception go on living as layers here."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.integration.engine.play import Play
from tests.integration.engine.test_export_summaryception import parsed, written
from tests.integration.engine.test_import_memories import chat, message, older, snippet, spans, take

from foreword.engine import repairing
from foreword.engine.context import Engine
from foreword.engine.status import status
from foreword.engine.upkeep import keep_up
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore

MESSAGES = 30
NEWER = {
    "layers": [
        [snippet(6, 7), snippet(8, 9), snippet(10, 11), snippet(12, 13)],
        [snippet(4, 5, text="They quarrelled.")],
        [snippet(0, 1, 2, 3, text="They met.")],
    ]
}
OLDER = {
    "layers": [
        [older(6, 7), older(8, 9), older(10, 11), older(12, 13)],
        [older(4, 5, "They quarrelled.")],
        [older(0, 3, "They met.")],
    ],
    "summarizedUpTo": 13,
    "ghostedIndices": list(range(14)),
}
BOTH = pytest.mark.parametrize("layered", [NEWER, OLDER], ids=["newer", "older"])


def imported(engine: Engine, layered: dict[str, Any]) -> Play:
    ghosts = len(layered.get("ghostedIndices", ()))
    told = [message(one, hidden=one < ghosts) for one in range(MESSAGES)]
    data = chat(told, summaryception=layered)
    play, done = take(engine, data)
    assert done.losses == ()
    return play


def layers(play: Play) -> list[tuple[int, int]]:
    """The layers in use, each with how many summaries it holds."""
    return [(one.layer, one.summaries) for one in status(play.engine, play.place).layers]


@BOTH
def test_each_summary_keeps_the_layer_that_it_had(engine: Engine, layered: dict[str, Any]) -> None:
    play = imported(engine, layered)
    assert layers(play) == [(0, 4), (1, 1), (2, 1)]
    assert play.problems() == ()


@BOTH
def test_an_edit_makes_only_the_summary_over_it_stale_and_repair_remakes_it(
    engine: Engine, layered: dict[str, Any]
) -> None:
    play = imported(engine, layered)
    before = spans(play)
    play.edit(2, "They never met.")
    assert spans(play) == before[1:]
    (repaired,) = asyncio.run(repairing.repair(play.engine, play.place))
    assert (repaired.made.from_order, repaired.made.order) == (1, 4)
    assert play.problems() == ()


@BOTH
def test_words_that_come_back_bring_the_old_summary_back(
    engine: Engine, layered: dict[str, Any]
) -> None:
    play = imported(engine, layered)
    before = spans(play)
    play.edit(2, "They never met.")
    play.undo()
    assert spans(play) == before
    assert layers(play) == [(0, 4), (1, 1), (2, 1)]


@BOTH
def test_a_crowded_layer_is_merged_into_the_next(engine: Engine, layered: dict[str, Any]) -> None:
    play = imported(engine, layered)
    play.set(mode="balanced", context="4096", layer_count="3", merge_count="2")
    asyncio.run(keep_up(play.engine, play.place))
    assert [layer for layer, _ in layers(play)] == [0, 1, 2]
    assert layers(play)[1][1] > 1
    assert play.problems() == ()


@BOTH
def test_the_layers_go_out_as_they_came(engine: Engine, layered: dict[str, Any]) -> None:
    out = parsed(written(imported(engine, layered)).data)[0]
    assert [len(layer) for layer in out["layers"]] == [4, 1, 1]


def test_a_bundle_keeps_them(engine: Engine) -> None:
    play = imported(engine, NEWER)
    copy, _ = take(engine_on(MemoryStore()), written(play, "bundle").data, "night.bundle.json")
    assert layers(copy) == layers(play)


@given(sizes=st.lists(st.integers(1, 3), min_size=1, max_size=5))
def test_any_number_of_layers_survives_the_way_in_and_out(sizes: list[int]) -> None:
    number, found = 0, []
    for size in reversed(sizes):
        found.append([snippet(number + at, text=f"Part {number + at}.") for at in range(size)])
        number += size
    play = imported(engine_on(MemoryStore()), {"layers": found[::-1]})
    assert layers(play) == list(enumerate(sizes))
    out = parsed(written(play).data)[0]
    assert [len(layer) for layer in out["layers"]] == sizes
