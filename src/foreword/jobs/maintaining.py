"""Use case: bring the memory of conversations up to date, once or for as long as it runs.

Above: the doors. Below: `worker`.

Source: issue 5, section 2.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Final

from foreword.domain.ids import BranchId, ConversationId
from foreword.domain.jobs import Job, JobKind, JobState
from foreword.engine.context import Engine, Place
from foreword.engine.upkeep import due
from foreword.errors import BranchNotFound, ConversationNotFound, StoreDamaged
from foreword.jobs.worker import Worker
from foreword.ports.changes import Changes

_LOGGER = logging.getLogger(__name__)
NOTICE_SECONDS: Final = 2.0
"""How long a worker waits for a change before it looks for jobs that no change told of."""

FIRST_WAIT: Final = timedelta(minutes=1)
"""How long a job that failed waits until it is tried again."""
LONGEST_WAIT: Final = timedelta(hours=1)
_LOOKED_AT: Final = 1_000
"""Newest jobs among which failed ones are looked for."""


def find_due(engine: Engine, conversation: ConversationId | None = None) -> tuple[Job, ...]:
    """Make jobs of what is due in automatic conversations, on every branch; return the live ones.

    Appending makes jobs by itself; this finds what became due in another way: by a setting, by an
    import, or because an earlier job failed. Of all conversations, one that is damaged or gone is
    passed over with a warning.

    Raises:
        ConversationNotFound: there is none of that id.
        StoreDamaged: that one cannot be read.
    """
    found: list[Job] = []
    for one in _conversations(engine, conversation):
        try:
            found += _jobs(engine, one)
        except (ConversationNotFound, StoreDamaged) as error:
            if conversation is not None:
                raise
            _LOGGER.warning("conversation %s is passed over: %s", one, error)
    return tuple(found)


def find_failed(engine: Engine, conversation: ConversationId | None = None) -> tuple[Job, ...]:
    """Make jobs anew of those that failed and have waited long enough; return the live ones.

    The wait doubles with every failure in a row on a branch, up to `LONGEST_WAIT`; it is counted
    from the recorded end of the newest, so that it is the same for every process.
    """
    newest: dict[tuple[ConversationId, BranchId], list[Job]] = {}
    for job in engine.jobs.jobs(engine.account, conversation, limit=_LOOKED_AT):
        newest.setdefault((job.conversation, job.branch), []).append(job)
    found: list[Job] = []
    for (place, branch), jobs in newest.items():
        failures = list(takewhile(lambda job: job.state is JobState.FAILED, jobs))
        if not failures or engine.clock.now() < _again_at(failures):
            continue
        try:
            made = _job(engine, place, branch)
        except (ConversationNotFound, BranchNotFound, StoreDamaged) as error:
            _LOGGER.warning("conversation %s is passed over: %s", place, error)
            continue
        found += [made] if made is not None else []
    return tuple(found)


def _again_at(failures: list[Job]) -> datetime:
    times: int = 2 ** min(len(failures) - 1, 20)
    return datetime.fromisoformat(failures[0].changed_at) + min(FIRST_WAIT * times, LONGEST_WAIT)


async def maintain(worker: Worker, *, watch: bool = False) -> None:
    """Do what is due; with `watch`, go on whenever something becomes due, until cancelled.

    Raises:
        ConversationNotFound: there is none of that id.
        StoreError: the store does not answer.
    """
    engine, conversation = worker.engine, worker.scope.conversation
    if not watch:
        find_due(engine, conversation)
        await worker.drain()
        return
    with _noticing(engine, conversation) as changes:
        find_due(engine, conversation)
        while not worker.capped:
            await worker.drain()
            find_failed(engine, conversation)
            await asyncio.to_thread(changes.wait, NOTICE_SECONDS)


@contextmanager
def _noticing(engine: Engine, conversation: ConversationId | None) -> Iterator[Changes]:
    changes = engine.store.changes(engine.account, conversation)
    try:
        yield changes
    finally:
        changes.close()


def _conversations(engine: Engine, conversation: ConversationId | None) -> list[ConversationId]:
    if conversation is not None:
        return [conversation]
    return [one.id for one in engine.store.conversations(engine.account)]


def _jobs(engine: Engine, conversation: ConversationId) -> list[Job]:
    with engine.store.read(engine.account, conversation) as session:
        branches = [branch.id for branch in session.branches() if not branch.removed]
    return [job for one in branches if (job := _job(engine, conversation, one)) is not None]


def _job(engine: Engine, conversation: ConversationId, branch: BranchId) -> Job | None:
    if not due(engine, Place(conversation=conversation, branch=branch)):
        return None
    return engine.jobs.want(
        engine.account, conversation, branch, kind=JobKind.UPKEEP, at=engine.moment()
    )
