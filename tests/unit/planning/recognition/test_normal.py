"""When a text that a client sends is one that is stored."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.client_message import ClientMessage
from foreword.domain.turn import Role, ToolCallPart
from foreword.planning.recognition.normal import (
    Relation,
    message_key,
    nearly_same,
    normal_form,
    relation,
    same_speaker,
)

STORED = "she closes the book and looks at the rain for a long while"


@pytest.mark.parametrize(
    "sent",
    [
        "  *She closes the book*\r\n and looks at the rain for a long while ",
        "Mira Voss: She closes the book and looks at the rain for a long while",
        "<think>He is wet.</think>\nShe closes the book and looks at the rain for a long while",
        "She closes the book and looks at the rain\nfor a long while\u200b",
    ],
)
def test_what_clients_do_to_a_text_changes_nothing(sent: str) -> None:
    assert normal_form(sent) == STORED
    assert relation(normal_form(sent), STORED) is Relation.SAME


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        (STORED, Relation.SAME),
        ("she closes the book", Relation.CUT),
        (f"{STORED} and says nothing", Relation.GROWN),
        (f"rain on the roof. {STORED}", Relation.BEHIND),
        ("she closes the door and looks at the rain for a long while", Relation.ALIKE),
        ("nobody came down the stair that night", Relation.OTHER),
        ("she closes", Relation.CUT),
        ("he", Relation.OTHER),
        ("", Relation.OTHER),
    ],
)
def test_a_text_stands_to_a_stored_one_as_it_was_changed(sent: str, found: Relation) -> None:
    assert relation(sent, STORED) is found


def test_nothing_stands_to_an_empty_text() -> None:
    assert relation(STORED, "") is Relation.OTHER


def test_texts_that_differ_by_a_word_in_ten_are_nearly_the_same() -> None:
    assert nearly_same(STORED, STORED.replace("book", "door"))
    assert not nearly_same(STORED, STORED.replace("the", "a").replace("long", "short"))
    assert not nearly_same("she closes the book", STORED)


def test_the_number_of_equal_words_counts_and_not_only_which() -> None:
    assert relation("rain rain rain rain", "rain on the roof") is Relation.OTHER


def test_short_texts_belong_to_their_speaker_and_long_ones_may_change_hands() -> None:
    assert same_speaker(Role.USER, Role.USER, "yes.")
    assert not same_speaker(Role.USER, Role.ASSISTANT, "yes.")
    assert same_speaker(Role.USER, Role.ASSISTANT, STORED)


def test_calls_pictures_and_results_are_part_of_the_key() -> None:
    call = ToolCallPart(call_id="c1", name="tide", arguments="{}")
    messages = [
        ClientMessage(role=Role.ASSISTANT),
        ClientMessage(role=Role.ASSISTANT, calls=(call,)),
        ClientMessage(role=Role.TOOL, answers="c1"),
        ClientMessage(role=Role.USER, media=("a.png",)),
        ClientMessage(role=Role.USER, media=("b.png",)),
    ]
    assert len({message_key(one) for one in messages}) == len(messages)


def test_the_role_is_not_part_of_the_key() -> None:
    assert message_key(ClientMessage(role=Role.USER, text="I wait.")) == message_key(
        ClientMessage(role=Role.ASSISTANT, text="*I  wait.*")
    )


@given(st.text(max_size=80))
def test_a_normal_form_is_its_own_where_no_name_stands_before_it(text: str) -> None:
    form = normal_form(text)
    if ":" not in form and "<" not in form:
        assert normal_form(form) == form
