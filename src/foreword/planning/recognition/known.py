"""What recognition knows of a branch: its turns in every version, and what requests showed.

Below `aligning`, above `normal`. Invariant: a value here is all that is read of a branch, so
that two processes that know the same answer the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from foreword.domain.turn import Role

TurnRef = int
"""Names a turn within its branch: the id that the store gave it."""
START: TurnRef = 0
"""Stands for the place before the first turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownText:
    """One version of a turn, or an answer that may become one."""

    key: bytes
    form: str
    """Its normal form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownTurn:
    """A turn of a branch."""

    id: TurnRef
    role: Role
    versions: tuple[KnownText, ...]
    selected: int = 0
    """Which version the branch holds."""
    shown: bool = True
    """Whether a request has shown it: an answer of ours that none has shown may yet be dropped."""
    hidden: bool = False

    @property
    def text(self) -> KnownText:
        """The version that the branch holds."""
        return self.versions[self.selected]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """A message that may be a turn or something that the client put between turns."""

    key: bytes
    after: TurnRef
    before: TurnRef
    """The turn that follows it, `START` for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """What the requests of a branch showed that is not in its turns."""

    tip: TurnRef = START
    """The last turn that the newest request showed."""
    suspects: tuple[Suspect, ...] = ()
    """Of the newest request that went further than the one before."""
    injected: frozenset[bytes] = frozenset()
    """Keys of messages that moved: never turns."""
    forms: Mapping[TurnRef, tuple[bytes, ...]] = field(default_factory=dict)
    """Turns that came in another form than the stored one, each with the keys it came under."""
    missed: Mapping[TurnRef, int] = field(default_factory=dict)
    """Turns that stood between others and did not come, and in how many requests running."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownBranch:
    """A branch as recognition sees it."""

    conversation: str
    branch: int
    turns: tuple[KnownTurn, ...]
    """In order, removed turns left out."""
    answers: Mapping[TurnRef, tuple[KnownText, ...]] = field(default_factory=dict)
    """What the model answered to requests that ended after a turn and no request has shown yet."""
    notes: Notes = Notes()
    used: int = 0
    """When a request last continued it: larger is later."""
    hints: frozenset[str] = frozenset()
    """What requests said beside their messages about whose they are."""
