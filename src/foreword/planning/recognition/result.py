"""What recognition says of a request.

Below `places`, `changes` and `recognise`; read by the engine, which carries the changes out, and
by `forwarding`. Invariant: turns that do not exist yet are named by the message that they come
from (`ref_of_new`), so a result is complete before anything is stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from foreword.planning.recognition.known import KnownBranch, KnownText, Notes, TurnRef


class Recognised(StrEnum):
    """How surely a request continues what is known, in the words of the response header."""

    EXACT = "exact"
    """Every turn of the branch came word for word, in order, and at most a new line behind."""
    ALIGNED = "aligned"
    """A branch is continued, with gaps, insertions or other forms."""
    NEW = "new"
    """Nothing that is known is continued."""
    NONE = "none"
    """Nothing in it can be remembered."""


class Place(StrEnum):
    """What a message of a request is."""

    HEAD = "head"
    """Of the leading instructions and examples."""
    TURN = "turn"
    """A turn, or several joined."""
    NEW = "new"
    """A turn that is stored now."""
    SUSPECT = "suspect"
    """A turn, or something put between turns: the next request tells."""
    INJECTION = "injection"
    """Put between turns by the client; never stored."""
    TAIL = "tail"
    """Behind the newest line: instructions, and the beginning of the reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Add:
    """A message becomes a turn."""

    message: int
    after: TurnRef
    answers: tuple[KnownText, ...] = ()
    """What else the model answered there: the other versions of the turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revise:
    """A turn takes the text of a message, as a new version."""

    turn: TurnRef
    message: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Select:
    """A turn takes another of its versions."""

    turn: TurnRef
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hide:
    """A turn that the client has left out between others is hidden, or one that came is shown."""

    turn: TurnRef
    hidden: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """A turn leaves the branch: it was an injection, or an answer that the user threw away."""

    turn: TurnRef


Change = Add | Revise | Select | Hide | Drop


class ReplyKind(StrEnum):
    """What becomes of the answer to a request."""

    TURN = "turn"
    """A turn of its own, until a request says otherwise."""
    VERSION = "version"
    """Another version of a turn."""
    ANSWER = "answer"
    """Kept beside the branch: only a later request tells whether it is a turn at all."""
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """Where the answer to a request belongs."""

    kind: ReplyKind
    turn: TurnRef
    """The turn that it follows; of a version, the turn that it is another version of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognition:
    """What a request is."""

    how: Recognised
    branch: KnownBranch | None
    """The branch that it continues, or leaves."""
    fork_after: TurnRef | None
    """The last turn that a new branch shares with it; None when it is continued itself."""
    places: tuple[Place, ...]
    """Of every message, in order."""
    turns: Mapping[int, tuple[TurnRef, ...]]
    """The turns that messages are, new ones included."""
    faithful: frozenset[TurnRef]
    """Of those the ones that say what is stored, so that a summary of them stands for them."""
    newest: int | None
    """The newest line of the user."""
    changes: tuple[Change, ...]
    notes: Notes
    reply: Reply
    established: bool
    """Whether it holds at least one whole exchange and a line behind it: no passing question."""


def ref_of_new(message: int) -> TurnRef:
    """Return the name of a turn that the message becomes."""
    return -1 - message
