import pytest

from foreword.domain.amounts import counted


@pytest.mark.parametrize(
    ("number", "noun", "words"),
    [
        (1, "turn", "1 turn"),
        (0, "turn", "0 turns"),
        (4096, "token", "4,096 tokens"),
        (1, "summary", "1 summary"),
        (2, "summary", "2 summaries"),
        (2, "other branch", "2 other branches"),
        (3, "loss", "3 losses"),
    ],
)
def test_numbers_have_their_noun(number: int, noun: str, words: str) -> None:
    assert counted(number, noun) == words
