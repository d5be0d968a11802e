"""Background work of automatic memory: jobs, how they stand, and what they tell.

Above: ports, planning, engine, jobs, storage. Below: ids. Invariant: a branch has one live job of
a kind at most; a job is live while it waits, runs or is being stopped.

Source: DECISIONS D4; issue 5, section 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from foreword.domain.ids import AccountId, BranchId, ConversationId

JobId = NewType("JobId", int)


class JobKind(StrEnum):
    """What a job does."""

    UPKEEP = "upkeep"
    """Summarises what overflows, promotes, repairs and rebuilds, until nothing is due."""


class JobState(StrEnum):
    """How a job stands."""

    WAITING = "waiting"
    """Due; no process works on it, or the one that did is gone."""
    RUNNING = "running"
    """A process holds its lease."""
    STOPPING = "stopping"
    """Somebody asked that it stops; the process that holds it does within a second."""
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"

    @property
    def live(self) -> bool:
        """Whether it still has something to do."""
        return self in (JobState.WAITING, JobState.RUNNING, JobState.STOPPING)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobProgress:
    """How far a job is."""

    made: int = 0
    """Summaries that it has put into force."""
    left_tokens: int = 0
    """Tokens of turns that it is still to cover."""
    doing: str = ""
    """One line a person understands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A piece of background work of one branch."""

    id: JobId
    account: AccountId
    conversation: ConversationId
    branch: BranchId
    kind: JobKind
    state: JobState
    owner: str = ""
    """The process that holds the lease; empty for none."""
    lease_until: str = ""
    """ISO 8601, UTC, to the millisecond: after it, any process may take the job over."""
    attempt: int = 0
    """How often it was taken; more than 1 where a process went away."""
    made_at: str
    changed_at: str
    progress: JobProgress = JobProgress()
    detail: str = ""
    """Why it ended so; empty for a job that did what there was."""


class EventLevel(StrEnum):
    """How much a log has to hold for an event to be in it."""

    NORMAL = "normal"
    DEBUG = "debug"
    TRACE = "trace"
    PROMPTS = "prompts"


class EventKind(StrEnum):
    """What an event tells of."""

    MADE = "made"
    """A summary came into force."""
    PROMOTED = "promoted"
    REBUILT = "rebuilt"
    REPAIRED = "repaired"
    REJECTED = "rejected"
    """A draft or a merge that was not taken, and why."""
    FAILED = "failed"
    STOPPED = "stopped"
    RESUMED = "resumed"
    CLEARED = "cleared"
    QUEUED = "queued"
    """Work became due."""
    PLANNED = "planned"
    """What was looked at and decided: numbers behind the other events."""
    ASKED = "asked"
    ANSWERED = "answered"
    ADVICE = "advice"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """What memory did and why."""

    at: str
    """ISO 8601, UTC, to the millisecond."""
    level: EventLevel
    kind: EventKind
    text: str
    """One line a person understands."""
    data: tuple[tuple[str, str], ...] = ()
    """Numbers and texts behind it, by name; never a key of a provider."""
    branch: BranchId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(NewEvent):
    """An event of the log."""

    id: int
    conversation: ConversationId
