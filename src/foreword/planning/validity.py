"""Validity by content: which summaries still say what their span says.

A summary is valid where the digests of the visible turns in its span equal those it was made from.
Edits, deletions, hiding, other alternatives and undo need no rules of their own: whatever touched
some positions, the rows there are checked again. What went stale stays as a stale row; it comes
back by itself only when its words are back and nothing in use stands over them.

Source: DECISIONS D3 and Summaries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from foreword.domain.digest import span_digest
from foreword.domain.ids import Pos, SummaryId
from foreword.domain.summary import CoverRow, CoverState, NewSummary, Summary
from foreword.domain.turn import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanState:
    """What the visible turns between two positions are now."""

    digest: bytes
    first_digest: bytes
    """Digest of the first of them; empty when there is none."""
    n_turns: int
    src_tokens: int
    """Message overhead included."""


def span_state(entries: Iterable[Entry]) -> SpanState:
    """Return the state of a span from its entries, oldest first; hidden ones do not count."""
    visible = [entry for entry in entries if not entry.hidden]
    return SpanState(
        digest=span_digest(entry.digest for entry in visible),
        first_digest=visible[0].digest if visible else b"",
        n_turns=len(visible),
        src_tokens=sum(entry.cost for entry in visible),
    )


def says(summary: NewSummary, state: SpanState) -> bool:
    """Say whether the span reads word for word as it did when the summary was made."""
    return state.n_turns == summary.n_turns and state.digest == summary.span_digest


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchCover:
    """How the checks look at a branch."""

    used_between: Callable[[Pos, Pos], Iterable[CoverRow]]
    """Rows in use whose span meets the two positions."""
    stale_between: Callable[[Pos, Pos], Iterable[CoverRow]]
    """Stale rows whose span meets them."""
    rows_of: Callable[[Iterable[SummaryId]], Iterable[CoverRow]]
    """Rows, of every state, of those of the summaries that have one."""
    children: Callable[[SummaryId], Iterable[SummaryId]]
    """What a summary merged."""
    summary: Callable[[SummaryId], Summary]
    span: Callable[[Pos, Pos], SpanState]
    """The state of the positions between, both included."""


@dataclass(slots=True)
class _Check:
    """One re-validation under way: what was touched and what it changed so far."""

    cover: BranchCover
    lo: Pos
    hi: Pos
    broken: bool
    changed: dict[SummaryId, CoverRow] = field(default_factory=dict)

    def check(self, row: CoverRow) -> None:
        """Keep a row in use while its span says the same, else open what it merged."""
        touched = row.overlaps(self.lo, self.hi)
        if touched and self.broken:
            self.make_stale(row)
            return
        if not touched:
            self.use(row)
            return
        state = self.cover.span(row.from_pos, row.to_pos)
        if says(self.cover.summary(row.summary_id), state):
            self.use(replace(row, n_turns=state.n_turns, src_tokens=state.src_tokens))
        else:
            self.make_stale(row)

    def use(self, row: CoverRow) -> None:
        self.changed[row.summary_id] = replace(row, state=CoverState.USED)

    def make_stale(self, row: CoverRow) -> None:
        self.changed[row.summary_id] = replace(row, state=CoverState.STALE)
        children = tuple(self.cover.children(row.summary_id)) if row.layer else ()
        rows = self.now(children)
        for child in children:
            if child in rows:
                self.check(rows[child])

    def adopt(self, row: CoverRow) -> None:
        """Take a stale row back into use when its words are back and nothing else covers them."""
        if self.is_covered(row):
            return
        state = self.cover.span(row.from_pos, row.to_pos)
        if not says(self.cover.summary(row.summary_id), state):
            return
        inside = self.inside(row.summary_id)
        held = self.now(inside)
        if not held.keys() >= set(inside):
            return
        self.use(replace(row, n_turns=state.n_turns, src_tokens=state.src_tokens))
        for child in inside:
            self.changed[child] = replace(held[child], state=CoverState.MERGED)

    def is_covered(self, row: CoverRow) -> bool:
        """Say whether a row in use, after what changed so far, meets the span of this one."""
        lo, hi = row.from_pos, row.to_pos
        stored = {one.summary_id: one for one in self.cover.used_between(lo, hi)}
        stored.update((key, one) for key, one in self.changed.items() if one.overlaps(lo, hi))
        return any(one.state is CoverState.USED for one in stored.values())

    def inside(self, summary_id: SummaryId) -> list[SummaryId]:
        """Return everything merged into a summary, at every level."""
        children = tuple(self.cover.children(summary_id))
        return [*children, *(below for child in children for below in self.inside(child))]

    def now(self, ids: Sequence[SummaryId]) -> dict[SummaryId, CoverRow]:
        """Return the rows of summaries as they would be after what changed so far."""
        rows = {row.summary_id: row for row in self.cover.rows_of(ids)} if ids else {}
        rows.update((one, self.changed[one]) for one in ids if one in self.changed)
        return rows


def revalidate(
    cover: BranchCover, lo: Pos, hi: Pos, *, broken: bool = False
) -> tuple[CoverRow, ...]:
    """Return the rows that must change after the turns from `lo` to `hi` were touched.

    Args:
        cover: the branch as it reads now, with its rows as they were.
        lo: first touched position.
        hi: last touched position.
        broken: the visible words there certainly differ from before, so that no row in use that
            holds them needs to be read again.

    Returns:
        Rows with their new state, by span; used rows of the result and of the branch never
        overlap if they did not before.
    """
    check = _Check(cover=cover, lo=lo, hi=hi, broken=broken)
    used, stale = list(cover.used_between(lo, hi)), list(cover.stale_between(lo, hi))
    before = {row.summary_id: row for row in (*used, *stale)}
    for row in used:
        check.check(row)
    for row in sorted(stale, key=lambda row: (-row.layer, -row.summary_id)):
        check.adopt(row)
    unchanged = {key for key, row in check.changed.items() if before.get(key) == row}
    changed = [row for key, row in check.changed.items() if key not in unchanged]
    return tuple(sorted(changed, key=lambda row: (row.from_pos, -row.layer, row.summary_id)))


def overlapping(rows: Iterable[CoverRow]) -> tuple[CoverRow, CoverRow] | None:
    """Return two rows in use over one position, or None when the cover is sound."""
    used = sorted(
        (row for row in rows if row.state is CoverState.USED), key=lambda row: row.from_pos
    )
    for left, right in pairwise(used):
        if left.overlaps(right.from_pos, right.to_pos):
            return left, right
    return None
