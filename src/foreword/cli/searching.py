"""Commands that look at everything: search and verify."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli import shapes
from foreword.cli.call import Call, register
from foreword.cli.exits import ExitCode
from foreword.cli.options import Conv, OnBranch
from foreword.cli.printing import clean, count, one_line, show, table, write

if TYPE_CHECKING:
    from foreword.engine.searching import Hit
    from foreword.engine.verifying import Verdict


def search(
    call: Call,
    conversation: Conv,
    query: Annotated[
        list[str],
        typer.Argument(
            metavar="QUERY", help="Words, or a whole message; phrases in quotes must occur."
        ),
    ],
    limit: Annotated[int, typer.Option("--limit", min=1, help="At most so many.")] = 20,
    skip: Annotated[int, typer.Option("--skip", min=0, help="Leave out so many of the best.")] = 0,
    branch: OnBranch = None,
) -> None:
    """Find turns by their words, best first; hidden turns are never found."""
    from foreword.engine.searching import search as find

    place = call.place(conversation, branch)
    hits = find(call.engine, place, " ".join(query), limit=limit, skip=skip)
    call.answer(shapes.hits_json(hits), lambda: _show(hits))


def verify(
    call: Call,
    conversation: Annotated[
        str | None,
        typer.Argument(metavar="CONV", help="One conversation; default: all.", show_default=False),
    ] = None,
) -> None:
    """Prove that what is stored is sound: counts, digests, covers, sources."""
    from foreword.engine.verifying import verify as check

    chosen = None if conversation is None else call.place(conversation).conversation
    verdict = check(call.engine, chosen)
    document = {
        "ok": verdict.ok,
        "checked": verdict.checked,
        "problems": list(verdict.problems),
    }
    call.answer(document, lambda: _show_verdict(verdict))
    if not verdict.ok:
        raise typer.Exit(ExitCode.PROBLEM)


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    register(app)(search)
    register(app)(verify)


def _show(hits: Sequence[Hit]) -> None:
    if not hits:
        write("Nothing found.")
        return
    made = table("N", "speaker", "text", numbers=("N",), names=("speaker",), wide=("text",))
    for hit in hits:
        made.add_row(str(hit.order), one_line(hit.speaker, limit=40), one_line(hit.snippet))
    show(made)


def _show_verdict(verdict: Verdict) -> None:
    for problem in verdict.problems:
        write(clean(problem))
    found = "all sound" if verdict.ok else f"{count(len(verdict.problems), 'problem')} found"
    write(f"{count(verdict.checked, 'item')} checked: {found}.")
