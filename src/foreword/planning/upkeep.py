"""What automatic memory does next, from what is committed.

Above: engine, which carries a step out and asks again. Below: `batches`, `layering`, `pieces`.
Invariants: triggers are sizes, never counts of turns; the newest turns of the verbatim budget, and
the newest exchange, are never taken (but for a breaker); what the user took away is not taken
again by itself; carried out one after another, the steps end.

Source: DECISIONS, Defaults; spec/summaryception, spec/cadence; research/roleplay c.3.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from typing import assert_never

from foreword.domain.ids import Pos, SummaryId
from foreword.domain.policy import Policy, Strategy
from foreword.domain.summary import CoverRow
from foreword.domain.turn import Entry, Role
from foreword.planning.batches import first_batch
from foreword.planning.budgets import Budgets
from foreword.planning.layering import Run, crowded, layer_uses
from foreword.planning.pieces import NOWHERE, Piece, last_cut
from foreword.planning.splitting import newest_that_fit
from foreword.planning.steps import (
    Condense,
    Promote,
    Reason,
    Rebuild,
    Roll,
    Roof,
    Step,
    Wait,
)

ROLLING_DEPTH = 8
"""Passes after which a rolling summary is rebuilt, where nothing else is set."""


class Asked(StrEnum):
    """Who wants to know."""

    AUTOMATIC = "automatic"
    """Memory itself: it waits until the overflow is large enough."""
    RECAP = "recap"
    """The user: everything before the verbatim turns, now."""
    BREAKER = "breaker"
    """The user: everything through the model's last turn, the verbatim ones too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """A branch as it is committed; what is a function is read only when it is needed."""

    policy: Policy
    budgets: Budgets
    cover: tuple[CoverRow, ...]
    """The rows in use, oldest first."""
    pile_tokens: int
    """Of the uncovered visible turns."""
    newest_first: Callable[[], Iterable[Entry]]
    """Those turns."""
    stretches: Callable[[], Iterable[Iterable[Entry]]]
    """The same as runs of neighbours, oldest first, each oldest first."""
    barred: Callable[[], Callable[[Entry], bool] | None]
    """Which turns had a summary that the user took away; None for none."""
    holes: Callable[[], Collection[Pos]]
    """The position of one turn of every uncovered stretch between summaries."""
    depth: Callable[[SummaryId], int]
    """Generation depth of a summary in use."""
    blocks: Callable[[SummaryId], tuple[SummaryId, ...]]
    """What a summary in use was merged from, where that is summaries of turns alone; else none."""
    refused: Collection[Run] = ()
    """Merges that were tried and would win no room."""


def next_step(material: Material, *, asked: Asked) -> Step:
    """Return what to do next, or why nothing is to be done.

    Source: research/roleplay c.3; issue 5, section 1.
    """
    resting = _resting(material, asked)
    if resting is not None:
        return resting
    cut = _cut(material, asked)
    taken = _taken(material, asked, cut)
    if isinstance(taken, Piece):
        return _cover(material, taken, asked, cut)
    return _tidied(material) or taken


def eligible_tokens(material: Material) -> int:
    """Return the tokens of the turns before the verbatim ones, due or not."""
    return _cut(material, Asked.RECAP).tokens


def _resting(material: Material, asked: Asked) -> Wait | None:
    """Return why memory does nothing by itself here; commands of the user pass."""
    policy = material.policy
    if asked is not Asked.AUTOMATIC:
        return None
    if not policy.mode.automatic:
        return Wait(
            reason=Reason.NOT_AUTOMATIC,
            sentence=f"Memory does not run by itself in mode {policy.mode.value}.",
        )
    if not policy.memory:
        return Wait(reason=Reason.OFF, sentence="Memory is switched off for this conversation.")
    if policy.paused:
        sentence = "Memory is paused: resume it to let it run by itself."
        return Wait(reason=Reason.PAUSED, sentence=sentence)
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cut:
    """How far turns may be taken."""

    pos: Pos
    """Last position; `NOWHERE` when none may be."""
    tokens: int
    """Of the turns up to there."""


def _cut(material: Material, asked: Asked) -> _Cut:
    if asked is Asked.BREAKER:
        kept = 0
        for entry in material.newest_first():
            if entry.role is not Role.USER:
                return _Cut(pos=entry.pos, tokens=material.pile_tokens - kept)
            kept += entry.cost
        return _Cut(pos=NOWHERE, tokens=0)
    covered = [row.to_pos for row in material.cover]
    found = last_cut(material.newest_first(), material.budgets.verbatim, covered)
    tokens = 0 if found.pos == NOWHERE else material.pile_tokens - found.kept
    return _Cut(pos=found.pos, tokens=tokens)


def _taken(material: Material, asked: Asked, cut: _Cut) -> Piece | Wait:
    """Return the oldest turns to cover, or why none are."""
    budgets, automatic = material.budgets, asked is Asked.AUTOMATIC
    if automatic and material.pile_tokens < budgets.trigger:
        missing = budgets.trigger - material.pile_tokens
        return Wait(
            reason=Reason.BELOW,
            sentence=f"Nothing is due: {missing:,} more tokens of story until then.",
        )
    if cut.pos == NOWHERE:
        return _nothing(material, automatic=automatic)
    stretches: Iterable[Iterable[Entry]] = material.stretches()
    total = cut.tokens
    barred = material.barred() if automatic else None
    if barred is not None:
        stretches = list(_free_runs(stretches, barred, cut.pos))
        total = sum(entry.cost for run in stretches for entry in run)
        if total < min(cut.tokens, budgets.queue):
            return Wait(
                reason=Reason.BARRED,
                sentence="What could be summarised had a summary that was taken away: "
                "`memory recap` makes it again.",
            )
    piece = first_batch(stretches, cut=cut.pos, total=total, budgets=budgets)
    return piece or _nothing(material, automatic=automatic)


def _nothing(material: Material, *, automatic: bool) -> Wait:
    if automatic:
        return Wait(
            reason=Reason.TURN_TOO_LARGE,
            sentence="The newest turns are too large to cut before them: "
            f"{material.pile_tokens:,} tokens stand in one exchange or in the verbatim "
            f"{material.budgets.verbatim:,}.",
        )
    return Wait(reason=Reason.DONE, sentence="Everything that may be summarised is.")


def _free_runs(
    stretches: Iterable[Iterable[Entry]], barred: Callable[[Entry], bool], cut: Pos
) -> Iterator[tuple[Entry, ...]]:
    """Yield the runs up to the cut that remain when barred turns part the stretches."""
    for stretch in stretches:
        run: list[Entry] = []
        for entry in takewhile(lambda entry: entry.pos <= cut, stretch):
            if barred(entry):
                if run:
                    yield tuple(run)
                run = []
            else:
                run.append(entry)
        if run:
            yield tuple(run)


def _cover(material: Material, piece: Piece, asked: Asked, cut: _Cut) -> Step:
    """Return how the strategy covers a piece."""
    policy, before = material.policy, _row_before(material, piece)
    match policy.strategy:
        case Strategy.LAYERS | Strategy.TWO_LEVEL:
            return _condensed(material, piece, asked, cut)
        case Strategy.ROLLING:
            if before is None:
                return Condense(pieces=(piece,), atomic=False)
            limit = policy.depth_limit or ROLLING_DEPTH
            if material.depth(before.summary_id) >= limit:
                return Rebuild(rows=(before,), more=piece)
            return Roll(row=before, piece=piece)
        case Strategy.ORIGINALS:
            rows = _tail(material, before)
            return Rebuild(rows=rows, more=piece, merge=False)
        case _:
            assert_never(policy.strategy)


def _condensed(material: Material, piece: Piece, asked: Asked, cut: _Cut) -> Condense:
    """Return one batch, or all of them where the prefix is to change once."""
    if not _at_once(material, asked):
        return Condense(pieces=(piece,), atomic=False)
    barred = material.barred() if asked is Asked.AUTOMATIC else None
    pieces = [piece]
    last = piece.to_pos
    total = cut.tokens - piece.tokens
    while total > 0:
        stretches = material.stretches()
        if barred is not None:
            stretches = _free_runs(stretches, barred, cut.pos)
        more = first_batch(
            _behind(stretches, last), cut=cut.pos, total=total, budgets=material.budgets
        )
        if more is None:
            break
        pieces.append(more)
        last, total = more.to_pos, total - more.tokens
    return Condense(pieces=tuple(pieces), atomic=True)


def _at_once(material: Material, asked: Asked) -> bool:
    """Say whether a flush is one commit; a long catch-up is not, so that it can be stopped."""
    prefix = material.policy.mode.keeps_prefix
    flush = material.budgets.queue * 4
    return (
        prefix
        and asked is Asked.AUTOMATIC
        and material.pile_tokens <= (material.budgets.verbatim + flush)
    )


def _behind(stretches: Iterable[Iterable[Entry]], last: Pos) -> Iterator[Iterable[Entry]]:
    for stretch in stretches:
        yield (entry for entry in stretch if entry.pos > last)


def _row_before(material: Material, piece: Piece) -> CoverRow | None:
    """Return the newest summary where the piece begins with the first open turn behind it."""
    if not material.cover or material.cover[-1].to_pos > piece.from_pos:
        return None
    last = material.cover[-1]
    behind = (
        entry for stretch in material.stretches() for entry in stretch if entry.pos > last.to_pos
    )
    # Between them may stand turns whose summary the user took away.
    return last if next(behind).pos == piece.from_pos else None


def _tail(material: Material, last: CoverRow | None) -> tuple[CoverRow, ...]:
    """Return the newest summaries in use that stand side by side."""
    if last is None:
        return ()
    tail: list[CoverRow] = []
    holes = material.holes()
    for row in reversed(material.cover):
        if tail and any(row.to_pos < hole < tail[-1].from_pos for hole in holes):
            break
        tail.append(row)
    return tuple(reversed(tail))


def _tidied(material: Material) -> Step | None:
    """Return the merge, roof or rebuild that the summaries in use call for, or None."""
    policy = material.policy
    match policy.strategy:
        case Strategy.LAYERS:
            return _too_deep(material) or _promoted(material)
        case Strategy.TWO_LEVEL:
            return _roofed(material)
        case Strategy.ROLLING | Strategy.ORIGINALS:
            return None
        case _:
            assert_never(policy.strategy)


def _too_deep(material: Material) -> Rebuild | None:
    """Return the oldest summary over the depth limit, to be rebuilt from its turns."""
    limit = material.policy.depth_limit
    if limit is None:
        return None
    for row in material.cover:
        if row.layer and material.depth(row.summary_id) > limit:
            return Rebuild(rows=(row,), merge=limit > 1)
    return None


def _promoted(material: Material) -> Step | None:
    rows = crowded(
        material.cover, material.holes(), material.policy, material.budgets, material.refused
    )
    if rows is None:
        return None
    limit = material.policy.depth_limit
    if limit is None:
        return Promote(rows=rows)
    depth = 1 + max(material.depth(row.summary_id) for row in rows)
    if depth <= limit:
        return Promote(rows=rows)
    return Rebuild(rows=rows) if limit > 1 else None


def _roofed(material: Material) -> Step | None:
    """Return the roof over the blocks that exceed their share, with those under the last roof."""
    rows = material.cover
    over = [use for use in layer_uses(rows, material.policy, material.budgets) if use.over]
    blocks = [row for row in rows if row.layer == 0]
    if len(blocks) < material.policy.merge_count or not any(0 in use.layers for use in over):
        return None
    run = _side_by_side(blocks, rows, material.holes())
    roof = _roof_before(material, run[0])
    taken = run[: max(1, len(run) - _kept_blocks(material, run))]
    under = () if roof is None else material.blocks(roof.summary_id)
    found = (*under, *(row.summary_id for row in taken))
    return Roof(blocks=found, replaced=roof) if len(found) > 1 else None


def _kept_blocks(material: Material, run: Sequence[CoverRow]) -> int:
    """Return how many of the newest blocks stay outside: about half of what the layer may hold."""
    room = material.budgets.memory * material.policy.share_layer0_deep // 200
    kept = newest_that_fit([row.tokens for row in run], room)
    return min(kept, material.policy.layer_count // 2, len(run) - 1)


def _side_by_side(
    blocks: Sequence[CoverRow], rows: Sequence[CoverRow], holes: Collection[Pos]
) -> Sequence[CoverRow]:
    """Return the longest of the runs of blocks with nothing between them, the oldest of equals."""
    runs: list[list[CoverRow]] = []
    places = {row.summary_id: place for place, row in enumerate(rows)}
    for row in blocks:
        last = runs[-1][-1] if runs else None
        if (
            last is not None
            and places[row.summary_id] == places[last.summary_id] + 1
            and not any(last.to_pos < hole < row.from_pos for hole in holes)
        ):
            runs[-1].append(row)
        else:
            runs.append([row])
    return max(runs, key=len)


def _roof_before(material: Material, first: CoverRow) -> CoverRow | None:
    """Return the roof that ends where a block begins, or None."""
    before = [row for row in material.cover if row.to_pos < first.from_pos]
    if not before or not material.blocks(before[-1].summary_id):
        return None
    roof = before[-1]
    parted = any(roof.to_pos < hole < first.from_pos for hole in material.holes())
    return None if parted else roof
