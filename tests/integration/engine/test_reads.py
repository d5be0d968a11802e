"""What append, prompt and status read does not grow with the conversation: counted, not timed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from statistics import mode

import pytest
from tests.integration.engine.play import Play, start

from foreword.domain.interchange import Chat, ChatText, ChatTurn
from foreword.domain.turn import Role, TextPart
from foreword.engine import importing
from foreword.engine.context import Engine, Place
from foreword.engine.status import status
from foreword.planning.recap_states import State
from foreword.storage.sql_store import SqlStore
from foreword.testing.engines import engine_on
from foreword.testing.reads import count_reads

SHORT, LONG = 5_000, 100_000
"""Turns; even the short story is long enough for blocks of turns that are counted once."""


def long_story(engine: Engine, size: int) -> Play:
    """A conversation of many turns: the older half is covered, and the pile is far too long."""
    chat = Chat(
        title=f"{size} turns",
        turns=tuple(
            ChatTurn(
                role=Role.ASSISTANT if number % 2 else Role.USER,
                speaker=("Bo", "Ann")[number % 2],
                texts=(ChatText(parts=(TextPart(text=f"t{number} spoke"),)),),
                hidden=number == size - 7,
                pinned=number in {3, size - 5},
            )
            for number in range(1, size + 1)
        ),
    )
    made = importing.import_chat(engine, chat)
    story = Play(engine, Place(conversation=made.conversation, branch=made.branch))
    for more in (0, 40, 80, 120):
        story.make(size // 2 + more)
    story.merge(2, 3)
    return story


def forks_of(story: Play, size: int) -> list[Play]:
    """Fork three deep near the end, each with a change of its own."""
    found = [story]
    for back in (10, 20, 30):
        fork = found[-1].fork(size - back)
        fork.edit(size - back - 1, f"{back} reads otherwise")
        fork.pin(size - back - 3)
        fork.hide(size - back - 2)
        found.append(fork)
    return found


def turn(play: Play) -> None:
    play.say("and then")
    assert play.prompt(context=2048).plan.dropped.turns > 0
    assert status(play.engine, play.place, context=2048).advice.state is State.OVERFLOWING


def reads_of(store: SqlStore, play: Play) -> tuple[int, int]:
    turn(play)  # what is read once per process is read now
    with count_reads(store) as reads:
        turn(play)
    return reads.statements, reads.rows


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_append_prompt_and_status_read_the_same_in_long_and_short_stories(
    open_sqlite: Callable[[], SqlStore],
) -> None:
    store = open_sqlite()
    engine = engine_on(store)
    counted = []
    for size in (SHORT, LONG):
        branches = forks_of(long_story(engine, size), size)
        assert [len(one.summaries()) for one in branches] == [3, 3, 3, 3]
        counted.append([reads_of(store, one) for one in branches])
    assert counted[0] == counted[1]
    assert max(statements for statements, _ in counted[0]) <= 90
    assert max(rows for _, rows in counted[0]) <= 900


def growth(store: SqlStore, story: Play, turns: int) -> int:
    """Make summaries of so many turns each; return how many rows more each takes as a rule.

    Now and then one is an exception, as orders are counted in blocks.
    """
    counted = []
    for number in range(1, 11):
        with count_reads(store) as reads:
            story.make(number * turns)
        counted.append(reads.rows)
    return mode(later - sooner for sooner, later in pairwise(counted[1:]))


def test_making_a_summary_does_not_read_the_sources_of_the_others(
    open_sqlite: Callable[[], SqlStore],
) -> None:
    store = open_sqlite()
    engine = engine_on(store)
    assert growth(store, start(engine, 30), 3) == growth(store, start(engine, 200), 20)
