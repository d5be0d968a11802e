"""What catching up would take: the steps of automatic memory, played through without asking anyone.

Above: engine, which prices it. Below: `upkeep`, whose own steps are taken. Invariant: steps are
chosen by the very rules of a real run; only the sizes of summaries are expected ones, so that a
plan differs from what happens by as much as summaries miss their targets.

Source: issue 5, section 2 (catch-up: planned, priced, capped).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from foreword.domain.ids import Pos, SummaryId
from foreword.domain.summary import CoverRow, CoverState
from foreword.domain.turn import Entry
from foreword.planning.sizes import span_target
from foreword.planning.steps import Condense, Promote, Rebuild, Roll, Roof, Wait
from foreword.planning.upkeep import Asked, Material, next_step


@dataclass(frozen=True, slots=True, kw_only=True)
class CatchUp:
    """Calls that are expected, and what they read and write."""

    calls: int
    summaries: int
    """Of turns; the other calls merge or rebuild."""
    merges: Mapping[int, int]
    """Calls that write a summary of each layer above 0."""
    tokens_in: int
    """Of turns and summaries, instructions aside."""
    tokens_out: int
    turns: int
    """That are covered by the end."""
    memory_tokens: int
    """Of the summaries in use then."""
    capped: bool
    """The cap ended it before everything was covered."""


def plan_catch_up(
    material: Material,
    depths: Mapping[SummaryId, int],
    *,
    affordable: Callable[[int, int, int], bool] = lambda _calls, _tokens_in, _tokens_out: True,
) -> CatchUp:
    """Play the steps through until nothing is due, or until they are not affordable.

    Args:
        material: the branch as it is; its pile is read whole.
        depths: generation depth of the summaries in use.
        affordable: says of so many calls, tokens in and tokens out whether they may be spent.
    """
    play = _Play(
        material=material,
        rows=list(material.cover),
        runs=[run for stretch in material.stretches() if (run := list(stretch))],
        pile_tokens=material.pile_tokens,
        depths=dict(depths),
        next_id=1 + max((int(row.summary_id) for row in material.cover), default=0),
    )
    while True:
        step = next_step(play.now(), asked=Asked.AUTOMATIC)
        if isinstance(step, Wait) or not affordable(play.calls, play.tokens_in, play.tokens_out):
            return play.told(capped=not isinstance(step, Wait))
        play.carry(step)


@dataclass(slots=True, kw_only=True)
class _Play:
    material: Material
    rows: list[CoverRow]
    runs: list[list[Entry]]
    depths: dict[SummaryId, int]
    next_id: int
    pile_tokens: int
    blocks: dict[SummaryId, tuple[SummaryId, ...]] = field(default_factory=dict)
    stored: dict[SummaryId, CoverRow] = field(default_factory=dict)
    calls: int = 0
    summaries: int = 0
    merges: Counter[int] = field(default_factory=Counter)
    tokens_in: int = 0
    tokens_out: int = 0
    turns: int = 0

    def now(self) -> Material:
        """Return the branch as it would be."""
        return replace(
            self.material,
            cover=tuple(self.rows),
            pile_tokens=self.pile_tokens,
            newest_first=lambda: (one for run in reversed(self.runs) for one in reversed(run)),
            stretches=lambda: self.runs,
            holes=self.holes,
            depth=self.depths.__getitem__,
            blocks=lambda one: self.blocks.get(one) or self.material.blocks(one),
        )

    def holes(self) -> list[Pos]:
        """Return the position of one turn of every run before the last summary."""
        last = self.rows[-1].to_pos if self.rows else Pos(0)
        return [run[0].pos for run in self.runs if run and run[0].pos < last]

    def carry(self, step: Condense | Promote | Roll | Roof | Rebuild) -> None:
        """Do what a step does, with a summary of the expected size."""
        target, memory = self.material.budgets.summary_target, self.material.budgets.memory
        match step:
            case Condense():
                for piece in step.pieces:
                    self.take(piece.entries)
                    self.put(self.row(piece.entries, layer=0, target=target), depth=1)
            case Promote():
                self.merge(step.rows, layer=1 + max(row.layer for row in step.rows), target=target)
            case Roll():
                self.take(step.piece.entries)
                size = min(memory * 3 // 4, step.row.tokens + target)
                self.roll(step.row, step.piece.entries, target=size)
            case Roof():
                rows = [self.stored_row(one) for one in step.blocks]
                self.rows = [row for row in self.rows if row != step.replaced]
                self.merge(rows, layer=1, target=memory // 2)
            case Rebuild():
                self.rebuild(step, target=target)
            case _:
                assert_never(step)

    def rebuild(self, step: Rebuild, *, target: int) -> None:
        """Read the turns of rows again, in as many portions as batches take."""
        more = step.more.entries if step.more is not None else ()
        self.take(more)
        source = sum(row.src_tokens for row in step.rows) + sum(one.cost for one in more)
        portions = -(-source // self.material.budgets.batch_cap)
        several = step.merge and portions > 1
        first = step.rows[0].from_pos if step.rows else more[0].pos
        last = more[-1].pos if more else step.rows[-1].to_pos
        self.rows = [row for row in self.rows if row not in step.rows]
        self.asked(0, source, portions * min(target, source), calls=portions)
        if several:
            self.asked(1, portions * target, target)
        tokens = target if several else target * portions
        made = self.blank(first, last, layer=int(several), tokens=tokens)
        turns = sum(row.n_turns for row in step.rows) + len(more)
        self.put(replace(made, n_turns=turns, src_tokens=source), depth=1 + several)

    def row(self, entries: Sequence[Entry], *, layer: int, target: int) -> CoverRow:
        """Ask for a summary of turns, and return its row."""
        source = sum(entry.cost for entry in entries)
        tokens = span_target(target, source)
        self.asked(layer, source, tokens)
        made = self.blank(entries[0].pos, entries[-1].pos, layer=layer, tokens=tokens)
        return replace(made, n_turns=len(entries), src_tokens=source)

    def merge(self, rows: Sequence[CoverRow], *, layer: int, target: int) -> None:
        """Put one summary in the place of several."""
        source = sum(row.tokens for row in rows)
        tokens = span_target(target, source)
        self.asked(layer, source, tokens)
        self.rows = [row for row in self.rows if row not in rows]
        made = self.blank(rows[0].from_pos, rows[-1].to_pos, layer=layer, tokens=tokens)
        over = replace(
            made,
            n_turns=sum(row.n_turns for row in rows),
            src_tokens=sum(row.src_tokens for row in rows),
        )
        self.blocks[over.summary_id] = tuple(row.summary_id for row in rows if row.layer == 0)
        self.put(over, depth=1 + max(self.depths.get(row.summary_id, 1) for row in rows))

    def roll(self, row: CoverRow, entries: Sequence[Entry], *, target: int) -> None:
        """Put a summary of a summary and turns in the place of it."""
        source = sum(entry.cost for entry in entries)
        self.asked(max(1, row.layer), row.tokens + source, target)
        self.rows.remove(row)
        made = self.blank(row.from_pos, entries[-1].pos, layer=max(1, row.layer), tokens=target)
        whole = replace(
            made, n_turns=row.n_turns + len(entries), src_tokens=row.src_tokens + source
        )
        self.put(whole, depth=1 + self.depths[row.summary_id])

    def blank(self, lo: Pos, hi: Pos, *, layer: int, tokens: int) -> CoverRow:
        """Return the row of the next summary."""
        made = CoverRow(
            summary_id=SummaryId(self.next_id),
            state=CoverState.USED,
            layer=layer,
            from_pos=lo,
            to_pos=hi,
            n_turns=0,
            src_tokens=0,
            tokens=max(1, tokens),
        )
        self.next_id += 1
        return made

    def put(self, row: CoverRow, *, depth: int) -> None:
        """Put a summary into force."""
        self.stored[row.summary_id] = row
        self.depths[row.summary_id] = depth
        self.rows = sorted([*self.rows, row], key=lambda one: one.from_pos)

    def stored_row(self, summary: SummaryId) -> CoverRow:
        """Return the row of a block, in use or under a roof."""
        held = {row.summary_id: row for row in self.rows}
        if summary in held:
            return held[summary]
        small = self.blank(Pos(0), Pos(0), layer=0, tokens=self.material.budgets.summary_target)
        return self.stored.get(summary, replace(small, summary_id=summary))

    def take(self, entries: Sequence[Entry]) -> None:
        """Take neighbouring turns out of the pile."""
        if not entries:
            return
        self.turns += len(entries)
        self.pile_tokens -= sum(entry.cost for entry in entries)
        first, last = entries[0].pos, entries[-1].pos
        place = next(at for at, run in enumerate(self.runs) if run[-1].pos >= last)
        run = self.runs[place]
        start = bisect_left(run, first, key=lambda entry: entry.pos)
        end = bisect_left(run, last, key=lambda entry: entry.pos) + 1
        self.runs[place : place + 1] = [part for part in (run[:start], run[end:]) if part]

    def asked(self, layer: int, tokens_in: int, tokens_out: int, *, calls: int = 1) -> None:
        """Count calls."""
        self.calls += calls
        self.tokens_in += tokens_in
        self.tokens_out += tokens_out
        if layer:
            self.merges[layer] += calls
        else:
            self.summaries += calls

    def told(self, *, capped: bool) -> CatchUp:
        """Return what it took."""
        return CatchUp(
            calls=self.calls,
            summaries=self.summaries,
            merges=dict(sorted(self.merges.items())),
            tokens_in=self.tokens_in,
            tokens_out=self.tokens_out,
            turns=self.turns,
            memory_tokens=sum(row.tokens for row in self.rows),
            capped=capped,
        )
