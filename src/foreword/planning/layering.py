"""Layers: how much of the memory each may take, and which summaries are merged next.

Above: `upkeep`, engine (for what is shown). Below: `promotion`, which knows neighbours. Invariants:
what is chosen are neighbours in span order with no uncovered turn between them; a merge that does
not make the memory smaller is refused, so that promoting ends.

Source: research/roleplay c.3; DECISIONS, Defaults.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from foreword.domain.ids import Pos, SummaryId
from foreword.domain.policy import Policy
from foreword.domain.summary import CoverRow
from foreword.planning.budgets import Budgets
from foreword.planning.promotion import to_merge

DEEP = 2
"""The layer from which on layers share one quota."""
MOST_REFUSED = 6
"""Merges in vain, all of summaries in use, after which none is tried any more."""
LEAST_FILL = 40
"""Percent of its quota under which a promotion must not leave layer 0."""

Run = tuple[SummaryId, ...]
"""The summaries of a merge, oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerUse:
    """What a layer takes, or all deep ones together."""

    name: str
    layers: tuple[int, ...]
    """Which layers it speaks of; the last one where all above are meant too."""
    summaries: int
    tokens: int
    quota: int
    """Tokens that it may take."""
    over: bool
    """It has more than its quota or more summaries than a layer holds."""


def quotas(rows: Sequence[CoverRow], policy: Policy, budgets: Budgets) -> Mapping[int, int]:
    """Return the tokens that layer 0, layer 1 and all deep layers together may take."""
    deeper = any(row.layer for row in rows)
    first = policy.share_layer0_deep if deeper else policy.share_layer0
    shares = {0: first, 1: policy.share_layer1, DEEP: policy.share_deeper}
    return {layer: budgets.memory * share // 100 for layer, share in shares.items()}


def layer_uses(rows: Sequence[CoverRow], policy: Policy, budgets: Budgets) -> tuple[LayerUse, ...]:
    """Return what each layer takes, the deep ones together, those with summaries alone."""
    uses: list[LayerUse] = []
    for layer, quota in quotas(rows, policy, budgets).items():
        members = [row for row in rows if min(row.layer, DEEP) == layer]
        tokens = sum(row.tokens for row in members)
        fullest = max(
            (sum(row.layer == one.layer for row in members) for one in members), default=0
        )
        if members:
            uses.append(
                LayerUse(
                    name=f"layer {layer}" if layer < DEEP else f"layers {DEEP} and above",
                    layers=tuple(sorted({row.layer for row in members})),
                    summaries=len(members),
                    tokens=tokens,
                    quota=quota,
                    over=tokens > quota or fullest > policy.layer_count,
                )
            )
    return tuple(uses)


def crowded(
    rows: Sequence[CoverRow],
    holes: Collection[Pos],
    policy: Policy,
    budgets: Budgets,
    refused: Collection[Run] = (),
) -> tuple[CoverRow, ...] | None:
    """Return the summaries to merge next, or None when every layer keeps to its share.

    The oldest neighbours of the shallowest layer that is over its share or its count. Where no
    layer can give way and all together exceed the memory budget, whatever merge costs least.

    Args:
        rows: the summaries in use, oldest span first.
        holes: the position of one turn, or more, of every uncovered stretch between summaries.
        policy: counts and shares.
        budgets: the memory budget.
        refused: merges that would win no room: the next oldest is tried instead.
    """
    if len(still_refused(rows, refused)) >= MOST_REFUSED:
        return None
    allowed = quotas(rows, policy, budgets)
    for layer in sorted({row.layer for row in rows}):
        if layer + 1 > policy.most_layers:
            continue
        run = _oldest_run(rows, holes, layer, policy.merge_count, refused)
        if run is None or not _over(rows, layer, policy, allowed):
            continue
        if not _empties(rows, run, policy, allowed):
            return run
    if sum(row.tokens for row in rows) <= budgets.memory:
        return None
    last = to_merge(rows, holes, refused)
    fits = last is not None and max(row.layer for row in last) < policy.most_layers
    return last if fits else None


def still_refused(rows: Sequence[CoverRow], refused: Collection[Run]) -> tuple[Run, ...]:
    """Return the merges in vain that could be tried again: their summaries are all in use."""
    used = {row.summary_id for row in rows}
    return tuple(run for run in refused if used.issuperset(run))


def wins_room(merged: Sequence[CoverRow], tokens: int) -> bool:
    """Say whether one summary of so many tokens takes strictly less room than what it merges."""
    return tokens < sum(row.tokens for row in merged)


def _over(rows: Sequence[CoverRow], layer: int, policy: Policy, allowed: Mapping[int, int]) -> bool:
    shared = min(layer, DEEP)
    tokens = sum(row.tokens for row in rows if min(row.layer, DEEP) == shared)
    count = sum(row.layer == layer for row in rows)
    return count > policy.layer_count or tokens > allowed[shared]


def _empties(
    rows: Sequence[CoverRow],
    run: Sequence[CoverRow],
    policy: Policy,
    allowed: Mapping[int, int],
) -> bool:
    """Say whether the merge would leave layer 0 too thin; its count alone is reason enough."""
    members = [row for row in rows if row.layer == 0]
    if run[0].layer or len(members) > policy.layer_count:
        return False
    left = sum(row.tokens for row in members) - sum(row.tokens for row in run)
    return left * 100 < allowed[0] * LEAST_FILL


def _oldest_run(
    rows: Sequence[CoverRow],
    holes: Collection[Pos],
    layer: int,
    size: int,
    refused: Collection[Run],
) -> tuple[CoverRow, ...] | None:
    """Return the oldest neighbours of a layer, so many of them and not refused, or None."""
    for start in range(len(rows) - size + 1):
        run = rows[start : start + size]
        alike = all(row.layer == layer for row in run)
        parted = any(
            older.to_pos < hole < newer.from_pos for older, newer in pairwise(run) for hole in holes
        )
        if alike and not parted and _ids(run) not in refused:
            return tuple(run)
    return None


def _ids(run: Sequence[CoverRow]) -> Run:
    return tuple(row.summary_id for row in run)
