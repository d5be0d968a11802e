"""What a request is, told in small chats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.planning.recognition.shelf import Shelf

from foreword.domain.client_message import ClientMessage
from foreword.domain.turn import Role, ToolCallPart
from foreword.planning.recognition.recognise import recognise
from foreword.planning.recognition.result import (
    Add,
    Drop,
    Hide,
    Place,
    Recognised,
    ReplyKind,
    Revise,
)

HEAD = ClientMessage(role=Role.SYSTEM, text="You write Oda Marsh, who keeps the weather book.")
GREETING = "*Oda Marsh closes the weather book.* Who let you in at this hour?"
LINES = (
    "I came up the outer stair, nobody stopped me on the way.",
    "There is a name in your book that I have to see tonight.",
    "Then read it to me, and I will not touch the page at all.",
    "What happened to the barometer on the north wall since spring?",
    "I will carry the message to the harbour master before dawn.",
)
ANSWERS = (
    "She looks past you at the open door and counts the wet footprints.",
    "The third shelf, she says, but the ink has run since the flood.",
    "Her finger stops at a line that someone has crossed out twice.",
    "It fell on the night the ferry did not come, she answers slowly.",
    "Take the lamp with you, the lower steps are gone, she says.",
)
NOTE = "[Oda is tired tonight and answers in short sentences.]"


def system(text: str) -> ClientMessage:
    return ClientMessage(role=Role.SYSTEM, text=text)


def user(text: str) -> ClientMessage:
    return ClientMessage(role=Role.USER, text=text)


def assistant(text: str) -> ClientMessage:
    return ClientMessage(role=Role.ASSISTANT, text=text)


def history(lines: int) -> list[ClientMessage]:
    """The greeting, so many lines, and the answers between them."""
    told = [assistant(GREETING)]
    for at in range(lines):
        told += [user(LINES[at]), assistant(ANSWERS[at])]
    return told[:-1]


def told(lines: int = 4) -> tuple[Shelf, int]:
    """A chat of so many lines, each answered."""
    shelf = Shelf()
    branch = 0
    for at in range(lines):
        _, branch = shelf.request([HEAD, *history(at + 1)])
        shelf.answer(branch, ANSWERS[at])
    return shelf, branch


def texts(shelf: Shelf, branch: int) -> list[str]:
    return [turn.text.form for turn in shelf.branches[branch].turns if not turn.hidden]


def forms(messages: Sequence[ClientMessage]) -> list[str]:
    shelf = Shelf()
    _, branch = shelf.request([*messages])
    return texts(shelf, branch)


def test_a_chat_that_goes_on_is_one_branch_word_for_word() -> None:
    shelf, branch = told(4)
    assert len(shelf.branches) == 1
    assert texts(shelf, branch) == forms([*history(4), assistant(ANSWERS[3]), user("x")])[:-1]


def test_an_appended_line_is_recognised_exactly() -> None:
    shelf, branch = told(3)
    found, same = shelf.request([HEAD, *history(4)])
    assert (found.how, same) == (Recognised.EXACT, branch)
    assert found.reply.kind is ReplyKind.TURN


def test_the_same_body_asks_for_another_version() -> None:
    shelf, branch = told(3)
    found, same = shelf.request([HEAD, *history(3)])
    assert (found.changes, same, found.reply.kind) == ((), branch, ReplyKind.VERSION)
    shelf.answer(branch, "She says nothing, and the rain says the rest.")
    assert len(shelf.branches[branch].turns[-1].versions) == 2


def test_the_version_that_the_next_request_shows_is_the_one_that_was_kept() -> None:
    shelf, branch = told(3)
    shelf.request([HEAD, *history(3)])
    shelf.answer(branch, "She says nothing, and the rain says the rest.")
    shelf.request([HEAD, *history(4)])
    kept = shelf.branches[branch].turns[6]
    assert (kept.selected, len(kept.versions)) == (0, 2)


def test_a_message_that_stays_where_it_was_put_becomes_a_turn() -> None:
    shelf, branch = told(2)
    bell = system("The second bell rings over the harbour.")
    shelf.request([HEAD, *history(2), assistant(ANSWERS[1]), bell, user(LINES[2])])
    assert shelf.branches[branch].turns[5].role is Role.USER
    shelf.answer(branch, ANSWERS[2])
    before = [*history(2), assistant(ANSWERS[1]), bell]
    shelf.request([HEAD, *before, user(LINES[2]), assistant(ANSWERS[2]), user(LINES[3])])
    assert [turn.role for turn in shelf.branches[branch].turns[4:7]] == [
        Role.ASSISTANT,
        Role.SYSTEM,
        Role.USER,
    ]


@pytest.mark.parametrize("role", [Role.SYSTEM, Role.USER, Role.ASSISTANT])
def test_a_note_that_moves_with_the_end_never_becomes_a_turn(role: Role) -> None:
    shelf = Shelf()
    branch = 0
    note = ClientMessage(role=role, text=NOTE)
    for at in range(5):
        chat = history(at + 1)
        found, branch = shelf.request([HEAD, *chat[:-2], note, *chat[-2:]] if at else [HEAD, *chat])
        shelf.answer(branch, ANSWERS[at])
        assert not at or found.places[-3] in (Place.SUSPECT, Place.INJECTION)
    assert len(shelf.branches[branch].turns) == 11


def test_an_edited_line_takes_its_new_text_when_it_comes_twice() -> None:
    shelf, branch = told(3)
    edited = "I came up the outer stair, the watchman stopped me on the way."
    chat = history(4)
    chat[1] = user(edited)
    shelf.request([HEAD, *chat])
    shelf.answer(branch, ANSWERS[3])
    assert shelf.branches[branch].turns[1].selected == 0
    found, _ = shelf.request([HEAD, *chat, assistant(ANSWERS[3]), user(LINES[4])])
    assert [type(change) for change in found.changes] == [Revise, Add]
    assert shelf.branches[branch].turns[1].text.form == edited.casefold()


def test_a_summary_of_an_edited_turn_does_not_stand_for_it() -> None:
    shelf, branch = told(3)
    chat = history(4)
    chat[1] = user("I came up the outer stair, the watchman stopped me on the way.")
    found, _ = shelf.request([HEAD, *chat])
    turns = shelf.branches[branch].turns
    assert turns[1].id not in found.faithful
    assert turns[0].id in found.faithful


def test_a_text_that_changes_every_time_is_not_taken_for_an_edit() -> None:
    shelf, branch = told(3)
    for at in range(4):
        chat = history(4)
        chat[1] = user(LINES[0].replace("nobody", ("nobody", "somebody")[at % 2]))
        more = [item for n in range(at) for item in (assistant(f"Answer {n}."), user(f"Line {n}."))]
        shelf.request([HEAD, *chat, *more])
        shelf.answer(branch, f"Answer {at}.")
    assert len(shelf.branches[branch].turns[1].versions) == 1


def test_what_is_left_out_between_turns_is_hidden_when_it_stays_away() -> None:
    shelf, branch = told(3)
    shelf.request([HEAD, *history(4)[:1], *history(4)[3:]])
    shelf.answer(branch, ANSWERS[3])
    assert not any(turn.hidden for turn in shelf.branches[branch].turns)
    rest = [*history(4)[3:], assistant(ANSWERS[3]), user(LINES[4])]
    found, _ = shelf.request([HEAD, *history(4)[:1], *rest])
    assert sum(isinstance(change, Hide) for change in found.changes) == 2
    back, _ = shelf.request([HEAD, *history(5)])
    assert [change for change in back.changes if isinstance(change, Hide)] == [
        Hide(turn=shelf.branches[branch].turns[at].id, hidden=False) for at in (1, 2)
    ]


def test_a_window_that_lacks_the_oldest_turns_hides_nothing() -> None:
    shelf, branch = told(4)
    found, same = shelf.request([HEAD, *history(5)[4:]])
    assert same == branch
    assert [type(change) for change in found.changes] == [Add]
    assert not any(turn.hidden for turn in shelf.branches[branch].turns)


def test_another_line_after_an_earlier_answer_leaves_the_branch() -> None:
    shelf, branch = told(4)
    found, fork = shelf.request([HEAD, *history(2), user("Then I shall come back by daylight.")])
    assert fork != branch
    assert found.fork_after == shelf.branches[branch].turns[3].id
    assert len(shelf.branches[branch].turns) == 9


def test_a_line_typed_anew_takes_the_place_of_one_whose_answer_was_thrown_away() -> None:
    shelf, branch = told(3)
    found, same = shelf.request([HEAD, *history(3)[:-1], user("No. Close the book, please.")])
    assert same == branch
    assert [type(change) for change in found.changes] == [Drop, Drop, Add]


def test_a_stopped_answer_is_kept_as_far_as_the_user_has_it() -> None:
    shelf, branch = told(3)
    chat = [*history(3), assistant(ANSWERS[2][:30]), user(LINES[3])]
    shelf.request([HEAD, *chat])
    assert shelf.branches[branch].turns[6].text.form == ANSWERS[2][:30].casefold().strip()


def test_a_continued_answer_is_one_turn() -> None:
    shelf, branch = told(3)
    nudge = system("[Continue your last message without repeating it.]")
    found, _ = shelf.request([HEAD, *history(3), assistant(ANSWERS[2]), nudge])
    assert (found.changes, found.reply.kind, found.places[-1]) == ((), ReplyKind.ANSWER, Place.TAIL)
    shelf.answer(branch, "Twice, and in two different hands.")
    whole = f"{ANSWERS[2]} Twice, and in two different hands."
    shelf.request([HEAD, *history(3), assistant(whole), user(LINES[3])])
    assert shelf.branches[branch].turns[6].text.form == whole.casefold()


def test_what_the_model_wrote_for_the_player_comes_back_as_the_players() -> None:
    shelf, branch = told(3)
    shelf.request([HEAD, *history(3), assistant(ANSWERS[2]), system("[Write as the visitor.]")])
    shelf.answer(branch, "I lean closer and hold my breath over the page.")
    mine = user("I lean closer and hold my breath over the page.")
    shelf.request([HEAD, *history(3), assistant(ANSWERS[2]), mine])
    turns = shelf.branches[branch].turns
    assert (turns[-1].role, len(turns[-1].versions)) == (Role.USER, 1)


def test_a_quiet_request_advances_nothing() -> None:
    shelf, branch = told(3)
    before = shelf.branches[branch]
    shelf.request([HEAD, *history(3), assistant(ANSWERS[2]), system("Sum up the scene.")])
    shelf.answer(branch, "A visitor asks for a name in the weather book.")
    after = shelf.branches[branch]
    assert [turn.id for turn in after.turns] == [turn.id for turn in before.turns]
    assert after.notes.suspects == before.notes.suspects


def test_two_chats_with_one_opening_part_where_they_differ() -> None:
    shelf, branch = told(3)
    _, same = shelf.request([HEAD, *history(1)])
    assert same == branch
    shelf.answer(branch, "Nobody lets anybody in, she says, they only come.")
    other = [*history(1), assistant("Nobody lets anybody in, she says, they only come.")]
    _, fork = shelf.request([HEAD, *other, user("Then I am one of those, I suppose.")])
    assert fork != branch
    assert not set(ANSWERS[0].casefold().split(".")) & set(texts(shelf, fork))


def test_a_greeting_alone_joins_no_chat() -> None:
    shelf, branch = told(3)
    found, other = shelf.request([HEAD, assistant(GREETING), user("Is this the weather office?")])
    assert (found.how, other == branch) == (Recognised.NEW, False)


def test_joined_neighbours_are_their_turns() -> None:
    shelf, branch = told(3)
    chat = history(4)
    joined = user(f"{LINES[1]}\n\n{NOTE}")
    found, same = shelf.request([HEAD, *chat[:3], joined, *chat[4:]])
    assert same == branch
    assert found.turns[4] == (shelf.branches[branch].turns[3].id,)


def test_one_message_that_holds_several_turns_is_all_of_them() -> None:
    shelf, branch = told(3)
    chat = history(4)
    joined = user("\n\n".join((LINES[0], ANSWERS[0], LINES[1])))
    found, _ = shelf.request([HEAD, chat[0], joined, *chat[4:]])
    assert found.turns[2] == tuple(turn.id for turn in shelf.branches[branch].turns[1:4])


def test_a_call_and_its_result_become_turns_at_once() -> None:
    shelf, branch = told(2)
    call = ClientMessage(
        role=Role.ASSISTANT, calls=(ToolCallPart(call_id="c1", name="tide", arguments="{}"),)
    )
    result = ClientMessage(role=Role.TOOL, text="2 feet", answers="c1")
    found, same = shelf.request([HEAD, *history(3), call, result])
    assert same == branch
    assert found.places[-2:] == (Place.NEW, Place.NEW)
    assert found.reply.kind is ReplyKind.TURN


def test_a_story_message_that_the_window_begins_with_is_not_an_instruction() -> None:
    shelf = Shelf()
    bell = system("The second bell rings over the harbour, longer than it should.")
    first = [*history(2), assistant(ANSWERS[1]), bell, user(LINES[2])]
    _, branch = shelf.request([HEAD, *first])
    shelf.answer(branch, ANSWERS[2])
    second = [*first, assistant(ANSWERS[2]), user(LINES[3])]
    shelf.request([HEAD, *second])
    shelf.answer(branch, ANSWERS[3])
    found, same = shelf.request([HEAD, *second[5:], assistant(ANSWERS[3]), user(LINES[4])])
    assert same == branch
    assert found.places[:3] == (Place.HEAD, Place.TURN, Place.TURN)


def test_a_conversation_that_was_held_elsewhere_is_stored_at_once() -> None:
    shelf = Shelf()
    found, branch = shelf.request([HEAD, *history(5), system(NOTE)])
    assert (found.how, found.established) == (Recognised.NEW, True)
    assert len(shelf.branches[branch].turns) == 10
    assert found.places[-1] is Place.TAIL


def test_a_passing_question_is_not_established() -> None:
    found = recognise([user("Name one thing that a weather book would keep.")], ())
    assert (found.how, found.established) == (Recognised.NEW, False)


def test_instructions_alone_cannot_be_remembered() -> None:
    found = recognise([HEAD], ())
    assert (found.how, found.reply.kind) == (Recognised.NONE, ReplyKind.NOTHING)
    assert recognise([], ()).how is Recognised.NONE


def test_a_hint_tips_the_scales_between_equals() -> None:
    shelf, branch = told(2)
    shelf.branches[99] = replace(
        shelf.branches[branch], branch=99, used=0, hints=frozenset({"chat:7"})
    )
    assert shelf.request([HEAD, *history(3)], frozenset({"chat:7"}))[1] == 99


def test_a_hint_alone_decides_nothing() -> None:
    shelf, branch = told(2)
    shelf.branches[branch] = replace(shelf.branches[branch], hints=frozenset({"chat:7"}))
    found, _ = shelf.request([HEAD, user("An entirely other matter.")], frozenset({"chat:7"}))
    assert found.how is Recognised.NEW


@given(
    lines=st.lists(st.text("abcdefgh ", min_size=1, max_size=60), min_size=1, max_size=12),
    drop=st.sets(st.integers(0, 11), max_size=4),
)
def test_any_request_keeps_its_order_and_every_message_has_a_place(
    lines: list[str], drop: set[int]
) -> None:
    shelf = Shelf()
    chat = [(user, assistant)[at % 2](text) for at, text in enumerate(lines)]
    shelf.request([HEAD, *chat])
    again = [HEAD, *(one for at, one in enumerate(chat) if at not in drop)]
    found, branch = shelf.request(again)
    assert len(found.places) == len(again)
    order = {turn.id: at for at, turn in enumerate(shelf.branches[branch].turns)}
    came = [order[turn] for at in sorted(found.turns) for turn in found.turns[at] if turn in order]
    assert came == sorted(set(came))
