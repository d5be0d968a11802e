"""Which summaries to merge when they take too much room.

Above: engine. Below: `domain`. Invariant: what is chosen are neighbours in span order with no
uncovered turn between them, so that merging them is never refused.

Source: DECISIONS, Recaps and Defaults.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from foreword.domain.ids import Pos, SummaryId
from foreword.domain.summary import CoverRow

CROWDED = 3
"""Summaries of one layer that are merged at a time."""


def to_merge(
    rows: Sequence[CoverRow],
    holes: Collection[Pos] = (),
    refused: Collection[tuple[SummaryId, ...]] = (),
) -> tuple[CoverRow, ...] | None:
    """Choose the summaries whose merge wins room at the least loss, or None below two neighbours.

    The oldest three of the lowest layer that has three side by side. When none has, the oldest two
    of the lowest layer that has two; else the oldest two of different layers whose result stands
    on the lowest layer.

    Args:
        rows: the summaries in use, oldest span first.
        holes: the position of one turn, or more, of every uncovered stretch between summaries.
        refused: merges that are not to be chosen.
    """
    for size in (CROWDED, 2):
        runs = _runs(rows, holes, size, refused)
        alike = [run for run in runs if len({row.layer for row in run}) == 1]
        if alike:
            return min(alike, key=_highest_layer)
    return min(_runs(rows, holes, 2, refused), key=_highest_layer, default=None)


def _runs(
    rows: Sequence[CoverRow],
    holes: Collection[Pos],
    size: int,
    refused: Collection[tuple[SummaryId, ...]],
) -> list[tuple[CoverRow, ...]]:
    """Return every run of so many neighbours, oldest first."""
    runs = [tuple(rows[start : start + size]) for start in range(len(rows) - size + 1)]
    return [
        run
        for run in runs
        if tuple(row.summary_id for row in run) not in refused
        and not any(_hole_between(a, b, holes) for a, b in pairwise(run))
    ]


def _hole_between(older: CoverRow, newer: CoverRow, holes: Collection[Pos]) -> bool:
    return any(older.to_pos < hole < newer.from_pos for hole in holes)


def _highest_layer(run: Sequence[CoverRow]) -> int:
    return max(row.layer for row in run)
