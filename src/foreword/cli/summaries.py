"""Commands on summaries: list, show, make, edit, merge, unwind, delete, regenerate, repair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli import shapes
from foreword.cli.call import Call, read_text, register
from foreword.cli.options import Conv, OnBranch, Split, SummaryRef, Text
from foreword.cli.printing import count, note, show, write
from foreword.cli.running import run_now
from foreword.cli.streaming import Streaming

if TYPE_CHECKING:
    from foreword.engine.committing import Made
    from foreword.engine.summary_views import SummaryView
    from foreword.planning.repair import RepairPlan, RepairStep

app = typer.Typer(name="summary", help="Read, make and change summaries.", no_args_is_help=True)


@register(app, "list")
def list_all(
    call: Call,
    conversation: Conv,
    everything: Annotated[
        bool, typer.Option("--all", help="Those not in use too: merged, stale, replaced, deleted.")
    ] = False,
    branch: OnBranch = None,
) -> None:
    """List the summaries in use, oldest first."""
    from foreword.engine.summary_views import list_summaries

    place = call.place(conversation, branch)
    views = list_summaries(call.engine, place, all_states=everything)

    def people() -> None:
        from foreword.cli.summary_tables import summary_table, summary_tree

        if not views:
            write("There are no summaries on this branch.")
            return
        show(summary_tree(views) if everything else summary_table(views))
        used = sum(view.tokens for view in views if view.state == "in_use")
        write(f"{count(used, 'token')} in use, counted by {call.engine.counter.name}")

    call.answer([shapes.summary_json(view) for view in views], people)


@register(app, "show")
def show_one(call: Call, conversation: Conv, summary: SummaryRef, branch: OnBranch = None) -> None:
    """Show a summary in full, whatever became of it."""
    from foreword.engine.references import summary_number
    from foreword.engine.summary_views import show_summary

    place = call.place(conversation, branch)
    view = show_summary(call.engine, place, summary_number(summary))
    call.answer(shapes.summary_json(view), lambda: _show_full([view]))


@register(app)
def make(
    call: Call,
    conversation: Conv,
    through: Annotated[
        str, typer.Option("--through", metavar="N", help="The last turn to cover: ORDER or id:N.")
    ],
    reuse: Annotated[
        bool, typer.Option("--reuse", help="Take an earlier summary of exactly these words.")
    ] = False,
    split: Split = False,
    branch: OnBranch = None,
) -> None:
    """Summarise from the end of the summary before up to a turn."""
    from foreword.engine import summaries

    if reuse and split:
        raise typer.BadParameter("give --reuse or --split, not both")
    place = call.place(conversation, branch)
    with Streaming(quiet=call.json) as stream:
        if split:
            watch = _Watch(call, stream)
            several = summaries.make_several(
                call.engine, place, through, watch=watch.made, listen=stream.hear
            )
            made = run_now(several)
        else:
            one = summaries.make(call.engine, place, through, reuse=reuse, listen=stream.hear)
            made = (run_now(one),)
    for one_made in made:
        if one_made.offered is not None and not one_made.reused:
            number = one_made.offered
            note(f"S{number} was made from exactly these words; --reuse takes it instead.")
    _answer_made(call, *made)


@register(app)
def edit(
    call: Call, conversation: Conv, summary: SummaryRef, text: Text, branch: OnBranch = None
) -> None:
    """Give a summary in use another text; it stays valid."""
    from foreword.engine import summaries
    from foreword.engine.references import summary_number

    place = call.place(conversation, branch)
    number = summary_number(summary)
    _answer_made(call, summaries.edit(call.engine, place, number, read_text(text)))


@register(app)
def merge(
    call: Call,
    conversation: Conv,
    chosen: Annotated[
        list[str], typer.Argument(metavar="ID", help="Two or more summaries in use.")
    ],
    split: Split = False,
    branch: OnBranch = None,
) -> None:
    """Condense summaries, from the oldest to the newest named one, into a meta summary."""
    from foreword.engine import summaries
    from foreword.engine.references import summary_number

    place = call.place(conversation, branch)
    numbers = [summary_number(one) for one in chosen]
    with Streaming(quiet=call.json) as stream:
        if split:
            watch = _Watch(call, stream)
            several = summaries.merge_several(
                call.engine, place, numbers, watch=watch.made, listen=stream.hear
            )
            made = run_now(several)
        else:
            made = (run_now(summaries.merge(call.engine, place, numbers, listen=stream.hear)),)
    _answer_made(call, *made)


@register(app)
def regenerate(
    call: Call, conversation: Conv, summary: SummaryRef, branch: OnBranch = None
) -> None:
    """Write a summary in use anew from its sources."""
    from foreword.engine import summaries
    from foreword.engine.references import summary_number

    place = call.place(conversation, branch)
    number = summary_number(summary)
    with Streaming(quiet=call.json) as stream:
        made = run_now(summaries.regenerate(call.engine, place, number, listen=stream.hear))
    _answer_made(call, made)


@register(app)
def unwind(call: Call, conversation: Conv, summary: SummaryRef, branch: OnBranch = None) -> None:
    """Take a meta summary away; those it merged are in use again."""
    from foreword.engine import summaries
    from foreword.engine.references import summary_number

    place = call.place(conversation, branch)
    back = summaries.unwind(call.engine, place, summary_number(summary))
    _answer_back(call, back)


@register(app)
def delete(call: Call, conversation: Conv, summary: SummaryRef, branch: OnBranch = None) -> None:
    """Take a summary out of use; undo brings it back."""
    from foreword.engine import summaries
    from foreword.engine.references import summary_number

    place = call.place(conversation, branch)
    back = summaries.delete(call.engine, place, summary_number(summary))
    _answer_back(call, back)


@register(app)
def report(
    call: Call,
    conversation: Conv,
    layer: Annotated[
        int | None, typer.Option("--layer", min=0, metavar="N", help="Only this layer.")
    ] = None,
    summary: Annotated[
        str | None, typer.Option("--id", metavar="S7", help="Only this summary, in use or not.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Merged and stale ones too.")] = False,
    branch: OnBranch = None,
) -> None:
    """Say which names, numbers, dates and other specifics of the story summaries kept and lost."""
    from foreword.cli.survival_tables import report_json, show_report
    from foreword.engine.references import summary_number
    from foreword.engine.survival_report import survival_report

    found = survival_report(
        call.engine,
        call.place(conversation, branch),
        layer=layer,
        summary_id=None if summary is None else summary_number(summary),
        everything=everything,
    )
    call.answer(report_json(found), lambda: show_report(found))


@register(app)
def repair(
    call: Call,
    conversation: Conv,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it takes.")] = False,
    split: Split = False,
    branch: OnBranch = None,
) -> None:
    """Remake the summaries whose text changed, in the cheapest order."""
    from foreword.engine import repairing

    place = call.place(conversation, branch)
    if dry_run:
        plan = repairing.plan(call.engine, place)
        call.answer(_plan_json(plan), lambda: _show_plan(plan))
        return

    stream = Streaming(quiet=call.json)

    def watch(step: RepairStep) -> None:
        stream.end_line()
        note(f"S{step.summary_id}: reading {count(step.tokens_in, 'token')}")
        call.kept = "The summaries remade before are kept."

    with stream:
        done = run_now(
            repairing.repair(call.engine, place, split=split, watch=watch, listen=stream.hear)
        )
    if not done:
        note("No stale summary can be repaired.")
    for one in done:
        note(f"S{one.made.id} stands for S{one.stale} now.")
    views = [one.made for one in done]
    call.answer([shapes.summary_json(view) for view in views], lambda: _show_full(views))


@dataclass(slots=True)
class _Watch:
    """Counts the summaries of a command that makes several, for whoever stops it."""

    call: Call
    stream: Streaming
    number: int = 0

    def made(self, one: Made) -> None:
        self.number += 1
        self.stream.end_line()
        note(f"S{one.summary.id} is made.")
        self.call.kept = kept_of_run(self.number)


def kept_of_run(made: int) -> str:
    """Return what stays when a run that made some summaries is stopped."""
    if made == 1:
        return "1 summary of this run is kept; undo takes it back."
    return f"{count(made, 'summary')} of this run are kept; one undo takes all of them back."


def _answer_made(call: Call, *made: Made) -> None:
    views = [one.summary for one in made]
    call.answer([shapes.summary_json(view) for view in views], lambda: _show_full(views))


def _answer_back(call: Call, back: Sequence[SummaryView]) -> None:
    def people() -> None:
        from foreword.cli.summary_tables import summary_table

        if back:
            write("In use again:")
            show(summary_table(back))
        else:
            write("Deleted. The turns it covered are sent in full again, as far as they fit.")

    call.answer([shapes.summary_json(view) for view in back], people)


def _show_full(views: Sequence[SummaryView]) -> None:
    from foreword.cli.summary_tables import heading

    for view in views:
        write(heading(view))
        if view.reasoning:
            write(f"[reasoning]\n{view.reasoning}\n")
        write(f"{view.text}\n")


def _plan_json(plan: RepairPlan) -> shapes.Json:
    return {
        "steps": [
            {
                "summary": step.summary_id,
                "children": list(step.children),
                "tokens_in": step.tokens_in,
                "tokens_out": step.tokens_out,
            }
            for step in plan.steps
        ],
        "calls": plan.calls,
        "tokens": plan.tokens,
    }


def _show_plan(plan: RepairPlan) -> None:
    for step in plan.steps:
        source = ", ".join(f"S{child}" for child in step.children) or "its turns"
        write(f"S{step.summary_id} from {source}: reads {count(step.tokens_in, 'token')}")
    write(f"{count(plan.calls, 'summary')} to remake, {count(plan.tokens, 'token')} in and out.")
