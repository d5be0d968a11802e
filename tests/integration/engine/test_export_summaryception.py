"""Summaries out to Summaryception, checked by its own rules, and in again as they were."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.integration.engine.play import Play
from tests.integration.engine.test_import_memories import (
    chat,
    hidden,
    identity,
    message,
    older,
    snippet,
    spans,
    take,
)

from foreword.domain.ids import BranchId
from foreword.engine import conversations
from foreword.engine.context import Engine, Place
from foreword.engine.exporting import export
from foreword.errors import MergeRefused
from foreword.ports.format import Written
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore

Json = dict[str, Any]


def written(play: Play, form: str = "summaryception") -> Written:
    return export(play.engine, play.place, form)


def parsed(data: bytes) -> tuple[Json, list[Json]]:
    header, *messages = [json.loads(line) for line in data.decode().splitlines()]
    return header["chat_metadata"]["summaryception"], messages


def newer_problems(data: bytes, foreign: Sequence[int]) -> list[str]:
    """Check a file by the rules that Summaryception (20 and later) loads it with.

    Args:
        data: the file.
        foreign: messages that the user hid.
    """
    store, messages = parsed(data)
    places = {one.get("sc_id"): number for number, one in enumerate(messages)}
    problems = [] if len(places) == len(messages) and None not in places else ["sc_id"]
    problems += ["no UUID 4" for one in places if UUID(one).version != 4]
    problems += shape_problems(store)
    owned = store["ghostedMessageIds"]
    covered: list[str] = []
    last_of_deeper = -1
    for layer in reversed(store["layers"]):
        for one in layer:
            ids = one["sourceMessageIds"]
            if not ids or not set(ids) <= set(places):
                problems.append("a snippet of nothing, which is dropped on load")
                continue
            if places[ids[0]] <= last_of_deeper:
                problems.append("snippets are not told oldest first")
            last_of_deeper = places[ids[-1]]
            covered += ids
    if len(set(covered)) != len(covered):
        problems.append("a message in two snippets")
    if set(owned) != set(covered) or len(owned) != len(covered):
        problems.append("owned and covered are not the same")
    flags = {number for number, one in enumerate(messages) if one["is_system"]}
    if flags != {places[one] for one in covered} | set(foreign):
        problems.append("covered and hidden are not the same")
    if {places[one] for one in covered} & set(foreign):
        problems.append("a message that the user hid is owned")
    return problems


def older_problems(data: bytes, foreign: Sequence[int]) -> list[str]:
    """Check a file by the rules of Summaryception 5, which counts messages."""
    store, messages = parsed(data)
    problems = shape_problems(store)
    owned = store["ghostedIndices"]
    last = -1
    for layer in reversed(store["layers"]):
        for one in layer:
            first, end = one["turnRange"]
            if not last < first <= end < len(messages):
                problems.append("ranges do not rise within the chat")
            last = end
    if store["summarizedUpTo"] != last:
        problems.append("summarizedUpTo is not the end of the last range")
    flags = [number for number, one in enumerate(messages) if one["is_system"]]
    marked = [number for number, one in enumerate(messages) if one["extra"].get("sc_ghosted")]
    if owned != marked or sorted([*owned, *foreign]) != flags:
        problems.append("owned, marked and hidden are not the same")
    return problems


def shape_problems(store: Json) -> list[str]:
    problems = []
    if not isinstance(store["mutationEpoch"], int) or store["mutationEpoch"] < 0:
        problems.append("mutationEpoch")
    texts = [one["text"] for layer in store["layers"] for one in layer]
    return problems + ["a snippet without text" for text in texts if not text.strip()]


def story(engine: Engine, turns: int) -> Play:
    made = conversations.create(engine, title="Lamp")
    play = Play(engine, Place(conversation=made.id, branch=BranchId(1)))
    return play.say(*[f"Turn {number} of the lamp." for number in range(turns)])


@pytest.mark.parametrize("form", ["summaryception", "summaryception-5"])
def test_summaries_made_here_are_accepted_and_come_back(engine: Engine, form: str) -> None:
    play = story(engine, 9)
    play.hide(3)
    first, second = play.make(2), play.make(5)
    play.merge(first, second)
    play.make(7)
    found = written(play, form)

    check = newer_problems if form == "summaryception" else older_problems
    assert check(found.data, [2]) == []
    store, _ = parsed(found.data)
    assert [len(layer) for layer in store["layers"]] == [1, 1]
    copy, done = take(engine_on(MemoryStore()), found.data)
    assert spans(copy) == spans(play)
    assert hidden(copy) == [3]
    assert done.losses == ()
    assert parsed(written(copy, form).data)[1] == parsed(found.data)[1]


@pytest.mark.parametrize("form", ["summaryception", "summaryception-5"])
def test_a_story_without_summaries_has_an_empty_store(engine: Engine, form: str) -> None:
    found = written(story(engine, 2), form)
    check = newer_problems if form == "summaryception" else older_problems
    assert check(found.data, []) == []


def test_a_store_that_did_not_change_comes_out_as_it_was(engine: Engine) -> None:
    store = {
        "layers": [[snippet(0, 1, timestamp=7)]],
        "ghostedMessageIds": [identity(0), identity(1)],
        "mutationEpoch": 4,
        "unknown": {"kept": True},
    }
    data = chat([message(one, hidden=one < 2) for one in range(4)], summaryception=store)
    play, _ = take(engine, data)

    assert written(play).data == data


def test_a_new_summary_joins_the_store_and_leaves_the_others_alone(engine: Engine) -> None:
    store = {
        "layers": [[snippet(0, 1, timestamp=7)]],
        "ghostedMessageIds": [identity(0), identity(1)],
        "mutationEpoch": 4,
    }
    data = chat([message(one, hidden=one < 2) for one in range(6)], summaryception=store)
    play, _ = take(engine, data)
    play.make(4)
    found, messages = parsed(written(play).data)

    assert newer_problems(written(play).data, []) == []
    assert found["layers"][0][0] == snippet(0, 1, timestamp=7)
    assert found["mutationEpoch"] == 5
    assert [one["is_system"] for one in messages] == [True] * 4 + [False] * 2


def test_an_outdated_summary_shows_its_messages_again(engine: Engine) -> None:
    store = {"layers": [[snippet(0, 1)]], "ghostedMessageIds": [identity(0), identity(1)]}
    play, _ = take(
        engine, chat([message(one, hidden=one < 2) for one in range(3)], summaryception=store)
    )
    play.edit(1, "Something else.")
    found = written(play)

    assert newer_problems(found.data, []) == []
    assert parsed(found.data)[0]["layers"] == [[]]
    assert [loss.what for loss in found.losses] == ["1 outdated summary"]


def test_either_generation_goes_out_as_the_other(engine: Engine) -> None:
    store = {"layers": [[older(0, 1)]], "summarizedUpTo": 1, "ghostedIndices": [0, 1]}
    told = [message(one, hidden=one < 2, sc_ghosted=one < 2) for one in range(4)]
    play, _ = take(engine, chat(told, summaryception=store))

    data = written(play).data
    assert newer_problems(data, []) == []
    assert set(parsed(data)[0]) == {"layers", "ghostedMessageIds", "mutationEpoch"}
    back, _ = take(engine_on(MemoryStore()), data)
    again = written(back, "summaryception-5").data
    assert older_problems(again, []) == []
    assert set(parsed(again)[0]) == {"layers", "ghostedIndices", "summarizedUpTo", "mutationEpoch"}


def test_a_hole_before_the_newest_summary_is_reported_for_the_older_store(engine: Engine) -> None:
    play, _ = take(
        engine, chat([message(one) for one in range(4)], summaryception={"layers": [[snippet(2)]]})
    )

    found = written(play, "summaryception-5")
    assert older_problems(found.data, []) == []
    assert [loss.what for loss in found.losses] == ["2 turns without a summary"]


@given(st.data())
def test_any_story_is_accepted_by_both_generations_and_comes_back(data: st.DataObject) -> None:
    play = story(engine_on(MemoryStore()), 10)
    for _ in range(data.draw(st.integers(0, 6))):
        made = [one for one in play.state().cover if one.state == "used"]
        free = sorted({*range(1, 11)} - {n for _, lo, hi in spans(play) for n in range(lo, hi + 1)})
        match data.draw(st.sampled_from(["hide", "make", "merge", "edit"])):
            case "hide":
                play.hide(data.draw(st.integers(1, 10)))
            case "make" if [one for one in free if one not in hidden(play)]:
                play.make(
                    data.draw(st.sampled_from([one for one in free if one not in hidden(play)]))
                )
            case "merge" if len(made) > 1:
                with suppress(MergeRefused):  # turns without a summary stand between them
                    play.merge(made[0].summary_id, made[1].summary_id)
            case "edit":
                play.edit(data.draw(st.integers(1, 10)), "Edited.")
            case _:
                pass
    foreign = [number - 1 for number in hidden(play)]
    assert newer_problems(written(play).data, foreign) == []
    assert older_problems(written(play, "summaryception-5").data, foreign) == []
    for form in ("summaryception", "summaryception-5"):
        copy, _ = take(engine_on(MemoryStore()), written(play, form).data)
        assert spans(copy) == spans(play)
        assert hidden(copy) == hidden(play)
