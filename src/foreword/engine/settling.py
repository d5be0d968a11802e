"""After every change: check the summaries that stand over what was touched."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from foreword.domain.ids import BranchId, Pos, SummaryId
from foreword.domain.summary import CoverRow, CoverState
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
    used = session.cover_over(branch, CoverState.USED, lo, hi)
    stale = session.cover_over(branch, CoverState.STALE, lo, hi)
    if not used and not stale:
        return Settled()

    def used_between(first: Pos, last: Pos) -> Iterable[CoverRow]:
        here = (first, last) == (lo, hi)
        return used if here else session.cover_over(branch, CoverState.USED, first, last)

    changed = revalidate(
        BranchCover(
            used_between=used_between,
            stale_between=lambda _lo, _hi: stale,
            rows_of=lambda ids: session.cover_of(branch, list(ids)),
            children=session.children,
            summary=lambda summary: session.summaries([summary])[summary],
            span=lambda first, last: span_between(session, branch, first, last),
        ),
        lo,
        hi,
        broken=broken,
    )
    before = {row.summary_id: row.state for row in (*used, *stale)}
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
