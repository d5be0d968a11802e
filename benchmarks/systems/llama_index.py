"""LlamaIndex: `Memory` with its defaults, in SQLite, in memory or in a file."""

from asyncio import Runner
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import Memory

from benchmarks.chat_files import read_chat
from benchmarks.corpus import Message
from benchmarks.portions import portions
from benchmarks.systems.protocol import Place

PORTION = 50
"""Messages put at once: with more, `Memory` counts the tokens of its queue again and again."""


def as_message(message: Message) -> ChatMessage:
    """Return LlamaIndex's form of a message."""
    return ChatMessage(role=message.role, content=message.text)


class _Chat:
    """Its asynchronous interface on one loop, which is faster than its plain one."""

    def __init__(self, loop: Runner, memory: Memory, before: Iterable[Message]) -> None:
        self._loop = loop
        self._memory = memory
        self.put(before)

    def put(self, messages: Iterable[Message]) -> int:
        count = 0
        for portion in portions(map(as_message, messages), PORTION):
            self._loop.run(self._memory.aput_messages(portion))
            count += len(portion)
        return count

    def say(self, text: str) -> int:
        return self._loop.run(self._say(text))

    def answer(self, text: str) -> None:
        self._loop.run(self._memory.aput(ChatMessage(role="assistant", content=text)))

    async def _say(self, text: str) -> int:
        await self._memory.aput(ChatMessage(role="user", content=text))
        return len(await self._memory.aget())


class InMemory:
    """In SQLite in memory, which is its default."""

    driver: ClassVar[str | None] = None

    def __init__(self, place: Place) -> None:
        self._place = place
        self._loop = Runner()

    def chat(self, number: int, before: Iterable[Message]) -> _Chat:
        """See System.chat."""
        memory = Memory.from_defaults(
            session_id=str(number),
            token_limit=self._place.budget,
            async_database_uri=self.driver and f"{self.driver}{self._place.folder}/memory.sqlite",
        )
        return _Chat(self._loop, memory, before)

    def import_file(self, path: Path) -> int:
        """See Importer.import_file."""
        return self.chat(0, ()).put(read_chat(path))


class InFile(InMemory):
    """In a SQLite file."""

    driver = "sqlite+aiosqlite:///"
