"""Every text that a turn ever had can be read: after edits, choices, undo, deletion and forks."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.integration.engine.play import Play, start

from foreword.domain.ids import MAIN_BRANCH, Rev
from foreword.engine import turns
from foreword.engine.turn_history import revision, revisions
from foreword.errors import ConflictError, InputError, RevisionNotFound, TurnNotFound
from foreword.ports.store import Store
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore


def told(play: Play, reference: str) -> list[tuple[int, str, str]]:
    found = revisions(play.engine, play.place, reference)
    return [(one.since, one.kind.value, one.version.content.text) for one in found]


def said(play: Play, reference: str, number: int) -> str:
    return revision(play.engine, play.place, reference, number).version.content.text


def test_edits_choices_and_undo_are_told_and_hiding_is_not(store: Store) -> None:
    play = start(engine_on(store), 3)
    play.edit(2, "edited")
    turns.add_alternative(play.engine, play.place, "2", "another")
    play.hide(2)
    play.undo()
    play.undo()
    assert told(play, "2") == [
        (2, "append", "t2 spoke"),
        (4, "edit", "edited"),
        (5, "choose", "another"),
        (8, "undo", "edited"),
    ]
    assert [said(play, "2", number) for number in range(2, 9)] == [
        "t2 spoke", "t2 spoke", "edited", "another", "another", "another", "edited",
    ]  # fmt: skip
    last = revisions(play.engine, play.place, "id:2")[-1]
    assert (last.until, last.actor, last.speaker, last.hidden) == (None, "user", "assistant", False)


def test_a_turn_that_was_deleted_is_read_by_its_id(store: Store) -> None:
    play = start(engine_on(store), 3)
    play.edit(2, "edited")
    play.delete(2)
    assert told(play, "id:2") == [(2, "append", "t2 spoke"), (4, "edit", "edited")]
    assert revisions(play.engine, play.place, "id:2")[-1].until == 5
    assert said(play, "2", 3) == "t3 spoke"
    with pytest.raises(RevisionNotFound, match="'5 of turn id:2'"):
        said(play, "id:2", 5)


def test_a_fork_tells_what_its_parent_was_until_then(store: Store) -> None:
    play = start(engine_on(store), 3)
    play.edit(1, "before")
    fork = play.fork(2)
    play.edit(1, "on main")
    fork.edit(1, "on the fork")
    assert [text for _, _, text in told(fork, "1")] == ["t1 spoke", "before", "on the fork"]
    assert [text for _, _, text in told(play, "1")] == ["t1 spoke", "before", "on main"]
    with pytest.raises(TurnNotFound):
        told(fork, "id:3")


@pytest.mark.parametrize("number", [0, 9, 10**12])
def test_a_revision_that_is_not_there_is_not_found(store: Store, number: int) -> None:
    play = start(engine_on(store), 3)
    with pytest.raises(RevisionNotFound, match=f"'{number}'"):
        said(play, "1", number)


@pytest.mark.parametrize("reference", ["7", "id:7", "id:", "id:x", "one", "id:" + "9" * 40])
def test_a_turn_that_never_was_is_not_found(store: Store, reference: str) -> None:
    play = start(engine_on(store), 3)
    for read in (told, lambda play, reference: said(play, reference, 1)):
        with pytest.raises(TurnNotFound):
            read(play, reference)


def test_a_revision_before_a_turn_was_said_is_not_found(store: Store) -> None:
    play = start(engine_on(store), 3)
    with pytest.raises(RevisionNotFound, match="'2 of turn 3'"):
        said(play, "3", 2)


ACTIONS = st.lists(
    st.tuples(st.sampled_from(("edit", "delete", "undo", "redo", "fork")), st.integers(1, 4)),
    max_size=10,
)


@settings(max_examples=30)
@given(actions=ACTIONS)
def test_what_was_seen_at_a_revision_can_be_read_later(actions: list[tuple[str, int]]) -> None:
    play = start(engine_on(MemoryStore()), 4)
    here = play.on(MAIN_BRANCH)
    seen: dict[Rev, list[tuple[int, str]]] = {}
    for number, (name, turn) in enumerate(actions):
        try:
            match name:
                case "edit":
                    here.edit(turn, f"text {number}")
                case "fork":
                    here = here.fork(turn)
                case "delete":
                    here.delete(turn)
                case _:
                    getattr(here, name)()
        except (InputError, ConflictError):
            continue
        with here.engine.store.read(here.engine.account, here.place.conversation) as session:
            rev = session.conversation.rev
        listed = turns.list_turns(here.engine, here.place)
        seen[rev] = [(one.entry.turn_id, one.content.text) for one in listed]
        if name == "fork":
            seen = {rev: seen[rev]}
    for rev, shown in seen.items():
        for turn_id, text in shown:
            assert said(here, f"id:{turn_id}", rev) == text
