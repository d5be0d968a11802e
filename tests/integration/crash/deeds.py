"""Commands in an order that a seed decides, the same on every store, and what they leave behind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import Random

from foreword.domain.ids import AccountId, ConversationId, Rev, SummaryId
from foreword.domain.interchange import Chat, ChatText, ChatTurn
from foreword.domain.turn import Role, TextPart
from foreword.engine import (
    branches,
    conversations,
    exporting,
    history,
    importing,
    recap,
    repairing,
    summaries,
    turns,
)
from foreword.engine.context import Engine, Place
from foreword.engine.summary_views import list_summaries
from foreword.errors import ForewordError
from foreword.ports.format import SourceFile
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore
from foreword.testing.memory_write import MemoryWrite

State = Mapping[str, bytes]
"""Every listed conversation by id, as a bundle."""
MOST_BRANCHES = 5
NAMES = ("Ann", "Bo")


def chat_of(count: int, *, title: str = "Grown", word: str = "spoke") -> Chat:
    """Return a chat whose turns read `t1 spoke`, `t2 spoke` and so on."""
    return Chat(
        title=title,
        turns=tuple(
            ChatTurn(
                role=Role.ASSISTANT if number % 2 else Role.USER,
                speaker=NAMES[number % 2],
                texts=(ChatText(parts=(TextPart(text=f"t{number} {word}"),)),),
            )
            for number in range(1, count + 1)
        ),
    )


def deeds(engine: Engine, seed: int) -> Iterator[str]:
    """Do one command after the other, without end; yield the name of each when it is done."""
    chance = Random(seed)
    made = importing.import_chat(engine, chat_of(12, title="Story"))
    conversations.change_setting(engine, "context", "640", made.conversation)
    yield "begin"
    doer = _Doer(engine=engine, place=Place(conversation=made.conversation), chance=chance)
    names = list(doer.commands)
    while True:
        name = chance.choice(names)
        try:
            doer.commands[name]()
        except ForewordError as refusal:
            name += f" refused: {type(refusal).__name__}"
        yield name


class _Doer:
    def __init__(self, *, engine: Engine, place: Place, chance: Random) -> None:
        self.engine, self.place, self.chance = engine, place, chance
        self.grown = 5
        self.commands: dict[str, Callable[[], object]] = {
            "append": self.append,
            "append more": self.append,
            "edit": lambda: turns.edit(engine, place, self.turn(), self.text()),
            "delete": lambda: turns.delete(engine, place, self.turn()),
            "delete following": self.delete_following,
            "hide": lambda: turns.set_hidden(engine, place, [self.turn()], hidden=True),
            "unhide": lambda: turns.set_hidden(engine, place, [self.turn()], hidden=False),
            "pin": lambda: turns.set_pinned(engine, place, [self.turn()], pinned=True),
            "another": lambda: turns.add_alternative(engine, place, self.turn(), self.text()),
            "choose": lambda: turns.choose(engine, place, self.turn(), chance.randint(1, 2)),
            "fork": self.fork,
            "switch": self.switch,
            "summarise": lambda: asyncio.run(summaries.make(engine, place, self.turn())),
            "recap": lambda: asyncio.run(recap.recap(engine, place, anyway=True, merge=True)),
            "merge": self.merge,
            "edit summary": lambda: summaries.edit(engine, place, self.summary(), self.text()),
            "unwind": lambda: summaries.unwind(engine, place, self.summary()),
            "delete summary": lambda: summaries.delete(engine, place, self.summary()),
            "repair": lambda: asyncio.run(repairing.repair(engine, place)),
            "undo": lambda: history.undo(engine, place),
            "undo by id": lambda: history.undo(engine, place, Rev(chance.randint(1, 30))),
            "redo": lambda: history.redo(engine, place),
            "import again": self.import_again,
            "import bundle": self.import_bundle,
        }

    def append(self) -> object:
        role = self.chance.choice([Role.USER, Role.ASSISTANT])
        return turns.append(self.engine, self.place, self.text(), role=role)

    def delete_following(self) -> object:
        size = len(turns.list_turns(self.engine, self.place))
        return turns.delete(self.engine, self.place, str(size), following=True)

    def fork(self) -> object:
        if len(branches.list_branches(self.engine, self.place)) >= MOST_BRANCHES:
            return self.switch()
        return branches.fork(self.engine, self.place, self.turn())

    def switch(self) -> object:
        known = branches.list_branches(self.engine, self.place)
        return branches.switch(self.engine, self.place, self.chance.choice(known).id)

    def merge(self) -> object:
        ticked = [self.summary(), self.summary()]
        return asyncio.run(summaries.merge(self.engine, self.place, ticked))

    def import_again(self) -> object:
        self.grown += self.chance.randint(0, 3)
        return importing.import_chat(self.engine, chat_of(self.grown))

    def import_bundle(self) -> object:
        data = exporting.export_bundle(self.engine, self.place.conversation)
        return importing.import_file(self.engine, SourceFile(path="story.json", data=data))

    def turn(self) -> str:
        size = len(turns.list_turns(self.engine, self.place))
        return str(self.chance.randint(1, max(1, size)))

    def summary(self) -> SummaryId:
        known = list_summaries(self.engine, self.place)
        return self.chance.choice(known).id if known else SummaryId(1)

    def text(self) -> str:
        return " ".join(["said", *(["la"] * self.chance.choice([3, 30, 90]))])


def state_of(engine: Engine) -> State:
    """Return everything that is there to see."""
    return {
        known.id: exporting.export_bundle(engine, known.id)
        for known in engine.store.conversations(engine.account)
    }


def states_around(seed: int, done: int) -> list[State]:
    """Do `done` commands and one more in memory, where nobody is killed.

    Returns:
        What there was before the last of them, and after each commit of it.
    """
    store = WatchedStore()
    engine = engine_on(store)
    story = deeds(engine, seed)
    for _ in range(done):
        next(story)
    states = [state_of(engine)]
    store.watch = lambda: states.append(state_of(engine))
    next(story)
    return states


class WatchedStore(MemoryStore):
    """Calls somebody after each commit."""

    def __init__(self) -> None:
        super().__init__()
        self.watch: Callable[[], None] = lambda: None

    @contextmanager
    def write(  # type: ignore[explicit-override]  # needs Python 3.12
        self, account: AccountId, conversation: ConversationId
    ) -> Iterator[MemoryWrite]:
        with super().write(account, conversation) as session:
            yield session
        self.watch()
