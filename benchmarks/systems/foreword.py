"""Foreword through its library: a SQLite file, and conversations three forks deep.

Conversations are prepared in another process, so that this one's memory is what work takes.
"""

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import ClassVar

import foreword
from benchmarks.chat_files import write_chat
from benchmarks.corpus import Message
from benchmarks.stories import prepared, summary_texts
from benchmarks.systems.protocol import Place
from foreword.bootstrap import open_engine
from foreword.domain.interchange import Chat
from foreword.domain.summarising import MergeRequest, SummaryDraft, SummaryRequest
from foreword.engine.importing import import_chat
from foreword.formats.registry import read_file
from foreword.ports.format import SourceFile

FORKS = 3


class _Chat:
    def __init__(self, story: foreword.Conversation, budget: int) -> None:
        self._story = story
        self._budget = budget

    def say(self, text: str) -> int:
        self._story.append(text)
        return len(self._story.prompt(context=self._budget).messages)

    def answer(self, text: str) -> None:
        self._story.append(text, role="assistant")


class _GivenTexts:
    """A summariser that answers at once, each time another text of some 180 tokens."""

    maker = "benchmark"

    def __init__(self) -> None:
        self._texts = summary_texts("recaps")

    async def summarise(self, _: SummaryRequest) -> SummaryDraft:
        return SummaryDraft(text=next(self._texts))

    async def merge(self, _: MergeRequest) -> SummaryDraft:
        return SummaryDraft(text=next(self._texts))


class _KeptChat(_Chat):
    def upkeep(self) -> None:
        asyncio.run(self._story.recap(merge=True))


class WithSummaries:
    """With the summaries that recaps in such a context would have left, and more when due."""

    chats: ClassVar[type[_Chat]] = _KeptChat

    def __init__(self, place: Place) -> None:
        self._place = place
        self._memory: foreword.Memory | None = None

    def chat(self, number: int, before: Iterable[Message]) -> _Chat:
        """See System.chat."""
        folder = self._place.folder
        file = folder / f"chat-{number}.jsonl"
        write_chat(file, before, slug=file.stem)
        summaries = self.chats is _KeptChat
        (story,) = prepared([file], folder / "memory", forks=FORKS, summaries=summaries)
        file.unlink()
        if self._memory is None:
            engine = open_engine(folder / "memory", summariser=_GivenTexts())
            self._memory = foreword.Memory(engine)
        return self.chats(self._memory.conversation(story), self._place.budget)

    def import_file(self, path: Path) -> int:
        """See Importer.import_file."""
        with foreword.open(self._place.folder / "imported") as memory:
            return sum(branch.turns for branch in memory.import_file(path).branches())


class ReadBefore(WithSummaries):
    """With the file read by the time that the import begins."""

    def importing(self, path: Path) -> Callable[[], int]:
        """Read a file, and return the import of it."""
        engine = open_engine(self._place.folder / "imported")
        chat = read_file(SourceFile(path=str(path), data=path.read_bytes()))
        if not isinstance(chat, Chat):
            raise TypeError("the file is a chat")

        def take_in() -> int:
            turns = import_chat(engine, chat).turns
            engine.store.close()
            return turns

        return take_in


class WithoutSummaries(WithSummaries):
    """As imported: what does not fit is not sent."""

    chats = _Chat
