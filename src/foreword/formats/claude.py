"""Claude's data export: `conversations.json`, one conversation of it, or the ZIP it comes in.

Above: `registry`. Below: `openai_parts`, `service_chats`. A conversation is a list of messages that
name the one they follow; older exports have them in order. Invariant: every message with words is
on a path of the tree, or named among the losses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from foreword.domain.interchange import Chat, ChatText, ChatTurn, Loss
from foreword.domain.storable import storable_text
from foreword.domain.turn import Part, Role, TextPart
from foreword.formats.json_lines import JsonObject, JsonValue, kept_json
from foreword.formats.links import Link, above, below, rooted
from foreword.formats.media import media_part, media_type_of
from foreword.formats.openai_message import ROLES
from foreword.formats.openai_parts import content_parts, reasoning_in, words
from foreword.formats.service_archive import holds
from foreword.formats.service_chats import Conversation, chats_in
from foreword.formats.sillytavern_fields import Report, list_at, objects_at
from foreword.formats.trees import Node
from foreword.ports.format import SourceFile

_KEY: Final = re.compile(r'(?<!\\)"chat_messages"\s*:\s*\[')
_NO_PARENT: Final = re.compile("[0-]+(?:4000-8000[0-]+)?")
"""The parent of a first message: an id of zeros, but for its version."""
_EMPTY: Final = frozenset({"flag", "token_budget"})
"""Kinds of content that have nothing to read."""
_USED: Final = frozenset(
    "uuid text content sender created_at attachments files files_v2 parent_message_uuid "
    "updated_at index".split()
)


class ClaudeFormat:
    """Reads every conversation of an export with its branches and other answers."""

    @property
    def name(self) -> str:
        """See Format.name."""
        return "Claude export"

    def recognises(self, file: SourceFile) -> bool:
        """See Format.recognises: one conversation with `chat_messages` is enough."""
        return holds(file, _KEY, _is_conversation)

    def read(self, file: SourceFile) -> Chat | tuple[Chat, ...]:
        """See Format.read."""
        unused = _Unused()
        return chats_in(file, "claude", lambda value: _read(value, unused), unused.losses)


@dataclass(slots=True)
class _Unused:
    """Names of what messages have and turns have no place for."""

    names: set[str] = field(default_factory=set)

    def losses(self) -> list[Loss]:
        names = ", ".join(storable_text(name)[:40] for name in sorted(self.names - _USED)[:20])
        why = "there is no place for them"
        return [Loss(where="the messages", what=names, why=why)] if names else []


def _is_conversation(value: JsonValue) -> bool:
    return isinstance(value, dict) and isinstance(value.get("chat_messages"), list)


def _read(value: JsonValue, unused: _Unused) -> Conversation | None:
    if not isinstance(value, dict) or not _is_conversation(value):
        return None
    losses: list[Loss] = []
    links = _links(list_at(value, "chat_messages"), losses)
    roots = rooted(links, losses)
    shown = above(_last(value.get("current_leaf_message_uuid"), links, roots), links)
    name, origin, summary = (value.get(key) for key in ("name", "uuid", "summary"))
    kept: JsonObject = {
        key: value[key] for key in ("created_at", "summary") if isinstance(value.get(key), str)
    }
    if isinstance(summary, str) and summary.strip():
        why = "it is kept with the conversation and not used"
        losses.append(Loss(where="the conversation", what="its summary", why=why))
    return Conversation(
        title=storable_text(name).strip() if isinstance(name, str) else "",
        origin=f"claude:{storable_text(origin)}" if isinstance(origin, str) else "",
        roots=_planted(links, roots, shown, losses, unused),
        kept=kept,
        losses=losses,
    )


def _links(messages: Iterable[JsonValue], losses: list[Loss]) -> dict[str, Link]:
    """Return the messages by id; one that names no parent follows the one before it."""
    links: dict[str, Link] = {}
    before: str | None = None
    for number, message in enumerate(messages, start=1):
        if not isinstance(message, dict):
            why = "it is no JSON object"
            losses.append(Loss(where=f"message {number}", what="it", why=why))
            continue
        found = message.get("uuid")
        key = found if isinstance(found, str) and found and found not in links else f"#{number}"
        parent = message.get("parent_message_uuid")
        link = Link(key, message, parent=before)
        if isinstance(parent, str) and parent:
            link.parent = None if _NO_PARENT.fullmatch(parent) else parent
        links[key] = link
        before = key
    lost = 0
    for link in links.values():
        if link.parent is not None and link.parent not in links:
            link.parent = None
            lost += 1
        if link.parent is not None:
            links[link.parent].children.append(link.key)
    if lost:
        why = "what they follow is not in the file"
        losses.append(Loss(where="the conversation", what=f"the place of {lost} messages", why=why))
    return links


def _last(current: JsonValue, links: Mapping[str, Link], roots: Iterable[str]) -> str | None:
    """Return the message that was shown last; exports do not say it, and the newest one is."""
    if isinstance(current, str) and current in links:
        return current
    order = {key: place for place, key in enumerate(links)}
    leaves = [key for key in below(links, roots) if not links[key].children]
    return max(leaves, key=lambda key: (_time(links[key]), order[key]), default=None)


def _time(link: Link) -> str:
    time = link.value.get("created_at")
    return time if isinstance(time, str) else ""


def _planted(
    links: Mapping[str, Link],
    roots: Iterable[str],
    shown: set[str],
    losses: list[Loss],
    unused: _Unused,
) -> list[Node]:
    """Return the turns as trees; messages without words are left out of them."""
    order = {key: place for place, key in enumerate(links, start=1)}
    planted: list[Node] = []
    waiting: list[tuple[str, Node | None]] = [(key, None) for key in roots]
    waiting.reverse()
    while waiting:
        key, parent = waiting.pop()
        link = links[key]
        unused.names.update(link.value)
        turn = _turn(link.value, key, Report(f"message {order[key]}", losses))
        if turn is not None:
            node = Node(turn, key in shown)
            (planted if parent is None else parent.children).append(node)
            parent = node
        waiting += ((child, parent) for child in reversed(link.children))
    return planted


def _turn(message: JsonObject, key: str, report: Report) -> ChatTurn | None:
    try:
        parts, reasoning = _parts(message, report), reasoning_in(message.get("content"))
    except ValueError as error:
        report.lost("the whole message", str(error))
        return None
    if not parts:
        if reasoning:
            report.lost("some thoughts", "there is no answer after them")
        return None
    role = _role(message, report)
    text = ChatText(
        parts=parts,
        reasoning=reasoning,
        sent_at=storable_text(_sent(message)),
        extra=kept_json("claude", id=storable_text(key)),
    )
    return ChatTurn(role=role, speaker=role.value, texts=(text,))


def _sent(message: JsonObject) -> str:
    time = message.get("created_at")
    return time if isinstance(time, str) else ""


def _role(message: JsonObject, report: Report) -> Role:
    sender = message.get("sender")
    if sender == "human":
        return Role.USER
    role = ROLES.get(sender) if isinstance(sender, str) else None
    if role is None:
        report.lost("the sender", "it is missing or unknown; the message is taken for the model's")
    return role or Role.ASSISTANT


def _parts(message: JsonObject, report: Report) -> tuple[Part, ...]:
    """Return what a message says, with the texts and names of the files that came with it."""
    content: list[JsonValue] = [
        block
        for block in list_at(message, "content")
        if not (isinstance(block, dict) and words(block.get("type")) in _EMPTY)
    ]
    parts: list[Part] = [
        part
        for part in content_parts(content, report)
        if not isinstance(part, TextPart) or part.text.strip()
    ]
    text = message.get("text")
    if not parts and isinstance(text, str) and text.strip():
        parts.append(TextPart(text=storable_text(text)))
    for file in objects_at(message, "attachments"):
        name, extracted = words(file.get("file_name")), words(file.get("extracted_content"))
        if extracted:
            parts.append(TextPart(text=f"{name}\n{extracted}" if name else extracted))
        elif name:
            parts.append(media_part(name, media_type_of(name, "file")))
    names = [
        words(file.get("file_name")) or words(file.get("file_uuid"))
        for key in ("files", "files_v2")
        for file in objects_at(message, key)
    ]
    parts += (media_part(one, media_type_of(one, "file")) for one in dict.fromkeys(names) if one)
    return tuple(parts)
