"""When a recap is worth writing, and what the next one covers.

Above: engine. Below: `planning.pieces` knows where a pile may be cut, `domain` the nouns.
All numbers are whole tokens, so that what is shown is what was compared. Invariants: a larger
context never raises the severity; larger fixed texts, summaries or pins never lower it.

Source: DECISIONS, Recaps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import assert_never

from foreword.domain.ids import Pos, TurnId
from foreword.domain.policy import Cadence, Resolution
from foreword.domain.turn import Entry
from foreword.planning import pieces
from foreword.planning.pieces import Piece, last_cut
from foreword.planning.recap_states import SEVERITY, Reason, State, label, sentence

__all__ = [
    "Advice",
    "Load",
    "PileTail",
    "Reason",
    "State",
    "advise",
    "forced_piece",
    "next_piece",
    "would_block",
]

LEAST_GAIN = 256
"""Tokens beside the reserve without which no recap helps."""
FORECAST_TURNS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What a context is filled with beside the pile, in tokens."""

    context: int
    reply: int
    """Kept for the reply."""
    fixed: int
    """System text, personas, lore and facts that are always sent."""
    summaries: int = 0
    """Summaries in force."""
    pins: int = 0
    """Pinned turns that a summary covers; they are sent beside it."""
    beside_next: int = 0
    """What the next summary takes beside its text: the heading over it, if it is the first."""
    beside_later: int = 0
    """The same for every summary after it."""
    summary_times: int = 1
    """How often each summary is sent."""

    @property
    def room(self) -> int:
        """Tokens left for the pile; negative when the rest does not fit."""
        return self.context - self.reply - self.fixed - self.summaries - self.pins

    @property
    def reserve(self) -> int:
        """Least tokens of the newest turns that are never summarised, rounded up."""
        return -(-self.context // 10)

    @property
    def target(self) -> int:
        """Tokens for one recap."""
        return min(600, max(120, self.context // 64))

    def spread(self, cadence: Cadence) -> int:
        """Tokens beside the reserve that the cadence lets gather."""
        return (self.room - self.reserve) * _cadence_percent(cadence) // 100

    def chunk(self, cadence: Cadence, resolution: Resolution) -> int:
        """Tokens of story that go into one recap."""
        by_resolution = self.room * _resolution_percent(resolution) // 100
        by_cadence = (self.room - self.reserve) * _cadence_percent(cadence) * 8 // 1000
        return max(200, min(by_resolution, self.context // 4, by_cadence))

    def due(self, cadence: Cadence, resolution: Resolution) -> int:
        """Tokens of pile at which a recap is due."""
        gathered = max(self.chunk(cadence, resolution), self.spread(cadence))
        return max(0, min(self.room, self.reserve + gathered))

    def after(self, *, summary_tokens: int, pin_tokens: int = 0) -> Load:
        """Return the load once a summary of a piece is in force.

        Args:
            summary_tokens: of the summary.
            pin_tokens: of the pinned turns in the piece, which are covered from then on.
        """
        return replace(
            self,
            summaries=self.summaries + summary_tokens * self.summary_times + self.beside_next,
            pins=self.pins + pin_tokens,
            beside_next=self.beside_later,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PileTail:
    """The uncovered visible turns, as far as they are needed."""

    tokens: int
    """Of the whole pile, message overhead included."""
    newest_first: Iterable[Entry]
    """Its turns; read no further than the reserve and the exchange before it."""
    covered: Sequence[Pos] = ()
    """Last positions of the summaries in use, ascending: the pile is parted there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """The state of a pile, and every number that led to it."""

    state: State
    reason: Reason
    turn_id: TurnId | None
    """The turn that `Reason.TURN_TOO_LARGE` means."""
    pile_tokens: int
    due_tokens: int
    progress: float
    """From 0 to 1: how close the pile is to being due."""
    worth_tokens: int
    """Pile from which one recap is worth writing."""
    forecast_turns: int | None
    """Turns until a recap is due; None without a turn to judge by."""
    reserve_tokens: int
    recaps_tokens: int
    context: int
    room: int
    chunk: int
    target: int
    compressible: int
    """Tokens up to `cut`."""
    cut: Pos
    """Last position that a recap may cover; 0 for none."""

    @property
    def severity(self) -> int:
        """Rank of the state, 0 for nothing to do."""
        return SEVERITY[self.state]

    @property
    def label(self) -> str:
        """The state in the words of the pages."""
        return label(self.state)

    @property
    def sentence(self) -> str:
        """What it means and what to do."""
        named = "" if self.turn_id is None else f"id:{self.turn_id}"
        return sentence(self.state, self.reason, turn=named)


def advise(load: Load, pile: PileTail, *, cadence: Cadence, resolution: Resolution) -> Advice:
    """Say whether a recap is worth writing, due or of no use.

    Source: DECISIONS, Recaps; spec/recaps.
    """
    source = iter(pile.newest_first)
    recent = tuple(islice(source, FORECAST_TURNS))
    cut = last_cut(chain(recent, source), load.reserve, pile.covered)
    compressible = 0 if cut.pos == pieces.NOWHERE else pile.tokens - cut.kept
    chunk = load.chunk(cadence, resolution)
    due = load.due(cadence, resolution)
    state = _state(load, pile.tokens, due=due, worth_writing=compressible >= chunk)
    reason = _reason(load, state, stuck=pile.tokens - compressible, compressible=compressible)
    return Advice(
        state=state,
        reason=reason,
        turn_id=cut.largest if reason is Reason.TURN_TOO_LARGE else None,
        pile_tokens=pile.tokens,
        due_tokens=due,
        progress=min(1.0, pile.tokens / max(1, due)),
        worth_tokens=load.reserve + chunk,
        forecast_turns=_forecast(due - pile.tokens, recent),
        reserve_tokens=load.reserve,
        recaps_tokens=load.summaries,
        context=load.context,
        room=load.room,
        chunk=chunk,
        target=load.target,
        compressible=compressible,
        cut=cut.pos,
    )


def next_piece(
    load: Load,
    stretches: Iterable[Iterable[Entry]],
    *,
    cut: Pos,
    cadence: Cadence,
    resolution: Resolution,
) -> Piece | None:
    """Return what the next recap of a run covers, or None when all that may be is covered.

    Args:
        load: as it is now, earlier recaps of the run included.
        stretches: runs of neighbouring pile turns, oldest first, each oldest first and without
            hidden turns: the holes, then what follows the boundary. Read only as far as needed.
        cut: `Advice.cut`.
        cadence: as for the advice.
        resolution: as for the advice.
    """
    return pieces.first_piece(stretches, cut=cut, chunk=load.chunk(cadence, resolution))


def forced_piece(
    load: Load,
    stretches: Iterable[Iterable[Entry]],
    *,
    cut: Pos,
    cadence: Cadence,
    resolution: Resolution,
) -> Piece | None:
    """Return the one piece that is recapped when the user insists, or None.

    What a run would take first, however little. Only a pile that stands in the reserve altogether
    gives up part of it, and keeps its newest exchange.

    Args:
        load: as for `next_piece`, and so are the others.
        stretches: see `next_piece`.
        cut: `Advice.cut`.
        cadence: as for the advice.
        resolution: as for the advice.
    """
    chunk = load.chunk(cadence, resolution)
    if cut != pieces.NOWHERE:
        return pieces.first_piece(stretches, cut=cut, chunk=chunk)
    return pieces.forced_piece(stretches, chunk=chunk)


def would_block(after: Load) -> bool:
    """Say whether a recap that leaves `after` behind would end in `State.NO_ROOM`."""
    return after.room < after.reserve + LEAST_GAIN


def _state(load: Load, pile: int, *, due: int, worth_writing: bool) -> State:
    if would_block(load):
        return State.NO_ROOM
    if pile > load.room:
        return State.OVERFLOWING
    if pile >= due:
        return State.RECAP_DUE
    return State.RECAP_NOW if worth_writing else State.CHAT_MORE


def _reason(load: Load, state: State, *, stuck: int, compressible: int) -> Reason:
    if state is State.NO_ROOM:
        if would_block(replace(load, summaries=0, pins=0)):
            return Reason.FIXED_TOO_LARGE
        return Reason.SUMMARIES if load.summaries >= load.pins else Reason.PINS
    overflows = state is State.OVERFLOWING and stuck > load.room
    nothing_to_take = state is State.RECAP_DUE and compressible == 0
    return Reason.TURN_TOO_LARGE if overflows or nothing_to_take else Reason.NONE


def _forecast(missing: int, recent: Sequence[Entry]) -> int | None:
    """Divide by the mean cost of the recent turns, rounded up."""
    if not recent:
        return None
    total = sum(entry.cost for entry in recent)
    return max(0, -(-missing * len(recent) // total))


def _cadence_percent(cadence: Cadence) -> int:
    match cadence:
        case Cadence.LESS_OFTEN:
            return 90
        case Cadence.RECOMMENDED:
            return 70
        case Cadence.MORE_OFTEN:
            return 45
        case _:
            assert_never(cadence)


def _resolution_percent(resolution: Resolution) -> int:
    match resolution:
        case Resolution.LESS_DETAIL:
            return 50
        case Resolution.RECOMMENDED:
            return 25
        case Resolution.MORE_DETAIL:
            return 12
        case _:
            assert_never(resolution)
