"""What a SillyTavern message holds beside its text: pictures, files and tool calls.

Below `sillytavern_message`, above `sillytavern_fields`. Invariant: files are carried by reference;
a picture written into the message itself is named by its digest and stays in the kept fields.
"""

from __future__ import annotations

from hashlib import blake2b

from foreword.domain.turn import MediaPart, Part, TextPart, ToolCallPart, ToolResultPart
from foreword.formats.decoding import storable
from foreword.formats.json_lines import JsonObject, JsonValue, to_json
from foreword.formats.sillytavern_fields import objects_at

_TYPES = {
    "gif": "image/gif",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "md": "text/markdown",
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "ogg": "audio/ogg",
    "pdf": "application/pdf",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain",
    "wav": "audio/wav",
    "webm": "video/webm",
    "webp": "image/webp",
}
"""A table of our own: the type is part of the digest and must not depend on the machine."""


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
    return storable(value if isinstance(value, str) else to_json(value))


def _media(extra: JsonObject) -> tuple[MediaPart, ...]:
    found: list[MediaPart] = []
    for key, kind in (("image", "image"), ("video", "video")):
        reference = extra.get(key)
        if isinstance(reference, str) and reference:
            found.append(_reference(reference, kind))
    for key in ("media", "files", "file"):
        for item in objects_at(extra, key):
            reference = item.get("url") or item.get("name")
            if isinstance(reference, str) and reference:
                found.append(_reference(reference, _words(item.get("type")) or "file"))
    return tuple(dict.fromkeys(found))


def _reference(reference: str, kind: str) -> MediaPart:
    reference = storable(reference)
    if reference.startswith("data:"):
        media_type = reference[5:].split(",")[0].split(";")[0] or "application/octet-stream"
        digest = blake2b(reference.encode(), digest_size=16).hexdigest()
        return MediaPart(media_type=media_type, reference=f"blake2b:{digest}")
    suffix = reference.split("?")[0].rpartition(".")[2].lower()
    media_type = kind if "/" in kind else _TYPES.get(suffix, f"{kind}/*")
    return MediaPart(media_type=media_type, reference=reference)
