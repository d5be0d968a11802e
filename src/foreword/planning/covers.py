"""What merging, unwinding, deleting and forking make of a branch's cover rows.

Every function returns which rows to put and which to drop; nothing is in force twice.

Source: spec/summaries, DECISIONS Summaries and D1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import assert_never

from foreword.domain.ids import Pos, SummaryId
from foreword.domain.summary import CoverRow, CoverState, Summary
from foreword.domain.turn import Entry
from foreword.errors import MergeRefused, NotAMetaSummary, SummaryNotFound, SummaryNotInUse


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverChange:
    """Rows to open, and summaries whose rows to close."""

    put: tuple[CoverRow, ...] = ()
    drop: tuple[SummaryId, ...] = ()


class ListState:
    """The words `summary list` uses for what a summary is on a branch."""

    IN_USE = "in_use"
    MERGED = "merged"
    REPLACED = "replaced"
    STALE = "stale"
    DELETED = "deleted"


def list_states(
    rows: Iterable[CoverRow], summaries: Mapping[SummaryId, Summary]
) -> dict[SummaryId, str]:
    """Return the word for each of `summaries` on the branch with these rows.

    A merged summary is `replaced` when a meta summary took its place on its turn, and so is one
    whose edit or regeneration took it.
    """
    states = dict.fromkeys(summaries, ListState.DELETED)
    for summary in summaries.values():
        if summary.edited_from in states:
            states[summary.edited_from] = ListState.REPLACED
    held = {row.summary_id: row for row in rows}
    tops = {
        summaries[row.summary_id].replaced
        for row in held.values()
        if row.state is not CoverState.STALE
    }
    for summary_id, row in held.items():
        match row.state:
            case CoverState.USED:
                states[summary_id] = ListState.IN_USE
            case CoverState.STALE:
                states[summary_id] = ListState.STALE
            case CoverState.MERGED:
                states[summary_id] = ListState.REPLACED if summary_id in tops else ListState.MERGED
            case _:
                assert_never(row.state)
    return states


def used_row(
    rows: Iterable[CoverRow], summary_id: SummaryId, states: Mapping[SummaryId, str]
) -> CoverRow:
    """Return the row of a summary in use.

    Raises:
        SummaryNotInUse: the summary is merged, replaced, stale or deleted here.
        SummaryNotFound: there is no such summary.
    """
    for row in rows:
        if row.summary_id == summary_id and row.state is CoverState.USED:
            return row
    if summary_id in states:
        raise SummaryNotInUse(summary_id=summary_id, state=states[summary_id])
    raise SummaryNotFound(f"S{summary_id}")


def merge_range(
    cover: Sequence[CoverRow],
    ticked: Iterable[SummaryId],
    *,
    hole_between: Callable[[Pos, Pos], bool],
) -> tuple[CoverRow, ...]:
    """Return the rows that a merge of the ticked summaries takes, oldest first.

    Everything from the oldest to the newest ticked one is taken, ticked or not.

    Args:
        cover: the rows in use, oldest first; every ticked summary is among them.
        ticked: at least two different summaries.
        hole_between: says whether a visible turn stands between two positions, both excluded.

    Raises:
        MergeRefused: fewer than two, or uncovered turns stand between them.
    """
    chosen = set(ticked)
    places = [place for place, row in enumerate(cover) if row.summary_id in chosen]
    if len(places) < 2:
        raise MergeRefused(
            reason="A meta summary needs at least two different summaries in use.",
            summary_ids=sorted(chosen),
        )
    merged = tuple(cover[places[0] : places[-1] + 1])
    for left, right in pairwise(merged):
        if hole_between(left.to_pos, right.from_pos):
            raise MergeRefused(
                reason=(
                    f"Between S{left.summary_id} and S{right.summary_id} there are turns without "
                    "a summary. Recap them first, then merge."
                ),
                summary_ids=(left.summary_id, right.summary_id),
            )
    return merged


def merged_cover(
    meta: Summary, merged: Sequence[CoverRow], *, rolled: Sequence[Entry] = ()
) -> CoverChange:
    """Put a meta summary into force over the rows it was made from, and visible turns behind."""
    row = CoverRow(
        summary_id=meta.id,
        state=CoverState.USED,
        layer=meta.layer,
        from_pos=merged[0].from_pos,
        to_pos=rolled[-1].pos if rolled else merged[-1].to_pos,
        n_turns=sum(row.n_turns for row in merged) + len(rolled),
        src_tokens=sum(row.src_tokens for row in merged) + sum(entry.cost for entry in rolled),
        tokens=meta.tokens,
    )
    inside = tuple(replace(child, state=CoverState.MERGED) for child in merged)
    return CoverChange(put=(row, *inside))


def replaced_cover(row: CoverRow, summary: Summary) -> CoverChange:
    """Put an edited or regenerated summary in the place of the one it was made from."""
    new = replace(
        row,
        summary_id=summary.id,
        tokens=summary.tokens,
        layer=summary.layer,
    )
    return CoverChange(put=(new,), drop=(row.summary_id,))


def unwound(meta: Summary, row: CoverRow, rows: Mapping[SummaryId, CoverRow]) -> CoverChange:
    """Take a meta summary away and put what it merged back into use, one level.

    Raises:
        NotAMetaSummary: it was made from turns.
    """
    if not meta.children:
        raise NotAMetaSummary(meta.id)
    back = tuple(replace(rows[child], state=CoverState.USED) for child in meta.children)
    return CoverChange(put=back, drop=(row.summary_id,))


def deleted(
    summary: Summary,
    row: CoverRow,
    rows: Mapping[SummaryId, CoverRow],
    summaries: Mapping[SummaryId, Summary],
) -> CoverChange:
    """Take a summary away; of a meta summary, the one whose place it took goes with it."""
    if not summary.children:
        return CoverChange(drop=(row.summary_id,))
    *others, replaced = summary.children
    back = tuple(replace(rows[child], state=CoverState.USED) for child in others)
    gone = (replaced, *descendants(replaced, summaries))
    return CoverChange(put=back, drop=(row.summary_id, *gone))


def descendants(
    summary_id: SummaryId, summaries: Mapping[SummaryId, Summary]
) -> tuple[SummaryId, ...]:
    """Return everything merged into a summary, at every level, parents before children."""
    found: list[SummaryId] = []
    waiting = [summary_id]
    while waiting:
        for child in _children(waiting.pop(), summaries):
            found.append(child)
            waiting.append(child)
    return tuple(found)


def _children(
    summary_id: SummaryId, summaries: Mapping[SummaryId, Summary]
) -> tuple[SummaryId, ...]:
    """Return what a summary merged: nothing where it is not among the ones that merged some."""
    summary = summaries.get(summary_id)
    return () if summary is None else summary.children


def forked_cover(
    rows: Iterable[CoverRow],
    fork_pos: Pos,
    *,
    parts: Callable[[SummaryId], Iterable[CoverRow]],
    visible_after: Callable[[Pos, Pos], bool],
) -> tuple[CoverRow, ...]:
    """Return the rows that a fork has of its own: every summary whose visible turns lie before it.

    A meta summary that reaches past the fork is opened to its largest parts that do not. Rows of
    merged summaries are the parent's; only those that reach past the fork, by hidden turns alone,
    are cut off and kept.

    Args:
        rows: the parent's rows in use and stale that begin before the fork.
        fork_pos: the last shared position.
        parts: returns the rows that a meta summary merged; asked of those alone that reach past
            the fork.
        visible_after: says whether a visible turn of the parent stands after the first position,
            up to and including the second.
    """
    fork = _Fork(fork_pos=fork_pos, parts=parts, visible_after=visible_after)
    kept = [part for row in rows for part in fork.largest(row)]
    return tuple(sorted(kept, key=lambda row: (row.from_pos, -row.layer, row.summary_id)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fork:
    """What of a parent's cover lies before a fork."""

    fork_pos: Pos
    parts: Callable[[SummaryId], Iterable[CoverRow]]
    visible_after: Callable[[Pos, Pos], bool]

    def largest(self, row: CoverRow) -> Iterator[CoverRow]:
        if row.to_pos <= self.fork_pos:
            yield row
        elif row.from_pos > self.fork_pos:
            return
        elif not self.visible_after(self.fork_pos, row.to_pos):
            yield from self.cut_off(row)
        elif row.state is CoverState.USED and row.layer:
            for part in self.parts(row.summary_id):
                yield from self.largest(replace(part, state=CoverState.USED))

    def cut_off(self, row: CoverRow) -> Iterator[CoverRow]:
        """Yield a row up to the fork, and what inside it reaches past it."""
        yield replace(row, to_pos=self.fork_pos)
        if row.layer and row.state is not CoverState.STALE:
            for part in self.parts(row.summary_id):
                if part.to_pos > self.fork_pos:
                    yield from self.cut_off(replace(part, state=CoverState.MERGED))
