"""Writes a branch as messages of OpenAI's chat API.

Above: `registry`. Below: `openai_writing`, `openai_own`. Invariant: `messages` is what a request
takes as it stands, and everything else is under `foreword`; read again the file gives equal turns.
"""

from __future__ import annotations

import json

from foreword.domain.ids import BranchId
from foreword.domain.interchange import Bundle
from foreword.formats.json_lines import JsonObject, JsonValue
from foreword.formats.openai_own import KEY, SETTINGS, VERSION, note_of
from foreword.formats.openai_writing import messages_of
from foreword.formats.sillytavern_export import left_out
from foreword.formats.snapshot import turns_of
from foreword.ports.format import Written


class OpenAIWriter:
    """Writes one JSON object, as a request has it."""

    @property
    def name(self) -> str:
        """See Writer.name."""
        return "openai"

    def write(self, bundle: Bundle, branch: BranchId) -> Written:
        """See Writer.write."""
        return _written(bundle, branch, indent=1)


class OpenAILinesWriter:
    """Writes one line of JSON, as a file for training has for each conversation."""

    @property
    def name(self) -> str:
        """See Writer.name."""
        return "openai-jsonl"

    def write(self, bundle: Bundle, branch: BranchId) -> Written:
        """See Writer.write."""
        return _written(bundle, branch, indent=None)


def _written(bundle: Bundle, branch: BranchId, *, indent: int | None) -> Written:
    text = json.dumps(_document(bundle, branch), ensure_ascii=False, indent=indent)
    losses = left_out(bundle, branch, pins=False)
    return Written(data=text.encode("utf-8", "replace") + b"\n", losses=tuple(losses))


def _document(bundle: Bundle, branch: BranchId) -> JsonObject:
    """Return the request; turns that are hidden are under `foreword` only."""
    turns = turns_of(bundle, branch)
    told = iter(messages_of([turn for turn in turns if not turn.hidden]))
    settings = [name for name in SETTINGS if bundle.settings.get(name, "").strip()]
    messages: list[JsonValue] = [
        {"role": "system", "content": bundle.settings[name]} for name in settings
    ]
    notes: list[JsonValue] = []
    for turn in turns:
        own = [] if turn.hidden else next(told)
        messages += own
        notes.append(note_of(turn, own))
    names: JsonObject = {
        side: bundle.settings[side] for side in ("char", "user") if bundle.settings.get(side)
    }
    note: JsonObject = {"version": VERSION, "title": bundle.title, **names}
    return {"messages": messages, KEY: {**note, "settings": [*settings], "turns": notes}}
