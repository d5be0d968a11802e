"""A bundle is a whole conversation: what is imported from it is equal in every respect."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.integration.engine.play import Play, start

from foreword.domain.interchange import BranchState
from foreword.domain.turn import Role
from foreword.engine import branches, conversations, importing, summaries, turns
from foreword.engine.bundles import branch_state
from foreword.engine.context import Engine, Place, reading
from foreword.engine.exporting import export_bundle
from foreword.engine.verifying import verify
from foreword.errors import InputError
from foreword.ports.format import SourceFile
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore


def imported(engine: Engine, data: bytes) -> Play:
    found = importing.import_file(engine, SourceFile(path="story.foreword", data=data))
    return Play(engine, Place(conversation=found.conversation))


def round_trip(play: Play) -> Play:
    """Export and import, and check all that a bundle promises."""
    data = export_bundle(play.engine, play.place.conversation)
    copy = imported(engine_on(MemoryStore()), data)
    assert export_bundle(copy.engine, copy.place.conversation) == data
    assert states(copy) == states(play)
    assert verify(copy.engine).problems == ()
    for branch in branches.list_branches(play.engine, play.place):
        left, right = play.on(branch.id), copy.on(branch.id)
        assert right.prompt(700).messages == left.prompt(700).messages
        assert right.summaries() == left.summaries()
        assert turns.list_turns(right.engine, right.place) == turns.list_turns(
            left.engine, left.place
        )
    return copy


def states(play: Play) -> list[BranchState]:
    with reading(play.engine, play.place) as at:
        return [branch_state(at.session, branch) for branch in at.session.branches()]


def rich(engine: Engine) -> Play:
    """Three branches with everything that a branch can have."""
    play = start(engine, 12, context="900", system="Tell it slowly.", char="Mira", style="plain")
    turns.append(engine, play.place, "A guest's words", role=Role.USER, speaker="Ночь")
    turns.add_alternative(engine, play.place, "2", "other words")
    turns.add_alternative(engine, play.place, "2", "third words")
    for through in (3, 6, 9):
        play.make(through)
    play.merge(1, 2)
    play.pin(1, 11)
    play.hide(10)
    fork = play.fork(11)
    play.edit(5, "changed after the fork")
    play.delete(4)
    turns.choose(engine, play.place, "2", 1)
    turns.add_alternative(engine, play.place, "1", "an alternative that only the parent has")
    fork.edit(2, "changed in the fork")
    fork.unpin(1)
    fork.say("said in the fork")
    summaries.edit(engine, fork.place, fork.summaries()[-1].id, "by hand")
    second = fork.fork(7)
    second.delete(6, following=True)
    gone = fork.fork(8)
    gone.undo()
    return play


def test_an_imported_bundle_is_in_an_equal_state(engine: Engine) -> None:
    play = rich(engine)
    assert len(states(play)) == 4

    round_trip(play)


def test_an_alternative_that_a_parent_got_after_a_fork_is_not_the_forks(engine: Engine) -> None:
    play = start(engine, 4)
    fork = play.fork(4)
    turns.add_alternative(engine, play.place, "2", "only here")
    assert len(turns.list_turns(engine, fork.place)[1].alternatives) == 1

    copy = round_trip(play).on(2)

    (_, turn, *_) = turns.list_turns(copy.engine, copy.place)
    assert len(turn.alternatives) == 1


def test_a_bundle_carries_stale_merged_and_deleted_summaries(engine: Engine) -> None:
    play = start(engine, 9)
    for through in (3, 6, 9):
        play.make(through)
    play.merge(1, 3)
    play.edit(5, "changed")
    play.delete_summary(1)

    copy = round_trip(play)

    assert play.states() == copy.states() == {1: "deleted", 2: "stale", 3: "in_use", 4: "stale"}


def test_a_bundle_carries_templates_settings_and_the_current_branch(engine: Engine) -> None:
    play = start(engine, 4, context="2048", cadence="less-often", system="Tell it.")
    play.fork(3)
    engine.store.set_template("conversation:c1", "master", "Only {{ summaries }}")

    copy = round_trip(play)

    conversation = copy.place.conversation
    assert copy.engine.store.template(f"conversation:{conversation}", "master") == (
        "Only {{ summaries }}"
    )
    assert conversations.show_settings(copy.engine, conversation) == (
        conversations.show_settings(engine, play.place.conversation)
    )
    assert conversations.view(copy.engine, conversation).branch == "branch 2"


def test_a_bundle_imported_twice_is_two_conversations(engine: Engine) -> None:
    play = start(engine, 4)
    data = export_bundle(engine, play.place.conversation)

    copy = imported(engine, data)
    copy.say("more words")

    assert copy.place.conversation != play.place.conversation
    assert play.cover() == "1 2 3 4"
    assert len(conversations.list_conversations(engine)) == 2


def test_settings_that_this_foreword_does_not_take_are_reported_and_left_out(
    engine: Engine,
) -> None:
    play = start(engine, 3, context="2048", char="Mira")
    document = json.loads(export_bundle(engine, play.place.conversation))
    document["settings"] |= {"colour": "red", "context": "12"}

    found = importing.import_file(
        engine, SourceFile(path="story.foreword", data=json.dumps(document).encode())
    )

    assert {(loss.where, loss.what) for loss in found.losses} == {
        ("settings", "colour = red"),
        ("settings", "context = 12"),
    }
    copy = Play(engine, Place(conversation=found.conversation))
    assert copy.prompt().context == 32_768
    assert conversations.show_settings(engine, found.conversation)["char"] == "Mira"


def test_an_imported_story_goes_on_like_any_other(engine: Engine) -> None:
    play = start(engine, 9)
    for through in (3, 6):
        play.make(through)
    play.merge(1, 2)
    play.fork(7)
    copy = imported(engine, export_bundle(engine, play.place.conversation)).on(1)

    copy.edit(5, "changed after the import")
    assert copy.cover() == "S1[1 2 3] 4 5 6 7 8 9"
    copy.undo()
    copy.unwind(3)
    copy.make(9)

    assert copy.cover() == "S1[1 2 3] S2[4 5 6] S4[7 8 9]"
    assert play.cover() == "S3[1 2 3 4 5 6] 7 8 9"
    assert copy.on(2).cover() == "S3[1 2 3 4 5 6] 7"
    assert (copy.problems(), play.problems()) == ((), ())


def test_undoing_an_import_of_a_bundle_empties_its_branch_at_once(engine: Engine) -> None:
    play = start(engine, 4)
    play.make(2)
    copy = imported(engine, export_bundle(engine, play.place.conversation))

    copy.undo()
    assert (copy.cover(), copy.summaries()) == ("", ())

    copy.redo()
    assert copy.cover() == "S1[1 2] 3 4"
    assert copy.problems() == ()


chunks = st.lists(
    st.tuples(
        st.sampled_from("say edit delete alternative make hide fork pin".split()),
        st.integers(0, 30),
    ),
    max_size=25,
)


@settings(max_examples=25)
@given(chunks)
def test_any_conversation_survives_a_bundle(commands: list[tuple[str, int]]) -> None:
    engine = engine_on(MemoryStore())
    play = start(engine, 6)
    for name, number in commands:
        with suppress(InputError):
            play = act(play, name, number)

    round_trip(play)


def act(play: Play, name: str, number: int) -> Play:
    size = len(play.state().entries)
    order = 1 + number % size if size else 1
    if name == "say" or not size:
        return play.say(f"said {number}")
    if name == "fork":
        play.fork(order)
        return play.on(1 + number % len(branches.list_branches(play.engine, play.place)))
    if name == "alternative":
        turns.add_alternative(play.engine, play.place, str(order), f"other {number}")
    elif name == "edit":
        play.edit(order, f"changed {number}")
    elif name == "make":
        play.make(order)
    else:
        onto: dict[str, Callable[[int], object]] = {
            "delete": play.delete,
            "hide": play.hide,
            "pin": play.pin,
        }
        onto[name](order)
    return play
