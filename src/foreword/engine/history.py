"""Use cases on the journal: undo, redo, history."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from foreword.domain.ids import BranchId, Pos, Rev, SummaryId
from foreword.domain.ops import (
    Command,
    OpKind,
    RowKey,
    RowKind,
    commands,
    effects_after,
    original,
    redo_target,
    standing,
    taken_back,
    undo_target,
)
from foreword.domain.summary import CoverState
from foreword.engine.context import Engine, Place, Writing, reading, writing
from foreword.engine.settling import Settled, settle
from foreword.errors import (
    AlreadyUndone,
    ForkInUse,
    NothingToRedo,
    NothingToUndo,
    OpNotFound,
    UndoConflict,
    UndoOverlap,
)
from foreword.planning.validity import overlapping
from foreword.ports.store import ReadSession


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry:
    """A command as the history lists it."""

    id: Rev
    """What `undo --id` takes."""
    kind: OpKind
    at: str
    actor: str
    branch: BranchId
    ops: int
    """Revisions it wrote."""
    undoes: Rev | None
    in_force: bool
    """False when it was undone, and for undo itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoResult:
    """What an undo or redo took back."""

    command: Rev
    kind: OpKind
    """Of the command whose effect went or came back."""
    branch: BranchId
    """Where the user is now."""
    settled: Settled


def undo(engine: Engine, place: Place, command: Rev | None = None) -> UndoResult:
    """Take back the last command on the branch, or the one given.

    Raises:
        NothingToUndo: no command of the user is left on the branch.
        OpNotFound: the branch has no such command.
        AlreadyUndone: the command is not in force.
        UndoConflict: what it changed was changed again since.
        UndoOverlap: two summaries would then be in use over one turn.
        ForkInUse: it made the branch, which has changes of its own.
    """
    with writing(engine, place) as to:
        target = _undo_target(to, command)
        if target.kind is OpKind.UNDO:
            return _take_back(to, target, OpKind.REDO)
        return _take_back(to, target, OpKind.UNDO)


def redo(engine: Engine, place: Place) -> UndoResult:
    """Do again what the last undo took back.

    Raises:
        NothingToRedo: nothing was undone since the last command.
        UndoConflict: what it changed was changed again since.
        UndoOverlap: two summaries would then be in use over one turn.
    """
    with writing(engine, place) as to:
        target = redo_target(_history(to.session, to.branch.id, engine.actor))
        if target is not None:
            return _take_back(to, target, OpKind.REDO)
        fork = _undone_fork(to)
        if fork is None:
            raise NothingToRedo
        branch = to.session.branch(fork.branch_id)
        return _take_back(
            Writing(engine=engine, session=to.session, branch=branch), fork, OpKind.REDO
        )


def history(engine: Engine, place: Place, *, limit: int | None = None) -> tuple[HistoryEntry, ...]:
    """Return the commands of the branch, newest first."""
    with reading(engine, place) as at:
        ops = tuple(at.session.ops(at.branch.id))
        first = {op.group: op for op in reversed(ops)}
        gone = taken_back(commands(ops))
        entries = [
            HistoryEntry(
                id=command.group,
                kind=command.kind,
                at=first[command.group].at,
                actor=first[command.group].actor,
                branch=command.branch_id,
                ops=len(command.revs),
                undoes=command.undoes,
                in_force=command.group not in gone and command.kind is not OpKind.UNDO,
            )
            for command in commands(ops)
        ]
        return tuple(entries[:limit])


def _history(session: ReadSession, branch: BranchId, actor: str | None = None) -> Iterator[Command]:
    return commands(session.ops(branch, actor=actor))


def _undo_target(to: Writing, wanted: Rev | None) -> Command:
    if wanted is None:
        target = undo_target(_history(to.session, to.branch.id, to.engine.actor))
        if target is None:
            raise NothingToUndo
        return target
    known = list(_history(to.session, to.branch.id))
    for command in known:
        if wanted in command.revs:
            if command.group in taken_back(known):
                raise AlreadyUndone(command.group)
            return standing(known, command)
    raise OpNotFound(str(wanted))


def _undone_fork(to: Writing) -> Command | None:
    """Return the undo of a fork of this branch, when it was the last thing the user did."""
    for command in commands(to.session.ops(actor=to.engine.actor)):
        branch = to.session.branch(command.branch_id)
        undone_fork = command.kind is OpKind.UNDO and branch.removed
        return command if undone_fork and branch.parent == to.branch.id else None
    return None


def _take_back(to: Writing, target: Command, kind: OpKind) -> UndoResult:
    keys = _touched(to.session, target)
    _refuse_conflicts(to, target, set(keys))
    about = original(_history(to.session, to.branch.id), target)
    is_fork = about.kind is OpKind.FORK
    if is_fork and kind is OpKind.UNDO:
        _refuse_used_fork(to)
    before = _used(to)
    to.begin(kind, undoes=target.group)
    for rev in sorted(set(keys.values()), reverse=True):
        to.session.restore([key for key, first in keys.items() if first == rev], rev)
    _settle_keys(to, keys)
    pair = overlapping(to.session.cover(to.branch.id))
    if pair is not None:
        raise UndoOverlap(target=target.group, summary_ids=[row.summary_id for row in pair])
    here = to.branch.id
    if is_fork:
        here = _move(to, removed=kind is OpKind.UNDO)
    return UndoResult(
        command=about.group, kind=about.kind, branch=here, settled=_difference(to, before)
    )


def _touched(session: ReadSession, target: Command) -> dict[RowKey, Rev]:
    """Return each row the command touched, with the first of its revisions that did."""
    keys: dict[RowKey, Rev] = {}
    for rev in reversed(target.revs):
        keys.update(dict.fromkeys(session.touched(target.branch_id, rev), rev))
    return keys


def _refuse_conflicts(to: Writing, target: Command, keys: set[RowKey]) -> None:
    later = effects_after(_history(to.session, to.branch.id), target.group)
    for command in later:
        for rev in command.revs:
            if not keys.isdisjoint(to.session.touched(to.branch.id, rev)):
                raise UndoConflict(
                    target=target.group, later=command.group, later_kind=command.kind.value
                )


def _refuse_used_fork(to: Writing) -> None:
    history = list(_history(to.session, to.branch.id))
    gone = taken_back(history)
    for command in history:
        own = command.undoes is None and command.kind is not OpKind.FORK
        if own and command.group not in gone:
            raise ForkInUse(branch=to.branch.name, later=command.group)


def _used(to: Writing) -> set[SummaryId]:
    return {row.summary_id for row in to.session.cover(to.branch.id)}


def _difference(to: Writing, before: set[SummaryId]) -> Settled:
    """Return what went stale and what is in force again, whether restored or re-validated."""
    after = _used(to)
    stale = {row.summary_id for row in to.session.cover(to.branch.id, CoverState.STALE)}
    return Settled(
        stale=tuple(sorted((before - after) & stale)), back=tuple(sorted(after - before))
    )


def _settle_keys(to: Writing, keys: dict[RowKey, Rev]) -> None:
    positions = [Pos(key.key) for key in keys if key.kind is RowKind.ENTRY]
    rows = {row.summary_id: row for row in to.session.cover_rows(to.branch.id)}
    restored = [
        rows[SummaryId(key.key)]
        for key in keys
        if key.kind is RowKind.COVER and SummaryId(key.key) in rows
    ]
    positions += [row.from_pos for row in restored] + [row.to_pos for row in restored]
    if positions:
        settle(to.session, to.branch.id, min(positions), max(positions))


def _move(to: Writing, *, removed: bool) -> BranchId:
    """Remove a fork and go back to its parent, or bring it back and go there."""
    to.session.change_branch(to.branch.id, removed=removed)
    current = to.session.conversation.current_branch
    if removed and current != to.branch.id:
        return current
    parent = to.branch.parent
    here = parent if removed and parent is not None else to.branch.id
    to.session.change_conversation(current_branch=here)
    return here
