"""What a summary kept of the specifics of its source.

Above: `summary`, which carries it, and `quality.survival`, which finds it out. Below:
`specific_kinds`. Invariant: weights are positive, and details stand heaviest first.

Source: spec/cadence (instrument what survives); issue 5, section 4.
"""

from __future__ import annotations

from dataclasses import dataclass

from foreword.domain.specific_kinds import SpecificKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """One specific of a source."""

    kind: SpecificKind
    text: str
    """As the source wrote it first."""
    weight: float
    """Rare ones and ones that are said again weigh more."""
    kept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Survival:
    """The specifics of a source, and which of them the summary still has."""

    had: int
    """Different specifics in the source."""
    kept: int
    """Of those, the ones in the summary."""
    share: float
    """Weight of those kept over the weight of all, 0 to 1; 1 where the source had none."""
    since_originals: float
    """The same share, of the turns that the source goes back to."""
    details: tuple[Detail, ...] = ()
    """The heaviest of what those turns had; there may be more than are told here."""
