"""What turns said before, in the terminal.

Above: `turns`. Below: the engine's use cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from foreword.cli.printing import clean, count, one_line, show, table, write

if TYPE_CHECKING:
    from foreword.cli.call import Call
    from foreword.cli.shapes import Json
    from foreword.engine.context import Place
    from foreword.engine.turn_history import TurnRevision

LISTED = 80
"""Characters of a text that a list shows."""


def list_all(call: Call, place: Place, turn: str) -> None:
    """List every text that a turn ever had on the branch, oldest first."""
    from foreword.engine.turn_history import revisions

    found = revisions(call.engine, place, turn)
    call.answer([_json(one) for one in found], lambda: _show_list(found))


def show_one(call: Call, place: Place, turn: str, number: int) -> None:
    """Show what a turn said at a revision."""
    from foreword.engine.turn_history import revision

    found = revision(call.engine, place, turn, number)
    call.answer(_json(found), lambda: _show_one(found, number))


def _json(one: TurnRevision) -> Json:
    version = one.version
    return {
        "revision": one.since,
        "until": one.until,
        "kind": one.kind.value,
        "at": one.at,
        "actor": one.actor,
        "id": version.turn_id,
        "role": version.content.role.value,
        "speaker": one.speaker,
        "text": version.content.text,
        "tokens": version.tokens,
        "alternative": version.alt_no,
        "hidden": one.hidden,
        "reasoning": version.content.reasoning,
        "sent_at": version.content.sent_at,
    }


def _show_list(found: Sequence[TurnRevision]) -> None:
    made = table(
        "R", "when", "what", "tokens", "", "text",
        numbers=("R", "tokens"), wide=("text",),
    )  # fmt: skip
    for one in found:
        made.add_row(
            str(one.since),
            one.at,
            one.kind.value,
            f"{one.version.tokens:,}",
            "now" if one.until is None else f"until {one.until}",
            one_line(one.version.content.text, limit=LISTED),
        )
    show(made)


def _show_one(one: TurnRevision, number: int) -> None:
    version = one.version
    until = "and still does" if one.until is None else f"until {one.until}"
    write(
        f"Turn id:{version.turn_id} at revision {number}: {version.content.role.value}, "
        f"{one_line(one.speaker)}, {count(version.tokens, 'token')}. "
        f"It said so since {one.since} ({one.kind.value}, {one.at}) {until}.\n"
    )
    if version.content.reasoning:
        write(f"[reasoning]\n{clean(version.content.reasoning)}\n")
    write(version.content.text)
