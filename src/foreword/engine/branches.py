"""Use cases on branches: fork, switch, rename, list."""

from __future__ import annotations

from dataclasses import dataclass

from foreword.domain.conversation import Branch
from foreword.domain.ids import BranchId, Pos
from foreword.domain.ops import OpKind
from foreword.domain.storable import storable_text
from foreword.domain.summary import CoverState
from foreword.domain.turn import Entry
from foreword.engine.context import Engine, Place, Writing, reading, writing
from foreword.engine.references import find_turn
from foreword.engine.settling import apply, visible_between
from foreword.errors import EmptyText
from foreword.planning.covers import CoverChange, forked_cover
from foreword.ports.store import ReadSession, WriteSession


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchView:
    """A branch as people see it."""

    id: BranchId
    name: str
    parent: BranchId | None
    forked_at: int | None
    """ORDER of the last turn shared with the parent; None for the first branch."""
    turns: int
    """Hidden ones included."""
    current: bool


def list_branches(engine: Engine, place: Place) -> tuple[BranchView, ...]:
    """Return the branches that are there, by id."""
    with reading(engine, place) as at:
        return tuple(
            branch_view(at.session, branch)
            for branch in at.session.branches()
            if not branch.removed
        )


def fork(engine: Engine, place: Place, reference: str, *, name: str | None = None) -> BranchView:
    """Start a branch after a turn and make it the current one.

    Every summary whose visible turns lie before the fork is in force on the new branch too.

    Raises:
        TurnNotFound: no turn stands there.
    """
    with writing(engine, place) as to:
        entry = find_turn(to.session, to.branch.id, reference)
        new = fork_after(to, entry, name)
        return branch_view(to.session, to.session.branch(new.id))


def fork_after(to: Writing, entry: Entry, name: str | None) -> Branch:
    """Fork the branch of `to` after an entry; the op belongs to the new branch."""
    session, parent = to.session, to.branch
    new_rows = forked_cover(
        (*session.cover(parent.id), *session.cover(parent.id, CoverState.STALE)),
        entry.pos,
        parts=lambda summary: session.cover_of(parent.id, session.children(summary)),
        visible_after=lambda lo, hi: visible_between(session, parent.id, lo, Pos(hi + 1)),
    )
    pins = [pin.turn_id for pin in session.pins(parent.id) if pin.pos <= entry.pos]
    new = session.add_branch(
        _free_name(session, name), parent=parent.id, fork_pos=entry.pos, merged=True
    )
    session.begin(new.id, OpKind.FORK, actor=to.engine.actor, at=to.engine.now())
    session.put_pins(pins)
    apply(session, CoverChange(put=new_rows))
    stale = [row for row in new_rows if row.state is CoverState.STALE]
    if all(row.since <= parent.acknowledged for row in stale):
        session.acknowledge(new.id, session.conversation.rev)
    session.change_conversation(current_branch=new.id)
    return new


def switch(engine: Engine, place: Place, branch: BranchId) -> BranchView:
    """Make a branch the current one."""
    with writing(engine, place) as to:
        found = to.session.branch(branch)
        to.session.change_conversation(current_branch=found.id)
        return branch_view(to.session, found)


def rename(engine: Engine, place: Place, branch: BranchId, name: str) -> BranchView:
    """Give a branch another name."""
    if not name.strip():
        raise EmptyText("branch name")
    with writing(engine, place) as to:
        to.session.change_branch(branch, name=storable_text(name.strip()))
        return branch_view(to.session, to.session.branch(branch))


def branch_view(session: ReadSession, branch: Branch) -> BranchView:
    """Return a branch as people see it."""
    return BranchView(
        id=branch.id,
        name=branch.name,
        parent=branch.parent,
        forked_at=None if branch.parent is None else session.order(branch.id, branch.fork_pos),
        turns=branch.turns,
        current=session.conversation.current_branch == branch.id,
    )


def _free_name(session: WriteSession, wanted: str | None) -> str:
    """Return the wanted name, or the next `branch N` that no branch has."""
    if wanted is not None and wanted.strip():
        return storable_text(wanted.strip())
    taken = {branch.name for branch in session.branches()}
    number = len(taken) + 1
    while f"branch {number}" in taken:
        number += 1
    return f"branch {number}"
