"""LangChain: trimming, its summarising middleware, and a whole agent with checkpoints in SQLite.

Models answer at once, in this process.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from sqlite3 import connect

from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    RemoveMessage,
    trim_messages,
)
from langchain_core.messages.utils import count_tokens_approximately
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.pregel import Pregel
from langgraph.runtime import Runtime

from benchmarks.chat_files import read_chat
from benchmarks.corpus import Message, texts
from benchmarks.systems.protocol import Place

Count = Callable[[Iterable[BaseMessage]], int]


def fake_model(seed: str) -> GenericFakeChatModel:
    """A model that answers at once, each time another text of some 200 tokens."""
    return GenericFakeChatModel(messages=_answers(seed))


def _answers(seed: str) -> Iterator[AIMessage | str]:
    source = texts(seed)
    while True:
        yield f"{next(source)} {next(source)}"


def as_message(message: Message) -> BaseMessage:
    """Return LangChain's form of a message."""
    made = HumanMessage if message.role == "user" else AIMessage
    return made(content=message.text)


class _TrimmedChat:
    def __init__(self, messages: list[BaseMessage], budget: int, count: Count) -> None:
        self._messages = messages
        self._budget = budget
        self._count = count

    def say(self, text: str) -> int:
        self._messages.append(HumanMessage(content=text))
        trimmed = trim_messages(
            self._messages, max_tokens=self._budget, token_counter=self._count, strategy="last"
        )
        return len(trimmed)

    def answer(self, text: str) -> None:
        self._messages.append(AIMessage(content=text))


class Trimming:
    """`trim_messages` over the whole list, with its own estimate of tokens."""

    def __init__(self, place: Place) -> None:
        self._budget = place.budget
        self._count: Count = count_tokens_approximately

    def chat(self, number: int, before: Iterable[Message]) -> _TrimmedChat:
        """See System.chat."""
        return _TrimmedChat([as_message(one) for one in before], self._budget, self._count)


class TrimmingExactly(Trimming):
    """The same with tokens counted, by the fastest counter we know."""

    def __init__(self, place: Place) -> None:
        from foreword.llm.tokens import BpeCounter  # noqa: PLC0415 - only here: it takes memory

        super().__init__(place)
        counter = BpeCounter()

        def count(messages: Iterable[BaseMessage]) -> int:
            return sum(counter.count(str(one.content)) + 4 for one in messages)

        self._count = count


class _SummarisedChat:
    def __init__(self, middleware: SummarizationMiddleware, before: Iterable[Message]) -> None:
        self._middleware = middleware
        self._messages: list[BaseMessage] = []
        for message in before:
            self._messages.append(as_message(message))
            if message.role == "user":
                self._summarise()

    def say(self, text: str) -> int:
        self._messages.append(HumanMessage(content=text))
        self._summarise()
        return len(self._messages)

    def answer(self, text: str) -> None:
        self._messages.append(AIMessage(content=text))

    def _summarise(self) -> None:
        change = self._middleware.before_model({"messages": self._messages}, Runtime())
        if change is not None:
            self._messages = [
                one for one in change["messages"] if not isinstance(one, RemoveMessage)
            ]


class Summarising:
    """`SummarizationMiddleware` by itself, with its defaults; the state stays in memory."""

    def __init__(self, place: Place) -> None:
        self._middleware = SummarizationMiddleware(
            fake_model("summaries"), trigger=("tokens", place.budget)
        )

    def chat(self, number: int, before: Iterable[Message]) -> _SummarisedChat:
        """See System.chat."""
        return _SummarisedChat(self._middleware, before)


class _AgentChat:
    def __init__(self, agent: Pregel, number: int, before: Iterable[Message]) -> None:
        self._agent = agent
        self._config = {"configurable": {"thread_id": str(number)}}
        for message in before:
            if message.role == "user":
                self.say(message.text)

    def say(self, text: str) -> int:
        state = self._agent.invoke({"messages": [HumanMessage(content=text)]}, self._config)
        return len(state["messages"]) - 1

    def answer(self, text: str) -> None:
        """The agent's model has answered already."""


class Agent:
    """`create_agent` with that middleware, its state in SQLite after every step."""

    def __init__(self, place: Place) -> None:
        saver = SqliteSaver(connect(place.folder / "agent.sqlite", check_same_thread=False))
        self._agent = create_agent(
            fake_model("answers"),
            middleware=[
                SummarizationMiddleware(fake_model("summaries"), trigger=("tokens", place.budget))
            ],
            checkpointer=saver,
        )

    def chat(self, number: int, before: Iterable[Message]) -> _AgentChat:
        """See System.chat."""
        return _AgentChat(self._agent, number, before)

    def import_file(self, path: Path) -> int:
        """See Importer.import_file."""
        found = [as_message(one) for one in read_chat(path)]
        self._agent.update_state({"configurable": {"thread_id": "0"}}, {"messages": found})
        return len(found)
