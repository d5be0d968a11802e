"""Commands on whole conversations: new, list, duplicate, rename, delete, restore."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli import shapes
from foreword.cli.call import Call, register
from foreword.cli.options import Conv
from foreword.cli.printing import clean, count, note, show, table, write

if TYPE_CHECKING:
    from foreword.engine.conversations import ConversationView


def new(
    call: Call,
    title: Annotated[str | None, typer.Argument(help="The title.", show_default=False)] = None,
    named: Annotated[str | None, typer.Option("--title", help="The title, as an option.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting; can be given several times."),
    ] = None,
) -> None:
    """Make an empty conversation."""
    from foreword.engine import conversations

    if (title is None) == (named is None):
        raise typer.BadParameter("give the title once, as TITLE or with --title")
    made = conversations.create(call.engine, named or title or "", _pairs(settings or ()))
    _answer(call, conversations.view(call.engine, made.id))


def list_all(call: Call) -> None:
    """List all conversations."""
    from foreword.engine import conversations

    views = conversations.list_conversations(call.engine)
    call.answer([shapes.conversation_json(view) for view in views], lambda: _show_list(views))


def duplicate(
    call: Call,
    conversation: Conv,
    title: Annotated[
        str | None,
        typer.Option(
            "--title", metavar="T", help="Its title; default: the original's with (copy)."
        ),
    ] = None,
) -> None:
    """Copy a whole conversation; what happens to one never touches the other."""
    from foreword.engine.duplicating import duplicate as duplicated

    place = call.place(conversation)
    done = duplicated(call.engine, place.conversation, title=title)
    document = shapes.imported_json(done, "")
    del document["path"]
    call.answer(
        {**document, "copy_of": place.conversation},
        lambda: write(
            f"{clean(done.title)} ({done.conversation}): {count(done.turns, 'turn')} and "
            f"{count(len(done.summaries), 'summary')} on the current branch."
        ),
    )


def rename(
    call: Call,
    conversation: Conv,
    title: Annotated[str, typer.Argument(help="The new title.")],
) -> None:
    """Give a conversation another title."""
    from foreword.engine import conversations

    place = call.place(conversation)
    _answer(call, conversations.rename(call.engine, place.conversation, title))


def delete(call: Call, conversation: Conv) -> None:
    """Take a conversation off the list; nothing of it is destroyed, see restore."""
    from foreword.engine import conversations

    place = call.place(conversation)
    view = conversations.view(call.engine, place.conversation)
    conversations.delete(call.engine, place.conversation)
    note(f"Deleted; `foreword restore {view.id}` brings it back.")
    _answer(call, view)


def restore(
    call: Call,
    conversation: Annotated[
        str, typer.Argument(metavar="ID", help="The whole id of a deleted conversation.")
    ],
) -> None:
    """Put a deleted conversation back on the list."""
    from foreword.domain.ids import ConversationId
    from foreword.engine import conversations

    wanted = ConversationId(conversation)
    conversations.delete(call.engine, wanted, deleted=False)
    _answer(call, conversations.view(call.engine, wanted))


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    register(app)(new)
    register(app, "list")(list_all)
    register(app)(duplicate)
    register(app)(rename)
    register(app)(delete)
    register(app)(restore)


def _pairs(settings: Iterable[str]) -> dict[str, str]:
    pairs = [setting.partition("=") for setting in settings]
    for name, equals, _ in pairs:
        if not equals:
            raise typer.BadParameter(f"{name!r} is not KEY=VALUE", param_hint="--set")
    return {name.strip(): value for name, _, value in pairs}


def _answer(call: Call, view: ConversationView) -> None:
    call.answer(shapes.conversation_json(view), lambda: _show_list([view]))


def _show_list(views: Sequence[ConversationView]) -> None:
    if not views:
        write("There is no conversation yet: `foreword import PATH` or `foreword new TITLE`.")
        return
    from foreword.cli.tables import NAME_WIDTH, shortened

    made = table(
        "id", "title", "branch", "turns", "tokens",
        numbers=("turns", "tokens"), names=("branch",), wide=("title",),
    )  # fmt: skip
    for view in views:
        of = "" if view.branches == 1 else f" (of {view.branches})"
        branch = shortened(clean(view.branch), NAME_WIDTH - len(of)) + of
        made.add_row(view.id, clean(view.title), branch, f"{view.turns:,}", f"{view.tokens:,}")
    show(made)
