"""How prompts and what a cache holds of them are counted."""

from benchmarks.costing import Tally
from benchmarks.obedient import summary

SYSTEM = ("system", "Tell it.")


def words(text: str) -> int:
    return len(text.split())


def tally() -> Tally:
    found = Tally(count=words)
    for text in ("one two", "three four five", "six"):
        found.say(text)
    return found


def test_what_two_prompts_have_in_common_is_cached() -> None:
    found = tally()
    found.chat([SYSTEM, ("user", "one two"), ("user", "six")])
    found.chat([SYSTEM, ("user", "one two"), ("user", "six"), ("user", "six")])
    assert (found.tokens, found.uncached) == (17 + 22, 17 + 5)
    assert found.effective == 22 + 0.1 * 17


def test_a_message_that_changes_is_cached_up_to_there() -> None:
    found = tally()
    found.chat([("system", "a b c d"), ("user", "six")])
    found.chat([("system", "a b x y"), ("user", "six")])
    assert found.uncached == 13 + 11


def test_a_request_behind_the_chat_is_cached_and_one_by_itself_is_not() -> None:
    found = tally()
    found.chat([SYSTEM, ("user", "one two"), ("user", "six")])
    found.memory([SYSTEM, ("user", "one two"), ("user", "write now")])
    found.memory([("user", "write one two now")])
    assert (found.memory_calls, found.memory_tokens, found.memory_uncached) == (2, 26, 6 + 8)


def test_the_share_of_bytes_is_that_of_the_prompt_before() -> None:
    found = tally()
    found.chat([("user", "six")])
    found.chat([("user", "six"), ("user", "six")])
    assert round(found.prefix_percent, 2) == 33.33


def test_what_is_neither_sent_nor_shown_is_lost() -> None:
    found = tally()
    found.chat([SYSTEM, ("user", "six")])
    assert found.unsummarised_percent == 100
    found.memory([("user", "The text: *one* two")])
    assert found.unsummarised_percent == 50
    assert (found.verbatim, found.newest_missing) == (5, 0)
    found.chat([SYSTEM])
    assert found.newest_missing == 1


def test_an_obedient_summary_keeps_to_its_size() -> None:
    source = [f"Message {name} tells something longer about places" for name in "abcdefgh"]
    for tokens in (10, 20, 40, 80):
        assert words(summary(source, words, tokens)) <= tokens
    assert summary(source, words, 80).count("It is about") > 3
