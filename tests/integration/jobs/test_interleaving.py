"""Whatever users do while memory works, at any point where it waits, every turn is accounted for.

Jobs run in a loop that the machine steps: whoever calls a model, or sleeps, waits until a rule lets
it go on, and any command may come between. `HYPOTHESIS_PROFILE=long` looks for longer.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

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
from tests.integration.engine.play import Play, start
from tests.integration.jobs.asking import chat_like, quiet
from tests.integration.jobs.proofs import newest_user_turn_is_sent, prove
from tests.integration.jobs.stepping import (
    FAILS,
    GOOD,
    REFUSED,
    SETTLED,
    Stage,
    WaitingModel,
    WaitingSummariser,
)

from foreword.domain.ids import PlanId, SummaryId
from foreword.domain.message import Message
from foreword.domain.turn import Role
from foreword.engine import (
    branches,
    importing,
    kept_prompts,
    memory,
    rebuilding,
    recap,
    repairing,
    routes,
    summaries,
    turns,
)
from foreword.engine.context import Engine, policy_of, reading
from foreword.errors import ForewordError
from foreword.jobs.maintaining import find_due
from foreword.jobs.worker import Scope, Worker
from foreword.ports.store import Store
from foreword.storage.sql_store import SqlStore
from foreword.testing.engines import engine_on
from foreword.testing.memory_ledger import MemoryLedger
from foreword.testing.memory_store import MemoryStore
from foreword.testing.models import FakeModels

WORKERS = ("a", "b")
USER = "user"
MOST_BRANCHES = 3
MOST_COMMANDS = 2
STOP_SECONDS = 1.0
SETTINGS = {
    "context": "1200",
    "reply": "200",
    "batch_target": "200",
    "batch_cap": "200",
    "layer_count": "2",
}
MODES = ("balanced", "prefix-cache", "advised")

texts = st.builds(
    lambda name, words: " ".join([name, *["la"] * words]),
    st.sampled_from("anna bert cleo dora".split()),
    st.sampled_from([3, 20, 45, 90]),
)
numbers = st.integers(0, 60)


class Interleaving(RuleBasedStateMachine):
    """One conversation, a user and two workers in processes of their own."""

    def __init__(self, open_stores: Callable[[int], Sequence[Store]]) -> None:
        super().__init__()
        self.stage = Stage(calling=self.note_call)
        ledger = MemoryLedger()
        names = (USER, *WORKERS)
        stores = open_stores(len(names))
        self.engines = {
            name: self.engine(name, store, ledger)
            for name, store in zip(names, stores, strict=True)
        }
        self.workers: dict[str, asyncio.Task[Any]] = {}
        self.commands: list[asyncio.Task[Any]] = []
        self.sent: dict[PlanId, tuple[Message, ...]] = {}
        self.stopped: datetime | None = None
        self.late: list[str] = []
        self.play: Play | None = None

    def engine(self, name: str, store: Store, ledger: MemoryLedger) -> Engine:
        stage = self.stage

        async def sleep(seconds: float) -> None:
            await stage.wait(name, "sleep", seconds)

        made = engine_on(
            store,
            summariser=WaitingSummariser(stage, name),
            models=FakeModels(WaitingModel(stage, name)),
            ledger=ledger,
        )
        return replace(made, clock=stage.clock, sleep=sleep)

    @initialize(
        said=st.lists(texts, min_size=24, max_size=36),
        mode=st.sampled_from(MODES[:2]),
        routed=st.booleans(),
        strategy=st.sampled_from(["layers", "layers", "rolling", "two-level", "originals"]),
        ahead=st.integers(0, 8),
    )
    def begin(self, said: list[str], mode: str, routed: bool, strategy: str, ahead: int) -> None:
        engine = self.engines[USER]
        self.routed = routed
        if routed:
            routes.set_route(engine, "summarise", {"url": "http://model/v1", "model": "m"})
        self.play = start(engine, 0, **SETTINGS, mode=mode, strategy=strategy).say(*said)
        self.play = replace(self.play, place=replace(self.play.place, branch=None))
        self.work(WORKERS[0])
        for _ in range(ahead):  # so that there are summaries to merge, and merges under way
            for one in self.stage.held[:1]:
                one.future.set_result(GOOD)
            self.stage.turn()

    # What the user does at once.

    @rule(text=texts, user=st.booleans())
    def append(self, text: str, user: bool) -> None:
        role = Role.USER if user else Role.ASSISTANT
        self.do(lambda play: turns.append(play.engine, play.place, text, role=role))

    @rule(turn=numbers, text=texts)
    def edit(self, turn: int, text: str) -> None:
        self.do(lambda play: play.edit(self.order(turn), text))

    @rule(turn=numbers, following=st.booleans())
    def delete(self, turn: int, following: bool) -> None:
        late = following and turn % 4 == 0  # seldom, or nothing is left to remember
        self.do(lambda play: play.delete(self.order(turn), following=late))

    @rule(turn=numbers, hidden=st.booleans())
    def hide(self, turn: int, hidden: bool) -> None:
        order = self.order(turn)
        self.do(lambda play: play.hide(order) if hidden else play.unhide(order))

    @rule(turn=numbers, pinned=st.booleans())
    def pin(self, turn: int, pinned: bool) -> None:
        order = self.order(turn)
        self.do(lambda play: play.pin(order) if pinned else play.unpin(order))

    @rule(turn=numbers, text=texts)
    def swipe(self, turn: int, text: str) -> None:
        name = str(self.order(turn))
        self.do(lambda play: turns.add_alternative(play.engine, play.place, name, text))

    @rule(turn=numbers, alternative=st.integers(1, 3))
    def choose(self, turn: int, alternative: int) -> None:
        name = str(self.order(turn))
        self.do(lambda play: turns.choose(play.engine, play.place, name, alternative))

    @precondition(lambda self: len(self.branches()) < MOST_BRANCHES)
    @rule(turn=numbers)
    def fork(self, turn: int) -> None:
        self.do(lambda play: branches.fork(play.engine, play.place, str(self.order(turn))))

    @rule(number=numbers)
    def switch(self, number: int) -> None:
        known = self.branches()
        self.do(lambda play: branches.switch(play.engine, play.place, known[number % len(known)]))

    @rule(times=st.integers(1, 3), redo=st.booleans())
    def undo(self, times: int, redo: bool) -> None:
        for _ in range(times):
            self.do(lambda play: play.redo() if redo else play.undo())

    @rule(number=numbers)
    def undo_by_id(self, number: int) -> None:
        self.do(lambda play: play.undo(1 + number))

    @rule(kept=st.integers(1, 30), said=st.lists(texts, min_size=1, max_size=4))
    def import_more(self, kept: int, said: list[str]) -> None:
        if len(self.branches()) < MOST_BRANCHES:
            self.do(lambda play: importing.import_chat(play.engine, chat_like(play, kept, said)))

    @rule(mode=st.sampled_from(MODES), strategy=st.sampled_from(["", "layers", "rolling"]))
    def set_mode(self, mode: str, strategy: str) -> None:
        self.do(lambda play: play.set(mode=mode, strategy=strategy))

    @rule(on=st.booleans(), context=st.sampled_from(["1200", "2000"]))
    def set_memory(self, on: bool, context: str) -> None:
        self.do(lambda play: play.set(memory="on" if on else "off", context=context))

    @rule()
    def stop(self) -> None:
        self.do(lambda play: memory.stop(play.engine, play.place))
        self.stopped = self.stage.clock.now() if self.stopped is None else self.stopped

    @rule()
    def resume(self) -> None:
        self.stopped = None
        self.do(lambda play: memory.resume(play.engine, play.place))

    @rule()
    def clear(self) -> None:
        self.do(lambda play: memory.clear(play.engine, play.place))

    @rule(number=numbers, text=texts)
    def edit_summary(self, number: int, text: str) -> None:
        used = self.used(number)
        self.do(lambda play: summaries.edit(play.engine, play.place, used, text))

    @rule(number=numbers, unwind=st.booleans())
    def remove_summary(self, number: int, unwind: bool) -> None:
        used = self.used(number)
        self.do(lambda play: play.unwind(used) if unwind else play.delete_summary(used))

    @rule()
    def hand_out_a_prompt(self) -> None:
        assert self.play is not None
        try:
            made = kept_prompts.print_prompt(self.play.engine, self.play.place)
        except ForewordError:
            return
        assert made.number is not None
        self.sent[made.number] = made.prompt.messages

    # What calls models, and waits for them like the jobs do.

    @precondition(lambda self: len(self.commands) < MOST_COMMANDS)
    @rule(what=st.sampled_from(["recap", "breaker", "rebuild", "repair", "make", "plain"]))
    def begin_command(self, what: str) -> None:
        assert self.play is not None
        engine, place = self.play.engine, self.play.place
        work: dict[str, Callable[[], Coroutine[Any, Any, object]]] = {
            "recap": lambda: memory.recap_now(engine, place),
            "breaker": lambda: memory.breaker(engine, place),
            "rebuild": lambda: rebuilding.rebuild(engine, place),
            "repair": lambda: repairing.repair(engine, place),
            "make": lambda: summaries.make(engine, place, str(self.order(40))),
            "plain": lambda: recap.recap(engine, place, anyway=True, merge=True),
        }
        self.commands.append(self.stage.spawn(quiet(work[what]())))
        self.stage.turn(1)

    @precondition(lambda self: self.commands)
    @rule(number=numbers)
    def cancel_command(self, number: int) -> None:
        self.commands[number % len(self.commands)].cancel()
        self.stage.turn(1)

    # What runs in the background, and when it goes on.

    @rule(name=st.sampled_from(WORKERS))
    def work(self, name: str) -> None:
        if name not in self.workers:
            find_due(self.engines[name])
            scope = Scope(concurrency=2)
            worker = Worker(engine=self.engines[name], owner=name, scope=scope)
            self.workers[name] = self.stage.spawn(worker.drain())
        self.stage.turn(2)

    @precondition(lambda self: self.stage.held)
    @rule(
        number=numbers,
        how=st.sampled_from([GOOD, GOOD, GOOD, GOOD, REFUSED, FAILS]),
        times=st.sampled_from([1, 2, 3, SETTLED]),
    )
    def let_go_on(self, number: int, how: str, times: int) -> None:
        held = self.stage.held
        held[number % len(held)].future.set_result(how)
        self.stage.turn(times)

    @rule(times=st.integers(1, 4))
    def step(self, times: int) -> None:
        self.stage.turn(times)

    @rule(seconds=st.sampled_from([0.2, 0.5, 2.0, 31.0]))
    def pass_time(self, seconds: float) -> None:
        self.stage.pass_time(seconds)

    @rule(name=st.sampled_from(WORKERS), asleep=st.booleans())
    def freeze(self, name: str, asleep: bool) -> None:
        (self.stage.frozen.add if asleep else self.stage.frozen.discard)(name)

    @precondition(lambda self: self.workers)
    @rule(name=st.sampled_from(WORKERS))
    def terminate(self, name: str) -> None:
        if name in self.workers:
            self.workers[name].cancel()
            self.stage.turn(2)

    # What holds all the time.

    @invariant()
    def all_is_sound(self) -> None:
        if self.play is None:
            return
        self.collect()
        for branch in self.branches():
            prove(self.play.on(branch))
            newest_user_turn_is_sent(self.play.on(branch))
        assert self.play.problems() == ()
        assert self.late == []
        jobs = self.play.engine.jobs.jobs(self.play.engine.account, live=True)
        assert len({(job.branch, job.kind) for job in jobs}) == len(jobs)
        for number, messages in self.sent.items():
            shown = kept_prompts.show(self.play.engine, self.play.place, number)
            assert shown.messages == messages

    def teardown(self) -> None:  # type: ignore[explicit-override]  # needs Python 3.12
        try:
            if self.play is not None:
                self.finish()
        finally:
            self.stage.close()

    def finish(self) -> None:
        """Let everything end: once memory may do what is due, nothing is due any more."""
        assert self.play is not None
        self.stage.frozen.clear()
        if self.routed:  # whose breaker may be open
            routes.remove_route(self.play.engine, "summarise")
        self.resume()
        self.pass_time(120)
        for _ in range(400):
            if self.workers or self.commands:
                for one in self.stage.held:
                    one.future.set_result(GOOD)
                self.stage.turn()
                self.pass_time(1.0)
                self.all_is_sound()
            elif find_due(self.play.engine):
                self.work(WORKERS[0])
            else:
                return
        engine = self.play.engine
        ended = [(job.branch, job.state, job.detail) for job in engine.jobs.jobs(engine.account)]
        raise AssertionError(f"memory finds no end: {self.commands} {self.workers} {ended[:5]}")

    def collect(self) -> None:
        """Take what ended off the lists; a worker ends well, or because it was cancelled."""
        for name, task in list(self.workers.items()):
            if task.done():
                del self.workers[name]
                if not task.cancelled():
                    task.result()
        for task in [one for one in self.commands if one.done()]:
            self.commands.remove(task)
            if not task.cancelled():
                task.result()

    def note_call(self, who: str) -> None:
        """Keep who calls a model although memory was stopped long enough ago."""
        if who == USER or self.stopped is None or self.play is None:
            return
        with reading(self.play.engine, self.play.place) as at:
            paused = policy_of(at.session).paused
        since = (self.stage.clock.now() - self.stopped).total_seconds()
        if paused and since > STOP_SECONDS and who not in self.stage.frozen:
            self.late.append(f"{who} calls {since} seconds after the stop")

    def do(self, act: Callable[[Play], object]) -> None:
        assert self.play is not None
        try:
            act(self.play)
        except ForewordError:
            return  # refused, which changes nothing

    def order(self, turn: int) -> int:
        assert self.play is not None
        return 1 + turn % max(1, len(turns.list_turns(self.play.engine, self.play.place)))

    def used(self, number: int) -> SummaryId:
        assert self.play is not None
        known = [view.id for view in self.play.summaries()]
        return known[number % len(known)] if known else SummaryId(1)

    def branches(self) -> list[Any]:
        if self.play is None:
            return []
        return [one.id for one in branches.list_branches(self.play.engine, self.play.place)]


def interleave(open_stores: Callable[[int], Sequence[Store]], *, share: float) -> None:
    """Try as many interleavings as a share of the profile's examples."""
    chosen = settings.default
    assert chosen is not None

    class Machine(Interleaving):
        def __init__(self) -> None:
            super().__init__(open_stores)

    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=max(1, round(chosen.max_examples * share)),
            stateful_step_count=50,
            deadline=None,
        ),
    )


def test_every_turn_is_accounted_for_whatever_happens_while_memory_works() -> None:
    def open_stores(number: int) -> Sequence[Store]:
        return [MemoryStore()] * number

    interleave(open_stores, share=0.3)


def test_every_turn_is_accounted_for_where_processes_share_a_database(
    empty_file: Path, tmp_path: Path
) -> None:
    opened: list[SqlStore] = []

    def open_stores(number: int) -> Sequence[Store]:
        while opened:
            opened.pop().close()
        path = shutil.copyfile(empty_file, tmp_path / f"{next(numbered)}.db")
        opened.extend(SqlStore.open(path) for _ in range(number))
        return tuple(opened)

    numbered = count()
    interleave(open_stores, share=0.05)
    for store in opened:
        store.close()
