"""Commands around recaps: how full the context is, and recap now."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli import shapes
from foreword.cli.call import Call, register
from foreword.cli.money import price_in_words
from foreword.cli.options import ContextSize, Conv, OnBranch
from foreword.cli.printing import clean, count, note, show, table, write
from foreword.cli.running import run_now
from foreword.cli.streaming import Streaming
from foreword.cli.summaries import kept_of_run

if TYPE_CHECKING:
    from foreword.engine.context import Place
    from foreword.engine.recap import Price, Progress, RecapRun
    from foreword.engine.status import Status

BAR = 40
"""Columns of the bar."""
CONTEXT_SOURCES = {
    "given": "given with --context",
    "setting": "from the settings",
    "route": "of the chat route",
    "default": "the default; change it with `foreword settings set CONV context N`",
}

GOES_ON = (
    "There the run goes on by merging the oldest summaries, and recaps again; what that costs is "
    "not foreseen."
)


def status(
    call: Call, conversation: Conv, context: ContextSize = None, branch: OnBranch = None
) -> None:
    """Say how full the context is, and whether a recap is due."""
    from foreword.engine.status import status as find

    place = call.place(conversation, branch)
    found = find(call.engine, place, context=context)
    turn = _turn_in_question(call, place, found)
    call.answer(shapes.status_json(found, turn), lambda: _show_status(found))


def recap(
    call: Call,
    conversation: Conv,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it takes.")] = False,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Make one piece although it is not worth it yet.")
    ] = False,
    merge: Annotated[
        bool, typer.Option("--merge", help="Merge the oldest summaries whenever room is short.")
    ] = False,
    branch: OnBranch = None,
) -> None:
    """Recap the oldest stretch of the pile, piece by piece; Ctrl-C keeps what was made."""
    from foreword.engine import recap as recaps

    place = call.place(conversation, branch)
    if dry_run:
        found = recaps.price(call.engine, place)
        found = _with_merging(found) if merge else found
        call.answer(shapes.price_json(found), lambda: _show_price(found))
        return

    stream = Streaming(quiet=call.json)

    def watch(progress: Progress) -> None:
        stream.end_line()
        note(
            f"Piece {progress.made + 1}: reading {count(progress.piece_tokens, 'token')}, "
            f"{max(progress.piece_tokens, progress.left_tokens):,} to go"
        )
        if progress.made:
            call.kept = kept_of_run(progress.made)

    with stream:
        run = run_now(
            recaps.recap(
                call.engine, place, anyway=anyway, merge=merge, watch=watch, listen=stream.hear
            )
        )
    call.answer([shapes.summary_json(view) for view in run.made], lambda: _show_run(run))
    # Last, because the summaries made before it fill more than a screen.
    if run.reason:
        note(run.reason)


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    register(app)(status)
    register(app)(recap)


def context_line(context: int, usable: int, source: str, token_source: str) -> str:
    """Return the size of the context, where it comes from and what counts the tokens.

    Args:
        context: in the model's tokens.
        usable: what surely fits of it, in tokens as they are counted here.
        source: one of `CONTEXT_SOURCES`.
        token_source: what counts here.
    """
    size = f"{context:,} tokens ({CONTEXT_SOURCES[source]})"
    if usable == context:
        return f"{size}, counted by {token_source}"
    return f"{size}, {usable:,} of them as counted here by {token_source}"


def bar(progress: float, width: int = BAR) -> str:
    """Return a bar that is full at 1; it is empty only at 0."""
    filled = min(width, max(int(progress * width), 1 if progress > 0 else 0))
    return "█" * filled + "░" * (width - filled)


def _with_merging(found: Price) -> Price:
    """Return the price of a run that merges where the other one stops."""
    from foreword.engine.recap import MERGE_FIRST
    from foreword.planning.recap_states import State

    stops = found.reason == MERGE_FIRST or found.advice.state is State.NO_ROOM
    return replace(found, reason=GOES_ON) if stops else found


def _turn_in_question(call: Call, place: Place, found: Status) -> int | None:
    if found.advice.turn_id is None:
        return None
    from foreword.engine.turns import show_turn

    turn, _ = show_turn(call.engine, place, f"id:{found.advice.turn_id}")
    return turn.order


def _show_status(found: Status) -> None:
    advice = found.advice
    write(f"{advice.label}: {found.sentence}")
    write(f"{bar(advice.progress)} {advice.progress:.0%}")
    forecast = advice.forecast_turns
    ahead = "" if forecast is None or forecast <= 0 else f", about {count(forecast, 'turn')} ahead"
    write(
        f"{advice.pile_tokens:,} tokens in {count(found.pile_turns, 'turn')} since the last recap; "
        f"one is worth writing from {advice.worth_tokens:,} and due at {advice.due_tokens:,}{ahead}"
    )
    hidden = f", {found.hidden:,} hidden" if found.hidden else ""
    stale = f", {found.stale:,} stale (see `foreword summary repair`)" if found.stale else ""
    boundary = f"turn {found.boundary}" if found.boundary else "no turn"
    rows = [
        ("context", _context(found)),
        ("kept for the reply", f"{found.reply:,} tokens"),
        ("fixed texts", f"{found.fixed_tokens:,} tokens"),
        ("summaries", f"{advice.recaps_tokens:,} tokens{stale}"),
        *(
            (f"  layer {layer.layer}", f"{layer.tokens:,} tokens, {layer.summaries} in use")
            for layer in found.layers
        ),
        ("pinned, covered", f"{found.pins_tokens:,} tokens"),
        ("room for the story", f"{advice.room:,} tokens"),
        ("always word for word", f"{advice.reserve_tokens:,} tokens, the newest turns"),
        ("covered up to", f"{boundary} of {found.turns}{hidden}"),
    ]
    made = table("", "", wide=("",))
    made.show_header = False
    for name, value in rows:
        made.add_row(name, value)
    show(made)


def _context(found: Status) -> str:
    usable = found.advice.context
    return context_line(found.context, usable, found.context_source, found.token_source)


def _show_price(found: Price) -> None:
    for first, last, tokens in found.pieces:
        write(f"turns {first}-{last}: {count(tokens, 'token')}")
    write(
        f"{count(found.calls, 'summary')} to make, {found.tokens_in:,} tokens in, "
        f"about {found.tokens_out:,} tokens out, by {clean(found.model)}: "
        f"{price_in_words(found.money)}."
    )
    if found.reason:
        write(found.reason)


def _show_run(run: RecapRun) -> None:
    if run.made:
        from foreword.cli.summary_tables import summary_table

        show(summary_table(run.made))
    write(f"{run.after.label}: {bar(run.after.progress)} {run.after.progress:.0%}")
