"""ChatGPT's data export: `conversations.json`, one conversation of it, or the ZIP it comes in.

Above: `registry`. Below: `chatgpt_message`, `service_chats`. A conversation is a tree of messages
in `mapping`; the path to `current_node` is what was shown. Invariant: every message with words is
on a path of the tree, whatever its parents and children say, or named among the losses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from foreword.domain.interchange import Chat, ChatTurn, Loss
from foreword.domain.storable import storable_text
from foreword.domain.turn import Part, Role, TextPart
from foreword.formats.chatgpt_message import (
    Opening,
    Thought,
    Unused,
    call_in,
    children_of,
    read_message,
    time_of,
)
from foreword.formats.json_lines import JsonObject, JsonValue
from foreword.formats.links import Link, above, below, rooted
from foreword.formats.service_archive import holds
from foreword.formats.service_chats import Conversation, chats_in
from foreword.formats.sillytavern_fields import object_at
from foreword.formats.trees import Node
from foreword.ports.format import SourceFile

_KEY: Final = re.compile(r'(?<!\\)"mapping"\s*:\s*\{')
_KEPT: Final = ("gizmo_id", "default_model_slug", "conversation_template_id")


class ChatGPTFormat:
    """Reads every conversation of an export with its branches and other answers."""

    @property
    def name(self) -> str:
        """See Format.name."""
        return "ChatGPT export"

    def recognises(self, file: SourceFile) -> bool:
        """See Format.recognises: one conversation with a `mapping` is enough."""
        return holds(file, _KEY, _is_conversation)

    def read(self, file: SourceFile) -> Chat | tuple[Chat, ...]:
        """See Format.read."""
        unused = Unused()
        return chats_in(file, "chatgpt", lambda value: _read(value, unused), unused.losses)


def _is_conversation(value: JsonValue) -> bool:
    """Say whether it has a mapping; an empty one beside a list of messages is another program's."""
    if not isinstance(value, dict) or not isinstance(value.get("mapping"), dict):
        return False
    return bool(value["mapping"]) or not isinstance(value.get("messages"), list)


def _read(value: JsonValue, unused: Unused) -> Conversation | None:
    if not isinstance(value, dict) or not _is_conversation(value):
        return None
    losses: list[Loss] = []
    nodes = _nodes(object_at(value, "mapping"), losses)
    order = _linked(nodes, losses)
    shown = _shown(value.get("current_node"), nodes, order, losses)
    planted = _Planted(unused=unused, losses=losses)
    planted.plant(nodes, order, shown)
    title = value.get("title")
    origin = value.get("conversation_id") or value.get("id")
    kept: JsonObject = {name: value[name] for name in _KEPT if isinstance(value.get(name), str)}
    created = time_of(value.get("create_time"))
    return Conversation(
        title=storable_text(title).strip() if isinstance(title, str) else "",
        origin=f"chatgpt:{storable_text(origin)}" if isinstance(origin, str) else "",
        roots=planted.roots,
        system="\n\n".join(dict.fromkeys(planted.openings)),
        kept={**kept, **({"created_at": created} if created else {})},
        losses=losses,
    )


def _nodes(mapping: JsonObject, losses: list[Loss]) -> dict[str, Link]:
    nodes: dict[str, Link] = {}
    for key, value in mapping.items():
        if isinstance(value, dict):
            nodes[key] = Link(key, value)
        else:
            losses.append(Loss(where=f"node {key[:40]!r}", what="it", why="it is no JSON object"))
    return nodes


def _linked(nodes: Mapping[str, Link], losses: list[Loss]) -> list[str]:
    """Give every node one parent, without circles; return the keys of those that have none.

    What a node says of its parent counts; what it says of its children gives their order, and
    their parent where they name none.
    """
    listed = {child: key for key, node in nodes.items() for child in children_of(node.value)}
    lost = 0
    for key, node in nodes.items():
        parent = node.value.get("parent")
        if isinstance(parent, str) and parent in nodes and parent != key:
            node.parent = parent
        else:
            known = listed.get(key)
            node.parent = known if known != key else None
            lost += node.parent is None and parent is not None
    for node in nodes.values():
        if node.parent is not None:
            nodes[node.parent].children.append(node.key)
    for node in nodes.values():
        if len(node.children) > 1:
            places = {child: place for place, child in enumerate(children_of(node.value))}
            node.children.sort(key=lambda child: places.get(child, len(places)))
    if lost:
        why = "what they follow is not in the file"
        losses.append(Loss(where="the conversation", what=f"the place of {lost} messages", why=why))
    return rooted(nodes, losses)


def _shown(
    current: JsonValue,
    nodes: Mapping[str, Link],
    roots: Iterable[str],
    losses: list[Loss],
) -> set[str]:
    """Return the keys of the nodes from a root to the one that was shown last."""
    if not isinstance(current, str) or current not in nodes:
        why = "it does not say which answer was shown last; the newest ones are taken"
        losses.append(Loss(where="the conversation", what="certainty about its end", why=why))
        leaves = [key for key in below(nodes, roots) if not nodes[key].children]
        order = {key: place for place, key in enumerate(nodes)}
        current = max(leaves, key=lambda key: (_time(nodes[key]), order[key]), default=None)
    return above(current, nodes)


def _time(node: Link) -> float:
    time = object_at(node.value, "message").get("create_time")
    return float(time) if isinstance(time, float | int) and abs(time) < 10**15 else 0.0


@dataclass(slots=True)
class _Planted:
    """The turns of a mapping as a tree; nodes that say nothing are left out of it."""

    unused: Unused
    losses: list[Loss]
    roots: list[Node] = field(default_factory=list)
    openings: list[str] = field(default_factory=list)

    def plant(self, nodes: Mapping[str, Link], order: Iterable[str], shown: set[str]) -> None:
        """Add the turns of all nodes, from these roots down."""
        waiting: list[tuple[str, Node | None, str]] = [(key, None, "") for key in order]
        waiting.reverse()
        while waiting:
            key, above, thought = waiting.pop()
            node = nodes[key]
            said = self._said(node, above)
            if isinstance(said, ChatTurn):
                above = self._grown(said, above, thought, main=key in shown)
                thought = ""
            elif isinstance(said, Thought):
                thought = "\n\n".join(text for text in (thought, said.text) if text)
            elif isinstance(said, Opening):
                self._open(said.text, main=key in shown)
            if thought and not node.children:
                self._forget(thought)
            waiting += ((child, above, thought) for child in reversed(node.children))

    def _said(self, node: Link, above: Node | None) -> ChatTurn | Thought | Opening | None:
        message = node.value.get("message")
        if not isinstance(message, dict):
            if message is not None:
                why = "it is no JSON object"
                self.losses.append(Loss(where="a node", what="its message", why=why))
            return None
        called = call_in(above.turn) if above is not None else ""
        said = read_message(message, storable_text(node.key), called, self.unused)
        if isinstance(said, ChatTurn) and said.role is Role.SYSTEM and above is None:
            return Opening(_prose(said.texts[0].parts))
        return said

    def _grown(self, turn: ChatTurn, above: Node | None, thought: str, *, main: bool) -> Node:
        if thought and turn.role is Role.ASSISTANT:
            turn = replace(turn, texts=(replace(turn.texts[0], reasoning=thought),))
        elif thought:
            self._forget(thought)
        node = Node(turn, main)
        (self.roots if above is None else above.children).append(node)
        return node

    def _open(self, text: str, *, main: bool) -> None:
        if main:
            self.openings.append(text)
        elif text not in self.openings:
            why = "it stands on a branch, and a conversation has one"
            self.losses.append(Loss(where="the conversation", what="a system text", why=why))

    def _forget(self, _thought: str) -> None:
        why = "there is no answer after them"
        self.losses.append(Loss(where="the conversation", what="some thoughts", why=why))


def _prose(parts: Iterable[Part]) -> str:
    return "\n\n".join(part.text for part in parts if isinstance(part, TextPart))
