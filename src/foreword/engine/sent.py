"""Messages of turns as they were sent lately, so that no prompt makes all of them anew.

Above: prompting. Invariants: a message is found by everything it depends on, so nothing has to be
told of a change; how much is kept is bounded, however many threads keep some at once.
"""

from __future__ import annotations

from threading import Lock
from typing import Final

from foreword.domain.ids import ConversationId, VersionId
from foreword.domain.message import Message

MOST_CHARS: Final = 4_000_000
"""Of all messages kept: windows of about a million tokens."""
OVERHEAD: Final = 400
"""What a short message takes, in characters."""

Key = tuple[ConversationId, VersionId, bytes, str]
"""The version with its digest, and the name of its speaker."""


class SentMessages:
    """Keeps messages until there are too many, then begins again; may be shared by threads."""

    def __init__(self) -> None:
        """Keep nothing yet."""
        self._lock = Lock()
        self._messages: dict[Key, Message] = {}
        self._room = MOST_CHARS

    def get(self, key: Key) -> Message | None:
        """Return a message that is kept."""
        return self._messages.get(key)

    def keep(self, key: Key, message: Message) -> None:
        """Keep a message of a committed version; not one that leaves no room for others."""
        size = len(message.content) + OVERHEAD
        if size > MOST_CHARS:
            return
        with self._lock:  # two threads must not both find the last room
            if key in self._messages:
                return
            if size > self._room:
                self._messages, self._room = {}, MOST_CHARS
            self._room -= size
            self._messages[key] = message
