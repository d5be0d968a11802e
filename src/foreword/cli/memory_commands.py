"""Commands on automatic memory: recap, breaker, stop, resume, clear, status, preview.

The words are those of every door. Source: DECISIONS, One vocabulary.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

import typer

from foreword.cli import memory_shapes
from foreword.cli.call import Call, register
from foreword.cli.options import Conv, OnBranch
from foreword.cli.printing import count, note, show, table, write
from foreword.cli.running import run_now
from foreword.cli.streaming import Streaming
from foreword.cli.summaries import kept_of_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from foreword.domain.jobs import JobProgress
    from foreword.engine.asking import Listen
    from foreword.engine.memory import MemoryStatus
    from foreword.engine.upkeep import Kept, Watch

    Run = Callable[..., Coroutine[Any, Any, Kept]]


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    for command in (recap, force, breaker, stop, resume, clear, status, preview):
        register(app)(command)


def recap(call: Call, conversation: Conv, branch: OnBranch = None) -> None:
    """Summarise everything before the verbatim turns now; Ctrl-C keeps what was made."""
    from foreword.engine import memory

    _run(call, conversation, branch, memory.recap_now)


def force(call: Call, conversation: Conv, branch: OnBranch = None) -> None:
    """Do the same as `memory recap`."""
    recap(call, conversation, branch)


def breaker(call: Call, conversation: Conv, branch: OnBranch = None) -> None:
    """Summarise through the model's last turn, the newest ones included: for a model in a rut."""
    from foreword.engine import memory

    _run(call, conversation, branch, memory.breaker)


def stop(call: Call, conversation: Conv, branch: OnBranch = None) -> None:
    """Stop what runs in the background; nothing starts by itself until `memory resume`."""
    from foreword.engine import memory

    jobs = memory.stop(call.engine, call.place(conversation, branch))
    call.answer(
        {"paused": True, "stopped": [job.id for job in jobs]},
        lambda: write(
            f"Memory is paused; {count(len(jobs), 'job')} told to stop. `foreword memory resume` "
            "lets it work by itself again."
        ),
    )


def resume(call: Call, conversation: Conv, branch: OnBranch = None) -> None:
    """Let memory work by itself again after `memory stop`."""
    from foreword.engine import memory

    due = memory.resume(call.engine, call.place(conversation, branch))
    call.answer(
        {"paused": False, "due": due},
        lambda: write(
            "Memory works by itself again; "
            + ("there is something to do: `foreword maintain`." if due else "nothing is due now.")
        ),
    )


def clear(call: Call, conversation: Conv, branch: OnBranch = None) -> None:
    """Take every summary of the branch out of use; turns and pins stay, and undo brings it back."""
    from foreword.engine import memory

    done = memory.clear(call.engine, call.place(conversation, branch))
    call.answer(
        {"summaries": done.summaries, "rev": done.rev},
        lambda: write(
            f"{count(done.summaries, 'summary')} taken out of use. `foreword undo` brings them "
            "back; memory does not make them again by itself."
        ),
    )


def status(call: Call, conversation: Conv, branch: OnBranch = None) -> None:
    """Say how automatic memory stands, and what it would do next."""
    from foreword.engine import memory

    found = memory.status(call.engine, call.place(conversation, branch))
    call.answer(memory_shapes.status_json(found), lambda: _show_status(found))


def preview(call: Call, conversation: Conv, branch: OnBranch = None) -> None:
    """Print the memory as the next prompt would hold it."""
    from foreword.engine import memory

    found = memory.preview(call.engine, call.place(conversation, branch))

    def people() -> None:
        if not found.summaries:
            note("There are no summaries in use: the memory is empty.")
            return
        write(found.text)
        note(
            f"{count(found.summaries, 'summary')}, {count(found.tokens, 'token')}, counted by "
            f"{found.token_source}"
        )

    call.answer(
        {
            "text": found.text,
            "tokens": found.tokens,
            "summaries": found.summaries,
            "token_source": found.token_source,
        },
        people,
    )


def _run(call: Call, conversation: str, branch: str | None, run: Run) -> None:
    place = call.place(conversation, branch)
    stream = Streaming(quiet=call.json)
    watch, listen = _watching(call, stream)
    with stream:
        kept = run_now(run(call.engine, place, watch=watch, listen=listen))
    call.answer(memory_shapes.kept_json(kept), lambda: _show_kept(kept))


def _watching(call: Call, stream: Streaming) -> tuple[Watch, Listen]:
    def watch(progress: JobProgress) -> None:
        stream.end_line()
        note(f"{progress.made + 1}: {progress.doing}, {progress.left_tokens:,} tokens to go")
        if progress.made:
            call.kept = kept_of_run(progress.made)

    return watch, stream.hear


def _show_kept(kept: Kept) -> None:
    from foreword.cli.summary_tables import summary_table

    if kept.made:
        show(summary_table(kept.made))
    write(kept.wait.sentence)


def _show_status(found: MemoryStatus) -> None:
    write(found.sentence)
    budgets = found.budgets
    boundary = f"turn {found.boundary}" if found.boundary else "no turn"
    rows = [
        ("mode", f"{found.mode.value}, strategy {found.strategy.value}{_switches(found)}"),
        (
            "uncovered turns",
            f"{found.live_tokens:,} tokens in {count(found.live_turns, 'turn')}",
        ),
        ("word for word", f"{budgets.verbatim:,} tokens, the newest turns"),
        ("queue", f"{budgets.queue:,} tokens; summarised from {budgets.trigger:,} uncovered on"),
        ("summaries", f"{found.memory_tokens:,} of {budgets.memory:,} tokens"),
        *(
            (
                f"  {use.name}",
                f"{use.tokens:,} of {use.quota:,} tokens, {use.summaries} in use"
                + (", over" if use.over else ""),
            )
            for use in found.layers
        ),
        ("stale", f"{found.stale}"),
        ("covered up to", boundary),
        ("in the background", _jobs(found)),
        ("tokens counted by", found.token_source),
    ]
    made = table("", "", wide=("",))
    made.show_header = False
    for name, value in rows:
        made.add_row(name, value)
    show(made)
    _show_cache(found)
    _show_dates(found)


def _show_dates(found: MemoryStatus) -> None:
    from foreword.engine.scene_headers import ENOUGH

    if found.scene_time is not None and found.scene_time < ENOUGH and found.mode.automatic:
        write(
            f"{found.scene_time:.0%} of the newest replies carry a date header, so that summaries "
            "cannot say when things happened. `foreword settings header CONV` asks for one."
        )


def _show_cache(found: MemoryStatus) -> None:
    advice, verdict = found.cache.advice, found.cache.verdict
    if advice.suggested:
        write(
            f"The chat is idle for {advice.idle_minutes:,} minutes, so the provider's cache is "
            f"probably cold (cache_ttl is {advice.ttl_minutes}). `foreword memory recap` now takes "
            f"about {advice.act_tokens:,.0f} tokens at full price, the next message alone "
            f"{advice.wait_tokens:,.0f}, and every one after it less."
        )
    elif advice.queued and verdict.pays_after is not None and found.mode.automatic:
        write(
            f"Summarising {advice.queued:,} tokens now would pay after "
            f"{count(verdict.pays_after, 'prompt')}, as the last ones were paid "
            f"({found.cache.rate:.0%} of the full price)."
        )


def _switches(found: MemoryStatus) -> str:
    words = [] if found.on else ["switched off"]
    words += ["paused"] if found.paused else []
    return "".join(f", {word}" for word in words)


def _jobs(found: MemoryStatus) -> str:
    if not found.jobs:
        return "nothing"
    return "; ".join(
        f"job {job.id} {job.state.value}"
        + (f": {job.progress.doing}" if job.progress.doing else "")
        for job in found.jobs
    )
