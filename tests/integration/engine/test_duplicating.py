"""A duplicate: equal to its original in every respect, and never touched by it again."""

import asyncio
import dataclasses
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.integration.engine.play import Play, start
from tests.integration.engine.test_bundle_round_trip import rich, states
from typing_extensions import override

from foreword.domain.ids import MAIN_BRANCH, AccountId, ConversationId
from foreword.domain.interchange import Chat, ChatText, ChatTurn
from foreword.domain.turn import Role, TextPart, Version
from foreword.engine import bundles, conversations, importing, kept_prompts, repairing, templates
from foreword.engine.context import Place, reading
from foreword.engine.duplicating import duplicate
from foreword.engine.prompting import acknowledge
from foreword.engine.verifying import verify
from foreword.errors import ConflictError, EmptyText, InputError, StoreUnavailable
from foreword.ports.store import NewVersion, Store
from foreword.prompts.templates import TemplateName
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore
from foreword.testing.memory_write import MemoryWrite
from foreword.testing.store_view import view_of


def copied(play: Play, title: str | None = None) -> Play:
    done = duplicate(play.engine, play.place.conversation, title=title)
    return Play(play.engine, Place(conversation=done.conversation))


def everything(play: Play) -> object:
    """All that can be read of a conversation, its journal too."""
    with reading(play.engine, play.place) as at:
        return view_of(at.session), at.session.source()


def test_a_duplicate_is_equal_to_its_original(store: Store) -> None:
    engine = engine_on(store)
    play = rich(engine)
    templates.save(engine, TemplateName.MASTER, "Mine: {{ summaries }}", play.place.conversation)
    copy = copied(play)
    assert states(copy) == states(play)
    assert verify(engine).problems == ()
    with reading(engine, play.place) as left, reading(engine, copy.place) as right:
        known, made = left.session.conversation, right.session.conversation
        assert made == dataclasses.replace(
            known, id=made.id, title=f"{known.title} (copy)", rev=made.rev,
            created_at=made.created_at,
        )  # fmt: skip
    original = bundles.bundle_of(engine, play.place.conversation)
    assert bundles.bundle_of(engine, copy.place.conversation) == dataclasses.replace(
        original, title=made.title, created_at=made.created_at
    )
    assert copy.on(MAIN_BRANCH).prompt(700).messages == play.prompt(700).messages


def test_copies_of_copies_are_counted_unless_they_are_named(store: Store) -> None:
    engine = engine_on(store)
    play = start(engine, 2)
    copied(play)
    copied(play)
    named = copied(play, " Another story ")
    titles = [one.title for one in conversations.list_conversations(engine)]
    first = titles[0]
    assert titles == [first, f"{first} (copy)", f"{first} (copy 2)", "Another story"]
    assert conversations.view(engine, named.place.conversation).turns == 2
    with pytest.raises(EmptyText):
        copied(play, " ")
    assert len(conversations.list_conversations(engine)) == 4


def test_what_the_user_knows_to_be_outdated_is_not_asked_again(store: Store) -> None:
    play = start(engine_on(store), 8)
    play.make(4)
    play.edit(2, "other words")
    assert copied(play).prompt(5000).outdated is not None
    acknowledge(play.engine, play.place)
    copy = copied(play)
    assert copy.prompt(5000).outdated is None
    (repaired,) = asyncio.run(repairing.repair(copy.engine, copy.place))
    assert repaired.made.state == "in_use"


def test_kept_prompts_stay_with_the_original(store: Store) -> None:
    play = start(engine_on(store), 3)
    kept_prompts.print_prompt(play.engine, play.place)
    copy = copied(play)
    assert kept_prompts.list_prompts(copy.engine, copy.place) == ()
    assert len(kept_prompts.list_prompts(play.engine, play.place)) == 1


class Failing(MemoryStore):
    """A store whose disk is gone while a copy is filled."""

    failing = False

    @override
    @contextmanager
    def write(self, account: AccountId, conversation: ConversationId) -> Iterator[MemoryWrite]:
        with super().write(account, conversation) as session:
            yield session
            if self.failing:
                raise StoreUnavailable("the disk is gone")


def test_a_duplicate_that_is_cut_off_is_not_there() -> None:
    store = Failing()
    play = start(engine_on(store), 3)
    store.failing = True
    with pytest.raises(StoreUnavailable):
        copied(play)
    (listed,) = store.conversations(play.engine.account)
    assert listed.id == play.place.conversation


ACTIONS = ("edit", "delete", "hide", "pin", "say", "make", "fork", "undo", "redo", "merge")


@settings(max_examples=25)
@given(
    before=st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(1, 9)), max_size=6),
    after=st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(1, 9)), min_size=1, max_size=6),
    on_copy=st.booleans(),
)
def test_what_happens_to_one_never_touches_the_other(
    before: list[tuple[str, int]], after: list[tuple[str, int]], on_copy: bool
) -> None:
    play = start(engine_on(MemoryStore()), 9)
    for action in before:
        act(play, *action)
    copy = copied(play)
    changed, still = (copy, play) if on_copy else (play, copy)
    assert states(copy) == states(play)
    left = everything(still)
    for action in after:
        act(changed, *action)
    assert everything(still) == left
    assert verify(play.engine).problems == ()


def act(play: Play, name: str, number: int) -> None:
    """Do something, where it can be done."""
    try:
        match name:
            case "say":
                play.say(f"more {number}")
            case "edit":
                play.edit(number, f"other {number}")
            case "merge":
                play.merge(number, number + 1)
            case "undo" | "redo":
                getattr(play, name)()
            case _:
                getattr(play, name)(number)
    except (InputError, ConflictError):
        return


class Counting(MemoryStore):
    """Counts how many texts a writer is given at once."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []

    @override
    @contextmanager
    def write(self, account: AccountId, conversation: ConversationId) -> Iterator[MemoryWrite]:
        with super().write(account, conversation) as session:
            yield Counted(session, self.sizes)


class Counted(MemoryWrite):
    """A writer that notes how many versions it is given."""

    def __init__(self, session: MemoryWrite, sizes: list[int]) -> None:
        vars(self).update(vars(session))
        self.sizes = sizes

    @override
    def add_versions(self, versions: Sequence[NewVersion]) -> tuple[Version, ...]:
        self.sizes.append(len(versions))
        return super().add_versions(versions)


def test_texts_are_copied_in_portions() -> None:
    store = Counting()
    engine = engine_on(store)
    turns = tuple(
        ChatTurn(
            role=Role.USER, speaker="Ada", texts=(ChatText(parts=(TextPart(text=f"t{one}"),)),)
        )
        for one in range(2 * bundles.PORTION + 1)
    )
    known = importing.import_chat(engine, Chat(title="Long", turns=turns))
    store.sizes.clear()
    done = duplicate(engine, known.conversation)
    assert (done.turns, store.sizes) == (2001, [1000, 1000, 1])
