"""Conversations of a chat service, as chats to be taken in.

Below `chatgpt` and `claude`, above `trees` and `service_archive`. Invariant: each conversation
gives its main path first and its branches after it, all with the origin by which an import knows
them again; a path that shares no turn with the main one is a conversation of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from foreword.domain.amounts import counted
from foreword.domain.interchange import Chat, Loss
from foreword.errors import FileUnreadable
from foreword.formats.json_lines import JsonObject, JsonValue, to_json
from foreword.formats.paths import UNTITLED
from foreword.formats.service_archive import conversations_in
from foreword.formats.trees import Node, paths_of
from foreword.ports.format import SourceFile

_SERVICES: Final = {"chatgpt": "ChatGPT", "claude": "Claude"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One conversation of an export, read."""

    title: str
    origin: str
    """Its id at the service, empty where it has none."""
    roots: Sequence[Node]
    system: str = ""
    kept: JsonObject = field(default_factory=dict)
    """What is kept of it beside its messages."""
    losses: list[Loss] = field(default_factory=list)


def chats_in(
    file: SourceFile,
    service: str,
    read: Callable[[JsonValue], Conversation | None],
    unused: Callable[[], Sequence[Loss]],
) -> Chat | tuple[Chat, ...]:
    """Return the chats of a file.

    Args:
        file: a JSON file or an archive.
        service: the word for it in what is kept.
        read: reads a conversation; None for a value that is none.
        unused: names what was not used of all that was read.

    Raises:
        FileUnreadable: there is no message in it.
    """
    losses: list[Loss] = []
    chats: list[Chat] = []
    inside: list[Loss] = []
    empty = 0
    for item in conversations_in(file, losses):
        found = read(item.value)
        if found is None:
            losses.append(
                Loss(where=item.where, what="the whole value", why="it is no conversation")
            )
        elif not found.roots:
            empty += 1
            inside += [replace(loss, where=f"{item.where}, {loss.where}") for loss in found.losses]
        else:
            chats += _chats(found, service)
    if not chats:
        raise FileUnreadable(path=file.path, reason=_nothing(service, empty, losses))
    if empty:
        why = "there is no message in them"
        losses.append(Loss(where="the file", what=counted(empty, "conversation"), why=why))
    losses += (*inside, *unused())
    chats[0] = replace(chats[0], losses=(*losses, *chats[0].losses))
    return tuple(chats) if len(chats) > 1 else chats[0]


def _nothing(service: str, empty: int, losses: Sequence[Loss]) -> str:
    """Say what a file without messages looks like, what was seen in it, and what to do."""
    seen = f"it looks like an export of {_SERVICES.get(service, service)}"
    damaged = f" ({losses[0].where}: {losses[0].why})" if losses else ""
    if empty:
        seen += f" with {counted(empty, 'conversation')} in it"
    return (
        f"{seen}, but it holds no message that can be read{damaged}. Export it again, or import "
        "its messages in another format."
    )


def _chats(found: Conversation, service: str) -> list[Chat]:
    losses = found.losses
    paths = paths_of(found.roots, losses)
    settings: Mapping[str, str] = {"system": found.system} if found.system else {}
    chats: list[Chat] = []
    seen: set[int] = set()
    for path in paths:
        title = found.title or UNTITLED
        origin = found.origin
        first = path.root not in seen
        seen.add(path.root)
        if path.root:
            title = f"{title} ({path.root + 1})"
            origin = f"{origin}#{path.root + 1}" if origin else ""
        if path.root and first:
            why = "it shares no message with what is shown; it is a conversation of its own"
            losses.append(Loss(where=f"the branch {title!r}", what="its place", why=why))
        kept = found.kept if first and not path.root else {}
        note: JsonObject = {"format": service, **({"integrity": origin} if origin else {})}
        source = to_json({**({service: kept} if kept else {}), "foreword": note})
        chats.append(Chat(title=title, turns=path.turns, source=source, settings=settings))
    chats[0] = replace(chats[0], losses=tuple(losses))
    return chats
