"""Whatever is searched for, every store answers with the same hits, in order and with scores."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.contract.databases import STORES, new_sql_store

from foreword.domain.ids import MAIN_BRANCH, ConversationId
from foreword.domain.interchange import Chat, ChatText, ChatTurn
from foreword.domain.turn import Role, TextPart
from foreword.engine import branches, conversations, importing, searching, turns
from foreword.engine.context import Engine, Place
from foreword.engine.searching import Hit
from foreword.ports.store import Store
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore

WORDS = ("the", "brass", "key", "Mira", "lamp", "42", "Ключ", "白い猫", "灯り", "café", "and", "OR")
QUERIES = (
    "the brass key",
    'the "brass key" Mira',
    "“the key” 42",
    "ключ и лампа",
    "白い猫",
    "猫",
    'OR AND NOT "the" lamp*',
    "Mira asks where the brass lamp of the café went, and whether 42 white cats saw the key",
    "nothing of it",
)
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)
steps = st.one_of(
    st.tuples(st.just("say"), st.lists(texts, min_size=1, max_size=4)),
    st.tuples(st.just("edit"), st.integers(0, 9), texts),
    st.tuples(st.sampled_from(["hide", "delete", "fork"]), st.integers(0, 9)),
)


class Story:
    """One of several conversations on a store, told by the engine's own use cases."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        known = conversations.create(engine, "Story", {})
        self.place = Place(conversation=known.id, branch=MAIN_BRANCH)

    def tell(self, step: tuple[str, object, *tuple[object, ...]]) -> None:
        engine, place = self.engine, self.place
        length = len(turns.list_turns(engine, place))
        match step:
            case ("say", list(said)):
                for text in said:
                    turns.append(engine, place, text, role=Role.USER)
            case (name, int(number), *rest) if length:
                turn = str(number % length + 1)
                match name:
                    case "edit":
                        turns.edit(engine, place, turn, str(rest[0]))
                    case "hide":
                        turns.set_hidden(engine, place, [turn], hidden=True)
                    case "delete":
                        turns.delete(engine, place, turn)
                    case _:
                        fork = branches.fork(engine, place, turn)
                        self.place = Place(conversation=place.conversation, branch=fork.id)
            case _:
                pass

    def found(self) -> list[tuple[Hit, ...]]:
        return found(self.engine, self.place)


def found(engine: Engine, place: Place) -> list[tuple[Hit, ...]]:
    return [searching.search(engine, place, query, limit=5) for query in QUERIES]


@pytest.fixture(scope="module", params=STORES[1:])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with tempfile.TemporaryDirectory() as folder:
        store = new_sql_store(request.param, Path(folder))
        yield engine_on(store)
        store.close()


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)  # a busy machine is not a wrong store
@given(history=st.lists(steps, min_size=2, max_size=10))
def test_two_stores_that_were_told_the_same_are_found_the_same_in(
    engine: Engine, history: list[tuple[str, object, *tuple[object, ...]]]
) -> None:
    story, oracle = Story(engine), Story(engine_on(MemoryStore()))
    for step in history:
        story.tell(step)
        oracle.tell(step)
    assert story.found() == oracle.found()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[str], Store]]:
    with ExitStack() as stack:

        def open_one(kind: str) -> Store:
            store = MemoryStore() if kind == "memory" else new_sql_store(kind, tmp_path)
            stack.callback(store.close)
            return store

        yield open_one


def long_story(store: Store, length: int) -> tuple[Engine, Place]:
    """Tell a story in which some words are everywhere and others hardly anywhere."""
    numbers = count()

    def text() -> str:
        number = next(numbers)
        rare = [word for place, word in enumerate(WORDS, 2) if number % (place * place) == 0]
        return f"The {number} and so on {' '.join(rare)} every{'x' * (number % 7)}"

    told = tuple(
        ChatTurn(role=Role.USER, speaker="Ada", texts=(ChatText(parts=(TextPart(text=text()),)),))
        for _ in range(length)
    )
    engine = engine_on(store)
    made = importing.import_chat(engine, Chat(title="Long", turns=told))
    return engine, Place(conversation=ConversationId(made.conversation))


@pytest.mark.parametrize("kind", STORES[1:])
def test_a_story_longer_than_all_limits_is_searched_the_same(
    kind: str, opened: Callable[[str], Store]
) -> None:
    engine, place = long_story(opened(kind), 2_300)
    oracle, its_place = long_story(opened("memory"), 2_300)
    assert found(engine, place) == found(oracle, its_place)
    assert [hit.order for hit in searching.search(engine, place, "1234 the", limit=1)] == [1235]
