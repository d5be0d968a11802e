"""The command that prints what a model is sent, and the proof that nothing is left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli import shapes
from foreword.cli.call import Call, register
from foreword.cli.options import ContextSize, Conv, GoOn, OnBranch
from foreword.cli.printing import count, note, show, table, write
from foreword.cli.recaps import context_line
from foreword.errors import OutdatedSummaries

if TYPE_CHECKING:
    from foreword.engine.prompting import Prompt


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the user says to going on without outdated summaries."""

    go_on: GoOn = None
    acknowledge: Annotated[bool, typer.Option("--acknowledge", hidden=True)] = False
    """The older name of --yes."""


NO_ANSWER = Answer()


def prompt(
    call: Call,
    conversation: Conv,
    context: ContextSize = None,
    memory: Annotated[
        bool, typer.Option("--memory", help="Print the text of the summaries alone.")
    ] = False,
    answer: Answer = NO_ANSWER,
    branch: OnBranch = None,
) -> None:
    """Print the exact prompt for the next reply, and where every turn went."""
    from foreword.engine import prompting

    place = call.place(conversation, branch)
    found = prompting.prompt(call.engine, place, context=context)
    if found.outdated is not None:
        if answer.go_on is False:
            question, turns = found.outdated.question, found.outdated.turn_ids
            raise OutdatedSummaries(question=question, turn_ids=turns)
        note(found.outdated.question)
        if answer.go_on or answer.acknowledge:
            prompting.acknowledge(call.engine, place)
        else:
            note("--yes goes on without them; `foreword summary repair` remakes them.")
    if memory:
        call.answer({"memory": found.memory}, lambda: write(found.memory))
    else:
        call.answer(shapes.prompt_json(found), lambda: _show(found))


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    register(app)(prompt)


def _show(found: Prompt) -> None:
    for message in found.messages:
        write(f"--- {message.role.value}")
        write(message.content)
    write("")
    plan, coverage = found.plan, found.plan.coverage
    made = table("section", "tokens", "turns", numbers=("tokens", "turns"))
    for section in plan.sections:
        made.add_row(section.name.value, f"{section.tokens:,}", f"{section.turns:,}")
    made.add_section()
    made.add_row("prompt", f"{plan.tokens:,}", "")
    made.add_row("limit", f"{plan.limit:,}", "")
    show(made)
    usable = plan.limit + found.reply
    context = context_line(found.context, usable, found.context_source, found.token_source)
    write(f"Context {context}; {found.reply:,} kept for the reply.")
    write(
        f"Every turn once: {coverage.verbatim:,} verbatim + {coverage.covered:,} covered + "
        f"{coverage.masked:,} masked + {coverage.hidden:,} hidden + {coverage.dropped:,} dropped "
        f"= {count(coverage.total, 'turn')}."
    )
    if plan.dropped.turns:
        write(
            f"Dropped for want of room: {count(plan.dropped.turns, 'turn')}, "
            f"{count(plan.dropped.tokens, 'token')}. A recap would keep what they say."
        )
