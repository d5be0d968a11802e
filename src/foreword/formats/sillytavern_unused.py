"""What a SillyTavern chat holds that Foreword keeps but does not use.

Below `sillytavern`. Invariant: every field named here is in `Chat.source` or `ChatText.extra`, so
nothing is gone; the report says what the story's prompt will lack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from foreword.domain.interchange import Loss
from foreword.formats.json_lines import JsonObject, JsonValue, Line, to_json
from foreword.formats.sillytavern_fields import object_at, objects_at

_KEPT = "it is kept with the conversation and not used"
_HEADER: Mapping[str, str] = {
    "note_prompt": "the author's note",
    "persona": "the chat's persona",
    "scenario": "the chat's scenario",
    "summaryception": "the summaries of Summaryception",
    "STMemoryBooks": "the scene marks of MemoryBooks",
    "qvink_memory": "the settings of qvink's memory",
    "variables": "the chat's variables",
}
_MESSAGE: Mapping[str, str] = {
    "memory": "the client's own summary",
    "qvink_memory": "the memory of qvink",
    "summaryception_continuity": "the continuity of Summaryception",
}


def unused_fields(
    header: JsonObject, messages: Sequence[Line], used: frozenset[str] = frozenset()
) -> list[Loss]:
    """Return what is kept aside, one loss for each kind of thing; not what is `used`."""
    metadata = object_at(header, "chat_metadata")
    found = [
        Loss(where="the header", what=what, why=_KEPT)
        for key, what in _HEADER.items()
        if metadata.get(key) and key not in used
    ]
    return [*found, *_lorebook(metadata), *_message_fields(messages, used), *_files(messages)]


def _lorebook(metadata: JsonObject) -> Iterator[Loss]:
    book = metadata.get("world_info")
    if book:
        name = book if isinstance(book, str) else to_json(book)
        yield Loss(where="the header", what=f"the lorebook {name[:80]!r}", why="it is another file")


def _message_fields(messages: Sequence[Line], used: frozenset[str]) -> Iterator[Loss]:
    for key, what in _MESSAGE.items():
        lines = [line for line in messages if object_at(line.value, "extra").get(key)]
        if lines and key not in used:
            yield Loss(where=_places(lines), what=what, why=_KEPT)


def _files(messages: Sequence[Line]) -> Iterator[Loss]:
    lines = [line for line in messages if _has_files(object_at(line.value, "extra"))]
    if lines:
        why = "the chat names them; the files themselves are not in it"
        yield Loss(where=_places(lines), what="pictures and attachments", why=why)


def _has_files(extra: JsonObject) -> bool:
    if not extra:
        return False
    named: Iterable[JsonValue] = (extra.get("image"), extra.get("video"))
    listed = (objects_at(extra, key) for key in ("media", "files", "file"))
    return any(named) or any(listed)


def _places(lines: Sequence[Line]) -> str:
    shown = ", ".join(str(line.number) for line in lines[:5])
    more = f" and {len(lines) - 5} more" if len(lines) > 5 else ""
    return f"line {shown}" if len(lines) == 1 else f"lines {shown}{more}"
