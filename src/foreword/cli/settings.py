"""Commands on settings: show, set and import, of a conversation or the defaults of all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli.call import Call, read_text, register
from foreword.cli.options import Conv, MaybeText
from foreword.cli.printing import one_line, show, table, write

if TYPE_CHECKING:
    from foreword.domain.interchange import ForeignSettings

app = typer.Typer(name="settings", help="Read and change settings.", no_args_is_help=True)


@register(app, "show")
def show_all(
    call: Call,
    conversation: Annotated[
        str | None,
        typer.Argument(metavar="CONV", help="Default: the defaults of all.", show_default=False),
    ] = None,
) -> None:
    """Show every setting with its value; empty where a default is computed."""
    from foreword.engine import conversations

    chosen = None if conversation is None else call.place(conversation).conversation
    _answer(call, conversations.show_settings(call.engine, chosen))


@register(app, "set")
def set_one(
    call: Call,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="WORD",
            help="CONV KEY VALUE, or KEY VALUE for the defaults of all conversations. "
            "An empty VALUE takes the setting away.",
        ),
    ],
    text: MaybeText = None,
) -> None:
    """Change a setting of a conversation, or the default of all; --text stands for VALUE."""
    from foreword.engine import conversations

    *before, name, value = (*words, read_text(text)) if text is not None else (*_two(words),)
    if len(before) > 1:
        raise typer.BadParameter("give CONV KEY VALUE, or KEY VALUE for the defaults")
    chosen = call.place(before[0]).conversation if before else None
    _answer(call, conversations.change_setting(call.engine, name, value, chosen))


@register(app, "header")
def header(
    call: Call,
    conversation: Conv,
    off: Annotated[bool, typer.Option("--off", help="Take it out again.")] = False,
) -> None:
    """Have the model open every reply with the story's date, so that memory can keep time."""
    from foreword.engine.header_prompt import set_header_prompt

    chosen = call.place(conversation).conversation
    changed = set_header_prompt(call.engine, chosen, on=not off)
    done = "taken out of" if off else "added to"
    same = "is not in" if off else "is already in"
    call.answer(
        {"changed": changed, "on": not off},
        lambda: write(f"The header prompt {f'was {done}' if changed else same} the system text."),
    )


@register(app, "import")
def import_from(
    call: Call,
    path: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Settings of Summaryception, or SillyTavern's settings.json with them inside.",
        ),
    ],
    conversation: Annotated[
        str | None,
        typer.Argument(metavar="CONV", help="Default: the defaults of all.", show_default=False),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be set, and set nothing.")
    ] = False,
) -> None:
    """Take the settings of Summaryception over, and say what has no counterpart here."""
    from foreword.cli.files import note_losses, read_source
    from foreword.cli.shapes import losses_json
    from foreword.engine.settings_importing import import_settings

    chosen = None if conversation is None else call.place(conversation).conversation
    found = import_settings(call.engine, read_source(path), chosen, dry_run=dry_run)
    taken = [
        {"name": one.name, "value": one.value, "field": one.field, "note": one.note}
        for one in found.taken
    ]
    document = {"taken": taken, "losses": losses_json(found.losses), "dry_run": dry_run}
    call.answer(document, lambda: _show_taken(found))
    if not call.json:
        note_losses(found.losses)


def _show_taken(found: ForeignSettings) -> None:
    made = table("key", "value", "from", "note", wide=("note",))
    for one in found.taken:
        made.add_row(one.name, one_line(one.value), one_line(one.field), one.note)
    show(made)


def _two(words: list[str]) -> list[str]:
    if len(words) < 2:
        raise typer.BadParameter("a value is missing: give it, or --text -")
    return words


def _answer(call: Call, settings: Mapping[str, str]) -> None:
    call.answer(dict(settings), lambda: _show(settings))


def _show(settings: Mapping[str, str]) -> None:
    from foreword.domain.policy import setting_help

    made = table("key", "value", "what it does", wide=("value", "what it does"))
    for name, value in settings.items():
        made.add_row(name, one_line(value), setting_help(name))
    show(made)
