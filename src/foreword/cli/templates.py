"""Commands on prompt templates: list, show, check, set, edit, reset.

Above: the program. Below: the engine's use cases. Invariant: a text that was edited and not saved
is kept in a file, whose name is told.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli.asking import agreed, somebody_there
from foreword.cli.call import Call, read_text, register
from foreword.cli.editing import Draft, edited_text, read_file
from foreword.cli.exits import report
from foreword.cli.options import MaybeText
from foreword.cli.printing import count, note, show, table, write
from foreword.errors import TemplateInvalid

if TYPE_CHECKING:
    from foreword.cli.shapes import Json
    from foreword.domain.ids import ConversationId
    from foreword.engine.templates import Edited
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
def edit(
    call: Call,
    name: Name,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file",
            metavar="PATH",
            help="Take the text from a file, or - from standard input, instead of the editor.",
        ),
    ] = None,
    conversation: ForConv = None,
) -> None:
    """Edit a template in VISUAL or EDITOR; a broken one is not saved, and not lost."""
    from foreword.engine.templates import chosen
    from foreword.engine.templates import edit as save
    from foreword.prompts.templates import template_name

    wanted, where = template_name(name), _conversation(call, conversation)
    base = chosen(call.engine, wanted, where)

    def saved(text: str) -> Edited:
        return save(call.engine, base, text, where)

    if file is None:
        done = _edited(call, Draft(wanted.value, base.text), wanted, saved)
    elif str(file) == "-":
        draft = Draft(wanted.value, base.text)
        draft.path.write_bytes(sys.stdin.buffer.read())
        done = _kept(call, draft, wanted, lambda: saved(draft.text))
    else:
        done = saved(edited_text(file, base.text))
    _tell(done.warnings)
    what = "is the {}'s now." if done.changed else "is what it was, the {}'s: nothing was saved."
    call.answer(
        {**_json(done.template), "changed": done.changed},
        lambda: write(f"{wanted.value} {what.format(done.template.scope.value)}"),
    )


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
    return read_file(file)


def _edited(call: Call, draft: Draft, name: TemplateName, save: Callable[[str], Edited]) -> Edited:
    """Let the user edit until the text may be saved, or until the user gives up."""

    def attempt() -> Edited:
        while True:
            text = draft.edit()
            try:
                return save(text)
            except TemplateInvalid as error:
                if call.json or not somebody_there():
                    raise
                report(error, as_json=False)
                if not agreed("Edit it again?"):
                    raise

    return _kept(call, draft, name, attempt)


def _kept(call: Call, draft: Draft, name: TemplateName, save: Callable[[], Edited]) -> Edited:
    """Save a draft; where that fails, or is stopped, say where the text is kept."""
    path = shlex.quote(str(draft.path))
    call.kept = (
        f"What you wrote is kept in {path}; "
        f"`foreword templates edit {name.value} --file {path}` tries it again."
    )
    saved = False
    try:
        done = save()
        saved = True
    finally:
        if saved or not draft.changed:
            draft.drop()
            call.kept = ""
    return done


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
