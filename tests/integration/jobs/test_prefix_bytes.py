"""What the model's server was sent begins with what it was sent before, byte for byte."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from json import JSONDecoder

from tests.integration.jobs.processes import SETTINGS, Shared, asking, request_of

from foreword.domain.calls import ModelRequest, Purpose
from foreword.domain.message import Message
from foreword.domain.turn import Role
from foreword.library import Conversation, Memory
from foreword.testing.model_server import ModelServer
from foreword.testing.models import plausible_summary
from foreword.testing.server_answers import JSON, Answer, Asked, Say

MODES = ("manual", "advised", "balanced", "prefix-cache")
SMALL = {**SETTINGS, "context": "1400", "system": "You tell."}
FIRST, THIRD = 9, 4
"""What is said in the first process and in the last."""
BY_HAND = (("first", 6), ("third", 2))
"""After what somebody summarises in modes that do not do it by themselves."""
_SUFFIX = re.compile(r"the last (\d+) messages before this one")
_BETWEEN = re.compile(r"\s*,?\s*(?=\{)")
_NUMBERS = count(1)


def answer(body: JSON) -> Answer:
    """Write the next turn, or a summary of what the question names."""
    request = request_of(body)
    question = request.messages[-1].content
    if named := _SUFFIX.search(question):
        read = request.messages[-1 - int(named[1]) : -1]
        text = "\n\n".join(message.content for message in read)
        asked = ModelRequest(messages=(Message(role=Role.USER, content=text),))
        return Say(plausible_summary(asked), usage=False)
    if "▸ " in question or "<<<DATA" in question:
        return Say(plausible_summary(request), usage=False)
    return Say(" ".join([f"reply{next(_NUMBERS)}", "über", *["woörd"] * 25]) + ".", usage=False)


def messages_of(asked: Asked) -> tuple[bytes, ...]:
    """Return the messages of a request as they stood in its body, commas and blanks before them."""
    sent = asked.sent.decode()
    at = sent.index("[", sent.index('"messages"')) + 1
    found = []
    while (begins := _BETWEEN.match(sent, at)) is not None:
        _, end = JSONDecoder().raw_decode(sent, begins.end())
        found.append(sent[at:end].encode())
        at = end
    assert json.loads(b"[" + b"".join(found) + b"]") == asked.body["messages"]
    return tuple(found)


def text(process: str, number: int) -> str:
    return " ".join([f"{process}-{number}", *["word"] * 30]) + "."


def say(story: Conversation, process: str, number: int) -> None:
    """Say something, and do the memory work that is due then, or is to be done by hand."""
    asyncio.run(story.write(text(process, number)))
    if story.memory.status().mode.automatic:
        asyncio.run(story.memory.keep_up())
    elif (process, number) in BY_HAND:
        asyncio.run(story.recap(anyway=True))


@dataclass(frozen=True, slots=True)
class Sent:
    """A request, as it came."""

    purpose: Purpose
    messages: tuple[bytes, ...]

    @property
    def process(self) -> str:
        """Where a reply was asked for."""
        return str(json.loads(self.messages[-1].lstrip(b", "))["content"]).partition("-")[0]


def sent_for(server: ModelServer, memory: Memory) -> dict[str, list[Sent]]:
    """Return what was asked for each story, by its title, oldest first."""
    engine = memory.engine
    titles = {story.id: story.title for story in memory.conversations()}
    calls = engine.ledger.calls(engine.account, limit=1_000)[::-1]
    found: dict[str, list[Sent]] = {title: [] for title in titles.values()}
    for call, asked in zip(calls, server.requests, strict=True):
        assert call.conversation is not None
        found[titles[call.conversation]].append(Sent(call.purpose, messages_of(asked)))
    return found


def test_between_changes_of_memory_prompts_only_grow_at_their_end(shared: Shared) -> None:
    with ModelServer(answer) as server:
        with shared.memory() as memory:
            asking(memory, server, "chat", suffix="on")
            for mode in MODES:
                story = memory.new(mode, **{**SMALL, "mode": mode})
                for number in range(1, FIRST + 1):
                    say(story, "first", number)
        for mode in MODES:
            shared.run("write", mode, text("second", 1))
        with shared.memory() as memory:
            for mode in MODES:
                for number in range(1, THIRD + 1):
                    say(memory.conversation(mode), "third", number)
            found = sent_for(server, memory)
    for mode in MODES:
        following = [
            (one, after)
            for one, after in pairwise(found[mode])
            if one.purpose is after.purpose is Purpose.REPLY  # no change of memory between them
        ]
        for one, after in following:
            assert after.messages[: len(one.messages)] == one.messages
        assert any(one.process != after.process for one, after in following)
        assert behind_replies(found[mode]) >= 2


def behind_replies(sent: Sequence[Sent]) -> int:
    """Return how many summaries were asked for, all of them behind the reply before them."""
    reply: tuple[bytes, ...] = ()
    found = 0
    for one in sent:
        if one.purpose is Purpose.REPLY:
            reply = one.messages
        elif one.purpose is Purpose.SUMMARY:
            *before, _ = one.messages
            assert before
            assert tuple(before) == reply[: len(before)]
            found += 1
    return found
