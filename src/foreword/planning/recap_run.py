"""What a whole recap run would make, before any of it is made.

Above: engine, which shows it as a dry run. Below: `planning.recap` and `planning.pieces`.
Invariant: the pieces are those that the run takes when every recap comes out at its target.

Source: DECISIONS, Recaps.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from foreword.domain.ids import Pos, TurnId
from foreword.domain.policy import Cadence, Resolution
from foreword.domain.turn import Entry
from foreword.planning.pieces import Piece
from foreword.planning.recap import Load, next_piece, would_block
from foreword.planning.sizes import span_target


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """The pieces of a run, oldest first, and whether it stops early."""

    pieces: tuple[Piece, ...]
    blocked: bool
    """The next piece would end without room: summaries have to be merged first."""

    @property
    def source_tokens(self) -> int:
        """Tokens that the summariser reads."""
        return sum(piece.tokens for piece in self.pieces)


def load_after(load: Load, piece: Piece, *, pinned: Collection[TurnId]) -> Load:
    """Return the load when a summary of the piece comes out at its target.

    Args:
        load: as it is before.
        piece: what the summary would cover.
        pinned: turns that go on being sent word for word.
    """
    pins = sum(entry.cost for entry in piece.entries if entry.turn_id in pinned)
    return load.after(summary_tokens=span_target(load.target, piece.tokens), pin_tokens=pins)


def plan_run(
    load: Load,
    stretches: Sequence[Sequence[Entry]],
    *,
    cut: Pos,
    cadence: Cadence,
    resolution: Resolution,
    pinned: Collection[TurnId] = (),
) -> RunPlan:
    """Return the pieces that one run takes until all is covered or nothing more can be won.

    Args:
        load: as it is before the run.
        stretches: as for `planning.recap.next_piece`.
        cut: `Advice.cut`.
        cadence: as for the advice.
        resolution: as for the advice.
        pinned: turns that go on being sent word for word.
    """
    pieces: list[Piece] = []
    for stretch in stretches:
        taken = 0
        while True:
            rest = stretch[taken:]
            piece = next_piece(load, [rest], cut=cut, cadence=cadence, resolution=resolution)
            if piece is None:
                break
            after = load_after(load, piece, pinned=pinned)
            if would_block(after):
                return RunPlan(pieces=tuple(pieces), blocked=True)
            pieces.append(piece)
            taken += len(piece.entries)
            load = after
    return RunPlan(pieces=tuple(pieces), blocked=False)
