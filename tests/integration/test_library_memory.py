"""Automatic memory through the library."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import foreword
from foreword.domain.jobs import JobProgress
from foreword.errors import InvalidSetting, SummaryNotInUse
from foreword.planning.steps import Reason


@pytest.fixture
def story(tmp_path: Path) -> foreword.Conversation:
    memory = foreword.open(tmp_path)
    made = memory.new("Ferry", mode="balanced", context="4096", reply="400")
    for number in range(1, 121):
        text = f"Mara pays {number} coins at the {number}th bridge and asks Tobin for the way. " * 3
        made.append(text, role="user" if number % 2 else "assistant")
    return made


def test_a_program_lets_memory_keep_up(story: foreword.Conversation) -> None:
    told: list[JobProgress] = []
    assert story.memory.status().due
    price = story.memory.catch_up_price()
    kept = asyncio.run(story.memory.keep_up(watch=told.append))
    assert kept.wait.reason is Reason.BELOW
    assert (len(kept.made) >= price.plan.summaries > 0, told[0].made) == (True, 0)
    assert not story.memory.status().due
    assert story.memory.preview().summaries == len(story.summaries())
    assert story.prompt().plan.coverage.dropped == 0


def test_a_cap_of_nothing_ends_before_the_first_step(story: foreword.Conversation) -> None:
    assert asyncio.run(story.memory.keep_up(dollars=0)).wait.reason is Reason.LIMIT
    assert story.memory.catch_up_price(dollars=0).plan.calls >= 0


def test_a_program_steers_memory(story: foreword.Conversation) -> None:
    assert len(story.memory.stop()) == 1
    assert asyncio.run(story.memory.keep_up()).wait.reason is Reason.PAUSED
    assert story.memory.resume()
    assert asyncio.run(story.memory.recap()).made
    assert asyncio.run(story.memory.breaker()).made
    assert story.memory.status().live_turns == 0
    assert story.memory.clear().summaries > 0
    assert story.summaries() == ()
    story.undo()
    assert story.summaries() != ()


def test_a_program_rebuilds_summaries_from_their_turns(story: foreword.Conversation) -> None:
    asyncio.run(story.memory.keep_up())
    first = story.summaries()[0]
    assert story.memory.rebuild_price(first.id).summaries == (first.id,)
    assert len(story.memory.rebuild_price(first=1, last=120).summaries) == len(story.summaries())
    made = asyncio.run(story.memory.rebuild(first.id))
    assert story.summaries()[0].id == made[-1].summary.id
    with pytest.raises(SummaryNotInUse):
        story.memory.rebuild_price(first.id)


def test_a_program_reads_what_memory_did_and_why(story: foreword.Conversation) -> None:
    story.set("memory_log", "debug")
    kept = asyncio.run(story.memory.keep_up())
    lines = story.memory.log(level="normal", limit=1000)
    assert [dict(one.data)["summary"] for one in lines] == [str(one.id) for one in kept.made]
    assert {one.kind.value for one in story.memory.log(limit=1000)} > {
        one.kind.value for one in lines
    }
    assert story.memory.log(level="normal", after=lines[0].id, limit=1000) == lines[1:]
    with pytest.raises(InvalidSetting, match="normal, debug"):
        story.memory.log(level="loud")
