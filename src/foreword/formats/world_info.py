"""SillyTavern's world info files, with the memories that MemoryBooks keeps in them.

Above: `registry`. Below: `lore`. Invariant: a memory with a range of messages becomes a summary of
them, any other entry a text of the system setting; nothing is both.
"""

from __future__ import annotations

from foreword.domain.interchange import Chat, ChatSummary, Loss
from foreword.domain.storable import storable_text
from foreword.errors import FileUnreadable
from foreword.formats.decoding import decode
from foreword.formats.json_lines import JsonObject, JsonValue, parse, to_json
from foreword.formats.lore import LoreEntry, entry_of, lore_text, objects_in
from foreword.formats.paths import title_of
from foreword.formats.sillytavern_fields import is_true
from foreword.ports.format import SourceFile

_LONGEST = 1_000_000
"""More messages than any chat has; a range beyond it is damaged."""


class WorldInfoFormat:
    """Reads a lorebook as settings and summaries of a conversation."""

    @property
    def name(self) -> str:
        """See Format.name."""
        return "world info"

    def recognises(self, file: SourceFile) -> bool:
        """See Format.recognises: a JSON object of entries with content."""
        text = decode(file.data).text
        if not text.lstrip().startswith("{") or '"entries"' not in text:
            return False
        try:
            value = parse(text)
        except ValueError:
            return False
        return isinstance(value, dict) and _is_book(value)

    def read(self, file: SourceFile) -> Chat:
        """See Format.read."""
        value = parse(decode(file.data).text)
        if not isinstance(value, dict):
            raise FileUnreadable(path=file.path, reason="it is no lorebook.")
        losses: list[Loss] = []
        memories: list[ChatSummary] = []
        entries: list[LoreEntry] = []
        for entry in objects_in(value.get("entries")):
            memory = _memory(entry)
            if memory is None:
                entries.append(entry_of(entry))
            else:
                memories.append(memory)
        if sum(len(memory.turns) for memory in memories) > _LONGEST:
            reason = "its memories claim to be of more messages than any chat has."
            raise FileUnreadable(path=file.path, reason=reason)
        text = lore_text(entries, "the lorebook", losses)
        kept: JsonObject = {"book": value, "foreword": {"format": "world info"}}
        if not (text or memories):
            raise FileUnreadable(path=file.path, reason="no entry of the lorebook has text.")
        name = value.get("name")
        return Chat(
            title=title_of(file.path, storable_text(name) if isinstance(name, str) else ""),
            turns=(),
            source=to_json(kept),
            losses=tuple(losses),
            summaries=tuple(sorted(memories, key=lambda one: one.turns)),
            settings={"system": text} if text else {},
        )


def _is_book(value: JsonObject) -> bool:
    entries = objects_in(value.get("entries"))
    return bool(entries) and all("content" in entry for entry in entries)


def _memory(entry: JsonObject) -> ChatSummary | None:
    """Return a memory of MemoryBooks in force; one that a later memory took in is none."""
    first, last = _index(entry.get("STMB_start")), _index(entry.get("STMB_end"))
    text = entry_of(entry).text
    if not is_true(entry.get("stmemorybooks")) or first is None or last is None or not text:
        return None
    if is_true(entry.get("disable")) or first > last:
        return None
    tier = _index(entry.get("stmbSummaryTier")) or 0
    return ChatSummary(
        text=text, turns=tuple(range(first, last + 1)), layer=min(tier, 19), maker="memorybooks"
    )


def _index(value: JsonValue) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _LONGEST:
        return value
    return None
