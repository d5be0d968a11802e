"""Conversations of several systems whose every request is counted.

Each takes the story and a tally. Packages are loaded only by the system that needs them.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.corpus import Message, sentences, texts
from benchmarks.costing import Said, Tally
from benchmarks.obedient import OBEYED, Obedient

SYSTEM_TOKENS = 190
PEER_TARGET = 384
"""Tokens of a summary: LangMem's `max_summary_tokens`, and of those who name no size."""


CHEAPEST = "Foreword, prefix-cache, suffix, own sizes"
LANGMEM = "LangMem SummarizationNode"
LANGCHAIN = "LangChain SummarizationMiddleware"
LLAMA_INDEX = "LlamaIndex Memory"
OWN_SIZES = {"reply": 192, "verbatim": 100, "queue": 6_650, "memory_budget": 1_000}
"""In a context of `SIZED_FOR` tokens: few turns stay when the rest is summarised, and so the prompt
begins anew seldom and is short when it does."""
SIZED_FOR = 8_192


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """A system as it is set up."""

    name: str
    kind: str
    """Its name in the table of systems."""
    drive: Callable[["Contender", Sequence[Message], Tally, int], None]
    """Takes the story, who counts, and the budget in tokens."""
    settings: Mapping[str, str] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    """Settings in tokens, for a context of `SIZED_FOR`."""
    suffix: bool = False

    def at(self, budget: int) -> dict[str, str]:
        """Return the settings for a budget."""
        sizes = {name: max(100, size * budget // SIZED_FOR) for name, size in self.sizes.items()}
        return {**self.settings, **{name: str(size) for name, size in sizes.items()}}


def system_text(tokens: Callable[[str], int]) -> str:
    """Return the text that opens every prompt."""
    known = sentences()
    for size in count(1):
        text = " ".join(known[:size])
        if tokens(text) >= SYSTEM_TOKENS:
            return text
    raise AssertionError


def foreword(contender: Contender, story: Sequence[Message], tally: Tally, budget: int) -> None:
    """Foreword in an automatic mode: memory does what is due after every reply."""
    from foreword.bootstrap import open_engine  # noqa: PLC0415 - each system only where it is used
    from foreword.engine import conversations, replying, routes, upkeep  # noqa: PLC0415
    from foreword.engine.context import Place  # noqa: PLC0415
    from foreword.testing.models import FakeModels  # noqa: PLC0415

    model = Obedient(tally, (one.text for one in story if one.role == "assistant"))
    settings = {"context": str(budget), "system": system_text(tally.count), **contender.at(budget)}

    async def talk(folder: Path) -> None:
        engine = open_engine(folder, models=FakeModels(model.model))
        known = conversations.create(engine, "Story", settings)
        route = {"url": "http://model/v1", "model": "m", "suffix": "on" if contender.suffix else ""}
        routes.set_route(engine, "chat", route)
        place = Place(conversation=known.id)
        for message in story:
            if message.role == "assistant":
                tally.say(message.text)
                await upkeep.keep_up(engine, place)
                continue
            tally.say(message.text)
            await replying.reply(engine, place, message.text, go_on=True)

    with TemporaryDirectory() as folder:
        asyncio.run(talk(Path(folder)))


def langchain(_: Contender, story: Sequence[Message], tally: Tally, budget: int) -> None:
    """`SummarizationMiddleware` with its defaults, triggered by the budget."""
    from langchain.agents.middleware import SummarizationMiddleware  # noqa: PLC0415
    from langchain_core.messages import RemoveMessage  # noqa: PLC0415
    from langgraph.runtime import Runtime  # noqa: PLC0415

    from benchmarks.systems.langchain import as_message  # noqa: PLC0415

    middleware = SummarizationMiddleware(_langchain_model(tally), trigger=("tokens", budget))
    held: list[Any] = []
    for message in story:
        tally.say(message.text)
        held.append(as_message(message))
        if message.role == "user":
            change = middleware.before_model({"messages": held}, Runtime())
            if change is not None:
                held = [one for one in change["messages"] if not isinstance(one, RemoveMessage)]
            tally.chat(_prompt(tally, map(_as_said, held)))


def langmem(_: Contender, story: Sequence[Message], tally: Tally, budget: int) -> None:
    """`SummarizationNode` over the whole list, with a running summary."""
    from langmem.short_term import SummarizationNode  # noqa: PLC0415

    from benchmarks.systems.langchain import as_message  # noqa: PLC0415

    node = SummarizationNode(
        model=_langchain_model(tally), max_tokens=budget, max_summary_tokens=PEER_TARGET
    )
    held: list[Any] = []
    context: dict[str, Any] = {}
    for number, message in enumerate(story):
        tally.say(message.text)
        made = as_message(message)
        made.id = str(number)
        held.append(made)
        if message.role == "user":
            done = node.invoke({"messages": held, "context": context})
            context = done.get("context", context)
            tally.chat(_prompt(tally, map(_as_said, done["summarized_messages"])))


def llama_index(_: Contender, story: Sequence[Message], tally: Tally, budget: int) -> None:
    """`Memory` with its defaults: no summaries."""
    from llama_index.core.base.llms.types import ChatMessage  # noqa: PLC0415
    from llama_index.core.memory import Memory  # noqa: PLC0415

    async def talk() -> None:
        memory = Memory.from_defaults(session_id="story", token_limit=budget)
        for message in story:
            tally.say(message.text)
            await memory.aput(ChatMessage(role=message.role, content=message.text))
            if message.role == "user":
                found = await memory.aget()
                said = ((str(one.role.value), str(one.content)) for one in found)
                tally.chat(_prompt(tally, said))

    asyncio.run(talk())


def _prompt(tally: Tally, said: Iterator[Said]) -> tuple[Said, ...]:
    return (("system", system_text(tally.count)), *said)


def _langchain_model(tally: Tally) -> Any:  # noqa: ANN401 - made of a package that may be absent
    """Return a model that counts what it is asked and writes what `PEER_TARGET` allows."""
    from langchain_core.language_models.fake_chat_models import (  # noqa: PLC0415
        GenericFakeChatModel,
    )

    class Counting(GenericFakeChatModel):  # type: ignore[misc,unused-ignore]
        def _generate(self, messages: list[Any], *rest: Any, **more: Any) -> Any:  # noqa: ANN401
            tally.memory(map(_as_said, messages))
            return super()._generate(messages, *rest, **more)

    return Counting(messages=_summaries(tally.count))


def _summaries(tokens: Callable[[str], int]) -> Iterator[str]:
    source = texts("summaries")
    wanted = round(OBEYED * PEER_TARGET)
    while True:
        words = " ".join(islice(source, 6)).split()
        most = next(
            size for size in range(len(words), 0, -1) if tokens(" ".join(words[:size])) <= wanted
        )
        yield " ".join(words[:most])


def _as_said(message: Any) -> Said:  # noqa: ANN401
    roles = {"human": "user", "ai": "assistant"}
    return roles.get(message.type, message.type), str(message.content)


def contenders() -> tuple[Contender, ...]:
    """Return who is measured, ourselves first."""
    balanced = Contender(
        name="Foreword, balanced", kind="Foreword", drive=foreword, settings={"mode": "balanced"}
    )
    prefix = replace(balanced, name="Foreword, prefix-cache", settings={"mode": "prefix-cache"})
    return (
        balanced,
        replace(balanced, name=f"{balanced.name}, suffix", suffix=True),
        prefix,
        replace(prefix, name=f"{prefix.name}, suffix", suffix=True),
        replace(prefix, name=CHEAPEST, suffix=True, sizes=OWN_SIZES),
        Contender(name=LANGMEM, kind=LANGMEM, drive=langmem),
        Contender(name=LANGCHAIN, kind=LANGCHAIN, drive=langchain),
        Contender(name=LLAMA_INDEX, kind=LLAMA_INDEX, drive=llama_index),
    )
