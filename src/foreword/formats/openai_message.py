"""One message of OpenAI's chat API, as a turn.

Below `openai`, above `openai_parts`. Invariant: a message with a text or a call of a tool gives a
turn that has it; fields that Foreword does not know are kept in `ChatText.extra` under `openai`.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Final

from foreword.domain.interchange import ChatText, ChatTurn
from foreword.domain.storable import storable_text
from foreword.domain.turn import Part, Role, TextPart, ToolCallPart, ToolResultPart
from foreword.formats.json_lines import JsonObject, JsonValue, refuse_deep, to_json
from foreword.formats.openai_parts import (
    call_parts,
    content_parts,
    reasoning_in,
    result_parts,
    words,
)
from foreword.formats.sillytavern_fields import Report

ROLES: Final[Mapping[str, Role]] = {
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
_PLAIN: Final = frozenset({"role", "content"})
_READ: Final = frozenset(
    "role content name tool_calls tool_call_id function_call refusal reasoning "
    "reasoning_content".split()
)


def is_message(value: JsonValue) -> bool:
    """Say whether a value is a message: it has one of the roles, and something to say."""
    if not isinstance(value, dict) or "mes" in value:
        return False
    role = value.get("role")
    return (
        isinstance(role, str)
        and role in ROLES
        and ("content" in value or "tool_calls" in value or "function_call" in value)
    )


def read_message(
    value: JsonObject, report: Report, tools: MutableMapping[str, str]
) -> ChatTurn | None:
    """Return the turn that a message is, or None when nothing in it can be used.

    Args:
        value: the message.
        report: what is guessed or not carried is added here.
        tools: names of the tools that were called so far, by the ids of the calls; a tool's answer
            is by whom was called. The calls of this message are added.
    """
    try:
        return _read(value, report, tools)
    except ValueError as error:
        report.lost("the whole message", str(error))
        return None


def _read(value: JsonObject, report: Report, tools: MutableMapping[str, str]) -> ChatTurn | None:
    role = _role(value, report)
    if role is None:
        return None
    content = value.get("content")
    plain = isinstance(content, str) and value.keys() == _PLAIN and value["role"] == role.value
    if plain and isinstance(content, str) and role is not Role.TOOL:
        text = ChatText(parts=(TextPart(text=_storable(content, report)),))
        return ChatTurn(role=role, speaker=role.value, texts=(text,))
    parts = _parts(value, role, report)
    if role is Role.USER and all(isinstance(part, ToolResultPart) for part in parts):
        role = Role.TOOL
    for part in parts:
        if isinstance(part, ToolCallPart):
            tools[part.call_id] = part.name
    text = ChatText(
        parts=parts, reasoning=_reasoning(value, report), extra=_extra(value, role, report)
    )
    return ChatTurn(role=role, speaker=_speaker(value, role, parts, tools), texts=(text,))


def _role(value: JsonObject, report: Report) -> Role | None:
    found = value.get("role")
    role = ROLES.get(found) if isinstance(found, str) else None
    if role is not None:
        return role
    if value.get("content") is None and not value.get("tool_calls"):
        report.lost("the whole message", "it has no role that is known, and no content")
        return None
    report.lost("the role", f"{words(found)[:40]!r} is none; it is taken for the assistant's")
    return Role.ASSISTANT


def _parts(value: JsonObject, role: Role, report: Report) -> tuple[Part, ...]:
    content = value.get("content")
    if role is Role.TOOL:
        call_id = words(value.get("tool_call_id") or value.get("name"))
        return tuple(result_parts(call_id, content, report))
    calls = tuple(call_parts(value, report))
    said = () if content == "" and calls else tuple(content_parts(content, report))
    refusal = value.get("refusal")
    if not said and isinstance(refusal, str) and refusal:
        said = (TextPart(text=_storable(refusal, report)),)
    return (*said, *calls) or (TextPart(text=""),)


def _reasoning(value: JsonObject, report: Report) -> str:
    for key in ("reasoning_content", "reasoning"):
        found = value.get(key)
        if isinstance(found, str) and found:
            return _storable(found, report)
    return reasoning_in(value.get("content"))


def _extra(value: JsonObject, role: Role, report: Report) -> str:
    """Return the fields that have no place of their own, as they stood."""
    kept: JsonObject = {key: value[key] for key in value if key not in _READ}
    named = value.get("role")
    if named != role.value:
        kept["role"] = named
    for key in ("refusal", "reasoning"):
        if value.get(key) and not (key == "reasoning" and isinstance(value[key], str)):
            kept[key] = value[key]
    if role is Role.TOOL and value.get("name") and value.get("tool_call_id"):
        kept["name"] = value["name"]
    if not kept:
        return ""
    try:
        refuse_deep(kept)
    except ValueError as error:
        report.lost("unknown fields", str(error))
        return ""
    return to_json({"openai": kept})


def _speaker(
    value: JsonObject, role: Role, parts: tuple[Part, ...], tools: Mapping[str, str]
) -> str:
    name = value.get("name")
    if isinstance(name, str) and name.strip():
        return storable_text(name).strip()
    if role is Role.TOOL:
        called = (tools.get(part.call_id) for part in parts if isinstance(part, ToolResultPart))
        return next((one for one in called if one), role.value)
    found = value.get("role")
    known = not isinstance(found, str) or found in ROLES or not found.strip()
    return role.value if known else storable_text(str(found)).strip()


def _storable(text: str, report: Report) -> str:
    found = storable_text(text)
    if found != text:
        why = "databases cannot hold NUL and lone surrogates; U+FFFD stands in their place"
        report.lost("characters that are none", why)
    return found
