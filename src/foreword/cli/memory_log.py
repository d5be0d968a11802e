"""The command that shows what memory did and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli.call import Call, register
from foreword.cli.options import Conv
from foreword.cli.printing import clean, write
from foreword.cli.shapes import Json
from foreword.domain.jobs import EventLevel

if TYPE_CHECKING:
    from foreword.domain.jobs import Event

FOLLOW_SECONDS = 2.0


def log(
    call: Call,
    conversation: Conv,
    level: Annotated[
        EventLevel, typer.Option("--level", help="Up to which lines; see the setting memory_log.")
    ] = EventLevel.PROMPTS,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many at most.")] = 50,
    follow: Annotated[
        bool, typer.Option("--follow", help="Go on with what comes, until Ctrl-C.")
    ] = False,
) -> None:
    """Show what memory did and why, oldest first."""
    from foreword.engine.event_log import events

    place = call.place(conversation)
    found = events(call.engine, place, level=level, limit=limit)
    call.answer([_json(one) for one in found], lambda: _show(found, empty=not follow))
    if not follow:
        return
    changes = call.engine.store.changes(call.engine.account, place.conversation)
    try:
        while True:
            changes.wait(FOLLOW_SECONDS)
            last = found[-1].id if found else 0
            more = events(call.engine, place, level=level, after=last, limit=limit)
            found = more or found
            for one in more:
                call.answer(_json(one), lambda one=one: _show([one], empty=False))  # type: ignore[misc]
    finally:
        changes.close()


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    register(app)(log)


def _json(one: Event) -> Json:
    return {
        "id": one.id,
        "at": one.at,
        "level": one.level.value,
        "kind": one.kind.value,
        "branch": one.branch,
        "text": one.text,
        "data": dict(one.data),
    }


def _show(found: tuple[Event, ...] | list[Event], *, empty: bool) -> None:
    if not found and empty:
        write("Memory did nothing here yet.")
    for one in found:
        write(f"{one.at[:19].replace('T', ' ')} {one.kind.value}: {clean(one.text)}")
        if one.level is EventLevel.PROMPTS:
            for name, value in one.data:
                write(f"  {name}: {clean(value)}")
