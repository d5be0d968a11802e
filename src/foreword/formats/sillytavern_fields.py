"""One message's fields in SillyTavern's chat format: who speaks, what is shown, when.

Below `sillytavern_message`, above `json_lines`. Invariant: any type in any field gives a value;
what had to be guessed is reported.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from foreword.domain.interchange import Loss
from foreword.domain.storable import storable_text
from foreword.domain.turn import Role
from foreword.formats.json_lines import JsonObject, JsonValue, to_json

_MACRO = re.compile(r"\{\{[^{}]*\}\}|<USER>|<BOT>|<CHAR>", re.IGNORECASE)
_FALLBACK_NAMES = {
    Role.USER: "User",
    Role.ASSISTANT: "Assistant",
    Role.SYSTEM: "System",
    Role.TOOL: "Tool",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """The names that stand for the two sides of a chat; empty for unknown."""

    char: str = ""
    user: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """Collects what one message loses."""

    where: str
    losses: list[Loss]

    def lost(self, what: str, why: str, *, place: str = "") -> None:
        """Add a loss here, or at `place` within the message."""
        where = f"{self.where}, {place}" if place else self.where
        self.losses.append(Loss(where=where, what=what, why=why))


def is_message(value: JsonObject) -> bool:
    """Say whether an object is a chat message."""
    return "mes" in value or "swipes" in value or ("name" in value and "is_user" in value)


def is_header(value: JsonObject) -> bool:
    """Say whether an object is the header of a chat file."""
    names = "user_name" in value and "character_name" in value
    return ("chat_metadata" in value or names) and "mes" not in value


def role_of(value: JsonObject) -> Role:
    """Return who a message is from.

    A system message says so by a type or by its small form; `is_system` alone only hides.
    """
    extra = object_at(value, "extra")
    kind = extra.get("type")
    small = extra.get("isSmallSys") is True
    if extra.get("tool_invocations"):
        return Role.TOOL
    if small or kind == "narrator" or (kind and is_true(value.get("is_system"))):
        return Role.SYSTEM
    return Role.USER if is_true(value.get("is_user")) else Role.ASSISTANT


def is_hidden(value: JsonObject, role: Role) -> bool:
    """Say whether the client keeps a message out of prompts; tool results are sent although."""
    return is_true(value.get("is_system")) and role is not Role.TOOL


def is_true(value: JsonValue) -> bool:
    """Read a truth value that may have been written as a number or a word."""
    if isinstance(value, str):
        return value.strip().lower() not in {"", "false", "0", "no", "null"}
    return bool(value)


def check_flags(value: JsonObject, report: Report) -> None:
    """Report truth values that are none."""
    for key in ("is_user", "is_system"):
        if not isinstance(value.get(key), bool | None):
            report.lost(
                f"certainty about {key}", f"{to_json(value[key])[:40]} is not true or false"
            )


def speaker_of(value: JsonObject, role: Role, names: Names, report: Report) -> str:
    """Return the speaker's name, never empty."""
    name = value.get("name")
    if isinstance(name, str) and name.strip():
        return storable_text(name).strip()
    fallback = {Role.USER: names.user, Role.ASSISTANT: names.char}.get(role, "")
    if isinstance(name, int | float) and not isinstance(name, bool):
        fallback = str(name)
    speaker = fallback or _FALLBACK_NAMES[role]
    report.lost("the speaker's name", f"it is missing or no text; {speaker!r} stands in its place")
    return speaker


def text_of(value: JsonValue, report: Report, *, place: str = "") -> str | None:
    """Return a text field, or None where it holds nothing that could be one."""
    if isinstance(value, str):
        text = storable_text(value)
        if text != value:
            why = "databases cannot hold NUL and lone surrogates; U+FFFD stands in their place"
            report.lost("characters that are none", why, place=place)
        return text
    if isinstance(value, int | float) and not isinstance(value, bool):
        report.lost("certainty about the text", "it was written as a number", place=place)
        return to_json(value)
    return None


def time_of(value: JsonValue) -> str:
    """Return a time as the client wrote it; it has used four forms over the years."""
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return to_json(value)
    return ""


def object_at(value: Mapping[str, JsonValue], key: str) -> JsonObject:
    """Return the object under `key`, an empty one for anything else."""
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def objects_at(value: Mapping[str, JsonValue], key: str) -> list[JsonObject]:
    """Return the objects in the list under `key`; one object alone counts as a list of one."""
    found = value.get(key)
    if found is None:
        return []
    items = found if isinstance(found, list) else [found]
    return [item for item in items if isinstance(item, dict)]


def list_at(value: Mapping[str, JsonValue], key: str) -> list[JsonValue]:
    """Return the list under `key`, an empty one for anything else."""
    found = value.get(key)
    return found if isinstance(found, list) else []


def with_names(text: str, names: Names) -> str:
    """Return `text` with the names that the client shows for `{{char}}` and `{{user}}`."""
    if "{{" not in text:
        return text
    known = {"{{char}}": names.char, "{{user}}": names.user}
    return _MACRO.sub(lambda found: known.get(found[0].lower()) or found[0], text)


def shows_the_same(template: str, shown: str) -> bool:
    """Say whether `shown` is `template` with its macros, whatever they are, replaced."""
    template, shown = _plain(template), _plain(shown)
    pieces = _MACRO.split(template)
    if len(pieces) == 1:
        return template == shown
    first, *middle, last = pieces
    if len(shown) < len(first) + len(last) or not shown.startswith(first):
        return False
    at, end = len(first), len(shown) - len(last)
    for piece in middle:
        found = shown.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return shown.endswith(last)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()
