"""What counts as an answer that a text still holds."""

from __future__ import annotations

import pytest

from foreword.domain.probes import Probe, kept, stands_in


def probe(answer: str, *aliases: str) -> Probe:
    return Probe(id="p", question="?", answer=answer, aliases=aliases)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("four groats", "It costs Four\n  Groats a night."),
        ("3:52", "The hands have stopped at 3:52."),
        ("Mariners' Rest", "He lies up at Mariners’ Rest, fourth row."),
        ("灯", "灯"),
        ("C++", "written in C++, mostly"),
    ],
)
def test_an_answer_stands_in_a_text_whatever_its_case_quotes_and_spaces(
    answer: str, text: str
) -> None:
    assert stands_in(probe(answer), text)


@pytest.mark.parametrize(
    ("answer", "text"),
    [("seven", "seventeen"), ("11", "1811"), ("", "anything"), ("swan", "a goose")],
)
def test_part_of_a_word_is_no_answer(answer: str, text: str) -> None:
    assert not stands_in(probe(answer), text)


def test_an_alias_answers_too() -> None:
    assert stands_in(probe("thirty-four years", "34 years"), "kept for 34 years")


def test_only_the_probes_that_are_answered_are_kept() -> None:
    swan, goose = probe("swan"), probe("goose")
    assert kept([swan, goose], "The goose is Parsnip.") == (goose,)
