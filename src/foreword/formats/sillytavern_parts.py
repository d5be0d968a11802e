"""What a SillyTavern message holds beside its text: pictures, files and tool calls.

Below `sillytavern_message`, above `sillytavern_fields`. Invariant: files are carried by reference;
a picture written into the message itself is named by its digest and stays in the kept fields.
"""

from __future__ import annotations

from foreword.domain.storable import storable_text
from foreword.domain.turn import MediaPart, Part, TextPart, ToolCallPart, ToolResultPart
from foreword.formats.json_lines import JsonObject, JsonValue, to_json
from foreword.formats.media import media_part
from foreword.formats.sillytavern_fields import objects_at


def parts_of(text: str, extra: JsonObject) -> tuple[Part, ...]:
    """Return the parts of a message: its text and media, or its tool calls with their results."""
    if not extra:
        return (TextPart(text=text),)
    calls = objects_at(extra, "tool_invocations")
    if calls:
        return tuple(part for number, call in enumerate(calls) for part in _call(call, number))
    media = _media(extra)
    return (TextPart(text=text), *media) if text or not media else media


def _call(call: JsonObject, number: int) -> tuple[Part, Part]:
    call_id = _words(call.get("id")) or str(number + 1)
    name = _words(call.get("name")) or "tool"
    return (
        ToolCallPart(call_id=call_id, name=name, arguments=_words(call.get("parameters"))),
        ToolResultPart(call_id=call_id, text=_words(call.get("result"))),
    )


def _words(value: JsonValue) -> str:
    if value is None:
        return ""
    return storable_text(value if isinstance(value, str) else to_json(value))


def _media(extra: JsonObject) -> tuple[MediaPart, ...]:
    found: list[MediaPart] = []
    for key, kind in (("image", "image"), ("video", "video")):
        reference = extra.get(key)
        if isinstance(reference, str) and reference:
            found.append(media_part(reference, kind))
    for key in ("media", "files", "file"):
        for item in objects_at(extra, key):
            reference = item.get("url") or item.get("name")
            if isinstance(reference, str) and reference:
                found.append(media_part(reference, _words(item.get("type")) or "file"))
    return tuple(dict.fromkeys(found))
