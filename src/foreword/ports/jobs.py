"""Jobs and the log of memory, shared by all processes that work on one store.

Each method is one transaction of its own, committed when it returns. Nothing here belongs to the
history of a conversation: undo takes back no job and no event. `JobWrites.want` makes a job due
in the transaction of what made it due.

Every implementation passes `foreword.testing.store_contract`.

Source: DECISIONS D4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from foreword.domain.ids import AccountId, BranchId, ConversationId
from foreword.domain.jobs import (
    Event,
    EventLevel,
    Job,
    JobId,
    JobKind,
    JobProgress,
    JobState,
    NewEvent,
)


class JobWrites(Protocol):
    """What a write session can do with jobs."""

    def want(self, branch: BranchId, kind: JobKind, at: str) -> None:
        """Make a job due, where the branch has no live one of that kind; see `JobQueue.want`.

        It is due once the session is committed. Not an op.
        """
        ...


class JobQueue(Protocol):
    """The jobs of all accounts, and the log of what memory did."""

    def want(
        self,
        account: AccountId,
        conversation: ConversationId,
        branch: BranchId,
        *,
        kind: JobKind,
        at: str,
    ) -> Job:
        """Return the live job of that kind on the branch, made now where there is none.

        Raises:
            ConversationNotFound: the account has none of that id.
            BranchNotFound: the conversation has none of that id.
        """
        ...

    def lease(
        self,
        owner: str,
        *,
        at: str,
        until: str,
        account: AccountId | None = None,
        conversation: ConversationId | None = None,
        branch: BranchId | None = None,
    ) -> Job | None:
        """Take the oldest job that waits, or whose lease ended before `at`; None for none.

        A job that was to stop when its process went away is ended as stopped, not taken. Two
        processes never hold one job.

        Args:
            owner: names the process, differently for each.
            at: now, ISO 8601, UTC, to the millisecond.
            until: when the lease ends unless it is renewed.
            account: only jobs of that account.
            conversation: only jobs of that conversation.
            branch: only jobs of that branch of it.
        """
        ...

    def renew(
        self, job: JobId, owner: str, *, at: str, until: str, progress: JobProgress
    ) -> JobState | None:
        """Keep a job that the owner holds, tell how far it is, and learn whether to stop.

        Returns:
            `running` or `stopping`; None when the owner does not hold it any more.
        """
        ...

    def end(self, job: JobId, owner: str, *, at: str, state: JobState, detail: str = "") -> bool:
        """End a job that the owner holds: `done`, `stopped`, `failed`; or let it wait again.

        Returns:
            Whether the owner still held it.
        """
        ...

    def stop(
        self,
        account: AccountId,
        conversation: ConversationId,
        branch: BranchId | None = None,
        *,
        at: str,
    ) -> tuple[Job, ...]:
        """Ask that the live jobs of a conversation, or of a branch, stop; return them.

        One that waits is ended at once.
        """
        ...

    def jobs(
        self,
        account: AccountId,
        conversation: ConversationId | None = None,
        *,
        live: bool = False,
        limit: int = 100,
    ) -> tuple[Job, ...]:
        """Return jobs, newest first: of a conversation, or of the account; live ones alone."""
        ...

    def log(
        self, account: AccountId, conversation: ConversationId, events: Sequence[NewEvent]
    ) -> None:
        """Add events to the log, in order.

        Raises:
            ConversationNotFound: the account has none of that id.
        """
        ...

    def events(
        self,
        account: AccountId,
        conversation: ConversationId,
        *,
        level: EventLevel = EventLevel.NORMAL,
        after: int = 0,
        limit: int = 100,
    ) -> tuple[Event, ...]:
        """Return the newest events up to a level, oldest first; only those with a higher id."""
        ...
