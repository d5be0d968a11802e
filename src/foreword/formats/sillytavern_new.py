"""Messages and headers for what did not come from SillyTavern: turns that were written here.

Below `sillytavern_export`. Invariant: a message made here reads as its turn, except what the
client has no place for.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from uuid import UUID

from foreword.domain.interchange import Bundle, ChatText, ChatTurn
from foreword.domain.turn import MediaPart, Role, ToolCallPart, ToolResultPart
from foreword.formats.json_lines import JsonObject, JsonValue
from foreword.formats.sillytavern_dates import instant_of, written_like
from foreword.formats.sillytavern_rebuilding import prose


def new_message(turn: ChatTurn, neighbour: JsonValue) -> JsonObject:
    """Return the message of a turn; its times are written as in `neighbour`, a `send_date`."""
    shown = turn.texts[turn.chosen]
    value: JsonObject = {
        "name": turn.speaker,
        "is_user": turn.role is Role.USER,
        "is_system": turn.hidden or turn.role is Role.TOOL,
        "send_date": _date(shown, neighbour),
        "mes": prose(shown) or "",
        "extra": _extra(turn, shown),
    }
    if turn.role is Role.ASSISTANT or len(turn.texts) > 1:
        value["swipe_id"] = turn.chosen
        value["swipes"] = [prose(text) or "" for text in turn.texts]
        value["swipe_info"] = [
            {"send_date": _date(text, neighbour), "extra": _extra(turn, text)}
            for text in turn.texts
        ]
    return value


def new_header(bundle: Bundle) -> JsonObject:
    """Return a header for a conversation that has none."""
    return {
        "user_name": bundle.settings.get("user") or "User",
        "character_name": bundle.settings.get("char") or "Assistant",
        "create_date": _created(bundle.created_at),
        "chat_metadata": {"integrity": slug_of(bundle.title, bundle.created_at)},
    }


def slug_of(*of: object) -> str:
    """Return an integrity slug: always the same one for the same things, and no other's."""
    digest = blake2b("\x00".join(map(str, of)).encode(), digest_size=16).digest()
    return str(UUID(bytes=digest, version=4))


def _created(text: str) -> str:
    instant = instant_of(text)
    return str(written_like(instant, "2026-01-01@00h00m00s")) if instant else text


def _date(text: ChatText, neighbour: JsonValue) -> JsonValue:
    instant = instant_of(text.sent_at)
    return written_like(instant, neighbour) if instant else text.sent_at


def _extra(turn: ChatTurn, text: ChatText) -> JsonObject:
    extra: JsonObject = {"reasoning": text.reasoning} if text.reasoning else {}
    if turn.role is Role.SYSTEM:
        extra["type"] = "narrator"
    if turn.role is Role.TOOL and (calls := _invocations(turn.speaker, text)):
        extra["tool_invocations"] = [*calls]
    media = [part for part in text.parts if isinstance(part, MediaPart)]
    pictures = [part.reference for part in media if part.media_type.startswith("image/")]
    others = [part for part in media if not part.media_type.startswith("image/")]
    if pictures:
        extra["media"] = [{"url": url, "type": "image"} for url in pictures]
    if others:
        extra["files"] = [{"url": part.reference, "type": part.media_type} for part in others]
    return extra


def _invocations(tool: str, text: ChatText) -> list[JsonObject]:
    """Return the calls with their results; a result whose call is in another turn names `tool`."""
    calls = [part for part in text.parts if isinstance(part, ToolCallPart)]
    results = {part.call_id: part.text for part in text.parts if isinstance(part, ToolResultPart)}
    called = {call.call_id for call in calls}
    alone = [
        ToolCallPart(call_id=call_id, name=tool, arguments="")
        for call_id in results
        if call_id not in called
    ]
    return [
        {
            "id": call.call_id,
            "name": call.name,
            "parameters": call.arguments,
            "result": results.get(call.call_id, ""),
        }
        for call in (*calls, *alone)
    ]


def parted(source: str) -> tuple[JsonObject, JsonObject]:
    """Return the header and the note in a kept source; both empty where it is another format's."""
    try:
        value = json.loads(source)
    except (ValueError, RecursionError):
        return {}, {}
    note = value.pop("foreword", None) if isinstance(value, dict) else None
    if not isinstance(note, dict) or note.get("format") != "sillytavern":
        return {}, {}
    return value, note
