"""What is counted, and with which words."""

from itertools import islice

from benchmarks.corpus import texts
from benchmarks.records import Target
from benchmarks.samples import median, p99

from foreword.llm.tokens import BpeCounter


def test_a_median_is_the_middle_or_between_the_two_in_the_middle() -> None:
    assert [median([3.0, 1.0, 2.0]), median([4.0, 1.0, 2.0, 3.0])] == [2.0, 2.5]


def test_two_of_two_hundred_calls_may_be_slower_than_the_p99() -> None:
    assert p99([1.0] * 197 + [5.0, 7.0, 9.0]) == 5.0


def test_a_target_is_met_from_the_side_that_was_promised() -> None:
    most = Target(what="time", limit=1.0, measured=1.0, unit="ms")
    least = Target(what="rate", limit=10.0, measured=9.9, unit="a second", at_least=True)
    assert [most.met, least.met] == [True, False]


def test_messages_have_about_60_to_120_tokens_and_are_the_same_for_the_same_seed() -> None:
    found = list(islice(texts("seed"), 500))
    tokens = sorted(map(BpeCounter().count, found))
    assert tokens[25] >= 60
    assert tokens[-25] <= 130
    assert found == list(islice(texts("seed"), 500))
    assert found != list(islice(texts("another"), 500))
