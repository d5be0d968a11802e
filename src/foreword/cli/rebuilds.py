"""The command that writes summaries in use anew from their turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli import shapes
from foreword.cli.call import Call, register
from foreword.cli.money import price_in_words
from foreword.cli.options import Conv, OnBranch
from foreword.cli.printing import clean, count, note, show, write
from foreword.cli.running import run_now
from foreword.cli.streaming import Streaming
from foreword.cli.summaries import kept_of_run

if TYPE_CHECKING:
    from foreword.domain.jobs import JobProgress
    from foreword.engine.committing import Made
    from foreword.engine.rebuilding import RebuildPrice


@dataclass(frozen=True, slots=True)
class Which:
    """Options that choose summaries by the turns they cover."""

    first: Annotated[
        str, typer.Option("--from", metavar="N", help="Those that cover this turn or later ones.")
    ] = ""
    last: Annotated[
        str, typer.Option("--through", metavar="N", help="Those that cover this turn or earlier.")
    ] = ""
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it takes.")] = False


def rebuild(
    call: Call,
    conversation: Conv,
    which: Which,
    chosen: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID]...", help="Summaries in use; all when none is named."),
    ] = None,
    branch: OnBranch = None,
) -> None:
    """Write summaries in use anew from the turns themselves; Ctrl-C keeps what was made."""
    from foreword.engine import rebuilding
    from foreword.engine.references import summary_number

    place = call.place(conversation, branch)
    numbers = tuple(summary_number(one) for one in chosen or ())
    what = rebuilding.Chosen(ids=numbers, first=which.first, last=which.last)
    if which.dry_run:
        found = rebuilding.price(call.engine, place, what)
        call.answer(_price_json(found), lambda: _show_price(found))
        return
    stream = Streaming(quiet=call.json)

    def watch(progress: JobProgress) -> None:
        stream.end_line()
        note(f"{progress.made + 1}: {progress.doing}, {progress.left_tokens:,} tokens to go")
        if progress.made:
            call.kept = kept_of_run(progress.made)

    with stream:
        made = run_now(
            rebuilding.rebuild(call.engine, place, what, watch=watch, listen=stream.hear)
        )
    views = [one.summary for one in made]
    call.answer([shapes.summary_json(view) for view in views], lambda: _show_made(made))


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    register(app)(rebuild)


def _price_json(found: RebuildPrice) -> shapes.Json:
    return {
        "summaries": list(found.summaries),
        "turns": found.turns,
        "calls": found.calls,
        "tokens_in": found.tokens_in,
        "tokens_out": found.tokens_out,
        "model": found.model,
        "money": found.money,
    }


def _show_price(found: RebuildPrice) -> None:
    if not found.summaries:
        write("There is no summary in use to rebuild.")
        return
    write(
        f"{count(len(found.summaries), 'summary')} to rebuild from {count(found.turns, 'turn')}: "
        f"{count(found.calls, 'call')}, {found.tokens_in:,} tokens in, about "
        f"{found.tokens_out:,} tokens out, by {clean(found.model)}: {price_in_words(found.money)}."
    )


def _show_made(made: tuple[Made, ...]) -> None:
    from foreword.cli.summary_tables import summary_table

    if not made:
        write("There is no summary in use to rebuild.")
        return
    show(summary_table([one.summary for one in made]))
