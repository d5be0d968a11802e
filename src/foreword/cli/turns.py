"""Commands on turns: list, show, append, edit, delete, hide, unhide, pin, unpin, choose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli import shapes
from foreword.cli.call import Call, read_text, register
from foreword.cli.journal import tell_summaries
from foreword.cli.options import Conv, MaybeText, OnBranch, Text, TurnRef, TurnRefs
from foreword.cli.printing import clean, count, one_line, show, table, write
from foreword.domain.turn import Role

if TYPE_CHECKING:
    from foreword.domain.turn import Turn, Version
    from foreword.engine.turns import TurnChange

LISTED = 110
"""Characters of a turn's text that a list shows."""

app = typer.Typer(name="turn", help="Read and change turns.", no_args_is_help=True)


@register(app, "list")
def list_all(
    call: Call,
    conversation: Conv,
    first: Annotated[int, typer.Option("--from", metavar="N", min=1, help="First ORDER.")] = 1,
    last: Annotated[
        int | None, typer.Option("--to", metavar="N", min=1, help="Last ORDER; default: the end.")
    ] = None,
    branch: OnBranch = None,
) -> None:
    """List the turns of a branch, hidden ones included."""
    from foreword.engine import turns

    found = turns.list_turns(call.engine, call.place(conversation, branch), first=first, last=last)
    call.answer([shapes.turn_json(turn) for turn in found], lambda: _show_list(found))


@register(app, "show")
def show_one(
    call: Call,
    conversation: Conv,
    turn: TurnRef,
    revision: Annotated[
        int | None,
        typer.Option("--revision", metavar="R", min=1, help="What it said at a revision."),
    ] = None,
    revisions: Annotated[
        bool, typer.Option("--revisions", help="List every text it ever had on the branch.")
    ] = False,
    branch: OnBranch = None,
) -> None:
    """Show a turn in full, with all its alternatives; or what it said before.

    A turn that was deleted is shown as it was by id:N with --revision or --revisions.
    """
    from foreword.cli import turn_history
    from foreword.engine import turns

    place = call.place(conversation, branch)
    if revisions and revision is not None:
        raise typer.BadParameter("give --revision or --revisions, not both")
    if revisions:
        turn_history.list_all(call, place, turn)
        return
    if revision is not None:
        turn_history.show_one(call, place, turn, revision)
        return
    found, versions = turns.show_turn(call.engine, place, turn)
    document = shapes.turn_with_versions_json(found, versions)
    call.answer(document, lambda: _show_one(found, versions))


@register(app)
def append(
    call: Call,
    conversation: Conv,
    text: Text,
    role: Annotated[Role, typer.Option("--role", help="Who it is from.")] = Role.USER,
    speaker: Annotated[
        str | None,
        typer.Option("--speaker", metavar="S", help="Name; default: the role's in the settings."),
    ] = None,
    branch: OnBranch = None,
) -> None:
    """Put a turn at the end of a branch."""
    from foreword.engine import turns

    place = call.place(conversation, branch)
    done = turns.append(call.engine, place, read_text(text), role=role, speaker=speaker)
    call.answer(shapes.turn_json(done.turns[0]), lambda: _show_list(done.turns))


@register(app)
def edit(
    call: Call, conversation: Conv, turn: TurnRef, text: Text, branch: OnBranch = None
) -> None:
    """Give a turn another text; summaries made from the old one go out of force."""
    from foreword.engine import turns

    place = call.place(conversation, branch)
    _answer(call, turns.edit(call.engine, place, turn, read_text(text)))


@register(app)
def delete(
    call: Call,
    conversation: Conv,
    turn: TurnRef,
    following: Annotated[
        bool, typer.Option("--following", help="Delete all turns after it too.")
    ] = False,
    branch: OnBranch = None,
) -> None:
    """Take a turn off the branch; undo brings it back."""
    from foreword.engine import turns

    place = call.place(conversation, branch)
    _answer(call, turns.delete(call.engine, place, turn, following=following))


@register(app)
def hide(call: Call, conversation: Conv, chosen: TurnRefs, branch: OnBranch = None) -> None:
    """Exclude turns: never sent, never summarised, never found."""
    from foreword.engine import turns

    place = call.place(conversation, branch)
    _answer(call, turns.set_hidden(call.engine, place, chosen, hidden=True))


@register(app)
def unhide(call: Call, conversation: Conv, chosen: TurnRefs, branch: OnBranch = None) -> None:
    """Take hidden turns in again."""
    from foreword.engine import turns

    place = call.place(conversation, branch)
    _answer(call, turns.set_hidden(call.engine, place, chosen, hidden=False))


@register(app)
def pin(call: Call, conversation: Conv, chosen: TurnRefs, branch: OnBranch = None) -> None:
    """Send turns word for word always, even when a summary covers them."""
    from foreword.engine import turns

    place = call.place(conversation, branch)
    _answer(call, turns.set_pinned(call.engine, place, chosen, pinned=True))


@register(app)
def unpin(call: Call, conversation: Conv, chosen: TurnRefs, branch: OnBranch = None) -> None:
    """Let summaries stand for pinned turns again."""
    from foreword.engine import turns

    place = call.place(conversation, branch)
    _answer(call, turns.set_pinned(call.engine, place, chosen, pinned=False))


@register(app)
def choose(
    call: Call,
    conversation: Conv,
    turn: TurnRef,
    alternative: Annotated[
        int | None, typer.Argument(metavar="ALT", min=1, help="Number of the alternative.")
    ] = None,
    text: MaybeText = None,
    branch: OnBranch = None,
) -> None:
    """Show another alternative of a turn, or add one with --text and show it."""
    from foreword.engine import turns

    place = call.place(conversation, branch)
    if (alternative is None) == (text is None):
        raise typer.BadParameter("give the number of an alternative, or --text for a new one")
    if alternative is not None:
        _answer(call, turns.choose(call.engine, place, turn, alternative))
    elif text is not None:
        _answer(call, turns.add_alternative(call.engine, place, turn, read_text(text)))


def _answer(call: Call, done: TurnChange) -> None:
    tell_summaries(done.stale, done.back)
    call.answer([shapes.turn_json(turn) for turn in done.turns], lambda: _show_list(done.turns))


def _show_list(found: Sequence[Turn]) -> None:
    if not found:
        write("There are no turns here.")
        return
    made = table(
        "N", "id", "role", "speaker", "tokens", "", "text",
        numbers=("N", "id", "tokens"), names=("speaker",), wide=("text",),
    )  # fmt: skip
    for turn in found:
        made.add_row(
            str(turn.order),
            str(turn.entry.turn_id),
            turn.content.role.value,
            one_line(turn.speaker_name, limit=30),
            f"{turn.entry.tokens:,}",
            _flags(turn),
            one_line(turn.content.text, limit=LISTED),
        )
    show(made)


def _flags(turn: Turn) -> str:
    flags = ["hidden"] * turn.entry.hidden + ["pinned"] * turn.pinned
    if len(turn.alternatives) > 1:
        flags.append(f"{shapes.shown_alternative(turn)}/{len(turn.alternatives)}")
    return " ".join(flags)


def _show_one(turn: Turn, versions: Sequence[Version]) -> None:
    flags = f", {_flags(turn)}" if _flags(turn) else ""
    sent = f", sent {turn.content.sent_at}" if turn.content.sent_at else ""
    write(
        f"Turn {turn.order} (id:{turn.entry.turn_id}), {turn.content.role.value}, "
        f"{one_line(turn.speaker_name)}, {count(turn.entry.tokens, 'token')}{flags}{sent}\n"
    )
    if turn.content.reasoning:
        write(f"[reasoning]\n{clean(turn.content.reasoning)}\n")
    write(turn.content.text)
    for version in versions:
        if version.id != turn.entry.version_id:
            write(f"\n[alternative {version.alt_no}, {count(version.tokens, 'token')}]\n")
            write(version.content.text)
