"""Calls of models: what is asked, what comes back, and what the ledger keeps of it.

Above: ports, engine, llm, storage. Below: messages and ids. Invariant: `Call` never holds a key or
an address, only the name of a route.

Source: DECISIONS D4; DESIGN rule 10.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from foreword.domain.ids import BranchId, ConversationId, SummaryId
from foreword.domain.message import Message

CallId = NewType("CallId", int)


class Purpose(StrEnum):
    """What a call is made for."""

    REPLY = "reply"
    """The next turn: the cost of chatting. Everything else is the cost of memory."""
    SUMMARY = "summary"
    """A summary of turns."""
    MERGE = "merge"
    """A summary of summaries."""
    REPAIR = "repair"
    """A draft that the gates refused, written again."""
    TEST = "test"
    """`routes test`."""


class Outcome(StrEnum):
    """What became of a call."""

    STARTED = "started"
    """Nothing came back yet, or the process ended before it was recorded."""
    ANSWERED = "answered"
    """The answer is recorded and not used yet."""
    USED = "used"
    """It became a turn or a summary."""
    REJECTED = "rejected"
    """The gates refused it."""
    WASTED = "wasted"
    """Its source changed meanwhile."""
    FAILED = "failed"
    STOPPED = "stopped"
    """The user stopped it."""


class Finish(StrEnum):
    """Why a model stopped writing."""

    STOP = "stop"
    LENGTH = "length"
    """It ran into the limit of the answer."""
    FILTER = "filter"
    """The provider's content filter stopped it."""
    OTHER = "other"
    """A tool call, or a reason the server does not tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of a call."""

    tokens_in: int = 0
    """All that were read, those from the cache included."""
    tokens_cached: int = 0
    tokens_out: int = 0
    """All that were written, reasoning included."""
    tokens_reasoning: int = 0
    reported: bool = True
    """The server told; otherwise counted here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """What a model is asked."""

    messages: tuple[Message, ...]
    max_tokens: int | None = None
    """Most tokens of the answer; None for the server's own limit."""
    temperature: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """A piece of an answer as it is written."""

    text: str
    reasoning: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Restart:
    """The call is made again: what was shown of the answer does not count."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """A complete answer."""

    text: str
    """Without the reasoning."""
    reasoning: str = ""
    raw: str = ""
    """What the model wrote where `text` comes from, tags of reasoning included."""
    finish: Finish = Finish.STOP
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    """As the server names it; empty when it does not."""


ModelEvent = Delta | Restart | ModelAnswer
"""What a call yields: any number of pieces, and the answer last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCall:
    """A call before it is made."""

    purpose: Purpose
    route: str
    """Name of the job."""
    model: str
    digest: bytes
    """Of the request, without the random word of its fences: equal requests have equal ones."""
    started_at: str
    """ISO 8601, UTC, to the millisecond."""
    tokens_in: int
    """Counted here, calibrated."""
    conversation: ConversationId | None = None
    branch: BranchId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(NewCall):
    """A row of the ledger."""

    id: CallId
    outcome: Outcome = Outcome.STARTED
    open: bool = True
    """What it was made for has not ended: a request like it takes its answer."""
    answer: ModelAnswer | None = None
    milliseconds: int | None = None
    money: int | None = None
    """Micro-dollars; None where the price is not known."""
    failure: str = ""
    """Class of the failure."""
    detail: str = ""
    """What failed, or why the gates refused the answer."""
    summary: SummaryId | None = None
    """What it became."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTotal:
    """The calls of one purpose, route, model and outcome, added up."""

    purpose: Purpose
    route: str
    model: str
    outcome: Outcome
    calls: int
    unpriced: int
    """Calls whose price is not known."""
    tokens_in: int
    tokens_cached: int
    tokens_out: int
    money: int
    """Micro-dollars of those with a known price."""
    milliseconds: int
