"""The command that prints what a model is sent, and the proof that nothing is left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli import kept_prompts, shapes
from foreword.cli.call import Call, register
from foreword.cli.kept_prompts import show_messages, show_proof, show_sections
from foreword.cli.options import ContextSize, Conv, GoOn, OnBranch
from foreword.cli.printing import count, note, write
from foreword.cli.recaps import context_line
from foreword.errors import OutdatedSummaries

if TYPE_CHECKING:
    from foreword.engine.context import Place
    from foreword.engine.prompting import Prompt


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the user says to going on without outdated summaries."""

    go_on: GoOn = None
    acknowledge: Annotated[bool, typer.Option("--acknowledge", hidden=True)] = False
    """The older name of --yes."""


NO_ANSWER = Answer()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which prompt is shown, and what of it."""

    memory: Annotated[
        bool, typer.Option("--memory", help="Print the text of the summaries alone.")
    ] = False
    diff: Annotated[
        bool,
        typer.Option("--diff", help="Print what changed against the prompt kept before it."),
    ] = False
    full: Annotated[
        bool, typer.Option("--full", help="With --diff: the changed lines of the texts too.")
    ] = False
    listed: Annotated[
        bool, typer.Option("--list", help="List the newest kept prompts of the branch.")
    ] = False
    number: Annotated[
        int | None,
        typer.Option("--plan", metavar="P", min=1, help="Show a kept prompt, as --list names it."),
    ] = None
    reply: Annotated[
        str | None,
        typer.Option("--reply", metavar="N", help="Show the prompt that turn N was written from."),
    ] = None
    forget: Annotated[
        bool,
        typer.Option("--forget", help="Delete all kept prompts of the conversation for good."),
    ] = False

    def __post_init__(self) -> None:
        """Refuse what cannot be had together."""
        chosen = (self.listed, self.number is not None, self.reply is not None, self.forget)
        if sum(chosen) > 1:
            raise typer.BadParameter("give one of --list, --plan, --reply and --forget")
        if self.full and not self.diff:
            raise typer.BadParameter("--full goes with --diff")
        if self.diff and (self.memory or self.listed or self.forget):
            raise typer.BadParameter("--diff goes with no other list or text")


THE_NEXT = Wanted()


def prompt(
    call: Call,
    conversation: Conv,
    context: ContextSize = None,
    wanted: Wanted = THE_NEXT,
    answer: Answer = NO_ANSWER,
    branch: OnBranch = None,
) -> None:
    """Print the exact prompt for the next reply, and where every turn went; or one kept before.

    What is printed is kept, so that a later one can be compared with it.
    """
    place = call.place(conversation, branch)
    if wanted.listed:
        kept_prompts.list_all(call, place)
    elif wanted.forget:
        kept_prompts.forget(call, place)
    elif wanted.number is not None or wanted.reply is not None:
        number = kept_prompts.number_of(call, place, wanted.number, wanted.reply)
        if wanted.diff:
            kept_prompts.compare(call, place, number, full=wanted.full)
        else:
            kept_prompts.show_one(call, place, number)
    else:
        _next(call, place, context, wanted, answer)


def _next(call: Call, place: Place, context: int | None, wanted: Wanted, answer: Answer) -> None:
    """Make and keep the prompt for the next reply, and print it or what changed."""
    from foreword.engine.kept_prompts import print_prompt

    printed = print_prompt(call.engine, place, context=context)
    found = printed.prompt
    _tell_outdated(call, place, found, answer)
    if found.plan.summaries_unsent:
        note(
            "The summaries are not in this prompt: no text has a place for them. Put "
            "{{summaries}} into `system`, `personas` or the template `master`, or set another "
            "`placement`."
        )
    if printed.problem:
        note(f"This prompt is not kept: {printed.problem}")
    if wanted.diff and printed.number is not None:
        kept_prompts.compare(call, place, printed.number, full=wanted.full)
    elif wanted.memory:
        call.answer({"memory": found.memory}, lambda: write(found.memory))
    else:
        call.answer({**shapes.prompt_json(found), "number": printed.number}, lambda: _show(found))


def _tell_outdated(call: Call, place: Place, found: Prompt, answer: Answer) -> None:
    from foreword.engine import prompting

    if found.outdated is not None:
        if answer.go_on is False:
            question, turns = found.outdated.question, found.outdated.turn_ids
            raise OutdatedSummaries(question=question, turn_ids=turns)
        note(found.outdated.question)
        if answer.go_on or answer.acknowledge:
            prompting.acknowledge(call.engine, place)
        else:
            note("--yes goes on without them; `foreword summary repair` remakes them.")


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    register(app)(prompt)


def _show(found: Prompt) -> None:
    plan = found.plan
    show_messages(found.messages)
    show_sections(plan.sections, plan.limit)
    usable = plan.limit + found.reply
    context = context_line(found.context, usable, found.context_source, found.token_source)
    write(f"Context {context}; {found.reply:,} kept for the reply.")
    show_proof(plan.coverage)
    if plan.dropped.turns:
        write(
            f"Dropped for want of room: {count(plan.dropped.turns, 'turn')}, "
            f"{count(plan.dropped.tokens, 'token')}. A recap would keep what they say."
        )
