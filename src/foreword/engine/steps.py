"""Carrying out one step of automatic memory: read, ask, commit.

Above: `upkeep`, which plans the next step after each, and `rebuilding`. Below: gathering, drafting,
committing. Invariant: a step that fails, is stopped or comes too late changes nothing; what it was
told by models until then is on record and is not paid again.

Source: DESIGN rules 4 and 5; DECISIONS D4; issue 5, sections 1 and 2.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from foreword.domain.calls import Outcome
from foreword.domain.ids import Rev
from foreword.domain.ops import OpKind
from foreword.domain.routes import RouteName
from foreword.domain.summary import CoverRow
from foreword.domain.turn import Entry
from foreword.engine.asking import Listen
from foreword.engine.committing import (
    Made,
    Part,
    commit_span,
    commit_stack,
    commit_together,
)
from foreword.engine.context import Engine, Place, Reading, reading
from foreword.engine.drafting import Asking, Drafted, draft
from foreword.engine.gathering import drafted_stack, read_rolled
from foreword.engine.portions import portions_of
from foreword.engine.remembering import Result, anyhow, remember, settle
from foreword.engine.rooms import Room, answer_room, asked_room
from foreword.engine.settling import span_between
from foreword.engine.spans import Beside, Span, Stack, read_span, read_stack
from foreword.engine.surviving import survived_drafts
from foreword.errors import ConflictError, SpanTooLong, StoreConflict
from foreword.planning.batches import batches
from foreword.planning.budgets import Budgets
from foreword.planning.layering import wins_room
from foreword.planning.steps import Condense, Promote, Rebuild, Roll, Roof


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """What every step of a run is carried out with."""

    engine: Engine
    place: Place
    budgets: Budgets
    by_hand: OpKind | None = None
    """The user's command that this is part of; None for what memory does by itself."""
    group: Rev | None = None
    """First revision of that command, once it has one."""
    listen: Listen | None = None
    doing: Callable[[str], None] = lambda _: None
    """Told what is read now, in words for people."""

    def kind(self, own: OpKind) -> OpKind:
        """Return what an op of this run is called."""
        return own if self.by_hand is None else self.by_hand

    @property
    def asking(self) -> Asking:
        """How drafts are asked for."""
        return Asking(listen=self.listen, banded=self.by_hand is None)


async def carry_out(
    by: Carrier, step: Condense | Promote | Roll | Roof | Rebuild
) -> tuple[Made, ...]:
    """Carry a step out; nothing is returned for a merge that would not win room.

    Raises:
        ConflictError: what it was made from changed meanwhile.
        SpanTooLong: a single turn, or two summaries, are longer than the route can read.
        ModelError: see `drafting.draft`.
    """
    match step:
        case Condense():
            return await _condense(by, step)
        case Promote():
            return await _promote(by, step)
        case Roll():
            return await _roll(by, step)
        case Roof():
            return await _roof(by, step)
        case Rebuild():
            return await _rebuild(by, step)
        case _:
            assert_never(step)


async def _condense(by: Carrier, step: Condense) -> tuple[Made, ...]:
    if step.atomic:
        entries = [list(piece.entries) for piece in step.pieces]
        return await _together(by, _Whole(kind=OpKind.REMEMBER, stretches=entries))
    piece = step.pieces[0]

    async def attempt(asking: Asking) -> Made:
        with reading(by.engine, by.place) as at:
            first, *_ = _portions(by, at, piece.entries, asking.room)
            by.doing(_reading(at, first))
            span = read_span(
                by.engine, at, first, target_tokens=by.budgets.summary_target, room=asking.room
            )
        return await remember(
            by.engine,
            by.place,
            span,
            lambda drafted: commit_span(
                by.engine, by.place, span, drafted, by.kind(OpKind.REMEMBER), group=by.group
            ),
            asking,
        )

    return (await _anyhow(by, RouteName.SUMMARISE, attempt),)


async def _promote(by: Carrier, step: Promote) -> tuple[Made, ...]:
    async def attempt(asking: Asking) -> Made | None:
        with reading(by.engine, by.place) as at:
            by.doing(f"merging {len(step.rows)} summaries of layer {step.rows[0].layer}")
            stack = read_stack(
                by.engine,
                at,
                _standing(at, step.rows),
                room=asking.room,
                target_tokens=by.budgets.summary_target,
            )
        return await remember(
            by.engine,
            by.place,
            stack,
            lambda drafted: _commit_promotion(by, stack, drafted),
            asking,
        )

    made = await _anyhow(by, RouteName.MERGE, attempt)
    return () if made is None else (made,)


def _commit_promotion(by: Carrier, stack: Stack, drafted: Drafted) -> Made | None:
    if not wins_room(stack.rows, by.engine.counter.count(drafted.draft.text.strip())):
        return None
    kind = by.kind(OpKind.PROMOTE)
    return commit_stack(by.engine, by.place, stack, drafted, kind, group=by.group)


async def _roll(by: Carrier, step: Roll) -> tuple[Made, ...]:
    async def attempt(asking: Asking) -> Made:
        with reading(by.engine, by.place) as at:
            (row,) = _standing(at, (step.row,))
            target = min(by.budgets.memory * 3 // 4, row.tokens + by.budgets.summary_target)
            by.doing(_reading(at, step.piece.entries))
            stack = read_rolled(
                by.engine, at, row, step.piece.entries, target_tokens=target, room=asking.room
            )
        return await remember(
            by.engine,
            by.place,
            stack,
            lambda drafted: commit_stack(
                by.engine, by.place, stack, drafted, by.kind(OpKind.REMEMBER), group=by.group
            ),
            asking,
        )

    return (await _anyhow(by, RouteName.MERGE, attempt),)


async def _roof(by: Carrier, step: Roof) -> tuple[Made, ...]:
    async def attempt(asking: Asking) -> tuple[Made, ...]:
        with reading(by.engine, by.place) as at:
            stack, going = _roof_source(by, at, step, asking.room)
        drafted = await draft(by.engine, by.place, stack, asking)
        part = Part(source=stack, drafted=drafted, replaces=going[0].summary_id if going else None)
        return _commit(by, OpKind.PROMOTE, [part], going)

    return await _anyhow(by, RouteName.MERGE, attempt)


def _roof_source(
    by: Carrier, at: Reading, step: Roof, room: Room
) -> tuple[Stack, tuple[CoverRow, ...]]:
    """Return the blocks to write one summary of, and the roof that goes.

    Where the blocks of both are too long for the route, the earlier roof stays as it is.
    """
    rows = sorted(at.session.cover_of(at.branch.id, step.blocks), key=lambda row: row.from_pos)
    if len(rows) != len(step.blocks):
        raise StoreConflict("The blocks to summarise")
    target = by.budgets.memory // 2
    by.doing(f"summarising {len(rows)} blocks")
    going = () if step.replaced is None else _standing(at, (step.replaced,))
    try:
        return read_stack(by.engine, at, rows, room=room, target_tokens=target), going
    except SpanTooLong:
        used = {row.summary_id for row in at.session.cover(at.branch.id)}
        behind = [row for row in rows if row.summary_id in used]
        if not going or len(behind) < 2:
            raise
        return read_stack(by.engine, at, behind, room=room, target_tokens=target), ()


async def _rebuild(by: Carrier, step: Rebuild) -> tuple[Made, ...]:
    with reading(by.engine, by.place) as at:
        rows = _standing(at, step.rows)
        entries = _visible(at, rows)
    if step.more is not None:
        entries += step.more.entries
    if not entries:
        raise StoreConflict("The turns to summarise")
    whole = _Whole(
        kind=OpKind.REBUILD,
        stretches=(entries,),
        going=rows,
        merge=step.merge,
        wins=by.by_hand is None and step.more is None and len(rows) > 1,
    )
    return await _together(by, whole)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Whole:
    """What comes into force in one commit."""

    kind: OpKind
    stretches: Sequence[Sequence[Entry]]
    """Visible turns, each stretch without a gap."""
    going: tuple[CoverRow, ...] = ()
    """Rows in use whose place is taken."""
    merge: bool = False
    """Several portions become one summary, where the route can read them at once."""
    wins: bool = False
    """It is taken only where it needs less room than what goes."""


async def _together(by: Carrier, whole: _Whole) -> tuple[Made, ...]:
    """Draft summaries of stretches one after another, and commit all of them at once."""

    async def attempt(asking: Asking) -> tuple[Made, ...]:
        parts = await _drafted(by, whole, asking)
        if whole.merge and len(parts) > 1:
            roof = await _drafted_roof(by, parts, whole.going)
            parts += [] if roof is None else [roof]
        if len(whole.going) == 1 and (len(parts) == 1 or parts[-1].merges):
            parts[-1] = replace(parts[-1], replaces=whole.going[0].summary_id)
        if whole.wins and not wins_room(whole.going, _room_taken(by, parts)):
            for part in parts:
                settle(by.engine, part.drafted, Outcome.REJECTED)
            return ()
        return _commit(by, whole.kind, parts, whole.going)

    return await _anyhow(by, RouteName.SUMMARISE, attempt)


def _room_taken(by: Carrier, parts: Sequence[Part]) -> int:
    """Return the tokens of the drafts that would be in use."""
    inside = {place for part in parts for place in part.merges}
    return sum(
        by.engine.counter.count(part.drafted.draft.text.strip())
        for place, part in enumerate(parts)
        if place not in inside
    )


async def _drafted(by: Carrier, whole: _Whole, asking: Asking) -> list[Part]:
    """Draft a summary of every portion, each told of those before it."""
    gone = frozenset(row.summary_id for row in whole.going)
    with reading(by.engine, by.place) as at:
        portions = [
            portion
            for entries in whole.stretches
            for piece in batches([entries], cut=entries[-1].pos, budgets=by.budgets)
            for portion in _portions(by, at, piece.entries, asking.room)
        ]
    anew = whole.kind is OpKind.REBUILD and not whole.merge
    target = _share(by, portions) if anew else by.budgets.summary_target
    parts: list[Part] = []
    seen: Rev | None = None
    for portion in portions:
        pending = tuple(part.drafted.draft.text.strip() for part in parts)
        until = parts[-1].source.scene_time if parts else ""
        with reading(by.engine, by.place) as at:
            if seen != at.session.conversation.rev:
                _refuse_changed(by, at, parts)
            seen = at.session.conversation.rev
            by.doing(_reading(at, portion))
            span = read_span(
                by.engine,
                at,
                portion,
                target_tokens=target,
                room=asking.room,
                beside=Beside(pending=pending, without=gone, scene_time=until),
            )
        parts.append(Part(source=span, drafted=await draft(by.engine, by.place, span, asking)))
    return parts


def _refuse_changed(by: Carrier, at: Reading, parts: Sequence[Part]) -> None:
    """Ask for nothing more once a turn that was read has changed: no draft could be used."""
    for span in [part.source for part in parts if isinstance(part.source, Span)]:
        if span_between(at.session, at.branch.id, span.from_pos, span.to_pos) != span.state:
            for part in parts:
                settle(by.engine, part.drafted, Outcome.WASTED)
            raise StoreConflict("The turns to summarise")


async def _drafted_roof(
    by: Carrier, parts: Sequence[Part], going: Sequence[CoverRow]
) -> Part | None:
    """Draft one summary of several drafts; None where the route cannot read them at once."""
    spans = [part.source for part in parts if isinstance(part.source, Span)]
    texts = [part.drafted.draft.text.strip() for part in parts]
    room = await asked_room(by.engine, RouteName.MERGE)
    with reading(by.engine, by.place) as at:
        target = max(by.budgets.summary_target, sum(row.tokens for row in going))
        stack = drafted_stack(by.engine, at, spans, texts, target_tokens=target)
    needed = by.engine.counter.count(stack.request.prompt)
    if not room.holds(needed + answer_room(stack.request.target_tokens)):
        return None
    drafted = await draft(by.engine, by.place, stack, replace(by.asking, room=room))
    kept = survived_drafts([part.drafted.survival for part in parts], texts, drafted.draft.text)
    merges = tuple(range(len(parts)))
    return Part(source=stack, drafted=replace(drafted, survival=kept), merges=merges)


def _commit(
    by: Carrier, kind: OpKind, parts: Sequence[Part], going: tuple[CoverRow, ...]
) -> tuple[Made, ...]:
    try:
        made = commit_together(
            by.engine, by.place, parts, by.kind(kind), instead_of=going, group=by.group
        )
    except ConflictError:
        for part in parts:
            settle(by.engine, part.drafted, Outcome.WASTED)
        raise
    for part, one in zip(parts, made, strict=True):
        settle(by.engine, part.drafted, Outcome.USED, one.summary.id)
    return made


async def _anyhow(
    by: Carrier, job: RouteName, attempt: Callable[[Asking], Awaitable[Result]]
) -> Result:
    return await anyhow(by.engine, by.place, job, by.asking, attempt)


def _portions(
    by: Carrier, at: Reading, entries: Sequence[Entry], room: Room
) -> tuple[tuple[Entry, ...], ...]:
    """Return what the route can read at once, usually all of it."""
    target = by.budgets.summary_target
    return portions_of(by.engine, at, entries, target_tokens=target, room=room)


def _share(by: Carrier, portions: Sequence[Sequence[Entry]]) -> int:
    """Return the tokens of one of the summaries that together stand for everything covered.

    As many as if each queue of turns had a summary of its own, but within the memory budget.
    """
    source = sum(entry.cost for portion in portions for entry in portion)
    flushes = -(-source // max(1, by.budgets.queue))
    whole = min(by.budgets.memory * 3 // 4, by.budgets.summary_target * flushes)
    return max(1, whole // len(portions))


def _standing(at: Reading, rows: Sequence[CoverRow]) -> tuple[CoverRow, ...]:
    """Return rows as they are now.

    Raises:
        StoreConflict: one of them is not in use any more.
    """
    used = {row.summary_id: row for row in at.session.cover(at.branch.id)}
    if any(row.summary_id not in used for row in rows):
        raise StoreConflict("The summaries to replace")
    return tuple(used[row.summary_id] for row in rows)


def _visible(at: Reading, rows: Sequence[CoverRow]) -> list[Entry]:
    """Return the visible turns that rows, neighbours in use, stand for."""
    if not rows:
        return []
    span = at.session.between(at.branch.id, rows[0].from_pos, rows[-1].to_pos)
    return [entry for entry in span if not entry.hidden]


def _reading(at: Reading, entries: Sequence[Entry]) -> str:
    first, last = (at.session.order(at.branch.id, one.pos) for one in (entries[0], entries[-1]))
    tokens = sum(entry.cost for entry in entries)
    return f"summarising turns {first} to {last} ({tokens:,} tokens)"
