"""Summaries that other programs keep in a SillyTavern chat, as spans of its messages.

Above: `sillytavern`. Below: `summaryception`. Invariant: a summary is taken only where it stands
for exactly the messages it names; whatever is not taken leaves its messages to be sent in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from foreword.domain.interchange import ChatSummary, Loss
from foreword.domain.storable import storable_text
from foreword.domain.turn import Role
from foreword.formats.json_lines import JsonObject, Line
from foreword.formats.sillytavern_fields import is_hidden, is_true, object_at, role_of
from foreword.formats.summaryception import Claim, claims_of, ghosts_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Memories:
    """What was found in a chat."""

    summaries: tuple[ChatSummary, ...] = ()
    ghosts: frozenset[int] = field(default_factory=frozenset)
    """Messages that are hidden only because a summary stood for them."""
    pins: frozenset[int] = field(default_factory=frozenset)
    used: frozenset[str] = field(default_factory=frozenset)
    """The fields that the summaries were taken from."""


def memories_of(header: JsonObject, messages: Sequence[Line], losses: list[Loss]) -> Memories:
    """Return the summaries of the first source that has any that can be used.

    The sources, in order: Summaryception's store, qvink's records, the client's own summary.
    """
    store = object_at(object_at(header, "chat_metadata"), "summaryception")
    values = [line.value for line in messages]
    ghosts = ghosts_of(store, values) if store else frozenset()
    found = (
        ("summaryception", claims_of(store, values, losses) if store else []),
        ("qvink_memory", _of_qvink(messages)),
        ("memory", _of_the_client(messages)),
    )
    if not any(claims for _, claims in found):
        return Memories(ghosts=ghosts)
    visible = [_is_sent(value) or number in ghosts for number, value in enumerate(values)]
    for name, claims in found:
        summaries = accepted(claims, visible, losses)
        if summaries:
            pins = _remembered(values) if name == "qvink_memory" else frozenset()
            used = frozenset({name})
            return Memories(summaries=summaries, ghosts=ghosts, pins=pins, used=used)
    return Memories(ghosts=ghosts)


def accepted(
    claims: Sequence[Claim], visible: Sequence[bool], losses: list[Loss]
) -> tuple[ChatSummary, ...]:
    """Return the summaries that stand for exactly their messages, oldest first.

    Args:
        claims: what a program says its summaries stand for.
        visible: for each message whether it is sent, were there no summaries.
        losses: the other claims are added here.
    """
    taken: list[ChatSummary] = []
    end = -1
    for claim in sorted(claims, key=lambda claim: min(claim.messages, default=-1)):
        turns = sorted(number for number in claim.messages if visible[number])
        why = _problem(claim, turns, end, visible)
        if why:
            losses.append(Loss(where=claim.where, what="a summary", why=why))
            continue
        end = turns[-1]
        taken.append(
            ChatSummary(
                text=storable_text(claim.text),
                turns=tuple(turns),
                layer=claim.layer,
                maker=claim.maker,
            )
        )
    return tuple(taken)


def _problem(claim: Claim, turns: Sequence[int], end: int, visible: Sequence[bool]) -> str:
    if not claim.text.strip():
        return "it is empty"
    if claim.unknown:
        return f"{claim.unknown} of its messages are not in this chat; the others stay as they are"
    if not turns:
        return "none of its messages is sent"
    if turns[0] <= end:
        return "another one stands for the same messages"
    if sum(visible[turns[0] : turns[-1] + 1]) != len(turns):
        return "there are messages between that it does not name; they would be gone"
    return ""


def _is_sent(value: JsonObject) -> bool:
    return not is_hidden(value, role_of(value))


def _of_qvink(messages: Sequence[Line]) -> list[Claim]:
    """One summary a message; those that qvink does not send instead of their text are left."""
    claims: list[Claim] = []
    for number, line in enumerate(messages):
        record = object_at(object_at(line.value, "extra"), "qvink_memory")
        if not record:
            continue
        text = record.get("memory")
        unsent = is_true(record.get("lagging")) or is_true(record.get("exclude"))
        if isinstance(text, str) and text.strip() and not unsent and not record.get("error"):
            claims.append(
                Claim(text=text.strip(), messages=(number,), where=line.where, maker="qvink")
            )
    return claims


def _remembered(values: Sequence[JsonObject]) -> frozenset[int]:
    """Return the messages that qvink's user wants to keep for long."""
    records = (object_at(object_at(value, "extra"), "qvink_memory") for value in values)
    return frozenset(
        number for number, record in enumerate(records) if is_true(record.get("remember"))
    )


def _of_the_client(messages: Sequence[Line]) -> list[Claim]:
    """The newest rolling summary stands for everything up to its message; older ones are past."""
    for number in range(len(messages) - 1, -1, -1):
        line = messages[number]
        text = object_at(line.value, "extra").get("memory")
        if isinstance(text, str) and text.strip() and role_of(line.value) is not Role.TOOL:
            covered = tuple(range(number + 1))
            return [
                Claim(text=text.strip(), messages=covered, where=line.where, maker="sillytavern")
            ]
    return []
