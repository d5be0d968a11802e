"""Summaries and covers: text that stands for a span, and which summaries are in force.

A summary is immutable; a `CoverRow` says what a branch does with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from foreword.domain.ids import Pos, Rev, SummaryId, TurnId
from foreword.domain.survival import Survival


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceTurn:
    """A visible turn that a summary was made from, as it read then."""

    turn_id: TurnId
    digest: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSummary:
    """A summary before the store has given it an id.

    It has turns or summaries as its sources; one that was rolled on has the summary it continues
    and the turns that follow that one's span.
    """

    layer: int
    depth: int
    """Most summarisation passes that its oldest material went through; turns are 0."""
    text: str
    tokens: int
    first_digest: bytes
    """Digest of the first visible turn of its span."""
    n_turns: int
    """Visible turns in its span."""
    span_digest: bytes
    """`domain.digest.span_digest` of all visible turns in its span."""
    maker: str
    """What wrote it: a model, the built-in summariser with its version, or `user`."""
    turns: tuple[SourceTurn, ...] = ()
    """Turns it was made from; beside `children`, those that follow the children's span."""
    children: tuple[SummaryId, ...] = ()
    """Merged summaries, oldest first."""
    reasoning: str = ""
    context_digest: bytes = b""
    """Digest of what else the summariser read; empty for nothing."""
    edited_from: SummaryId | None = None
    """The summary whose place this one took by an edit, a regeneration or a rebuild."""
    scene_time: str = ""
    """When it ends in the story, in the story's own words; empty where nothing says so."""
    survival: Survival | None = None
    """What it kept of the specifics of its source; None where nobody looked."""

    def __post_init__(self) -> None:
        """Refuse a summary of nothing."""
        if not self.turns and not self.children:
            raise ValueError("a summary has turns or summaries as its sources")


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(NewSummary):
    """A stored summary."""

    id: SummaryId

    @property
    def replaced(self) -> SummaryId | None:
        """The summary whose place a meta summary took on its newest turn."""
        return self.children[-1] if self.children else None


class CoverState(StrEnum):
    """What a branch does with a summary that it holds."""

    USED = "used"
    """In force: sent instead of its span. Used rows never overlap."""
    STALE = "stale"
    """Its span reads differently now: kept, not sent, repairable."""
    MERGED = "merged"
    """Inside a meta summary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverRow:
    """The place of a summary on a branch."""

    summary_id: SummaryId
    state: CoverState
    layer: int
    from_pos: Pos
    to_pos: Pos
    """Both inclusive; hidden turns at the ends may lie inside."""
    n_turns: int
    """Visible turns covered when the row was written; what the coverage proof counts."""
    src_tokens: int
    """Tokens of those turns, message overhead included."""
    tokens: int
    """Tokens of the summary's text."""
    since: Rev = Rev(0)
    """Revision at which the row was written; set by the store."""

    def overlaps(self, lo: Pos, hi: Pos) -> bool:
        """Say whether the row's span meets the positions `lo` to `hi`, both inclusive."""
        return self.from_pos <= hi and lo <= self.to_pos
