"""One message of ChatGPT's data export.

Below `chatgpt`, above `media`. Invariant: a message with words in it gives a turn, a thought or an
opening; the kinds of what gives none are counted in `Unused`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from foreword.domain.interchange import ChatText, ChatTurn, Loss
from foreword.domain.storable import storable_text
from foreword.domain.turn import MediaPart, Part, Role, TextPart, ToolCallPart, ToolResultPart
from foreword.formats.json_lines import JsonObject, JsonValue, kept_json
from foreword.formats.media import media_part, media_type_of
from foreword.formats.openai_message import ROLES
from foreword.formats.sillytavern_fields import list_at, object_at, objects_at

_FAR: Final = 253_402_300_799
"""Seconds to the end of the year 9999."""
_OPENINGS: Final = {
    "user_editable_context": ("user_profile", "user_instructions"),
    "model_editable_context": ("model_set_context", "repository"),
}
_ABOUT: Final = ("about_user_message", "about_model_message")
_WORDS: Final = ("text", "result", "summary", "output_str", "content", "snippet")
"""Where parts, and contents without parts, have their words."""
_HEADS: Final = ("title", "url")
_RECAP: Final = "reasoning_recap"
"""How long it was thought, in words."""
_EMPTY: Final = frozenset({"", "text", "code", "multimodal_text"})
"""Kinds that have no words where nothing was said."""
_USED: Final = frozenset(
    "attachments is_user_system_message is_visually_hidden_from_conversation model_slug "
    "user_context_message_data".split()
)


@dataclass(frozen=True, slots=True)
class Thought:
    """What the model thought before the answer that follows."""

    text: str


@dataclass(frozen=True, slots=True)
class Opening:
    """A text that stood before the conversation: instructions of the user, memories."""

    text: str


@dataclass(slots=True)
class Unused:
    """Counts what the messages of a file have and turns have no place for."""

    kinds: Counter[str] = field(default_factory=Counter)
    """Messages without words, by the kind of their content."""
    names: set[str] = field(default_factory=set)
    """Names in the messages' metadata."""

    def losses(self) -> list[Loss]:
        """Name what was counted."""
        why = "there is no place for them"
        losses = [
            Loss(where="the messages", what=f"{count} of the kind {kind[:40]!r}", why=why)
            for kind, count in sorted((+self.kinds).items())
        ]
        names = ", ".join(storable_text(name)[:40] for name in sorted(self.names - _USED)[:20])
        if names:
            losses.append(Loss(where="the messages", what=f"metadata: {names}", why=why))
        return losses


def read_message(
    message: JsonObject, key: str, called: str, unused: Unused
) -> ChatTurn | Thought | Opening | None:
    """Return what a message says, or None where it says nothing.

    Args:
        message: the message.
        key: its id, which is the id of the call when it calls a tool.
        called: id of the call that it may be the answer to; empty for none.
        unused: what is not used is counted there.
    """
    content, metadata = object_at(message, "content"), object_at(message, "metadata")
    kind = content.get("content_type")
    kind = kind if isinstance(kind, str) else ""
    unused.names.update(metadata)
    if kind in _OPENINGS:
        return _opening(content, _OPENINGS[kind])
    if kind == "thoughts":
        return Thought(_thoughts(content))
    if metadata.get("is_user_system_message") is True:
        opening = _opening(object_at(metadata, "user_context_message_data"), _ABOUT)
        if opening is not None:
            return opening
    said = _said(content, kind, metadata, unused)
    if not said:
        unused.kinds[storable_text(kind)] += kind not in _EMPTY
        return None
    author = object_at(message, "author")
    role = _role(author)
    return ChatTurn(
        role=role,
        speaker=_name(author, role),
        texts=(
            ChatText(
                parts=tuple(_parts(message, said, role, key, called)),
                sent_at=time_of(message.get("create_time")),
                extra=kept_json("chatgpt", id=key, model=words_of(metadata, "model_slug")),
            ),
        ),
        hidden=metadata.get("is_visually_hidden_from_conversation") is True
        or message.get("weight") in _NOTHING,
    )


_NOTHING: Final[tuple[JsonValue, ...]] = (0,)


def time_of(value: JsonValue) -> str:
    """Return a time in seconds as ISO 8601, empty where it is none."""
    if not isinstance(value, int | float) or not 0 < value < _FAR:
        return ""
    return datetime.fromtimestamp(value, UTC).isoformat(timespec="milliseconds")


def _role(author: JsonObject) -> Role:
    role = author.get("role")
    return ROLES.get(role, Role.ASSISTANT) if isinstance(role, str) else Role.ASSISTANT


def _name(author: JsonObject, role: Role) -> str:
    name = author.get("name")
    return storable_text(name).strip() or role.value if isinstance(name, str) else role.value


def _parts(
    message: JsonObject, said: list[Part], role: Role, key: str, called: str
) -> Iterator[Part]:
    """Yield the parts of a turn: what goes to a tool is a call, what comes from it the result."""
    recipient = message.get("recipient")
    calls = role is Role.ASSISTANT and isinstance(recipient, str) and recipient not in {"", "all"}
    for part in said:
        if not isinstance(part, TextPart):
            yield part
        elif calls:
            yield ToolCallPart(call_id=key, name=storable_text(str(recipient)), arguments=part.text)
        elif role is Role.TOOL:
            yield ToolResultPart(call_id=called, text=part.text)
        else:
            yield part


def _said(content: JsonObject, kind: str, metadata: JsonObject, unused: Unused) -> list[Part]:
    said: list[Part] = []
    parts = content.get("parts")
    if isinstance(parts, list):
        for part in parts:
            if isinstance(part, str):
                said += (TextPart(text=storable_text(part)),) if part.strip() else ()
            elif part is not None:
                found = list(_piece(part)) if isinstance(part, dict) else []
                said += found
                unused.kinds[_kind_of(part)] += not found
    elif kind != _RECAP:
        said += _piece(content)
    if metadata.get("attachments"):
        shown = [part.reference for part in said if isinstance(part, MediaPart)]
        said += _files(metadata, " ".join(shown))
    return said


def _kind_of(part: JsonValue) -> str:
    kind = part.get("content_type") if isinstance(part, dict) else type(part).__name__
    return storable_text(kind) if isinstance(kind, str) else "unknown"


def _piece(part: JsonObject) -> Iterator[Part]:
    """Yield what a part says that is an object, or a content without parts."""
    for holder in (part, object_at(part, "audio_asset_pointer"), object_at(part, "screenshot")):
        pointer = holder.get("asset_pointer")
        if isinstance(pointer, str) and pointer:
            kind = words_of(holder, "content_type").partition("_")[0]
            yield media_part(pointer, {"image": "image", "audio": "audio"}.get(kind, "file"))
    texts: list[str] = []
    for name in _WORDS:
        text = words_of(part, name)
        if text.strip() and not any(text in known for known in texts):
            texts.append(text)
    if texts:
        heads = [text for text in (words_of(part, name) for name in _HEADS) if text.strip()]
        yield TextPart(text="\n".join((*heads, *texts)))


def words_of(holder: JsonObject, name: str) -> str:
    """Return a text field as storable text, empty for anything else."""
    found = holder.get(name)
    return storable_text(found) if isinstance(found, str) else ""


def _files(metadata: JsonObject, shown: str) -> Iterator[Part]:
    """Yield the files that were attached and are not shown in the message itself."""
    for file in objects_at(metadata, "attachments"):
        name, reference = words_of(file, "name"), words_of(file, "id")
        declared = words_of(file, "mime_type") or words_of(file, "mimeType")
        if (name or reference) and not (reference and reference in shown):
            kind = declared if "/" in declared else media_type_of(name, "file")
            yield media_part(name or reference, kind)


def _thoughts(content: JsonObject) -> str:
    found: list[str] = []
    for thought in objects_at(content, "thoughts"):
        texts = (words_of(thought, "summary"), words_of(thought, "content"))
        found.append("\n".join(text for text in texts if text))
    return "\n\n".join(text for text in found if text)


def _opening(holder: JsonObject, names: tuple[str, ...]) -> Opening | None:
    texts = [words_of(holder, name).strip() for name in names]
    text = "\n\n".join(text for text in texts if text)
    return Opening(text) if text else None


def call_in(turn: ChatTurn) -> str:
    """Return the id of the call in a turn, empty for none."""
    parts = turn.texts[0].parts
    return next((part.call_id for part in parts if isinstance(part, ToolCallPart)), "")


def children_of(node: JsonObject) -> list[str]:
    """Return the ids of what follows a node."""
    return [one for one in list_at(node, "children") if isinstance(one, str)]
