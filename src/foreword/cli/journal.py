"""Commands on the journal: undo, redo, history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli import shapes
from foreword.cli.call import Call, register
from foreword.cli.options import Conv, OnBranch
from foreword.cli.printing import count, note, one_line, show, table, write

if TYPE_CHECKING:
    from foreword.engine.context import Place
    from foreword.engine.history import HistoryEntry, UndoResult


def undo(
    call: Call,
    conversation: Conv,
    command: Annotated[
        int | None, typer.Option("--id", metavar="N", min=1, help="An entry of the history.")
    ] = None,
    branch: OnBranch = None,
) -> None:
    """Take back the last command on the branch, or the one given."""
    from foreword.domain.ids import Rev
    from foreword.engine import history

    place = call.place(conversation, branch)
    done = history.undo(call.engine, place, None if command is None else Rev(command))
    _answer(call, place, done, "undone")


def redo(call: Call, conversation: Conv, branch: OnBranch = None) -> None:
    """Do again what the last undo took back."""
    from foreword.engine import history

    place = call.place(conversation, branch)
    _answer(call, place, history.redo(call.engine, place), "redone")


def history(
    call: Call,
    conversation: Conv,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="At most so many, the newest ones.")
    ] = None,
    branch: OnBranch = None,
) -> None:
    """List the commands of a branch, newest first."""
    from foreword.engine import history as journal

    entries = journal.history(call.engine, call.place(conversation, branch), limit=limit)
    call.answer(shapes.history_json(entries), lambda: _show(entries))


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    for command in (undo, redo, history):
        register(app)(command)


def tell_summaries(stale: Sequence[int], back: Sequence[int]) -> None:
    """Say on standard error which summaries a change took out of force or brought back."""
    if stale:
        names = ", ".join(f"S{number}" for number in stale)
        note(
            f"{count(len(stale), 'summary')} out of force, since the text changed: {names}. "
            "`foreword summary repair CONV` remakes what is stale."
        )
    if back:
        names = ", ".join(f"S{number}" for number in back)
        note(f"{count(len(back), 'summary')} in force again: {names}.")


def _answer(call: Call, place: Place, done: UndoResult, verb: str) -> None:
    tell_summaries(done.settled.stale, done.settled.back)

    def people() -> None:
        write(
            f"{verb.capitalize()}: {done.kind.value} ({done.command}). {_here(call, place, done)}"
        )

    call.answer(shapes.undo_json(done, verb), people)


def _here(call: Call, place: Place, done: UndoResult) -> str:
    """Say how long the branch is that the user is on, and which it is where that may be new."""
    from foreword.domain.ops import OpKind
    from foreword.engine.branches import list_branches

    here = next(view for view in list_branches(call.engine, place) if view.id == done.branch)
    turns = count(here.turns, "turn")
    if done.kind is OpKind.FORK:
        return f"You are on branch {one_line(here.name)} now; it has {turns}."
    return f"The branch has {turns} now."


def _show(entries: Sequence[HistoryEntry]) -> None:
    if not entries:
        write("Nothing happened on this branch yet.")
        return
    made = table("id", "what", "when", "who", "", numbers=("id",), names=("who",))
    for entry in entries:
        what = entry.kind.value
        if entry.undoes is not None:
            what = f"{what} of {entry.undoes}"
        state = "" if entry.in_force or entry.kind.value == "undo" else "undone"
        made.add_row(str(entry.id), what, entry.at, entry.actor, state)
    show(made)
