"""What automatic memory does next: one of a few steps, chosen by `planning.upkeep`.

Above: engine, which carries a step out and asks again. Below: `domain`, `pieces`. Invariant: a
step is made from what is committed; after every commit the next one is planned anew.

Source: DECISIONS, Defaults; issue 5, sections 1 and 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from foreword.domain.ids import SummaryId
from foreword.domain.summary import CoverRow
from foreword.planning.pieces import Piece


class Reason(StrEnum):
    """Why automatic memory makes nothing."""

    NOT_AUTOMATIC = "not_automatic"
    """The mode is manual or advised."""
    OFF = "off"
    PAUSED = "paused"
    BELOW = "below"
    """The uncovered turns do not exceed both budgets."""
    TURN_TOO_LARGE = "turn_too_large"
    """They do, but there is no place to cut before the verbatim turns."""
    BARRED = "barred"
    """All that could be taken are turns whose summaries the user took away."""
    DONE = "done"
    """Nothing is left: what was asked for by hand is made."""
    NO_GAIN = "no_gain"
    """Layers are over their share, but a merge would not win room."""
    LIMIT = "limit"
    """The run was to end here although there is more to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """Nothing to do now."""

    reason: Reason
    sentence: str
    """The reason with its numbers, for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condense:
    """Make a summary of each piece, oldest first."""

    pieces: tuple[Piece, ...]
    """At least one."""
    atomic: bool
    """All of them come into force in one commit, so that the prefix changes once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """Write the newest summary anew from itself and the turns that follow it."""

    row: CoverRow
    piece: Piece


@dataclass(frozen=True, slots=True, kw_only=True)
class Promote:
    """Merge neighbouring summaries in use, if that wins room."""

    rows: tuple[CoverRow, ...]
    """At least two, oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roof:
    """Write one summary of blocks, in the place of an earlier one of the oldest of them."""

    blocks: tuple[SummaryId, ...]
    """Summaries of turns, oldest first: those under the earlier roof and those in use behind it."""
    replaced: CoverRow | None
    """The earlier roof, which goes; None for the first one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuild:
    """Write what summaries in use stand for anew, from the turns themselves.

    One commit takes the rows away and puts the new summaries in their place: of each portion of
    turns, and of `more` as well. Several portions are merged into one where `merge` says so.
    """

    rows: tuple[CoverRow, ...]
    """Neighbours in use, oldest first; none where only `more` is to be covered."""
    more: Piece | None = None
    """Uncovered turns behind them that are covered too."""
    merge: bool = True


Step = Wait | Condense | Roll | Promote | Roof | Rebuild
