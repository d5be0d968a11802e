"""Turns as messages that OpenAI's chat API takes.

Below `openai_export`. Invariant: names, ids, contents and the order of tool messages are always as
the API wants them; what it has no form for, like a call that nobody answered, is said as text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from foreword.domain.interchange import ChatTurn
from foreword.domain.turn import (
    MediaPart,
    Part,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    part_text,
)
from foreword.formats.json_lines import JsonObject, JsonValue
from foreword.prompts.messages import NAMELESS, TOOL_RESULT, sent_role

_REFUSED: Final = re.compile(r"[^a-zA-Z0-9_-]+")
_LONGEST_NAME: Final = 64
_LONGEST_ID: Final = 40
_CALLERS: Final = frozenset({Role.ASSISTANT, Role.TOOL})

_Place = tuple[int, int]
"""A turn and a part of it, from 0."""


def messages_of(turns: Sequence[ChatTurn]) -> list[list[JsonObject]]:
    """Return the messages of each turn, at least one each; none of them is hidden."""
    ids = _answered(turns)
    return [_messages(number, turn, ids) for number, turn in enumerate(turns)]


def name_of(speaker: str) -> str:
    """Return a speaker's name in the letters that the API takes, empty where none is left."""
    if speaker.strip().casefold() in NAMELESS:
        return ""
    latin = unicodedata.normalize("NFKD", speaker).encode("ascii", "ignore").decode()
    return _REFUSED.sub("_", latin).strip("_")[:_LONGEST_NAME]


def _answered(turns: Sequence[ChatTurn]) -> dict[_Place, str]:
    """Return the ids under which calls and results are written that belong together.

    A call can be written where its result follows at once, among those of the calls beside it.
    """
    parts = [
        ((number, place), turn.role, part)
        for number, turn in enumerate(turns)
        for place, part in enumerate(turn.texts[turn.chosen].parts)
    ]
    found: dict[_Place, str] = {}
    at = 0
    while at < len(parts):
        calls: dict[str, _Place] = {}
        turn = parts[at][0][0]
        while at < len(parts) and parts[at][0][0] == turn and parts[at][1] in _CALLERS:
            place, _, part = parts[at]
            if not isinstance(part, ToolCallPart) or part.call_id in calls:
                break
            calls[part.call_id] = place
            at += 1
        if calls:
            at = _with_results(parts, at, calls, found)
        else:
            at += 1
    return found


def _with_results(
    parts: Sequence[tuple[_Place, Role, Part]],
    at: int,
    calls: Mapping[str, _Place],
    found: dict[_Place, str],
) -> int:
    """Add the calls that are answered from `at` on, with their results; return where those end."""
    last: tuple[int, str] | None = None
    given: dict[str, str] = {}
    while at < len(parts):
        place, role, part = parts[at]
        if not isinstance(part, ToolResultPart) or part.call_id not in calls:
            break
        if role not in _CALLERS or (part.call_id in given and last != (place[0], part.call_id)):
            break
        last = (place[0], part.call_id)
        given.setdefault(part.call_id, _id(part.call_id, calls, given.values()))
        found[calls[part.call_id]] = found[place] = given[part.call_id]
        at += 1
    return at


def _id(call_id: str, calls: Mapping[str, _Place], given: Iterable[str]) -> str:
    if 0 < len(call_id) <= _LONGEST_ID:
        return call_id
    taken = {*calls, *given}
    return next(one for n in range(1, len(taken) + 2) if (one := f"call_{n}") not in taken)


@dataclass(slots=True)
class _Draft:
    """The messages of a turn under way."""

    role: Role
    name: str
    said: list[JsonValue] = field(default_factory=list)
    """Parts of the content of the message that is not ended yet."""
    calls: list[JsonValue] = field(default_factory=list)
    done: list[JsonObject] = field(default_factory=list)

    def say(self, text: str) -> None:
        """Add a text to the message under way."""
        self.said.append({"type": "text", "text": text})

    def end(self) -> None:
        """End the message under way, if there is one."""
        if not (self.said or self.calls):
            return
        role = Role.ASSISTANT if self.calls else sent_role(self.role)
        message: JsonObject = {"role": role.value, "content": _content(self.said)}
        if self.name and role is self.role:
            message["name"] = self.name
        if self.calls:
            message["tool_calls"] = self.calls
        self.done.append(message)
        self.said, self.calls = [], []

    def answer(self, call_id: str, text: str) -> None:
        """Add the answer to a call, or more of the one before."""
        self.end()
        last = self.done[-1] if self.done else {}
        if last.get("tool_call_id") == call_id:
            last["content"] = [*_listed(last["content"]), {"type": "text", "text": text}]
        else:
            self.done.append({"role": "tool", "tool_call_id": call_id, "content": text})


def _messages(number: int, turn: ChatTurn, ids: Mapping[_Place, str]) -> list[JsonObject]:
    draft = _Draft(role=turn.role, name=name_of(turn.speaker))
    for place, part in enumerate(turn.texts[turn.chosen].parts):
        call_id = ids.get((number, place))
        match part:
            case ToolCallPart() if call_id is not None:
                draft.calls.append(_call(part, call_id))
            case ToolResultPart() if call_id is not None:
                draft.answer(call_id, part.text)
            case ToolResultPart():
                draft.say(TOOL_RESULT + part.text)
            case MediaPart() if turn.role is Role.USER and _is_shown(part):
                draft.said.append({"type": "image_url", "image_url": {"url": part.reference}})
            case TextPart() | ToolCallPart() | MediaPart():
                draft.say(part_text(part))
    draft.end()
    return draft.done


def _call(part: ToolCallPart, call_id: str) -> JsonObject:
    name = _REFUSED.sub("_", part.name)[:_LONGEST_NAME] or "tool"
    function: JsonObject = {"name": name, "arguments": part.arguments}
    return {"id": call_id, "type": "function", "function": function}


def _content(said: Sequence[JsonValue]) -> JsonValue:
    match said:
        case []:
            return None
        case [{"type": "text", "text": str(text)}]:
            return text
        case _:
            return [*said]


def _listed(content: JsonValue) -> list[JsonValue]:
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


def _is_shown(part: MediaPart) -> bool:
    """Say whether the API can get a picture by its reference."""
    return part.media_type.startswith("image/") and part.reference.startswith(
        ("https://", "http://")
    )
