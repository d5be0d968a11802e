"""The smallest repair: which summaries to remake after their text changed, in which order.

A stale summary made from turns is remade from the turns as they read now; a stale meta summary is
merged again from what is then in force in its span. What the user has covered in another way, or
taken away, is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from foreword.domain.ids import Pos, SummaryId
from foreword.domain.summary import CoverRow, CoverState
from foreword.planning.validity import SpanState


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairStep:
    """One summary to remake. Steps come after those they need."""

    summary_id: SummaryId
    """The stale summary whose place the new one takes."""
    from_pos: Pos
    to_pos: Pos
    children: tuple[SummaryId, ...] = ()
    """What a meta summary merges, oldest first; a step's own id stands for what it makes."""
    tokens_in: int
    """Tokens of the source; the new summaries among it are taken to be as long as the old."""
    tokens_out: int
    """Tokens of the new summary, taken to be as long as the old."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairPlan:
    """What a repair would do and cost."""

    steps: tuple[RepairStep, ...]

    @property
    def calls(self) -> int:
        """Number of calls of the summariser."""
        return len(self.steps)

    @property
    def tokens(self) -> int:
        """Tokens read and written by all of them."""
        return sum(step.tokens_in + step.tokens_out for step in self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Force:
    """A summary in force at some point of the repair."""

    summary_id: SummaryId
    from_pos: Pos
    to_pos: Pos
    n_turns: int
    tokens: int


@dataclass(slots=True)
class _Repair:
    """The cover as it would be after the steps so far."""

    span: Callable[[Pos, Pos], SpanState]
    force: list[_Force]
    steps: list[RepairStep] = field(default_factory=list)

    def standing(self, row: CoverRow) -> list[_Force]:
        """Return what is in force over the row's span, oldest first."""
        return [
            top for top in self.force if top.from_pos <= row.to_pos and row.from_pos <= top.to_pos
        ]

    def remake(self, row: CoverRow) -> None:
        state = self.span(row.from_pos, row.to_pos)
        if state.n_turns and not self.standing(row):
            self.take(row, (), state.n_turns, state.src_tokens)

    def remerge(self, row: CoverRow) -> None:
        children = self.standing(row)
        if not children:
            # A summary of a higher layer that came from a file has turns for its sources.
            self.remake(row)
            return
        inside = all(row.from_pos <= top.from_pos and top.to_pos <= row.to_pos for top in children)
        if len(children) < 2 or not inside:
            return
        n_turns = self.span(row.from_pos, row.to_pos).n_turns
        if n_turns == sum(top.n_turns for top in children):
            self.take(row, children, n_turns, sum(top.tokens for top in children))

    def take(self, row: CoverRow, children: Sequence[_Force], n_turns: int, tokens_in: int) -> None:
        step = RepairStep(
            summary_id=row.summary_id,
            from_pos=row.from_pos,
            to_pos=row.to_pos,
            children=tuple(top.summary_id for top in children),
            tokens_in=tokens_in,
            tokens_out=row.tokens,
        )
        self.steps.append(step)
        new = _Force(
            summary_id=row.summary_id,
            from_pos=row.from_pos,
            to_pos=row.to_pos,
            n_turns=n_turns,
            tokens=row.tokens,
        )
        self.force = sorted(
            [top for top in self.force if top not in children] + [new],
            key=lambda top: top.from_pos,
        )


def plan_repair(rows: Iterable[CoverRow], span: Callable[[Pos, Pos], SpanState]) -> RepairPlan:
    """Plan how to bring the stale summaries of a branch back.

    Args:
        rows: all rows of the branch.
        span: the state of the turns between two positions, both included.

    Returns:
        Steps in the order in which they can be done; none when nothing can be repaired.
    """
    rows = list(rows)
    used = (row for row in rows if row.state is CoverState.USED)
    force = [
        _Force(
            summary_id=row.summary_id,
            from_pos=row.from_pos,
            to_pos=row.to_pos,
            n_turns=row.n_turns,
            tokens=row.tokens,
        )
        for row in sorted(used, key=lambda row: row.from_pos)
    ]
    repair = _Repair(span=span, force=force)
    stale = [row for row in rows if row.state is CoverState.STALE]
    newest_first = sorted(stale, key=lambda row: (row.layer, -row.summary_id))
    for row in newest_first:
        if row.layer == 0:
            repair.remake(row)
    # Story order, so that whoever writes one has read those before it.
    repair.steps.sort(key=lambda step: step.from_pos)
    for row in newest_first:
        if row.layer > 0:
            repair.remerge(row)
    return RepairPlan(steps=tuple(repair.steps))
