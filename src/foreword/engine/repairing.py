"""Use case: remake the summaries whose text changed, in the cheapest order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from foreword.domain.ids import Rev, SummaryId
from foreword.domain.ops import OpKind
from foreword.domain.summary import CoverRow
from foreword.engine.committing import Made, commit_span, commit_stack
from foreword.engine.context import Engine, Place, Reading, policy_of, reading
from foreword.engine.settling import span_between
from foreword.engine.spans import Span, Stack, read_span, read_stack
from foreword.engine.summary_views import SummaryView
from foreword.errors import StoreConflict
from foreword.planning.repair import RepairPlan, RepairStep, plan_repair
from foreword.planning.sizes import summary_target

Watch = Callable[[RepairStep], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """A summary that was remade."""

    stale: SummaryId
    made: SummaryView


def plan(engine: Engine, place: Place) -> RepairPlan:
    """Say which summaries a repair would remake, and what it would read and write."""
    with reading(engine, place) as at:
        return _plan(at)


async def repair(
    engine: Engine, place: Place, *, watch: Watch | None = None
) -> tuple[Repaired, ...]:
    """Remake stale summaries from what their span reads now; each is a commit of its own.

    Args:
        engine: the engine.
        place: the branch.
        watch: told before each summary.

    Raises:
        SummaryUnusable: the summariser gave nothing that can be used; earlier ones stay.
        StoreConflict: somebody changed the span meanwhile; earlier ones stay.
    """
    done: list[Repaired] = []
    ids: dict[SummaryId, SummaryId] = {}
    group: Rev | None = None
    for step in plan(engine, place).steps:
        if watch is not None:
            watch(step)
        made = await _remake(engine, place, step, ids, group)
        group = made.rev if group is None else group
        ids[step.summary_id] = made.summary.id
        done.append(Repaired(stale=step.summary_id, made=made.summary))
    return tuple(done)


def _plan(at: Reading) -> RepairPlan:
    session, branch = at.session, at.branch.id
    return plan_repair(
        session.cover_rows(branch), lambda lo, hi: span_between(session, branch, lo, hi)
    )


async def _remake(
    engine: Engine,
    place: Place,
    step: RepairStep,
    ids: Mapping[SummaryId, SummaryId],
    group: Rev | None,
) -> Made:
    with reading(engine, place) as at:
        source = _source(engine, at, step, ids)
    if isinstance(source, Stack):
        draft = await engine.summariser.merge(source.request)
        return commit_stack(engine, place, source, draft, OpKind.REPAIR, group=group)
    draft = await engine.summariser.summarise(source.request)
    return commit_span(engine, place, source, draft, OpKind.REPAIR, group=group)


def _source(
    engine: Engine, at: Reading, step: RepairStep, ids: Mapping[SummaryId, SummaryId]
) -> Span | Stack:
    if step.children:
        held: dict[SummaryId, CoverRow] = {
            row.summary_id: row for row in at.session.cover(at.branch.id)
        }
        wanted = [ids.get(child, child) for child in step.children]
        if not set(wanted) <= held.keys():
            raise StoreConflict("The summaries to repair")
        return read_stack(engine, at, [held[child] for child in wanted])
    entries = list(at.session.between(at.branch.id, step.from_pos, step.to_pos))
    if all(entry.hidden for entry in entries):
        raise StoreConflict("The turns to repair")
    target = summary_target(policy_of(at.session).context, step.tokens_in)
    return read_span(engine, at, entries, target_tokens=target)
