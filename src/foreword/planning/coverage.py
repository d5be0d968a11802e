"""What a prompt plan holds, and the proof that it accounts for every turn exactly once.

Above: `planning.window` makes plans; engine and doors show them. Below: `domain`.
Invariant: a `Coverage` that does not add up cannot be made.

Source: DESIGN, rule 2 and Prompt layout.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from foreword.domain.ids import SummaryId
from foreword.domain.turn import Entry


class SectionName(StrEnum):
    """The sections of a prompt, in the order in which they stand."""

    SYSTEM = "system"
    LORE = "lore"
    FACTS = "facts"
    SUMMARIES = "summaries"
    HOLES = "holes"
    PINNED = "pinned"
    VERBATIM = "verbatim"
    RECALLED = "recalled"
    CONTINUITY = "continuity"


SECTION_ORDER = {name: place for place, name in enumerate(SectionName)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One section of a prompt."""

    name: SectionName
    tokens: int
    """What it takes in the prompt, its marker included."""
    turns: int = 0
    """Turns that it sends or, for summaries, stands for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """The uncovered turns that did not fit."""

    turns: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How many turns of a branch are sent, stood for, left out by wish or left out for room."""

    verbatim: int
    """Sent word for word, pinned ones of covered stretches included."""
    covered: int
    masked: int
    hidden: int
    dropped: int
    turns: int
    """All turns of the branch: what the others must add up to."""

    def __post_init__(self) -> None:
        """Refuse a count that leaves a turn out or has one twice."""
        counts = (self.verbatim, self.covered, self.masked, self.hidden, self.dropped)
        if min(counts) < 0 or self.total != self.turns:
            raise ValueError(f"the plan accounts for {counts}, the branch has {self.turns} turns")

    @property
    def total(self) -> int:
        """The sum of the five, which is the number of turns of the branch."""
        return self.verbatim + self.covered + self.masked + self.hidden + self.dropped


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnMemory:
    """Where the summaries stand when they are a message of their own."""

    depth: int | None = None
    """So many messages before the end; None: before everything else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptPlan:
    """What is sent to the model, before any text is written."""

    sections: tuple[Section, ...]
    """Those that are not empty, in the order of the prompt."""
    summaries: tuple[SummaryId, ...]
    """In span order, oldest first."""
    holes: tuple[Entry, ...]
    """Uncovered turns before the boundary, oldest first."""
    pinned: tuple[Entry, ...]
    """Pinned turns that do not stand in `holes` or `verbatim`, oldest first."""
    verbatim: tuple[Entry, ...]
    """The turns behind the boundary that fit, oldest first."""
    dropped: Dropped
    coverage: Coverage
    limit: int
    """Tokens that the prompt may take; the reply has its own."""
    own_memory: OwnMemory | None = None
    """None: the summaries stand in the system message, or are not sent."""

    @property
    def summaries_unsent(self) -> bool:
        """Whether there are summaries in use that no text of the prompt has a place for."""
        sent = any(part.tokens for part in self.sections if part.name is SectionName.SUMMARIES)
        return bool(self.summaries) and not sent

    @property
    def tokens(self) -> int:
        """Tokens that the prompt takes, never more than the limit."""
        return sum(section.tokens for section in self.sections)
