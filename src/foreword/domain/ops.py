"""The journal: every change of a branch is an op, and what undo and redo mean is read from it.

A command is one op or several with one `group`. Undo and redo are ops too, so the journal only
grows. The functions here see ops of one branch and one actor, newest first.

Source: DECISIONS D2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from foreword.domain.ids import BranchId, Rev


class OpKind(StrEnum):
    """What a command did, in the words of the command line."""

    APPEND = "append"
    EDIT = "edit"
    DELETE = "delete"
    DELETE_FOLLOWING = "delete following"
    HIDE = "hide"
    UNHIDE = "unhide"
    PIN = "pin"
    UNPIN = "unpin"
    CHOOSE = "choose"
    IMPORT = "import"
    FORK = "fork"
    SUMMARISE = "summarise"
    RECAP = "recap"
    REMEMBER = "remember"
    """Automatic memory put a summary of turns into force."""
    PROMOTE = "promote"
    """Automatic memory merged the oldest summaries of a layer."""
    REBUILD = "rebuild"
    BREAKER = "breaker"
    CLEAR = "clear"
    MERGE = "merge"
    EDIT_SUMMARY = "edit summary"
    REGENERATE = "regenerate"
    DELETE_SUMMARY = "delete summary"
    UNWIND = "unwind"
    REPAIR = "repair"
    UNDO = "undo"
    REDO = "redo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Op:
    """One revision of a conversation."""

    rev: Rev
    group: Rev
    """Revision of the command's first op; what undo takes back as one."""
    branch_id: BranchId
    actor: str
    kind: OpKind
    at: str
    """ISO 8601, UTC."""
    undoes: Rev | None = None
    """For undo and redo: the group that it takes back."""


class RowKind(StrEnum):
    """The kinds of rows that an op opens and closes on its branch."""

    ENTRY = "entry"
    PIN = "pin"
    ALTERNATIVE = "alternative"
    COVER = "cover"


@dataclass(frozen=True, slots=True, order=True)
class RowKey:
    """Names a row of a branch, whatever it holds.

    `key` is a position for entries, a turn id for pins and alternatives (`part` is then the
    alternative's number) and a summary id for cover rows.
    """

    kind: RowKind
    key: int
    part: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """The ops of one group, as one thing to undo."""

    group: Rev
    kind: OpKind
    branch_id: BranchId
    revs: tuple[Rev, ...]
    """Oldest first."""
    undoes: Rev | None = None


def commands(ops: Iterable[Op]) -> Iterator[Command]:
    """Gather ops, newest first, into commands, the one with the newest op first.

    Ops of other commands may stand between those of one: somebody writes while a recap runs.
    """
    open_groups: dict[Rev, list[Op]] = {}
    for op in ops:
        open_groups.setdefault(op.group, []).append(op)
        while open_groups and _complete(newest := next(iter(open_groups.values()))):
            yield _command(open_groups.pop(newest[0].group))
    for members in open_groups.values():
        yield _command(members)


def _complete(members: Sequence[Op]) -> bool:
    """Say whether the op that gave the group its number has been seen."""
    return members[-1].rev == members[-1].group


def _command(members: Sequence[Op]) -> Command:
    first = members[-1]
    return Command(
        group=first.group,
        kind=first.kind,
        branch_id=first.branch_id,
        revs=tuple(op.rev for op in reversed(members)),
        undoes=first.undoes,
    )


def undo_target(history: Iterable[Command]) -> Command | None:
    """Return the newest command whose effect stands, or None when nothing is left to undo.

    Args:
        history: the commands of one actor on one branch, newest first.
    """
    gone: set[Rev] = set()
    for command in history:
        if command.group in gone:
            continue
        if command.undoes is not None:
            gone.add(command.undoes)
        if command.kind is not OpKind.UNDO:
            return command
    return None


def taken_back(history: Iterable[Command]) -> frozenset[Rev]:
    """Return the groups whose effect an undo or a redo in force has taken back.

    Args:
        history: the commands of a branch, newest first.
    """
    gone: set[Rev] = set()
    for command in history:
        if command.undoes is not None and command.group not in gone:
            gone.add(command.undoes)
    return frozenset(gone)


def original(history: Iterable[Command], target: Command) -> Command:
    """Return the command that a chain of undo and redo ending in `target` is about.

    Args:
        history: the commands of a branch, newest first.
        target: one of them.
    """
    for command in history:
        if target.undoes is not None and command.group == target.undoes:
            target = command
    return target


def standing(history: Iterable[Command], target: Command) -> Command:
    """Return the last of the chain of undo and redo that begins with `target`, or `target` itself.

    To take back a command that was redone means to take back the redo.

    Args:
        history: the commands of a branch, newest first.
        target: one of them.
    """
    for command in reversed(list(history)):
        if command.undoes == target.group:
            target = command
    return target


def redo_target(history: Iterable[Command]) -> Command | None:
    """Return the undo that a redo would take back, or None.

    A command other than undo and redo clears what could be redone.

    Args:
        history: the commands of one actor on one branch, newest first.
    """
    redone: set[Rev] = set()
    for command in history:
        if command.kind is OpKind.REDO and command.undoes is not None:
            redone.add(command.undoes)
        elif command.kind is not OpKind.UNDO:
            return None
        elif command.group not in redone:
            return command
    return None


def effects_after(history: Iterable[Command], target: Rev) -> Iterator[Command]:
    """Yield, newest first, the later commands that still change what `target` left behind.

    A later command that was itself undone counts for nothing, and neither does its undo; an undo
    or redo of something older than `target` counts.

    Args:
        history: the commands of every actor on one branch, newest first.
        target: the group that is to be taken back.
    """
    taken_back: set[Rev] = set()
    for command in history:
        if command.revs[-1] < target:
            return
        if command.group == target or command.group in taken_back:
            continue
        if command.undoes is None:
            yield command
            continue
        taken_back.add(command.undoes)
        if command.undoes <= target:
            yield command
