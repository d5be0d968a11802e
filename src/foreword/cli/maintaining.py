"""Commands that do background work: maintain, worker, jobs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli import memory_shapes
from foreword.cli.call import Call, register
from foreword.cli.money import price_in_words
from foreword.cli.printing import clean, count, note, show, table, write
from foreword.cli.running import run_now

if TYPE_CHECKING:
    from foreword.domain.ids import ConversationId
    from foreword.domain.jobs import Job, JobProgress
    from foreword.engine.catching_up import CatchUpPrice
    from foreword.jobs.worker import Ended  # noqa: TC004 - only dataclass sees it, unread

MICROS = 1_000_000

MaybeConv = Annotated[
    str | None,
    typer.Argument(metavar="CONV", help="A conversation: id, title or path.", show_default=False),
]
Everything = Annotated[bool, typer.Option("--all", help="All conversations.")]


@dataclass(frozen=True, slots=True)
class How:
    """Options of whatever works in the background."""

    concurrency: Annotated[
        int, typer.Option("--concurrency", min=1, max=64, help="Branches at a time.")
    ] = 2
    spend: Annotated[
        float | None,
        typer.Option("--spend", min=0, metavar="DOLLARS", help="End when this much is spent."),
    ] = None


def maintain(
    call: Call,
    how: How,
    conversation: MaybeConv = None,
    everything: Everything = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what it would take; needs CONV.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on whenever something becomes due, until Ctrl-C.")
    ] = False,
) -> None:
    """Do the memory work that is due in automatic conversations; Ctrl-C keeps what was made."""
    chosen = _chosen(call, conversation, everything=everything)
    if dry_run:
        _price(call, conversation, how)
        return
    told = _Told(call)
    _work(call, told, how, chosen, watch=watch)
    call.answer([memory_shapes.ended_json(one) for one in told.ended], lambda: _show(told))


def worker(call: Call, how: How) -> None:
    """Do the memory work of all conversations as it becomes due, until Ctrl-C."""
    told = _Told(call, quiet=True)
    _work(call, told, how, None, watch=True)
    call.answer([memory_shapes.ended_json(one) for one in told.ended], lambda: _show(told))


def jobs(
    call: Call,
    conversation: MaybeConv = None,
    everything: Everything = False,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many at most.")] = 20,
) -> None:
    """List background jobs, newest first."""
    chosen = _chosen(call, conversation, everything=everything)
    found = call.engine.jobs.jobs(call.engine.account, chosen, limit=limit)
    call.answer([memory_shapes.job_json(job) for job in found], lambda: _show_jobs(found))


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    for command in (maintain, worker, jobs):
        register(app)(command)


@dataclass(slots=True)
class _Told:
    """What a worker tells, shown as it comes."""

    call: Call
    quiet: bool = False
    ended: list[Ended] = field(default_factory=list)
    made: int = 0

    def progress(self, job: Job, progress: JobProgress) -> None:
        if not (self.quiet or self.call.json):
            note(f"{job.conversation}: {progress.doing}, {progress.left_tokens:,} tokens to go")

    def end(self, one: Ended) -> None:
        self.ended.append(one)
        self.made += one.made
        if self.made:
            self.call.kept = f"{count(self.made, 'summary')} of this run are kept."
        if not self.call.json:
            note(_line(one))


def _work(call: Call, told: _Told, how: How, chosen: ConversationId | None, *, watch: bool) -> None:
    from foreword.bootstrap import worker_name
    from foreword.jobs.maintaining import maintain as run
    from foreword.jobs.worker import Scope, Worker

    money = None if how.spend is None else round(how.spend * MICROS)
    work = Worker(
        engine=call.engine,
        owner=worker_name(),
        scope=Scope(conversation=chosen, concurrency=how.concurrency, money=money),
        tell=told.progress,
        ended=told.end,
    )
    run_now(run(work, watch=watch))


def _price(call: Call, conversation: str | None, how: How) -> None:
    from foreword.engine.catching_up import price_catch_up

    if conversation is None:
        raise typer.BadParameter("--dry-run prices one conversation: give it")
    money = None if how.spend is None else round(how.spend * MICROS)
    found = price_catch_up(call.engine, call.place(conversation), money=money)
    call.answer(memory_shapes.catch_up_json(found), lambda: _show_price(found))


def _show_price(found: CatchUpPrice) -> None:
    plan = found.plan
    if not plan.calls:
        write(found.sentence)
        return
    merges = ", ".join(f"{calls} of layer {layer}" for layer, calls in plan.merges.items())
    write(
        f"{count(plan.summaries, 'summary')} of {count(plan.turns, 'turn')}"
        + (f", and merges: {merges}" if merges else "")
        + f"; {count(plan.calls, 'call')}, {found.tokens_in:,} tokens in, about "
        f"{plan.tokens_out:,} tokens out, by {clean(found.model)}: {price_in_words(found.money)}."
    )
    write(f"The summaries in use then take about {plan.memory_tokens:,} tokens.")
    if plan.capped:
        write("The cap of --spend ends it there; the rest stays due.")


def _chosen(call: Call, conversation: str | None, *, everything: bool) -> ConversationId | None:
    if (conversation is None) is not everything:
        raise typer.BadParameter("give a conversation, or --all")
    return None if conversation is None else call.place(conversation).conversation


def _line(one: Ended) -> str:
    where = f"{one.job.conversation}, branch {one.job.branch}"
    made = count(one.made, "summary") if one.made else "no summary"
    why = clean(str(one.error)) if one.error is not None else one.kept.wait.sentence
    return f"{where}: {one.state.value}, {made} made. {why}".rstrip()


def _show(told: _Told) -> None:
    if told.ended:
        summaries = count(told.made, "summary")
        write(f"{summaries} made in {count(len(told.ended), 'job')}.")
        return
    write("Nothing is due. (`foreword memory status CONV` says when it will be.)")


def _show_jobs(found: tuple[Job, ...]) -> None:
    if not found:
        write("There were no background jobs.")
        return
    made = table("job", "conversation", "branch", "state", "made", "changed", "", wide=("",))
    for job in found:
        made.add_row(
            str(job.id),
            job.conversation,
            str(job.branch),
            job.state.value,
            str(job.progress.made),
            job.changed_at[:19],
            clean(job.detail or job.progress.doing),
        )
    show(made)
