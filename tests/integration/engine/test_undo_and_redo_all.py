"""Undoing everything gives the beginning back, redoing everything the end, on every branch."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.integration.engine.play import Play, start
from tests.postgres import new_postgres_store

from foreword.domain.ids import BranchId
from foreword.domain.interchange import BranchState
from foreword.domain.ops import OpKind
from foreword.engine import branches, history, repairing, summaries, turns
from foreword.engine.bundles import branch_state
from foreword.engine.context import Engine, reading
from foreword.errors import ConflictError, ForkInUse, InputError, NothingToRedo, NothingToUndo
from foreword.ports.store import Store
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore
from foreword.testing.summarisers import EchoSummariser

Act = Callable[[Play, int], object]
Step = tuple[str, int, int]
"""What to do, on which branch, and to what."""

ACTS: dict[str, Act] = {
    "append": lambda play, n: play.say(" ".join([f"said{n}", *["la"] * n])),
    "edit": lambda play, n: play.edit(order(play, n), f"changed {n}"),
    "delete": lambda play, n: play.delete(order(play, n)),
    "delete following": lambda play, n: play.delete(order(play, n), following=True),
    "hide": lambda play, n: play.hide(order(play, n), order(play, n + 1)),
    "unhide": lambda play, n: play.unhide(order(play, n)),
    "pin": lambda play, n: play.pin(order(play, n)),
    "unpin": lambda play, n: play.unpin(order(play, n)),
    "alternative": lambda play, n: turns.add_alternative(
        play.engine, play.place, str(order(play, n)), f"other {n}"
    ),
    "choose": lambda play, n: turns.choose(play.engine, play.place, str(order(play, n)), 1 + n % 2),
    "make": lambda play, n: play.make(order(play, n)),
    "recap": lambda play, n: play.recap(anyway=n % 2 == 0, merge=True),
    "merge": lambda play, n: play.merge(*(view.id for view in play.summaries()[n % 2 :][:2])),
    "edit summary": lambda play, n: summaries.edit(
        play.engine, play.place, play.summaries()[0].id, f"by hand {n}"
    ),
    "regenerate": lambda play, _: asyncio.run(
        summaries.regenerate(play.engine, play.place, play.summaries()[-1].id)
    ),
    "delete summary": lambda play, _: play.delete_summary(play.summaries()[-1].id),
    "unwind": lambda play, _: play.unwind(next(view.id for view in play.summaries() if view.layer)),
    "repair": lambda play, _: asyncio.run(repairing.repair(play.engine, play.place)),
    "fork": lambda play, n: play.fork(order(play, n)),
}

steps = st.tuples(st.sampled_from(sorted(ACTS)), st.integers(0, 3), st.integers(0, 60))
# Half of all stories begin with summaries, so that many commands meet some.
begun = st.lists(
    st.tuples(st.sampled_from(["make", "fork"]), st.integers(0, 1), st.sampled_from([3, 7, 9])),
    max_size=4,
)
orders_of_branches = st.lists(st.integers(0, 3), min_size=1, max_size=12)


def order(play: Play, number: int) -> int:
    return 1 + number % max(1, len(play.state().entries))


def states(play: Play) -> dict[BranchId, BranchState]:
    with reading(play.engine, play.place) as at:
        return {one.id: branch_state(at.session, one) for one in at.session.branches()}


def perform(play: Play, commands: list[Step]) -> None:
    for name, branch, number in commands:
        known = branches.list_branches(play.engine, play.place)
        # An index or a search that finds nothing means: there is no summary to do it to.
        with suppress(InputError, IndexError, StopIteration):
            ACTS[name](play.on(known[branch % len(known)].id), number)


def exhaust(play: Play, undo: bool, order_of_branches: list[int]) -> int:
    """Undo or redo on branch after branch, in turns, until nothing is left on any."""
    done = 0
    left = list(states(play))
    turn = 0
    while left:
        branch = left[order_of_branches[turn % len(order_of_branches)] % len(left)]
        turn += 1
        try:
            play.on(branch).undo() if undo else play.on(branch).redo()
            done += 1
        except (NothingToUndo, NothingToRedo):
            left.remove(branch)
    return done


stories = given(begun, st.lists(steps, max_size=25), orders_of_branches, orders_of_branches)


def undo_all_and_redo_all(
    engine: Engine,
    commands: list[Step],
    undoing: list[int],
    redoing: list[int],
) -> None:
    play = start(engine, context="1024")
    play.say(*(" ".join([f"t{number}", *["la"] * 45]) for number in range(1, 12)))
    perform(play, commands)
    end = states(play)

    undone = exhaust(play, undo=True, order_of_branches=undoing)

    emptied = states(play)
    assert emptied[BranchId(1)].entries == ()
    assert emptied[BranchId(1)].cover == ()
    assert all(state.branch.removed for one, state in emptied.items() if one != BranchId(1))
    assert play.problems() == ()

    redone = exhaust(play, undo=False, order_of_branches=redoing)

    assert redone == undone
    assert states(play) == end
    assert play.problems() == ()


@stories
def test_undo_all_and_redo_all_give_equal_states(
    first: list[Step], commands: list[Step], undoing: list[int], redoing: list[int]
) -> None:
    engine = engine_on(MemoryStore(), summariser=EchoSummariser(filled=True))
    undo_all_and_redo_all(engine, [*first, *commands], undoing, redoing)


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_undo_all_and_redo_all_give_equal_states_on_a_database(
    open_sqlite: Callable[[], Store], kind: str
) -> None:
    store = open_sqlite() if kind == "sqlite" else new_postgres_store()
    engine = engine_on(store, summariser=EchoSummariser(filled=True))
    usual = settings.default
    assert usual is not None

    @settings(max_examples=usual.max_examples // 10, deadline=None)
    @stories
    def on_one_story_after_the_other(
        first: list[Step], commands: list[Step], undoing: list[int], redoing: list[int]
    ) -> None:
        undo_all_and_redo_all(engine, [*first, *commands], undoing, redoing)

    on_one_story_after_the_other()
    store.close()


def test_undo_and_redo_go_over_a_fork_and_say_where_the_user_is_then(engine: Engine) -> None:
    play = start(engine, 3)
    fork = play.fork(2)
    fork.say("in the fork")

    assert fork.undo().branch == 2
    assert fork.undo().branch == 1
    assert [one.name for one in branches.list_branches(engine, play.place)] == ["main"]

    again = play.redo()
    assert (again.kind, again.branch) == (OpKind.FORK, 2)
    fork.redo()
    assert fork.sent() == ["t1 spoke", "t2 spoke", "in the fork"]
    with pytest.raises(NothingToRedo):
        fork.redo()


def test_a_fork_that_was_undone_comes_back_only_if_that_was_the_last_thing(
    engine: Engine,
) -> None:
    play = start(engine, 3)
    play.fork(2).undo()
    play.pin(1)

    with pytest.raises(NothingToRedo):
        play.redo()


def test_the_undo_of_a_fork_with_changes_names_the_last_of_them(engine: Engine) -> None:
    play = start(engine, 3)
    fork = play.fork(2)
    forked = fork.last_command()
    fork.say("in the fork")

    with pytest.raises(ForkInUse) as refused:
        fork.undo(forked)

    assert (refused.value.branch, refused.value.later) == ("branch 2", fork.last_command())
    fork.undo()
    assert fork.undo(forked).branch == 1


def test_undo_means_the_redone_command_and_history_says_what_stands(engine: Engine) -> None:
    play = start(engine, 2)
    play.edit(1, "changed")
    edit = play.last_command()
    play.undo()
    play.redo()

    undone = play.undo()

    assert undone.command == edit
    listed = [
        (entry.kind.value, entry.in_force, entry.undoes)
        for entry in history.history(engine, play.place)
    ]
    assert [kind for kind, _, _ in listed] == [
        "undo",
        "redo",
        "undo",
        "edit",
        "append",
        "append",
    ]
    assert [standing for _, standing, _ in listed] == [False, False, False, False, True, True]
    assert play.sent() == ["t1 spoke", "t2 spoke"]


def test_an_undo_and_a_redo_can_be_undone_by_id(engine: Engine) -> None:
    play = start(engine, 2)
    play.edit(1, "changed")
    play.undo()
    undone = play.last_command()

    again = play.undo(undone)
    assert again.kind is OpKind.EDIT
    assert play.sent() == ["changed", "t2 spoke"]

    redone = play.last_command()
    play.undo(redone)
    assert play.sent() == ["t1 spoke", "t2 spoke"]
    assert play.redo().kind is OpKind.EDIT
    assert play.problems() == ()


def test_only_the_users_own_commands_are_on_the_stack(engine: Engine) -> None:
    play = start(engine, 3)
    other = Play(engine_on(engine.store, actor="recap job"), play.place)
    other.make(2)
    job = play.last_command()

    play.undo()
    assert play.cover() == "S1[1 2]"
    play.redo()
    assert play.cover() == "S1[1 2] 3"

    play.undo(job)
    assert play.cover() == "1 2 3"


def test_a_conflict_changes_nothing(engine: Engine) -> None:
    play = start(engine, 4)
    play.make(2)
    made = play.last_command()
    play.edit(1, "changed")
    before = play.state()

    with pytest.raises(ConflictError):
        play.undo(made)

    assert play.state() == before
