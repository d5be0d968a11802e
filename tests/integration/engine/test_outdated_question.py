"""The question that is asked before a reply when summaries went out of date."""

from __future__ import annotations

import asyncio

from tests.integration.engine.play import Play, start

from foreword.domain.ids import SummaryId, TurnId
from foreword.engine import prompting, repairing, summaries
from foreword.engine.context import Engine
from foreword.planning.outdated import Outdated


def asked(play: Play) -> tuple[list[int], list[int]] | None:
    """Return the summaries and the turns that the next prompt asks about."""
    outdated = play.prompt().outdated
    if outdated is None:
        return None
    return [*outdated.summary_ids], [*outdated.turn_ids]


def two_summaries(engine: Engine) -> Play:
    play = start(engine, 8)
    play.make(3)
    play.make(6)
    return play


def test_the_question_names_the_parts_that_the_summaries_belonged_to(engine: Engine) -> None:
    play = two_summaries(engine)
    assert asked(play) is None

    play.edit(5, "changed spoke")

    outdated = play.prompt().outdated
    assert outdated == Outdated(summary_ids=(SummaryId(2),), turn_ids=(TurnId(6),))
    assert outdated.question == (
        "Invalidated summaries for messages with IDs: [6]. "
        "Continue generation without those summaries?"
    )


def test_the_ids_are_of_turns_and_not_their_places(engine: Engine) -> None:
    play = start(engine, 2)
    play.delete(1)
    play.say("t3 spoke", "t4 spoke")
    play.make(2)
    play.delete(1)

    assert asked(play) == ([1], [3])


def test_what_was_acknowledged_is_not_asked_again_until_the_next_change(engine: Engine) -> None:
    play = two_summaries(engine)
    play.edit(2, "changed spoke")

    assert prompting.acknowledge(engine, play.place) == Outdated(
        summary_ids=(SummaryId(1),), turn_ids=(TurnId(3),)
    )
    assert asked(play) is None
    assert prompting.acknowledge(engine, play.place) is None

    play.edit(5, "changed too")
    assert asked(play) == ([2], [6])


def test_the_same_change_made_anew_is_asked_about_anew(engine: Engine) -> None:
    play = two_summaries(engine)
    play.edit(2, "changed spoke")
    prompting.acknowledge(engine, play.place)
    play.undo()
    assert asked(play) is None

    play.redo()

    assert asked(play) == ([1], [3])


def test_a_span_that_is_covered_again_is_not_asked_about(engine: Engine) -> None:
    play = two_summaries(engine)
    play.edit(2, "changed spoke")
    play.edit(5, "changed too")
    assert asked(play) == ([1, 2], [3, 6])

    play.make(3)
    assert asked(play) == ([2], [6])

    asyncio.run(repairing.repair(engine, play.place))
    assert asked(play) is None


def test_a_meta_summary_is_asked_about_by_those_of_its_parts_that_changed(engine: Engine) -> None:
    play = two_summaries(engine)
    play.merge(1, 2)

    play.edit(5, "changed spoke")

    assert asked(play) == ([2], [6])


def test_a_part_is_named_once_however_many_summaries_it_lost(engine: Engine) -> None:
    play = two_summaries(engine)
    play.merge(1, 2)
    play.edit(2, "changed spoke")
    play.edit(5, "changed too")
    play.make(3)
    play.edit(2, "changed again")

    # Summary 4 was made over the words of 1, and all that 3 merged lies open.
    assert asked(play) == ([3, 1, 4, 2], [6, 3])


def test_a_fork_does_not_ask_again_what_was_acknowledged_before_it(engine: Engine) -> None:
    play = two_summaries(engine)
    play.edit(2, "changed spoke")
    prompting.acknowledge(engine, play.place)

    fork = play.fork(8)

    assert asked(fork) is None
    fork.edit(5, "changed too")
    assert asked(fork) == ([2], [6])
    assert asked(play) is None


def test_a_fork_asks_what_its_parent_has_not_been_told_yet(engine: Engine) -> None:
    play = two_summaries(engine)
    play.edit(2, "changed spoke")

    assert asked(play.fork(8)) == ([1], [3])


def test_while_everything_fits_a_prompt_only_grows_at_its_end(engine: Engine) -> None:
    play = start(engine, system="You tell a story.", char="Mira", user="Jon")
    last: tuple[object, ...] = ()
    for number in range(1, 30):
        play.say(f"t{number} spoke at some length")
        messages = play.prompt().messages
        assert messages[: len(last)] == last
        assert len(messages) == number + 1
        last = messages


def test_between_recaps_a_prompt_only_grows_at_its_end(engine: Engine) -> None:
    play = start(engine, 12, system="You tell a story.")
    play.make(4)
    play.make(8)
    asyncio.run(summaries.merge(engine, play.place, [SummaryId(1), SummaryId(2)]))
    last = play.prompt().messages
    for number in range(13, 30):
        play.say(f"t{number} spoke at some length")
        messages = play.prompt().messages
        assert messages[:-1] == last
        last = messages
