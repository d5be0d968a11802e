"""Jobs that fail are tried again by themselves, and one broken thing ends no watching."""

from __future__ import annotations

import logging
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from tests.integration.engine.play import Play
from tests.integration.jobs.test_worker import engine_of, states, told, work

from foreword.domain.ids import ConversationId
from foreword.domain.jobs import JobState
from foreword.engine import memory
from foreword.errors import RateLimited, StoreDamaged, StoreUnavailable
from foreword.jobs.maintaining import LONGEST_WAIT, find_due, find_failed
from foreword.testing.virtual_time import VirtualTime


class _Deaf:
    """Jobs on a store that does not answer when one ends."""

    def __init__(self, jobs: Any) -> None:
        self.jobs = jobs

    def __getattr__(self, name: str) -> Any:
        return getattr(self.jobs, name)

    def end(self, *_words: Any, **_named: Any) -> Any:
        raise StoreUnavailable("it starts again")


class _Damaged:
    """A store on which one conversation cannot be read."""

    def __init__(self, store: Any, conversation: ConversationId) -> None:
        self.store, self.conversation = store, conversation

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    def read(self, account: Any, conversation: ConversationId) -> AbstractContextManager[Any]:
        if conversation == self.conversation:
            raise StoreDamaged(path="store.db", reason="a page is missing")
        return self.store.read(account, conversation)  # type: ignore[no-any-return]


def test_a_job_whose_end_cannot_be_written_keeps_its_lease_and_ends_no_worker() -> None:
    engine = engine_of()
    play = told(engine)
    work(replace(engine, jobs=_Deaf(engine.jobs)))
    assert (states(engine), len(play.summaries())) == ([JobState.RUNNING], 1)


def test_a_damaged_conversation_is_passed_over_with_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    engine = engine_of()
    plays: list[Play] = [told(engine), told(engine)]
    bad, good = (play.place.conversation for play in plays)
    for conversation in (bad, good):
        engine.jobs.stop(engine.account, conversation, at=engine.moment())
    broken = replace(engine, store=_Damaged(engine.store, bad))
    with caplog.at_level(logging.WARNING, "foreword"):
        assert [job.conversation for job in find_due(broken)] == [good]
    assert [str(bad) in line for line in caplog.messages] == [True]
    with pytest.raises(StoreDamaged):
        find_due(broken, bad)


def test_a_failed_job_is_tried_again_after_waits_that_double_up_to_an_hour() -> None:
    clock = VirtualTime()
    engine = engine_of(_refuse, time=clock)
    told(engine)
    waits = []
    for _ in range(8):
        work(engine)
        assert states(engine)[-1] is JobState.FAILED
        began = clock.now()
        while not find_failed(engine):
            clock.advance(timedelta(minutes=1))
        waits.append((clock.now() - began) // timedelta(minutes=1))
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]


def test_a_failed_job_of_stopped_memory_stays_failed() -> None:
    clock = VirtualTime()
    engine = engine_of(_refuse, time=clock)
    play = told(engine)
    work(engine)
    memory.stop(engine, play.place)
    clock.advance(LONGEST_WAIT)
    assert find_failed(engine) == ()


def _refuse(_request: object) -> None:
    raise RateLimited(route="summarise", detail="429 slow down")
