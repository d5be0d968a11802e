"""Chats as SillyTavern writes them: one JSON object a line, a header first."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.corpus import Message

USER, CHARACTER = "Ada", "Guide"
SENT = "2026-01-01T12:00:00.000Z"


def write_chat(path: Path, messages: Iterable[Message], *, slug: str) -> int:
    """Write a chat file and return how many messages it has; `slug` says which chat it is."""
    header = {
        "chat_metadata": {"integrity": slug},
        "user_name": USER,
        "character_name": CHARACTER,
    }
    count = 0
    with path.open("w", encoding="utf-8") as file:
        file.write(json.dumps(header) + "\n")
        for message in messages:
            file.write(json.dumps(_line(message)) + "\n")
            count += 1
    return count


def read_chat(path: Path) -> Iterator[Message]:
    """Yield the messages of such a file."""
    with path.open(encoding="utf-8") as file:
        next(file)
        for line in file:
            read = json.loads(line)
            yield Message(role="user" if read["is_user"] else "assistant", text=read["mes"])


def _line(message: Message) -> dict[str, object]:
    from_user = message.role == "user"
    return {
        "name": USER if from_user else CHARACTER,
        "is_user": from_user,
        "is_system": False,
        "send_date": SENT,
        "mes": message.text,
        "extra": {},
    }
