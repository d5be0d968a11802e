"""Commands on prompt templates: list, show, check, set, reset."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli.call import Call, read_text, register
from foreword.cli.options import MaybeText
from foreword.cli.printing import count, note, show, table, write
from foreword.errors import FileUnreadable

if TYPE_CHECKING:
    from foreword.cli.shapes import Json
    from foreword.domain.ids import ConversationId
    from foreword.prompts.templates import ChosenTemplate, TemplateName

app = typer.Typer(
    name="templates", help="Read, check and replace prompt templates.", no_args_is_help=True
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="master, summary, meta or repair.")]
ForConv = Annotated[
    str | None,
    typer.Option("--conversation", metavar="CONV", help="For this conversation alone."),
]
File = Annotated[
    Path | None, typer.Argument(metavar="FILE", help="A file with the template's text.")
]


@register(app, "list")
def list_all(call: Call, conversation: ForConv = None) -> None:
    """List the templates, and whose text is in force."""
    from foreword.engine.templates import list_templates

    found = list_templates(call.engine, _conversation(call, conversation))
    call.answer([_json(one) for one in found], lambda: _show_list(found))


@register(app, "show")
def show_one(call: Call, name: Name, conversation: ForConv = None) -> None:
    """Show the text in force."""
    from foreword.engine.templates import chosen
    from foreword.prompts.templates import template_name

    found = chosen(call.engine, template_name(name), _conversation(call, conversation))
    call.answer(_json(found), lambda: write(found.text))


@register(app)
def check(
    call: Call,
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="master, summary, meta or repair; default: all."),
    ] = None,
    file: File = None,
    text: MaybeText = None,
    conversation: ForConv = None,
) -> None:
    """Say whether a template may be saved: a text, a file, or those in force."""
    from foreword.engine.templates import list_templates
    from foreword.prompts.templates import check_template, template_name

    given = _given(file, text)
    if name is not None and given is not None:
        wanted = template_name(name)
        warnings = check_template(wanted, given)
        _tell(warnings)
        call.answer(_checked(wanted, warnings), lambda: write(f"{wanted.value}: ok"))
        return
    if given is not None:
        raise typer.BadParameter("say which template the text is for")
    only = None if name is None else template_name(name)
    documents: list[Json] = []
    for found in list_templates(call.engine, _conversation(call, conversation)):
        if only in {None, found.name}:
            warnings = check_template(found.name, found.text)
            _tell(warnings)
            documents.append(_checked(found.name, warnings))
    call.answer(
        documents if only is None else documents[0],
        lambda: write(f"{count(len(documents), 'template')} in force: ok"),
    )


@register(app, "set")
def set_one(
    call: Call,
    name: Name,
    file: File = None,
    text: MaybeText = None,
    conversation: ForConv = None,
) -> None:
    """Replace a template, for all conversations or for one; a broken one is refused."""
    from foreword.engine.templates import chosen, save
    from foreword.prompts.templates import template_name

    wanted = template_name(name)
    given = _given(file, text)
    if given is None:
        raise typer.BadParameter("give the text: a FILE, or --text")
    where = _conversation(call, conversation)
    _tell(save(call.engine, wanted, given, where))
    found = chosen(call.engine, wanted, where)
    call.answer(_json(found), lambda: write(f"{wanted.value} is the {found.scope.value}'s now."))


@register(app)
def reset(call: Call, name: Name, conversation: ForConv = None) -> None:
    """Take a replaced template away again."""
    from foreword.engine.templates import chosen, forget
    from foreword.prompts.templates import template_name

    wanted = template_name(name)
    where = _conversation(call, conversation)
    forget(call.engine, wanted, where)
    found = chosen(call.engine, wanted, where)
    call.answer(_json(found), lambda: write(f"In force now: {found.scope.value}."))


def _conversation(call: Call, reference: str | None) -> ConversationId | None:
    return None if reference is None else call.place(reference).conversation


def _given(file: Path | None, text: str | None) -> str | None:
    if file is not None and text is not None:
        raise typer.BadParameter("give a FILE or --text, not both")
    if file is None:
        return None if text is None else read_text(text)
    from foreword.formats.decoding import decode

    try:
        return decode(file.read_bytes()).text
    except OSError as error:
        reason = f"it cannot be read ({(error.strerror or str(error)).lower()})."
        raise FileUnreadable(path=str(file), reason=reason) from error


def _tell(warnings: Sequence[str]) -> None:
    for warning in warnings:
        note(f"Warning: {warning}")


def _json(found: ChosenTemplate) -> Json:
    return {"name": found.name.value, "scope": found.scope.value, "text": found.text}


def _checked(name: TemplateName, warnings: Sequence[str]) -> Json:
    return {"name": name.value, "ok": True, "warnings": list(warnings)}


def _show_list(found: Sequence[ChosenTemplate]) -> None:
    made = table("name", "whose", "characters", numbers=("characters",))
    for one in found:
        made.add_row(one.name.value, one.scope.value, f"{len(one.text):,}")
    show(made)
