"""Kept prompts in the terminal: lists, one of them, and what changed from one to the next.

Above: `prompts`. Below: the engine's use cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from foreword.cli.printing import count, note, show, table, write

if TYPE_CHECKING:
    from foreword.cli.call import Call
    from foreword.cli.shapes import Json
    from foreword.domain.ids import PlanId, SummaryId, TurnId
    from foreword.domain.message import Message
    from foreword.engine.context import Place
    from foreword.engine.kept_prompts import Comparison, Listed, Shown
    from foreword.planning.coverage import Coverage, Section
    from foreword.planning.prompt_diff import PromptDiff

NAMED = 12
"""So many turns or summaries of a list are named one by one."""


def number_of(call: Call, place: Place, number: int | None, reply: str | None) -> PlanId:
    """Return the number of the prompt that was asked for, by number or by its reply."""
    from foreword.domain.ids import PlanId
    from foreword.engine.kept_prompts import show_for_reply

    if reply is not None:
        return show_for_reply(call.engine, place, reply).record.id
    return PlanId(number or 0)


def list_all(call: Call, place: Place) -> None:
    """List the kept prompts of a branch."""
    from foreword.engine.kept_prompts import list_prompts

    found = list_prompts(call.engine, place)
    call.answer([_listed_json(one) for one in found], lambda: _show_list(found))


def show_one(call: Call, place: Place, number: PlanId) -> None:
    """Show a kept prompt as it was sent."""
    from foreword.engine.kept_prompts import show as shown

    found = shown(call.engine, place, number)
    call.answer(_shown_json(found), lambda: _show_one(found))


def compare(call: Call, place: Place, number: PlanId, *, full: bool) -> None:
    """Show what changed from the prompt before to a kept one."""
    from foreword.engine.kept_prompts import compare as compared

    found = compared(call.engine, place, number)
    call.answer(_comparison_json(found, full=full), lambda: _show_comparison(found, full=full))


def forget(call: Call, place: Place) -> None:
    """Delete the kept prompts of a conversation."""
    from foreword.engine.kept_prompts import forget_prompts

    gone = forget_prompts(call.engine, place)
    call.answer({"forgotten": gone}, lambda: write(f"Forgotten: {count(gone, 'prompt')}."))


def show_messages(messages: Iterable[Message]) -> None:
    """Print messages word for word."""
    for message in messages:
        write(f"--- {message.role.value}")
        write(message.content)
    write("")


def show_sections(sections: Sequence[Section], limit: int) -> None:
    """Print what a prompt consists of."""
    made = table("section", "tokens", "turns", numbers=("tokens", "turns"))
    for section in sections:
        made.add_row(section.name.value, f"{section.tokens:,}", f"{section.turns:,}")
    made.add_section()
    made.add_row("prompt", f"{sum(section.tokens for section in sections):,}", "")
    made.add_row("limit", f"{limit:,}", "")
    show(made)


def show_proof(coverage: Coverage) -> None:
    """Print that every turn is accounted for."""
    write(
        f"Every turn once: {coverage.verbatim:,} verbatim + {coverage.covered:,} covered + "
        f"{coverage.masked:,} masked + {coverage.hidden:,} hidden + {coverage.dropped:,} dropped "
        f"= {count(coverage.total, 'turn')}."
    )


def _listed_json(one: Listed) -> Json:
    record = one.record
    return {
        "number": record.id,
        "at": record.at,
        "branch": record.branch,
        "revision": record.rev,
        "tokens": record.tokens,
        "message_count": len(record.messages),
        "replies": list(one.replies),
    }


def _shown_json(found: Shown) -> Json:
    from foreword.cli.shapes import coverage_json

    record = found.record
    return {
        **_listed_json(found),
        "messages": [
            {"role": message.role.value, "content": message.content} for message in found.messages
        ],
        "sections": [
            {"name": section.name.value, "tokens": section.tokens, "turns": section.turns}
            for section in record.sections
        ],
        "coverage": coverage_json(record.coverage),
        "limit": record.limit,
        "reserve": record.reply,
        "context": record.context,
        "dropped": {"turns": record.dropped.turns, "tokens": record.dropped.tokens},
    }


def _comparison_json(found: Comparison, *, full: bool) -> Json:
    diff, prefix = found.diff, found.diff.prefix
    document: Json = {
        "before": None if found.before is None else found.before.id,
        "after": found.after.id,
        "same": diff.is_empty,
        "tokens": {
            "before": 0 if found.before is None else found.before.tokens,
            "after": found.after.tokens,
        },
        "sections": [
            {
                "name": change.name.value,
                "before": change.before,
                "after": change.after,
                "turns_before": change.turns_before,
                "turns_after": change.turns_after,
            }
            for change in diff.sections
        ],
        "turns": {
            "entered": _turns_json(found, diff.turns_entered),
            "left": _turns_json(found, diff.turns_left),
            "changed": _turns_json(found, diff.turns_changed),
        },
        "summaries": {
            "entered": list(diff.summaries_entered),
            "left": list(diff.summaries_left),
        },
        "prefix": {
            "messages": prefix.messages,
            "tokens": prefix.tokens,
            "share": round(prefix.share, 4),
        },
    }
    return {**document, "text": "\n".join(diff.lines)} if full else document


def _turns_json(found: Comparison, turns: Iterable[TurnId]) -> list[Json]:
    return [{"id": turn, "order": found.orders[turn]} for turn in turns]


def _show_list(found: Sequence[Listed]) -> None:
    if not found:
        write("No prompt of this branch is kept yet: `foreword prompt CONV` keeps what it prints.")
        return
    made = table(
        "P", "when", "tokens", "messages", "written from it",
        numbers=("P", "tokens", "messages"),
    )  # fmt: skip
    for one in found:
        record = one.record
        made.add_row(
            str(record.id),
            record.at,
            f"{record.tokens:,}",
            f"{len(record.messages):,}",
            ", ".join(f"id:{turn}" for turn in one.replies),
        )
    show(made)


def _show_one(found: Shown) -> None:
    record = found.record
    show_messages(found.messages)
    show_sections(record.sections, record.limit)
    show_proof(record.coverage)
    written = ", ".join(f"id:{turn}" for turn in found.replies)
    tail = f" Turns written from it: {written}." if written else ""
    write(f"Prompt {record.id}, made at {record.at}.{tail}")


def _show_comparison(found: Comparison, *, full: bool) -> None:
    if found.before is None:
        note("No older prompt of this branch is kept: all of this one is new.")
    diff = found.diff
    older = "nothing" if found.before is None else f"prompt {found.before.id}"
    before = 0 if found.before is None else found.before.tokens
    head = f"From {older} to prompt {found.after.id}"
    if diff.is_empty:
        write(f"{head}: nothing changed.")
        return
    write(f"{head}: {before:,} → {count(found.after.tokens, 'token')}.")
    _show_changes(diff)
    _show_names(found)
    _show_prefix(diff)
    if full:
        write("")
        for line in diff.lines:
            write(line)


def _show_changes(diff: PromptDiff) -> None:
    if not diff.sections:
        return
    made = table(
        "section", "before", "after", "turns before", "turns after",
        numbers=("before", "after", "turns before", "turns after"),
    )  # fmt: skip
    for change in diff.sections:
        made.add_row(
            change.name.value,
            f"{change.before:,}",
            f"{change.after:,}",
            f"{change.turns_before:,}",
            f"{change.turns_after:,}",
        )
    show(made)


def _show_names(found: Comparison) -> None:
    diff = found.diff
    for what, turns in (
        ("Turns that came in", diff.turns_entered),
        ("Turns that went out", diff.turns_left),
        ("Turns with another text", diff.turns_changed),
    ):
        if turns:
            write(f"{what}: {_names([_turn_name(found, turn) for turn in turns])}.")
    for what, summaries in (
        ("Summaries that came in", diff.summaries_entered),
        ("Summaries that went out", diff.summaries_left),
    ):
        if summaries:
            write(f"{what}: {_names([_summary_name(one) for one in summaries])}.")


def _show_prefix(diff: PromptDiff) -> None:
    prefix = diff.prefix
    write(
        f"The same from the beginning: {count(prefix.tokens, 'token')} "
        f"({prefix.share:.0%} of the prompt, {count(prefix.messages, 'whole message')})."
    )


def _turn_name(found: Comparison, turn: TurnId) -> str:
    order = found.orders[turn]
    return f"id:{turn}" if order is None else str(order)


def _summary_name(summary: SummaryId) -> str:
    return f"S{summary}"


def _names(names: Sequence[str]) -> str:
    """Return names in a row: all of a few, of many the first and the last."""
    if len(names) <= NAMED:
        return ", ".join(names)
    return f"{', '.join(names[: NAMED - 2])}, … {names[-1]} ({len(names):,})"
