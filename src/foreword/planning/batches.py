"""Cutting the overflow into batches, each of which becomes one summary.

Above: `upkeep`, and the engine where it rebuilds. Below: `pieces`, which know where an exchange
ends. Invariants: the batches taken one after another are exactly the turns up to the cut; none ends
inside an exchange, so none parts a tool call from its result; none spans a gap between stretches.

Source: research/roleplay c.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile

from foreword.domain.ids import Pos
from foreword.domain.turn import Entry
from foreword.planning.budgets import LEAST_BATCH, Budgets
from foreword.planning.pieces import Piece, exchanges

TOLERANCE = 115
"""Percent of a size that a batch may have rather than leaving a small rest."""


def first_batch(
    stretches: Iterable[Iterable[Entry]], *, cut: Pos, total: int, budgets: Budgets
) -> Piece | None:
    """Return the oldest batch up to the cut, or None when nothing is left.

    Args:
        stretches: runs of neighbouring turns, oldest first, each oldest first; read only as far as
            needed.
        cut: last position that may be taken.
        total: tokens of all turns up to the cut, where that is known; it says how evenly to cut.
        budgets: the sizes.
    """
    for stretch in stretches:
        found = _batch(exchanges(_up_to(cut, stretch)), total, budgets)
        if found:
            return Piece(entries=found)
    return None


def batches(
    stretches: Iterable[Iterable[Entry]], *, cut: Pos, budgets: Budgets
) -> tuple[Piece, ...]:
    """Return all batches up to the cut, oldest first."""
    found: list[Piece] = []
    for stretch in stretches:
        rest = tuple(_up_to(cut, stretch))
        while rest:
            total = sum(entry.cost for entry in rest)
            taken = _batch(exchanges(rest), total, budgets)
            found.append(Piece(entries=taken))
            rest = rest[len(taken) :]
    return tuple(found)


def _up_to(cut: Pos, stretch: Iterable[Entry]) -> Iterator[Entry]:
    return takewhile(lambda entry: entry.pos <= cut, stretch)


def _batch(groups: Iterator[tuple[Entry, ...]], total: int, budgets: Budgets) -> tuple[Entry, ...]:
    soft, most = _sizes(total, budgets)
    least = min(LEAST_BATCH, soft)
    taken: list[Entry] = []
    size = 0
    for group in groups:
        more = sum(entry.cost for entry in group)
        near = size >= least and size + more >= soft and soft - size <= size + more - soft
        if taken and (size + more > most or near):
            break
        taken.extend(group)
        size += more
    return tuple(taken)


def _sizes(total: int, budgets: Budgets) -> tuple[int, int]:
    """Return the size to aim at, and the size never to pass unless one exchange does."""
    whole = _percent(budgets.batch_target, TOLERANCE)
    if total <= whole:
        return whole, whole
    count = -(-total // budgets.batch_target)
    return min(budgets.batch_cap, -(-total // count)), _percent(budgets.batch_cap, TOLERANCE)


def _percent(size: int, percent: int) -> int:
    return -(-size * percent // 100)
