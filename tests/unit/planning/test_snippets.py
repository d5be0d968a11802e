import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.terms import search_terms
from foreword.planning.snippets import CONTEXT, LENGTH, LONGEST_TEXT, snippet

words = st.sampled_from("lantern Straße Öra 猫が 白い猫 road, (ferry) don’t 3.5 … กา हिन्दी".split())
stories = st.lists(
    st.tuples(words, st.sampled_from([" ", "  ", "\n\n", "\t"])).map("".join), max_size=120
).map("".join)


def test_a_short_text_is_shown_whole_on_one_line() -> None:
    assert snippet(" The lantern\n\nwent  out. ", ["lantern"]) == "The lantern went out."


def test_a_long_text_without_a_hit_is_shown_from_its_beginning() -> None:
    assert snippet("abcde " * 40, ["lantern"], length=11) == "abcde abcde…"


def test_a_hit_far_inside_is_shown_with_some_words_before_it() -> None:
    text = "one two three four " * 30 + "the Lantern burns " + "five six " * 30
    shown = snippet(text, ["lantern"], length=60)
    assert shown == "…four the Lantern burns five six five six five six five six f…"


def test_the_first_stretch_with_most_different_words_is_shown() -> None:
    filler = "x " * 100
    text = f"{filler}lantern lantern lantern {filler}lantern road {filler}road lantern {filler}"
    shown = snippet(text, ["lantern", "road"], length=40)
    assert "lantern road" in shown
    assert "road lantern" not in shown


def test_words_further_apart_than_a_snippet_do_not_count_together() -> None:
    text = "lantern " + "x " * 100 + "road lantern"
    assert snippet(text, ["lantern", "road"], length=40).endswith("road lantern")


def test_a_hit_inside_a_long_run_without_spaces_is_shown() -> None:
    text = "世界和平很重要而且我们必须保护它" * 100 + "白猫在这里" + "世界" * 100
    assert "白猫" in snippet(text, search_terms("白猫"))


def test_a_name_is_shown_with_the_particle_written_to_it() -> None:
    text = unicodedata.normalize("NFD", "그리고 " * 60 + "민준이는 웃었다. " + "그리고 " * 60)
    assert "민준이는" in snippet(text, search_terms("민준"))


def test_a_word_behind_the_longest_looked_at_text_is_not_looked_for() -> None:
    text = "x " * (LONGEST_TEXT // 2) + "lantern"
    assert snippet(text, ["lantern"]).startswith("x x")
    assert snippet(text[8:], ["lantern"]).endswith("x lantern")


@pytest.mark.parametrize("length", range(1, 50))
def test_any_length_shows_no_more_than_it_says(length: int) -> None:
    text = "one lantern two lantern lantern road three"
    shown = snippet(text, ["lantern", "road"], length=length)
    assert len(shown.strip("…")) <= length


@given(st.text(), st.lists(st.text(max_size=3), max_size=3))
def test_any_text_gives_one_line_of_the_length(text: str, looked_for: list[str]) -> None:
    shown = snippet(text, [term for one in looked_for for term in search_terms(one)], length=20)
    assert len(shown) <= 22
    assert shown == " ".join(shown.split())


@given(stories, words)
def test_a_snippet_has_a_searched_word_whenever_the_text_has_one(text: str, word: str) -> None:
    wanted = set(search_terms(word))
    held = wanted & set(search_terms(text))
    shown = set(search_terms(snippet(text, wanted)))
    assert bool(held & shown) == bool(held)


@given(stories, st.lists(words, min_size=1, max_size=3).map(" ".join))
def test_no_stretch_of_the_text_has_more_of_the_words(text: str, query: str) -> None:
    wanted = set(search_terms(query))
    shown = len(wanted & set(search_terms(snippet(text, wanted))))
    stretches = (text[place : place + LENGTH - CONTEXT] for place in range(len(text)))
    inside = (stretch[: stretch.rfind(" ")] for stretch in stretches if " " in stretch)
    assert all(len(wanted & set(search_terms(stretch))) <= shown + 1 for stretch in inside)


def test_a_huge_text_is_shown_as_its_beginning_would_be() -> None:
    text = "road " * 1000 + "lantern road " * 800_000
    shown = snippet(text, ["lantern", "road"])
    assert shown == snippet(text[:LONGEST_TEXT], ["lantern", "road"])
    assert "road lantern" in shown
