"""Money and time as people read them."""

import pytest

from foreword.cli.money import dollars, money, price_in_words, seconds


@pytest.mark.parametrize(
    ("micros", "words"),
    [
        (0, "$0.00"),
        (17, "$0.000017"),
        (9_990, "$0.00999"),
        (10_000, "$0.01"),
        (12_345, "$0.0123"),
        (1_250_000, "$1.25"),
        (1_234_560_000, "$1,234.56"),
    ],
)
def test_an_amount_is_as_exact_as_it_is_worth(micros: int, words: str) -> None:
    assert dollars(micros) == words
    assert money(micros) == words


def test_what_is_not_known_is_not_nothing() -> None:
    assert money(None) == "not known"
    assert (price_in_words(None), price_in_words(0)) == ("price not known", "no cost")
    assert price_in_words(5_000) == "about $0.005"


@pytest.mark.parametrize(
    ("milliseconds", "words"),
    [(None, ""), (420, "0.42 s"), (12_340, "12.3 s"), (200_000, "3 min 20 s")],
)
def test_a_time_has_its_unit(milliseconds: int | None, words: str) -> None:
    assert seconds(milliseconds) == words
