"""Use case: what the summaries of a branch kept of the story's specifics, one by one and by layer.

Above: the doors. Below: what is stored with summaries; for those that were made before it was,
it is found out from their sources as they are now.

Source: issue 5, section 4; spec/cadence (instrument what survives).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import fsum

from foreword.domain.ids import SummaryId
from foreword.domain.summary import CoverRow, CoverState, Summary
from foreword.domain.survival import Detail, Survival
from foreword.engine.context import Engine, Place, Reading, reading
from foreword.engine.surviving import survived_anew
from foreword.errors import SummaryNotFound
from foreword.quality.survival import lost


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarySurvival:
    """What one summary kept."""

    id: SummaryId
    state: CoverState
    layer: int
    generation_depth: int
    from_order: int
    order: int
    """Where the first and the last turn it covers stand."""
    survival: Survival
    stored: bool
    """It was found out when the summary was made, not now."""

    @property
    def lost(self) -> tuple[Detail, ...]:
        """The details of its turns that it does not tell, heaviest first."""
        return lost(self.survival)


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerSurvival:
    """What the summaries of a layer kept together."""

    layer: int
    summaries: int
    generation_depth: int
    """Of the deepest."""
    had: int
    kept: int
    share: float
    since_originals: float
    """Means, each summary as heavy as its source had specifics."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SurvivalReport:
    """Summaries, oldest span first, and their layers."""

    summaries: tuple[SummarySurvival, ...]
    layers: tuple[LayerSurvival, ...]


def survival_report(
    engine: Engine,
    place: Place,
    *,
    layer: int | None = None,
    summary_id: SummaryId | None = None,
    everything: bool = False,
) -> SurvivalReport:
    """Say what the summaries in use kept, and what of the turns that they go back to.

    Args:
        engine: the engine.
        place: the branch.
        layer: only the summaries of this layer.
        summary_id: only this one, which need not be in use.
        everything: those too that were merged or are stale.

    Raises:
        SummaryNotFound: the branch does not hold it.
    """
    with reading(engine, place) as at:
        rows = at.session.cover_rows(at.branch.id)
        chosen = [
            row
            for row in sorted(rows, key=lambda row: (row.from_pos, row.layer, row.summary_id))
            if (layer is None or row.layer == layer)
            and (row.summary_id == summary_id if summary_id else everything or _used(row))
        ]
        if summary_id is not None and not chosen:
            raise SummaryNotFound(f"S{summary_id}")
        known = at.session.summaries([row.summary_id for row in chosen])
        anew = _found_out(at, rows, [row.summary_id for row in chosen])
        found = tuple(_told(at, row, known[row.summary_id], anew) for row in chosen)
    return SurvivalReport(summaries=found, layers=_layers(found))


def _used(row: CoverRow) -> bool:
    return row.state is CoverState.USED


def _found_out(
    at: Reading, rows: Sequence[CoverRow], wanted: Collection[SummaryId]
) -> Mapping[SummaryId, Survival]:
    """Return what those kept that have nothing stored, sources before what was made from them."""
    by_id = {row.summary_id: row for row in rows}
    missing: set[SummaryId] = set()
    waiting = set(wanted)
    while waiting:
        summaries = at.session.summaries(waiting & by_id.keys())
        unknown = [one for one in summaries.values() if one.survival is None]
        missing.update(one.id for one in unknown)
        waiting = {child for one in unknown for child in one.children} - missing
    found: dict[SummaryId, Survival] = {}
    for summary_id in sorted(missing):  # a source is older than what was made from it
        found[summary_id] = survived_anew(at, by_id[summary_id], known=found)
    return found


def _told(
    at: Reading, row: CoverRow, summary: Summary, anew: Mapping[SummaryId, Survival]
) -> SummarySurvival:
    return SummarySurvival(
        id=summary.id,
        state=row.state,
        layer=row.layer,
        generation_depth=summary.depth,
        from_order=at.session.order(at.branch.id, row.from_pos),
        order=at.session.order(at.branch.id, row.to_pos),
        survival=summary.survival or anew[summary.id],
        stored=summary.survival is not None,
    )


def _layers(found: Sequence[SummarySurvival]) -> tuple[LayerSurvival, ...]:
    by_layer = groupby(sorted(found, key=lambda one: one.layer), key=lambda one: one.layer)
    return tuple(_layer(layer, list(members)) for layer, members in by_layer)


def _layer(layer: int, members: Sequence[SummarySurvival]) -> LayerSurvival:
    had = sum(one.survival.had for one in members)
    shares = [(one.survival.had, one.survival.share) for one in members]
    originals = [(one.survival.had, one.survival.since_originals) for one in members]
    return LayerSurvival(
        layer=layer,
        summaries=len(members),
        generation_depth=max(one.generation_depth for one in members),
        had=had,
        kept=sum(one.survival.kept for one in members),
        share=_mean(shares),
        since_originals=_mean(originals),
    )


def _mean(shares: Sequence[tuple[int, float]]) -> float:
    whole = sum(had for had, _ in shares)
    return round(fsum(had * share for had, share in shares) / whole, 4) if whole else 1.0
