"""Commands on branches: list, new, switch, rename."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli import shapes
from foreword.cli.call import Call, register
from foreword.cli.options import Conv, OnBranch
from foreword.cli.printing import clean, show, table

if TYPE_CHECKING:
    from foreword.engine.branches import BranchView

app = typer.Typer(
    name="branch", help="Fork a story, and go from branch to branch.", no_args_is_help=True
)
Branch = Annotated[str, typer.Argument(metavar="B", help="A branch, by name or number.")]


@register(app, "list")
def list_all(call: Call, conversation: Conv) -> None:
    """List the branches."""
    from foreword.engine import branches

    views = branches.list_branches(call.engine, call.place(conversation))
    call.answer([shapes.branch_json(view) for view in views], lambda: _show(views))


@register(app)
def new(
    call: Call,
    conversation: Conv,
    after: Annotated[
        str, typer.Option("--from", metavar="N", help="The last turn to share: ORDER or id:N.")
    ],
    name: Annotated[str | None, typer.Option("--name", help="Its name; default: a number.")] = None,
    branch: OnBranch = None,
) -> None:
    """Start a branch after a turn and make it the current one."""
    from foreword.engine import branches

    place = call.place(conversation, branch)
    _answer(call, branches.fork(call.engine, place, after, name=name))


@register(app)
def switch(call: Call, conversation: Conv, branch: Branch) -> None:
    """Make a branch the current one."""
    from foreword.engine import branches
    from foreword.engine.references import find_branch

    place = call.place(conversation)
    found = find_branch(call.engine, place.conversation, branch)
    _answer(call, branches.switch(call.engine, place, found.id))


@register(app)
def rename(
    call: Call,
    conversation: Conv,
    branch: Branch,
    name: Annotated[str, typer.Argument(help="The new name.")],
) -> None:
    """Give a branch another name."""
    from foreword.engine import branches
    from foreword.engine.references import find_branch

    place = call.place(conversation)
    found = find_branch(call.engine, place.conversation, branch)
    _answer(call, branches.rename(call.engine, place, found.id, name))


def _answer(call: Call, view: BranchView) -> None:
    call.answer(shapes.branch_json(view), lambda: _show([view]))


def _show(views: Sequence[BranchView]) -> None:
    made = table(
        "", "id", "name", "parent", "forked at", "turns", numbers=("id", "turns"), wide=("name",)
    )
    for view in views:
        made.add_row(
            "*" if view.current else "",
            str(view.id),
            clean(view.name),
            "" if view.parent is None else str(view.parent),
            "" if view.forked_at is None else f"turn {view.forked_at}",
            f"{view.turns:,}",
        )
    show(made)
