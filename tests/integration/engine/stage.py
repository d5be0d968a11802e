"""A short story, routes and models for tests of everything that asks one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NoReturn, cast

from tests.integration.engine.play import Play, start

from foreword.domain.calls import Call
from foreword.engine import routes
from foreword.engine.context import Engine
from foreword.errors import StoreUnavailable
from foreword.ports.store import Store
from foreword.testing.engines import engine_on
from foreword.testing.models import FakeModel, FakeModels
from foreword.testing.summarisers import EchoSummariser
from foreword.testing.virtual_time import VirtualTime

STORY = (
    (
        "Mara waits under the old bridge with eleven coins in her glove. She asks whether the "
        "ferryman still takes passengers after dark, and whether he can be trusted with a secret."
    ),
    (
        "Tobin laughs and says that the ferryman takes anybody who pays. He wants four coins for "
        "himself and seven for the boat, and he promises to bring Mara across before Sunday."
    ),
    (
        "Mara counts the coins into his hand, all eleven of them, and has him swear on his "
        "mother's ring. She tells him that nobody may open the letter for Captain Ilse."
    ),
    (
        "Tobin swears. He hides the letter in his left boot and points at the lantern on the far "
        "bank: when it is lit twice, the ferry will come. Then he goes to wake the ferryman."
    ),
    (
        "Mara sits down on the wet stones and waits for the lantern. An hour later it is lit once, "
        "not twice, and she hears dogs on the far bank and somebody calling her name."
    ),
    (
        "The lantern goes out. Tobin comes back alone, without the letter, and says that soldiers "
        "hold the ferry and that Captain Ilse was taken to the fort at Brennick this morning."
    ),
)
"""Six turns, the user's first."""

GOOD = (
    "Mara met Tobin under the old bridge and paid him eleven coins, four for himself and seven for "
    "the boat, to be taken across before Sunday. He swore on his mother's ring and hid the letter "
    "for Captain Ilse in his left boot. The lantern on the far bank was lit once, not twice. Tobin "
    "came back alone without the letter: soldiers hold the ferry, and Captain Ilse was taken to "
    "the fort at Brennick."
)
"""What a careful model makes of the story."""

HALVES = (
    GOOD[: GOOD.index(" The lantern")],
    GOOD[GOOD.index("The lantern") :],
)
"""The same of turns 1 to 4, and of the last two."""

REFUSAL = "I'm sorry, but I can't help with that request."


@dataclass(frozen=True, slots=True)
class Stage:
    """The story in a conversation, and the models that its routes lead to."""

    play: Play
    model: FakeModel
    time: VirtualTime

    @property
    def engine(self) -> Engine:
        return self.play.engine

    def route(self, name: str = "summarise", **values: str) -> Stage:
        routes.set_route(self.engine, name, {"url": "http://model/v1", "model": "m-1", **values})
        return self

    def calls(self) -> tuple[Call, ...]:
        """Return the calls, oldest first."""
        return self.engine.ledger.calls(self.engine.account)[::-1]

    def outcomes(self) -> list[str]:
        """Return what became of the calls, oldest first: `summary used`."""
        return [f"{call.purpose.value} {call.outcome.value}" for call in self.calls()]

    def prompts(self) -> list[str]:
        """Return the last message of every request that the model was sent."""
        return [request.messages[-1].content for request in self.model.requests]


class Unwritable:
    """A store that can be read and not written, as when the disk is gone."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def write(self, *_: object) -> NoReturn:
        raise StoreUnavailable("the disk is gone")

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)


def unwritable(play: Play) -> Play:
    """Return the same branch on a store that cannot be written."""
    store = cast("Store", Unwritable(play.engine.store))
    return replace(play, engine=replace(play.engine, store=store))


def stage(
    store: Store,
    model: FakeModel,
    *,
    others: Mapping[str, FakeModel] | None = None,
    routed: str | None = "summarise",
    **settings: str,
) -> Stage:
    """Put the story on a store; `model` answers the route `routed`, `others` those they name."""
    time = VirtualTime()
    models = FakeModels(model if others is None else {**others, routed or "summarise": model})
    engine = engine_on(store, models=models, time=time, summariser=EchoSummariser())
    play = start(engine).set(**settings).say(*STORY)
    made = Stage(play, model, time)
    return made if routed is None else made.route(routed)
