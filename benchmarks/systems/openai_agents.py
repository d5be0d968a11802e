"""OpenAI's Agents SDK: `SQLiteSession` in a file. It counts no tokens."""

from asyncio import Runner
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from agents import SQLiteSession, TResponseInputItem

from benchmarks.chat_files import read_chat
from benchmarks.corpus import Message
from benchmarks.portions import portions
from benchmarks.systems.protocol import Place

PORTION = 1_000
MESSAGE_TOKENS = 97
"""What a message of the corpus takes; the limit of a session is in messages."""


def as_item(message: Message) -> TResponseInputItem:
    """Return the SDK's form of a message."""
    return {"role": message.role, "content": message.text}


class _Chat:
    def __init__(self, loop: Runner, session: SQLiteSession, limit: int | None) -> None:
        self._loop = loop
        self._session = session
        self._limit = limit

    def put(self, messages: Iterable[Message]) -> int:
        count = 0
        for portion in portions(map(as_item, messages), PORTION):
            self._loop.run(self._session.add_items(portion))
            count += len(portion)
        return count

    def say(self, text: str) -> int:
        return self._loop.run(self._say(text))

    def answer(self, text: str) -> None:
        self._loop.run(self._session.add_items([{"role": "assistant", "content": text}]))

    async def _say(self, text: str) -> int:
        await self._session.add_items([{"role": "user", "content": text}])
        return len(await self._session.get_items(self._limit))


class Everything:
    """A session without a limit."""

    limited: ClassVar[bool] = False

    def __init__(self, place: Place) -> None:
        self._place = place
        self._loop = Runner()

    def chat(self, number: int, before: Iterable[Message]) -> _Chat:
        """See System.chat."""
        session = SQLiteSession(str(number), self._place.folder / "sessions.sqlite")
        limit = self._place.budget // MESSAGE_TOKENS if self.limited else None
        chat = _Chat(self._loop, session, limit)
        chat.put(before)
        return chat

    def import_file(self, path: Path) -> int:
        """See Importer.import_file."""
        return self.chat(0, ()).put(read_chat(path))


class Newest(Everything):
    """A session with as many of the newest messages as the budget holds on average."""

    limited = True
