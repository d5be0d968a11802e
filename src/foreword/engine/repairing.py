"""Use case: remake the summaries whose text changed, in the cheapest order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from foreword.domain.ids import Pos, Rev, SummaryId
from foreword.domain.ops import OpKind
from foreword.domain.routes import RouteName
from foreword.domain.turn import Entry
from foreword.engine.asking import Listen
from foreword.engine.committing import Made, commit_span, commit_stack
from foreword.engine.context import Engine, Place, Reading, reading
from foreword.engine.drafting import Asking, Drafted
from foreword.engine.portions import portions_by_hand, target_of
from foreword.engine.remembering import anyhow, fitting, remember
from foreword.engine.rooms import Room, asked_room, room_beyond
from foreword.engine.settling import span_between
from foreword.engine.spans import Span, Stack, read_span, read_stack
from foreword.engine.summary_views import SummaryView
from foreword.errors import SpanTooLong, StoreConflict
from foreword.planning.repair import RepairPlan, RepairStep, plan_repair

Watch = Callable[[RepairStep], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """A summary that was remade."""

    stale: SummaryId
    made: SummaryView


def plan(engine: Engine, place: Place) -> RepairPlan:
    """Say which summaries a repair would remake, and what it would read and write."""
    with reading(engine, place) as at:
        return plan_of(at)


async def repair(
    engine: Engine,
    place: Place,
    *,
    split: bool = False,
    watch: Watch | None = None,
    listen: Listen | None = None,
) -> tuple[Repaired, ...]:
    """Remake stale summaries from what their span reads now; each is a commit of its own.

    Args:
        engine: the engine.
        place: the branch.
        split: make several out of one whose turns the route cannot read at once.
        watch: told before each summary.
        listen: told of every piece as a model writes it.

    Raises:
        SpanTooLong: the route cannot read the turns of one at once; earlier ones stay.
        ModelError: see `drafting.draft`; earlier ones stay.
        StoreConflict: somebody changed the span meanwhile; earlier ones stay.
    """
    run = _Repair(engine=engine, place=place, split=split, listen=listen)
    for step in plan(engine, place).steps:
        if watch is not None:
            watch(step)
        await run.remake(step)
    return tuple(run.done)


@dataclass(slots=True, kw_only=True)
class _Repair:
    """A repair under way."""

    engine: Engine
    place: Place
    split: bool
    listen: Listen | None
    done: list[Repaired] = field(default_factory=list)
    ids: dict[SummaryId, tuple[SummaryId, ...]] = field(default_factory=dict)
    """What stands for each stale summary now."""
    group: Rev | None = None

    async def remake(self, step: RepairStep) -> None:
        """Make what stands for one stale summary."""
        made: list[SummaryId] = []
        for lo, hi in await self._stretches(step):
            one = await self._remake(step, lo, hi)
            self.group = one.rev if self.group is None else self.group
            self.done.append(Repaired(stale=step.summary_id, made=one.summary))
            made.append(one.summary.id)
        self.ids[step.summary_id] = tuple(made)

    async def _stretches(self, step: RepairStep) -> tuple[tuple[Pos, Pos], ...]:
        """Return the positions to cover with one summary each."""
        if step.children or not self.split:
            return ((step.from_pos, step.to_pos),)
        room = await asked_room(self.engine, RouteName.SUMMARISE)
        with reading(self.engine, self.place) as at:
            entries = _entries(at, step.from_pos, step.to_pos)
            try:
                portions = portions_by_hand(self.engine, at, entries, room)
            except SpanTooLong as error:
                room_of_others = room_beyond(self.engine, self.place, error.needed)
                if room_of_others is None:
                    raise
                portions = portions_by_hand(self.engine, at, entries, room_of_others)
        return tuple((portion[0].pos, portion[-1].pos) for portion in portions)

    async def _remake(self, step: RepairStep, lo: Pos, hi: Pos) -> Made:
        async def attempt(asking: Asking) -> Made:
            with reading(self.engine, self.place) as at:
                source = self._source(at, step, (lo, hi), asking.room)
            return await remember(
                self.engine,
                self.place,
                source,
                lambda drafted: self._commit(source, drafted),
                asking,
            )

        job = RouteName.MERGE if step.children else RouteName.SUMMARISE
        asking = Asking(listen=self.listen)
        if self.split:
            return await anyhow(self.engine, self.place, job, asking, attempt)
        return await fitting(self.engine, job, asking, attempt)

    def _commit(self, source: Span | Stack, drafted: Drafted) -> Made:
        engine, place, group = self.engine, self.place, self.group
        if isinstance(source, Stack):
            return commit_stack(engine, place, source, drafted, OpKind.REPAIR, group=group)
        return commit_span(engine, place, source, drafted, OpKind.REPAIR, group=group)

    def _source(
        self, at: Reading, step: RepairStep, stretch: tuple[Pos, Pos], room: Room
    ) -> Span | Stack:
        if not step.children:
            entries = _entries(at, *stretch)
            target = target_of(self.engine, at, entries)
            return read_span(self.engine, at, entries, target_tokens=target, room=room)
        held = {row.summary_id: row for row in at.session.cover(at.branch.id)}
        wanted = [one for child in step.children for one in self.ids.get(child, (child,))]
        if not set(wanted) <= held.keys():
            raise StoreConflict("The summaries to repair")
        return read_stack(self.engine, at, [held[child] for child in wanted], room=room)


def _entries(at: Reading, lo: Pos, hi: Pos) -> list[Entry]:
    entries = list(at.session.between(at.branch.id, lo, hi))
    if all(entry.hidden for entry in entries):
        raise StoreConflict("The turns to repair")
    return entries


def plan_of(at: Reading) -> RepairPlan:
    """Say which summaries a repair of an opened branch would remake."""
    session, branch = at.session, at.branch.id
    return plan_repair(
        session.cover_rows(branch), lambda lo, hi: span_between(session, branch, lo, hi)
    )
