"""After every change: check the summaries that stand over what was touched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from foreword.domain.ids import BranchId, Pos, SummaryId
from foreword.domain.summary import CoverRow, CoverState, Summary
from foreword.planning.covers import CoverChange
from foreword.planning.validity import BranchCover, SpanState, revalidate, span_state
from foreword.ports.store import ReadSession, WriteSession


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """Which summaries a change took out of force, and which it brought back."""

    stale: tuple[SummaryId, ...] = ()
    back: tuple[SummaryId, ...] = ()


def span_between(session: ReadSession, branch: BranchId, lo: Pos, hi: Pos) -> SpanState:
    """Return what the visible turns between two positions, both included, are now."""
    return span_state(session.between(branch, lo, hi))


def visible_between(session: ReadSession, branch: BranchId, lo: Pos, hi: Pos) -> bool:
    """Say whether a visible turn stands between two positions, both excluded."""
    return any(not entry.hidden for entry in session.newest(branch, before=hi, after=lo))


def settle(
    session: WriteSession, branch: BranchId, lo: Pos, hi: Pos, *, broken: bool = False
) -> Settled:
    """Re-validate the summaries over the touched positions and write what changes."""

    def summaries(ids: Iterable[SummaryId]) -> Mapping[SummaryId, Summary]:
        return session.summaries(list(ids))

    touched = session.cover_rows(branch, lo, hi)
    if not touched:
        return Settled()
    used = session.cover(branch)

    def rows_between(first: Pos, last: Pos) -> Iterable[CoverRow]:
        return touched if (first, last) == (lo, hi) else session.cover_rows(branch, first, last)

    cover = BranchCover(
        rows_between=rows_between,
        used_between=lambda first, last: [row for row in used if row.overlaps(first, last)],
        rows_of=lambda ids: session.cover_of(branch, list(ids)),
        summaries=summaries,
        span=lambda first, last: span_between(session, branch, first, last),
    )
    changed = revalidate(cover, lo, hi, broken=broken)
    before = {row.summary_id: row.state for row in touched}
    session.put_cover(changed)
    return Settled(
        stale=_ids(row for row in changed if row.state is CoverState.STALE),
        back=_ids(
            row
            for row in changed
            if row.state is CoverState.USED
            and before.get(row.summary_id, CoverState.MERGED) is not CoverState.USED
        ),
    )


def apply(session: WriteSession, change: CoverChange) -> None:
    """Write a change of the cover."""
    session.drop_cover(change.drop)
    session.put_cover(change.put)


def _ids(rows: Iterable[CoverRow]) -> tuple[SummaryId, ...]:
    return tuple(row.summary_id for row in rows)
