from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from foreword.planning.queries import query_of
from foreword.planning.ranking import Match, match, rarity

WEIGHTS = {"brass": 3.0, "key": 2.0, "the": 0.2}
sentences = st.lists(st.sampled_from(["brass", "key", "the", "lamp"]), max_size=12).map(" ".join)


def found(text: str, query: str = "the brass key", length: float = 1.0) -> Match | None:
    return match(query_of(query), WEIGHTS, text, length)


def score(text: str, query: str = "the brass key", length: float = 1.0) -> float:
    answer = found(text, query, length)
    return 0.0 if answer is None else answer.score


def test_a_text_with_none_of_the_words_is_no_answer() -> None:
    assert found("a lamp") is None
    assert found("") is None


def test_a_match_names_the_words_of_the_query_that_the_text_has() -> None:
    assert found("KEY: Brass! key") == Match(score=score("KEY: Brass! key"), terms=("brass", "key"))


def test_a_phrase_in_quotes_must_stand_in_the_text() -> None:
    assert found("a key of brass", '"brass key"') is None
    assert found("a brass-key", '"brass key"') is not None
    assert found("two brass keys", '"brass key"') is None


def test_rare_words_count_more_than_common_ones() -> None:
    assert score("the brass") > score("the key") > score("the the the")


def test_more_of_the_words_count_more_than_one_of_them_often() -> None:
    assert score("brass x key") > score("brass brass brass brass brass brass")


def test_words_side_by_side_as_in_the_query_count_more() -> None:
    assert score("the brass key x") > score("the x brass x key") == score("brass the x key")


def test_pairs_of_characters_side_by_side_count_more() -> None:
    query = query_of("白い猫")
    weights = dict.fromkeys(query.words, 1.0)
    together, apart = (match(query, weights, text, 1.0) for text in ("白い猫", "白い、い猫"))
    assert together is not None
    assert apart is not None
    assert together.terms == apart.terms
    assert together.score > apart.score


def test_the_same_words_count_more_in_a_shorter_text() -> None:
    assert score("brass", length=0.5) > score("brass") > score("brass", length=2.0)


@given(sentences, sentences)
def test_a_text_that_is_longer_by_some_words_answers_no_worse_at_equal_length(
    text: str, more: str
) -> None:
    assert score(f"{text} {more}") >= score(text)


@given(st.integers(0, 1_000), st.integers(0, 1_000))
def test_rarity_is_above_zero_and_falls_with_every_text(texts: int, total: int) -> None:
    values = [rarity(count, total) for count in range(texts, texts + 5)]
    assert min(values) > 0
    assert all(first >= second for first, second in pairwise(values))
