"""The command that says what models have cost, chat and memory apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli import model_shapes
from foreword.cli.call import Call, register
from foreword.cli.money import MICROS, dollars, money, seconds
from foreword.cli.printing import clean, count, note, one_line, show, table, write

if TYPE_CHECKING:
    from foreword.domain.calls import Call as Row
    from foreword.domain.ids import ConversationId
    from foreword.engine.costs import Costs
    from foreword.planning.spending import CostLine

CAPS = {"spend_per_day": "a day", "spend_per_conversation": "for a conversation"}
"""Settings that hold a cap in US dollars, and what it is for."""


def cost(
    call: Call,
    conversation: Annotated[
        str | None,
        typer.Argument(metavar="CONV", help="One conversation; default: all.", show_default=False),
    ] = None,
    calls: Annotated[
        bool, typer.Option("--calls", help="List the calls, the newest first.")
    ] = False,
    number: Annotated[
        int | None,
        typer.Option("--call", metavar="ID", help="One call, with what the model wrote."),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="With --calls: at most so many.")
    ] = 50,
) -> None:
    """Say what models have cost: chat and memory apart, today, and what may be spent."""
    from foreword.engine import costs

    chosen = None if conversation is None else call.place(conversation).conversation
    if number is not None:
        one = costs.show_call(call.engine, number, chosen)
        call.answer(model_shapes.full_call_json(one), lambda: _show_call(one))
        return
    if calls:
        rows = costs.list_calls(call.engine, chosen, limit=limit)
        call.answer([model_shapes.call_json(row) for row in rows], lambda: _show_calls(rows))
        return
    found = costs.costs(call.engine, chosen)
    caps = _caps(call, chosen)
    call.answer(model_shapes.costs_json(found, caps), lambda: _show_costs(found, caps))


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    register(app)(cost)


def _caps(call: Call, conversation: ConversationId | None) -> dict[str, float | None]:
    from foreword.engine.conversations import show_settings

    settings = show_settings(call.engine, conversation)
    return {name: float(settings[name]) if settings[name] else None for name in CAPS}


def _show_costs(found: Costs, caps: dict[str, float | None]) -> None:
    made = table(
        "", "calls", "tokens in", "cached", "tokens out", "money", "time",
        numbers=("calls", "tokens in", "cached", "tokens out", "money", "time"),
    )  # fmt: skip
    for name, line in model_shapes.cost_lines(found):
        made.add_row(
            name,
            f"{line.calls:,}",
            f"{line.tokens_in:,}",
            f"{line.tokens_cached:,}",
            f"{line.tokens_out:,}",
            _spent(line),
            seconds(line.milliseconds),
        )
    show(made)
    lost = found.table.total
    if lost.lost:
        write(
            f"Of these, {count(lost.lost, 'call')}{_lost(lost)} came to nothing: "
            "refused, failed or stopped, or the source changed meanwhile."
        )
    today = _amount(found.today, found.today_unpriced)
    write(f"Today, all conversations: {today} (a day begins at midnight UTC).")
    for name, cap in caps.items():
        if cap is not None:
            write(f"At most {dollars(round(cap * MICROS))} {CAPS[name]}: setting {name}.")
    if all(cap is None for cap in caps.values()):
        note(f"No cap is set: `foreword settings set {next(iter(CAPS))} DOLLARS` sets one.")


def _spent(line: CostLine) -> str:
    if line.unpriced == line.calls and line.calls:
        return "not known"
    return _amount(line.money, line.unpriced)


def _amount(money: int, unpriced: int) -> str:
    if not unpriced:
        return dollars(money)
    more = f"{count(unpriced, 'call')} not known"
    return f"{dollars(money)} + {more}" if money else more


def _lost(line: CostLine) -> str:
    """Return what the calls cost that came to nothing, where every price is known."""
    return "" if line.unpriced else f" ({dollars(line.lost_money)})"


def _show_calls(rows: Sequence[Row]) -> None:
    if not rows:
        write("No model was called yet.")
        return
    made = table(
        "id", "when", "purpose", "route", "model", "outcome", "in", "out", "money", "time",
        "detail",
        numbers=("id", "in", "out", "money", "time"), names=("model",), wide=("detail",),
    )  # fmt: skip
    for row in rows:
        made.add_row(
            str(row.id),
            row.started_at[:19].replace("T", " "),
            row.purpose.value,
            row.route,
            clean(row.model),
            row.outcome.value,
            f"{model_shapes.tokens_read(row):,}",
            "" if row.answer is None else f"{row.answer.usage.tokens_out:,}",
            money(row.money),
            seconds(row.milliseconds),
            one_line(row.detail, limit=120),
        )
    show(made)


def _show_call(row: Row) -> None:
    write(
        f"Call {row.id}, {row.started_at}: {row.purpose.value} by route {row.route} "
        f"({row.model}), {row.outcome.value}"
    )
    answer = row.answer
    if answer is None:
        write(f"{model_shapes.tokens_read(row):,} tokens in; no answer is recorded.")
    else:
        used = answer.usage
        write(
            f"{used.tokens_in:,} tokens in ({used.tokens_cached:,} cached), {used.tokens_out:,} "
            f"out ({used.tokens_reasoning:,} reasoning), "
            f"{'as the server tells' if used.reported else 'counted here'}; "
            f"money {money(row.money)}, {seconds(row.milliseconds)}, ended by {answer.finish.value}"
        )
    if row.detail:
        write(f"{'Refused' if row.outcome.value == 'rejected' else 'Why'}: {row.detail}")
    if row.summary is not None:
        write(f"It became S{row.summary}.")
    if answer is not None:
        if answer.reasoning and answer.reasoning not in answer.raw:
            write(f"\n[reasoning]\n{answer.reasoning}")
        write(f"\n[what the model wrote]\n{answer.raw or answer.text}")
