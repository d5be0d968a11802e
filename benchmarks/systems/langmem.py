"""LangMem: `SummarizationNode` over the whole list, with a running summary. Stores nothing."""

from collections.abc import Iterable

from langchain_core.messages import BaseMessage
from langmem.short_term import RunningSummary, SummarizationNode

from benchmarks.corpus import Message
from benchmarks.systems.langchain import as_message, fake_model
from benchmarks.systems.protocol import Place

SUMMARY_TOKENS = 384
EVERY = 50
"""Messages between two summaries while a chat is filled, which a prompt at the end would need."""


class _Chat:
    def __init__(self, node: SummarizationNode, before: Iterable[Message]) -> None:
        self._node = node
        self._messages: list[BaseMessage] = []
        self._context: dict[str, RunningSummary] = {}
        for message in before:
            self._append(message)
            if len(self._messages) % EVERY == 0:
                self._prompt()

    def say(self, text: str) -> int:
        self._append(Message(role="user", text=text))
        return len(self._prompt())

    def answer(self, text: str) -> None:
        self._append(Message(role="assistant", text=text))

    def _append(self, message: Message) -> None:
        made = as_message(message)
        made.id = str(len(self._messages))  # it takes no message without one
        self._messages.append(made)

    def _prompt(self) -> list[BaseMessage]:
        done = self._node.invoke({"messages": self._messages, "context": self._context})
        self._context = done.get("context", self._context)
        found: list[BaseMessage] = done["summarized_messages"]
        return found


class Summarising:
    """A node with a budget for the prompt and one for the summary in it."""

    def __init__(self, place: Place) -> None:
        self._node = SummarizationNode(
            model=fake_model("summaries"),
            max_tokens=place.budget,
            max_summary_tokens=SUMMARY_TOKENS,
        )

    def chat(self, number: int, before: Iterable[Message]) -> _Chat:
        """See System.chat."""
        return _Chat(self._node, before)
