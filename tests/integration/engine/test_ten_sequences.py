"""Ten sequences of commands that break toys, each with what is sent after every step."""

from __future__ import annotations

import pytest
from tests.integration.engine.play import Play, spoke, start

from foreword.domain.ops import OpKind
from foreword.domain.turn import Role
from foreword.engine import turns
from foreword.engine.context import Engine
from foreword.errors import NothingToRedo, UndoConflict, UndoOverlap


def holds(play: Play, cover: str, *sent: str) -> None:
    """Check a branch: what covers it, what is sent, and that all that is stored is sound."""
    assert play.cover() == cover
    assert play.sent() == list(sent)
    assert play.problems() == ()


def meta_of_three(engine: Engine) -> Play:
    """Ten turns, three summaries over nine of them, merged into S4."""
    play = start(engine, 10)
    play.make(3)
    play.make(6)
    play.make(9)
    play.merge(1, 3)
    holds(play, "S4[1 2 3 4 5 6 7 8 9] 10", "mer(t1,t2,t3|t4,t5,t6|t7,t8,t9)", "t10 spoke")
    return play


def test_a_fork_inside_a_meta_summary_keeps_the_parts_before_it_and_the_parent_unwinds(
    engine: Engine,
) -> None:
    main = meta_of_three(engine)

    fork = main.fork(7)
    holds(fork, "S1[1 2 3] S2[4 5 6] 7", "sum(t1,t2,t3)\n\nsum(t4,t5,t6)", "t7 spoke")
    assert fork.states() == {1: "in_use", 2: "in_use"}

    unwound = main.unwind(4)
    assert [view.id for view in unwound] == [1, 2, 3]
    holds(
        main,
        "S1[1 2 3] S2[4 5 6] S3[7 8 9] 10",
        "sum(t1,t2,t3)\n\nsum(t4,t5,t6)\n\nsum(t7,t8,t9)",
        "t10 spoke",
    )
    assert main.states() == {1: "in_use", 2: "in_use", 3: "in_use", 4: "deleted"}
    holds(fork, "S1[1 2 3] S2[4 5 6] 7", "sum(t1,t2,t3)\n\nsum(t4,t5,t6)", "t7 spoke")


@pytest.mark.parametrize(
    ("after", "cover", "memory"),
    [
        (1, "1", ""),
        (3, "S1[1 2 3]", "sum(t1,t2,t3)"),
        (5, "S1[1 2 3] 4 5", "sum(t1,t2,t3)"),
        (9, "S4[1 2 3 4 5 6 7 8 9]", "mer(t1,t2,t3|t4,t5,t6|t7,t8,t9)"),
    ],
)
def test_a_fork_keeps_the_largest_parts_of_a_meta_summary_that_lie_before_it(
    engine: Engine, after: int, cover: str, memory: str
) -> None:
    fork = meta_of_three(engine).fork(after)

    assert (fork.cover(), fork.prompt().memory, fork.problems()) == (cover, memory, ())


def test_undoing_a_merge_after_a_fork_leaves_the_fork_its_meta_summary(engine: Engine) -> None:
    main = meta_of_three(engine)
    fork = main.fork(10)
    meta = ("S4[1 2 3 4 5 6 7 8 9] 10", "mer(t1,t2,t3|t4,t5,t6|t7,t8,t9)", "t10 spoke")
    holds(fork, *meta)

    undone = main.undo()

    assert undone.kind is OpKind.MERGE
    holds(
        main,
        "S1[1 2 3] S2[4 5 6] S3[7 8 9] 10",
        "sum(t1,t2,t3)\n\nsum(t4,t5,t6)\n\nsum(t7,t8,t9)",
        "t10 spoke",
    )
    holds(fork, *meta)
    fork.unwind(4)
    holds(
        fork,
        "S1[1 2 3] S2[4 5 6] S3[7 8 9] 10",
        "sum(t1,t2,t3)\n\nsum(t4,t5,t6)\n\nsum(t7,t8,t9)",
        "t10 spoke",
    )
    main.redo()
    holds(main, *meta)


def test_an_edit_in_a_fork_makes_a_shared_summary_stale_there_only(engine: Engine) -> None:
    main = start(engine, 6)
    main.make(4)
    fork = main.fork(5)
    holds(fork, "S1[1 2 3 4] 5", "sum(t1,t2,t3,t4)", "t5 spoke")

    change = fork.edit(2, "t2 fell silent")

    assert (change.stale, change.back) == ((1,), ())
    holds(fork, "1 2 3 4 5", "t1 spoke", "t2 fell silent", *spoke(3, 4, 5))
    holds(main, "S1[1 2 3 4] 5 6", "sum(t1,t2,t3,t4)", *spoke(5, 6))
    assert (fork.states(), main.states()) == ({1: "stale"}, {1: "in_use"})

    assert fork.edit(2, "t2 spoke").back == (1,)
    holds(fork, "S1[1 2 3 4] 5", "sum(t1,t2,t3,t4)", "t5 spoke")


def test_a_hidden_turn_is_not_recapped_and_comes_back_as_it_was(engine: Engine) -> None:
    play = start(engine, 6)
    play.hide(3)
    holds(play, "1 2 (3) 4 5 6", *spoke(1, 2, 4, 5, 6))

    play.make(4)
    holds(play, "S1[1 2 (3) 4] 5 6", "sum(t1,t2,t4)", *spoke(5, 6))

    assert play.unhide(3).stale == (1,)
    holds(play, "1 2 3 4 5 6", *spoke(1, 2, 3, 4, 5, 6))

    assert play.hide(3).back == (1,)
    holds(play, "S1[1 2 (3) 4] 5 6", "sum(t1,t2,t4)", *spoke(5, 6))


def test_deleting_a_source_turn_of_a_merged_summary_opens_the_meta_summary(engine: Engine) -> None:
    play = meta_of_three(engine)

    change = play.delete(5)

    assert (set(change.stale), set(change.back)) == ({4, 2}, {1, 3})
    holds(
        play,
        "S1[1 2 3] 4 5 S3[6 7 8] 9",
        "sum(t1,t2,t3)\n\nsum(t7,t8,t9)",
        "[Earlier parts that no summary covers:]",
        *spoke(4, 6),
        "[The latest part, complete from here on:]",
        "t10 spoke",
    )
    assert play.states() == {1: "in_use", 2: "stale", 3: "in_use", 4: "stale"}

    play.undo()
    holds(play, "S4[1 2 3 4 5 6 7 8 9] 10", "mer(t1,t2,t3|t4,t5,t6|t7,t8,t9)", "t10 spoke")


def test_undoing_an_edit_takes_its_summary_back_in_place_of_the_newer_one(engine: Engine) -> None:
    play = start(engine, 6)
    play.make(4)
    play.edit(2, "changed spoke")
    edit = play.last_command()
    play.make(4)
    holds(play, "S2[1 2 3 4] 5 6", "sum(t1,changed,t3,t4)", *spoke(5, 6))

    undone = play.undo(edit)

    assert (undone.kind, undone.settled.stale) == (OpKind.EDIT, (2,))
    holds(play, "S1[1 2 3 4] 5 6", "sum(t1,t2,t3,t4)", *spoke(5, 6))
    assert play.states() == {1: "in_use", 2: "stale"}

    play.redo()
    holds(play, "S2[1 2 3 4] 5 6", "sum(t1,changed,t3,t4)", *spoke(5, 6))
    assert play.states() == {1: "stale", 2: "in_use"}


def test_undoing_a_deletion_over_a_newer_summary_is_a_conflict_that_names_both(
    engine: Engine,
) -> None:
    play = meta_of_three(engine)
    assert [view.id for view in play.delete_summary(4)] == [1, 2]
    deletion = play.last_command()
    holds(
        play,
        "S1[1 2 3] S2[4 5 6] 7 8 9 10",
        "sum(t1,t2,t3)\n\nsum(t4,t5,t6)",
        *spoke(7, 8, 9, 10),
    )
    play.make(9)
    after = ("S1[1 2 3] S2[4 5 6] S5[7 8 9] 10",)
    memory = "sum(t1,t2,t3)\n\nsum(t4,t5,t6)\n\nsum(t7,t8,t9)"
    holds(play, *after, memory, "t10 spoke")

    with pytest.raises(UndoOverlap) as refused:
        play.undo(deletion)

    assert (refused.value.target, refused.value.summary_ids) == (deletion, (4, 5))
    holds(play, *after, memory, "t10 spoke")
    play.delete_summary(5)
    play.undo(deletion)
    holds(play, "S4[1 2 3 4 5 6 7 8 9] 10", "mer(t1,t2,t3|t4,t5,t6|t7,t8,t9)", "t10 spoke")


def test_going_back_to_an_alternative_takes_its_summary_back(engine: Engine) -> None:
    play = start(engine, 6)
    play.make(4)

    change = turns.add_alternative(engine, play.place, "2", "other spoke")
    assert change.stale == (1,)
    holds(play, "1 2 3 4 5 6", "t1 spoke", "other spoke", *spoke(3, 4, 5, 6))

    play.make(4)
    holds(play, "S2[1 2 3 4] 5 6", "sum(t1,other,t3,t4)", *spoke(5, 6))

    change = turns.choose(engine, play.place, "2", 1)
    assert (change.stale, change.back) == ((2,), (1,))
    holds(play, "S1[1 2 3 4] 5 6", "sum(t1,t2,t3,t4)", *spoke(5, 6))

    change = turns.choose(engine, play.place, "2", 2)
    assert (change.stale, change.back) == ((1,), (2,))
    holds(play, "S2[1 2 3 4] 5 6", "sum(t1,other,t3,t4)", *spoke(5, 6))


def test_a_deleted_tail_comes_back_before_what_was_said_after_it(engine: Engine) -> None:
    play = start(engine, 8)
    play.make(4)
    play.make(6)

    change = play.delete(4, following=True)
    deletion = play.last_command()
    assert (len(change.turns), set(change.stale)) == (5, {1, 2})
    holds(play, "1 2 3", *spoke(1, 2, 3))

    play.say("new spoke", first=Role.ASSISTANT)
    holds(play, "1 2 3 4", *spoke(1, 2, 3), "new spoke")

    undone = play.undo(deletion)
    assert set(undone.settled.back) | {1, 2} == {1, 2}
    holds(
        play,
        "S1[1 2 3 4] S2[5 6] 7 8 9",
        "sum(t1,t2,t3,t4)\n\nsum(t5,t6)",
        *spoke(7, 8),
        "new spoke",
    )


def test_a_new_command_clears_what_could_be_redone(engine: Engine) -> None:
    play = start(engine, 6)
    play.make(4)
    play.undo()
    play.pin(1)

    with pytest.raises(NothingToRedo):
        play.redo()
    holds(play, "1 2 3 4 5 6", *spoke(1, 2, 3, 4, 5, 6))

    play.undo()
    play.redo()
    assert play.state().pins == (1,)
    with pytest.raises(NothingToRedo):
        play.redo()


def test_undoing_by_id_what_was_changed_again_names_the_later_command(engine: Engine) -> None:
    play = start(engine, 4)
    play.edit(2, "once spoke")
    first = play.last_command()
    play.edit(2, "twice spoke")
    second = play.last_command()

    with pytest.raises(UndoConflict) as refused:
        play.undo(first)

    assert (refused.value.target, refused.value.later) == (first, second)
    holds(play, "1 2 3 4", "t1 spoke", "twice spoke", *spoke(3, 4))
