"""A turn as a SillyTavern message again: as it stood, with what has changed since put in.

Below `sillytavern_export`, above `sillytavern_message`. Invariant: a turn that reads as its line
does gives that line byte for byte; any other gives a message that reads as the turn.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from foreword.domain.interchange import ChatText, ChatTurn
from foreword.domain.storable import storable_name
from foreword.domain.turn import Role, TextPart
from foreword.formats.json_lines import JsonObject, JsonValue, Line, parse
from foreword.formats.sillytavern_fields import (
    Names,
    is_hidden,
    is_message,
    list_at,
    object_at,
    role_of,
)
from foreword.formats.sillytavern_message import REASONING, SWIPE, TEXT, read_message

_OF_MESSAGE = ("branches", "bookmark_link", "type", "isSmallSys")
"""What stands in a message's `extra` and belongs to the message, whichever swipe is shown."""
_OF_SWIPE = ("send_date", "gen_started", "gen_finished")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What an import kept of a message."""

    value: JsonObject
    """With the texts of today in place of references."""
    holder: int
    """The alternative that was shown when it was read."""
    swipes: tuple[JsonObject, ...]
    """Entries of `swipe_info` by alternative; empty for none."""
    raw: str = ""
    end: str | None = None
    ghost: bool = False
    """It was hidden only because a summary stood for it."""


def kept_of(turn: ChatTurn) -> Kept | None:
    """Return what was kept of a turn's message, or None when it comes from no such file."""
    extras = [_object(text.extra) for text in turn.texts]
    holders = [number for number, extra in enumerate(extras) if isinstance(extra.get("line"), dict)]
    if not holders:
        return None
    holder = turn.chosen if turn.chosen in holders else holders[-1]
    swipes = tuple(
        with_reasoning(object_at(extra, "swipe"), text)
        for extra, text in zip(extras, turn.texts, strict=True)
    )
    raw, end = extras[holder].get("raw"), extras[holder].get("end")
    return Kept(
        value=_filled(object_at(extras[holder], "line"), turn, holder, swipes),
        holder=holder,
        swipes=swipes,
        raw=raw if isinstance(raw, str) else "",
        end=end if isinstance(end, str) else None,
        ghost=extras[holder].get("ghost") is True,
    )


def unchanged(value: JsonObject, turn: ChatTurn, names: Names, *, ghost: bool) -> bool:
    """Say whether a message reads as a turn.

    Args:
        value: the message.
        turn: the turn.
        names: see `read_message`.
        ghost: the message is to be hidden, and only because a summary stands for it.
    """
    if not is_message(value):
        return False
    line = Line(number=1, value=value, raw="", style=None)
    found = read_message(line, names, style=None, losses=[])
    return (
        found.role is turn.role
        and storable_name(found.speaker) == turn.speaker
        and found.chosen == turn.chosen
        and found.hidden == (turn.hidden or (ghost and turn.role is not Role.TOOL))
        and [(text.parts, text.reasoning) for text in found.texts]
        == [(text.parts, text.reasoning) for text in turn.texts]
    )


def raw_value(kept: Kept) -> JsonObject:
    """Return what the kept line says, an empty object when there is none."""
    return _object(kept.raw) if kept.raw else {}


def changed(kept: Kept, turn: ChatTurn, *, ghost: bool) -> JsonObject:
    """Return the message with everything in it that the turn says otherwise now."""
    value = dict(kept.value)
    infos = _infos(kept, turn)
    if turn.chosen != kept.holder:
        _swap(value, infos, kept.holder, turn.chosen)
    shown = turn.texts[turn.chosen]
    text = prose(shown)
    if text is not None:
        value["mes"] = text
    value["name"] = turn.speaker
    if is_hidden(value, turn.role) != (turn.hidden or ghost):
        _hide(value, turn, hidden=turn.hidden or ghost)
    if len(turn.texts) > 1 or isinstance(value.get("swipes"), list):
        value["swipes"] = [prose(one) or "" for one in turn.texts]
        value["swipe_id"] = turn.chosen
        value["swipe_info"] = [*infos]
    return _reasoned(value, shown)


def prose(text: ChatText) -> str | None:
    """Return the text of an alternative, None when it is a call of tools without any."""
    found = next((part.text for part in text.parts if isinstance(part, TextPart)), None)
    calls = any(hasattr(part, "call_id") for part in text.parts)
    return None if found is None and calls else found or ""


def with_reasoning(value: JsonObject, text: ChatText) -> JsonObject:
    """Return a message or an entry of `swipe_info` with the reasoning that it refers to."""
    extra = value.get("extra")
    if isinstance(extra, dict) and extra.get("reasoning") == REASONING:
        return {**value, "extra": {**extra, "reasoning": text.reasoning}}
    return value


def _filled(
    line: JsonObject, turn: ChatTurn, holder: int, swipes: Sequence[JsonObject]
) -> JsonObject:
    """Return the kept message with texts in place of references."""
    value = dict(with_reasoning(line, turn.texts[holder]))
    texts = [prose(text) or "" for text in turn.texts]
    if value.get("mes") == TEXT:
        value["mes"] = texts[holder]
    if isinstance(value.get("swipes"), list):
        value["swipes"] = [
            texts[number] if item == TEXT and number < len(texts) else item
            for number, item in enumerate(list_at(value, "swipes"))
        ]
    if isinstance(value.get("swipe_info"), list):
        value["swipe_info"] = [
            swipes[number] if item == SWIPE and number < len(swipes) else item
            for number, item in enumerate(list_at(value, "swipe_info"))
        ]
    return value


def _infos(kept: Kept, turn: ChatTurn) -> list[JsonObject]:
    known = list_at(kept.value, "swipe_info")
    infos: list[JsonObject] = []
    for number, text in enumerate(turn.texts):
        info = known[number] if number < len(known) else None
        info = info if isinstance(info, dict) and info else kept.swipes[number]
        infos.append(dict(info or {"send_date": text.sent_at, "extra": _reasons(text)}))
    return infos


def _swap(value: JsonObject, infos: list[JsonObject], old: int, new: int) -> None:
    """Put the fields of another swipe into the message, as the client does on a swipe."""
    before = object_at(value, "extra")
    infos[old] = {key: value[key] for key in _OF_SWIPE if key in value} | {"extra": before}
    for key in _OF_SWIPE:
        if infos[new].get(key):
            value[key] = infos[new][key]
        elif key != "send_date":
            value.pop(key, None)
    own = {key: before[key] for key in _OF_MESSAGE if key in before}
    value["extra"] = {**object_at(infos[new], "extra"), **own}


def _hide(value: JsonObject, turn: ChatTurn, *, hidden: bool) -> None:
    value["is_system"] = hidden or turn.role is Role.TOOL
    if role_of(value) is turn.role:
        return
    extra = object_at(value, "extra")
    if turn.role is Role.SYSTEM:
        # A system message that is sent is a narrator's.
        value["extra"] = {**extra, "type": "narrator"}
    else:
        # A hidden message with a type is the system's.
        value["extra"] = {key: item for key, item in extra.items() if key != "type"}


def _reasoned(value: JsonObject, text: ChatText) -> JsonObject:
    extra = object_at(value, "extra")
    if (extra.get("reasoning") or "") == text.reasoning:
        return value
    return {**value, "extra": {**extra, "reasoning": text.reasoning}}


def _reasons(text: ChatText) -> JsonObject:
    return {"reasoning": text.reasoning} if text.reasoning else {}


def _object(text: str) -> JsonObject:
    """Return the object that a stored JSON text holds, an empty one for anything else."""
    try:
        value: JsonValue = parse(text) if text else None
    except (ValueError, json.JSONDecodeError):
        return {}
    return value if isinstance(value, dict) else {}
