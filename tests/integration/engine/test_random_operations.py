"""Any commands on any branches: SQLite does what the store in memory does, and all stays sound."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar, cast

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.integration.engine.play import Play

from foreword.domain.ids import BranchId, SummaryId
from foreword.domain.interchange import Chat, ChatText, ChatTurn
from foreword.domain.turn import Role, TextPart
from foreword.engine import (
    branches,
    exporting,
    history,
    importing,
    recap,
    repairing,
    searching,
    summaries,
    turns,
    verifying,
)
from foreword.engine.context import Place
from foreword.engine.prompting import Prompt
from foreword.engine.status import status
from foreword.errors import ForewordError
from foreword.ports.store import Store
from foreword.storage.sql_store import SqlStore
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore
from foreword.testing.summarisers import EchoSummariser

CONTEXTS = (1024, 640)
"""In the first a few recaps find room, in the second some turns do not."""
MOST_BRANCHES = 5
EXPORT_EVERY = 10

Item = TypeVar("Item")

texts = st.builds(
    lambda name, words: " ".join([name, *["la"] * words]),
    st.sampled_from("anna bert cleo dora".split()),  # so few that stretches read alike
    st.sampled_from([3, 20, 45, 90]),
)
numbers = st.integers(0, 40)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command gave: a value, or an error."""

    value: object = None
    error: str = ""


class Lockstep(RuleBasedStateMachine):
    """The same commands on both stores."""

    def __init__(self, stores: Sequence[Store]) -> None:
        super().__init__()
        summariser = EchoSummariser(filled=True)
        self.engines = [engine_on(store, summariser=summariser) for store in stores]
        self.plays: list[Play] = []
        self.before: dict[BranchId, BranchView] = {}
        self.changed: BranchId | None = None
        self.with_summaries = False
        self.steps = 0

    @initialize(said=st.lists(texts, min_size=10, max_size=16))
    def begin(self, said: list[str]) -> None:
        chat = Chat(
            title="Story",
            turns=tuple(
                ChatTurn(
                    role=Role.ASSISTANT if place % 2 else Role.USER,
                    speaker=("Ann", "Narrator")[place % 2],
                    texts=tuple(ChatText(parts=(TextPart(text=one),)) for one in (text, "other"))
                    if place % 5 == 4
                    else (ChatText(parts=(TextPart(text=text),)),),
                    hidden=place == 5,
                    pinned=place == 2,
                )
                for place, text in enumerate(said)
            ),
        )
        for engine in self.engines:
            conversation = importing.import_chat(engine, chat).conversation
            play = Play(engine, Place(conversation=conversation)).set(context=str(CONTEXTS[0]))
            self.plays.append(play)

    @rule(at=numbers, text=texts, user=st.booleans())
    def append(self, at: int, text: str, user: bool) -> None:
        role = Role.USER if user else Role.ASSISTANT
        self.both(at, lambda play: turns.append(play.engine, play.place, text, role=role))

    @rule(at=numbers, turn=numbers, text=texts)
    def edit(self, at: int, turn: int, text: str) -> None:
        self.both(at, lambda play: play.edit(self.order(play, turn), text))

    @rule(at=numbers, turn=numbers)
    def delete(self, at: int, turn: int) -> None:
        self.both(at, lambda play: play.delete(self.order(play, turn)))

    @rule(at=numbers, last=st.integers(0, 6))
    def delete_following(self, at: int, last: int) -> None:
        self.both(at, lambda play: play.delete(self.size(play) - last, following=True))

    @rule(at=numbers, chosen=st.lists(numbers, min_size=1, max_size=3), hidden=st.booleans())
    def hide(self, at: int, chosen: list[int], hidden: bool) -> None:
        def act(play: Play) -> object:
            orders = [self.order(play, one) for one in chosen]
            return play.hide(*orders) if hidden else play.unhide(*orders)

        self.both(at, act)

    @rule(at=numbers, turn=numbers, pinned=st.booleans())
    def pin(self, at: int, turn: int, pinned: bool) -> None:
        def act(play: Play) -> object:
            order = self.order(play, turn)
            return play.pin(order) if pinned else play.unpin(order)

        self.both(at, act)

    @rule(at=numbers, turn=numbers, text=texts)
    def add_alternative(self, at: int, turn: int, text: str) -> None:
        self.both(
            at,
            lambda play: turns.add_alternative(
                play.engine, play.place, str(self.order(play, turn)), text
            ),
        )

    @rule(at=numbers, turn=numbers, alternative=st.integers(1, 3))
    def choose(self, at: int, turn: int, alternative: int) -> None:
        self.both(
            at,
            lambda play: turns.choose(
                play.engine, play.place, str(self.order(play, turn)), alternative
            ),
        )

    @precondition(lambda self: len(self.branches()) < MOST_BRANCHES)
    @rule(at=numbers, turn=numbers)
    def fork(self, at: int, turn: int) -> None:
        new = self.both(
            at,
            lambda play: branches.fork(play.engine, play.place, str(self.order(play, turn))),
        )
        self.changed = new.value.id if isinstance(new.value, branches.BranchView) else None

    @rule(at=numbers)
    def switch(self, at: int) -> None:
        branch = self.branch(at)
        self.both(at, lambda play: branches.switch(play.engine, play.place, branch))
        self.changed = None

    @rule(at=numbers, turn=numbers, reuse=st.booleans())
    def make(self, at: int, turn: int, reuse: bool) -> None:
        self.both(
            at,
            lambda play: asyncio.run(
                summaries.make(play.engine, play.place, str(self.order(play, turn)), reuse=reuse)
            ),
        )

    @rule(at=numbers, anyway=st.booleans(), merge=st.booleans())
    def recap(self, at: int, anyway: bool, merge: bool) -> None:
        self.both(
            at,
            lambda play: asyncio.run(
                recap.recap(play.engine, play.place, anyway=anyway, merge=merge)
            ),
        )

    @precondition(lambda self: self.with_summaries)
    @rule(at=numbers, ticked=st.lists(numbers, min_size=1, max_size=3))
    def merge(self, at: int, ticked: list[int]) -> None:
        self.both(at, lambda play: play.merge(*(self.used(play, one) for one in ticked)))

    @precondition(lambda self: self.with_summaries)
    @rule(at=numbers, chosen=numbers, text=texts)
    def edit_summary(self, at: int, chosen: int, text: str) -> None:
        self.both(
            at,
            lambda play: summaries.edit(play.engine, play.place, self.used(play, chosen), text),
        )

    @precondition(lambda self: self.with_summaries)
    @rule(at=numbers, chosen=numbers)
    def regenerate(self, at: int, chosen: int) -> None:
        self.both(
            at,
            lambda play: asyncio.run(
                summaries.regenerate(play.engine, play.place, self.used(play, chosen))
            ),
        )

    @precondition(lambda self: self.with_summaries)
    @rule(at=numbers, chosen=numbers)
    def delete_summary(self, at: int, chosen: int) -> None:
        self.both(at, lambda play: play.delete_summary(self.used(play, chosen)))

    @precondition(lambda self: self.with_summaries)
    @rule(at=numbers, chosen=numbers)
    def unwind(self, at: int, chosen: int) -> None:
        self.both(at, lambda play: play.unwind(self.used(play, chosen)))

    @rule(at=numbers, times=st.integers(1, 4))
    def undo(self, at: int, times: int) -> None:
        self.both(at, lambda play: [outcome(play.undo) for _ in range(times)])

    @rule(at=numbers, times=st.integers(1, 4))
    def redo(self, at: int, times: int) -> None:
        self.both(at, lambda play: [outcome(play.redo) for _ in range(times)])

    @rule(at=numbers, command=numbers)
    def undo_by_id(self, at: int, command: int) -> None:
        def act(play: Play) -> object:
            known = history.history(play.engine, play.place)
            return play.undo(pick(known, command).id if known else 1)

        self.both(at, act)

    @precondition(lambda self: self.with_summaries)
    @rule(at=numbers)
    def repair(self, at: int) -> None:
        self.both(at, lambda play: asyncio.run(repairing.repair(play.engine, play.place)))

    @precondition(lambda self: len(self.branches()) < MOST_BRANCHES)
    @rule(at=numbers, kept=st.integers(1, 30), said=st.lists(texts, max_size=2), swiped=texts)
    def import_again(self, at: int, kept: int, said: list[str], swiped: str) -> None:
        def act(play: Play) -> importing.Imported:
            return importing.import_chat(play.engine, chat_like(play, kept, said, swiped))

        found = self.both(at, act).value
        assert isinstance(found, importing.Imported)
        self.changed = found.branch

    @invariant()
    def both_stores_agree_and_nothing_is_wrong(self) -> None:
        if not self.plays:
            return
        views = [self.view(play) for play in self.plays]
        assert views[0] == views[1]
        verdicts = [verifying.verify(play.engine) for play in self.plays]
        assert verdicts[0] == verdicts[1]
        assert verdicts[0].problems == ()
        apart = {key: without_scores(view) for key, view in views[0].items()}
        others = {key: view for key, view in self.before.items() if key != self.changed}
        assert {key: apart[key] for key in others} == others
        self.before = apart
        self.with_summaries = any(self.plays[0].on(one).summaries() for one in views[0])
        self.steps += 1
        if self.steps % EXPORT_EVERY == 0:
            self.compare_exports()

    def teardown(self) -> None:  # type: ignore[explicit-override]  # needs Python 3.12
        self.compare_exports()

    def compare_exports(self) -> None:
        exports = [
            exporting.export_bundle(play.engine, play.place.conversation) for play in self.plays
        ]
        assert exports[1:] == exports[:-1]

    def both(self, at: int, act: Callable[[Play], object]) -> Outcome:
        """Do something on one branch of both stores."""
        branch = self.branch(at)
        self.changed = branch
        outcomes = [outcome(partial(act, play.on(branch))) for play in self.plays]
        assert outcomes[0] == outcomes[1]
        return outcomes[0]

    def branch(self, at: int) -> BranchId:
        return pick(self.branches(), at)

    def branches(self) -> list[BranchId]:
        if not self.plays:
            return []
        return [one.id for one in branches.list_branches(self.plays[0].engine, self.plays[0].place)]

    def size(self, play: Play) -> int:
        return len(turns.list_turns(play.engine, play.place))

    def order(self, play: Play, turn: int) -> int:
        return 1 + turn % max(1, self.size(play))

    def used(self, play: Play, chosen: int) -> SummaryId:
        """Return a summary in use, or now and then any number."""
        known = [view.id for view in play.summaries()]
        return pick(known, chosen) if known and chosen < 36 else SummaryId(1 + chosen % 7)

    def view(self, play: Play) -> dict[BranchId, BranchView]:
        """Return all there is to see of every branch that is there."""
        return {branch: branch_view(play.on(branch)) for branch in self.branches()}


def chat_like(play: Play, kept: int, said: Sequence[str], swiped: str) -> Chat:
    """Return a chat with the first turns of a branch, the last of them swiped, and more."""
    listed = turns.list_turns(play.engine, play.place, last=kept)
    told = [
        ChatTurn(
            role=turn.content.role,
            speaker=turn.speaker_name,
            texts=(ChatText(parts=turn.content.parts),),
            hidden=turn.entry.hidden,
        )
        for turn in listed
    ]
    if told and kept % 3 == 0:
        both = (*told[-1].texts, ChatText(parts=(TextPart(text=swiped),)))
        told[-1] = replace(told[-1], texts=both, chosen=kept % 2)
    more = [
        ChatTurn(role=Role.USER, speaker="Ann", texts=(ChatText(parts=(TextPart(text=text),)),))
        for text in said
    ]
    return Chat(title="Story", turns=(*told, *more))


@dataclass(frozen=True, slots=True)
class BranchView:
    """All there is to see of a branch."""

    found: tuple[searching.Hit, ...]
    rest: object


def branch_view(play: Play) -> BranchView:
    prompts = [outcome(partial(costed_prompt, play, context)) for context in CONTEXTS]
    return BranchView(
        found=searching.search(play.engine, play.place, "bert"),
        rest=(
            prompts,
            status(play.engine, play.place),
            play.summaries(all_states=True),
            play.state(),
            repairing.plan(play.engine, play.place),
        ),
    )


def without_scores(view: BranchView) -> BranchView:
    """Leave out what other branches have a part in: how rare a word is in the conversation."""
    turns = sorted(view.found, key=lambda hit: hit.order)
    return replace(view, found=tuple(replace(hit, score=0.0) for hit in turns))


def costed_prompt(play: Play, context: int) -> Prompt:
    """Return the prompt, whose messages must cost what its plan says."""
    prompt = play.prompt(context)
    costs = [play.engine.counter.count(one.content) + 4 for one in prompt.messages]
    assert sum(costs) == prompt.plan.tokens <= prompt.plan.limit
    return prompt


def outcome(act: Callable[[], object]) -> Outcome:
    try:
        return Outcome(value=act())
    except ForewordError as error:
        return Outcome(error=f"{type(error).__name__}: {error}")


def pick(items: Sequence[Item], number: int) -> Item:
    return items[number % len(items)]


def test_both_stores_agree_on_any_commands_and_branches_stay_apart(
    open_sqlite: Callable[[], Store],
) -> None:
    chosen = settings.default
    assert chosen is not None

    class BothStores(Lockstep):
        def __init__(self) -> None:
            super().__init__([MemoryStore(), open_sqlite()])

    run_state_machine_as_test(
        BothStores,
        settings=settings(
            max_examples=chosen.max_examples // 10,
            stateful_step_count=5 + chosen.max_examples // 2,
            deadline=None,
        ),
    )


class TwoHandles:
    """Two stores on one database, each used for some transactions before the other."""

    RUN = 7
    """So few that each remembers things which the other then changes."""

    def __init__(self, first: SqlStore) -> None:
        self.handles = (first, SqlStore.open(first.name))
        self.used = 0

    def __getattr__(self, name: str) -> object:
        self.used += 1
        return getattr(self.handles[self.used // self.RUN % 2], name)


def test_what_a_store_remembers_is_never_older_than_what_another_one_wrote(
    open_sqlite: Callable[[], SqlStore],
) -> None:
    chosen = settings.default
    assert chosen is not None

    class OneOfTwo(Lockstep):
        def __init__(self) -> None:
            self.stores = TwoHandles(open_sqlite())
            super().__init__([MemoryStore(), cast("Store", self.stores)])

        def teardown(self) -> None:  # type: ignore[explicit-override]  # needs Python 3.12
            super().teardown()
            self.stores.handles[1].close()

    run_state_machine_as_test(
        OneOfTwo,
        settings=settings(
            max_examples=max(1, chosen.max_examples // 20),
            stateful_step_count=5 + chosen.max_examples // 2,
            deadline=None,
        ),
    )
