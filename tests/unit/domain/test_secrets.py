import json
from urllib.parse import quote, quote_plus

import pytest

from foreword.domain.secrets import GONE, without_secrets


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("key sk-proj_abcdefghijkl1234 refused", f"key {GONE} refused"),
        ("Authorization: Bearer abcdefghijklmnop", f"Authorization: {GONE}"),
        ("postgresql://ann:s3cret@host/db", f"postgresql://{GONE}@host/db"),
        ("http://host/v1?api_key=abcdef123&x=1", f"http://host/v1?api_key={GONE}&x=1"),
        ("api-key: abcdef123", f"api-key: {GONE}"),
        ("?key=abcdefghijklmnop12", f"?key={GONE}"),
    ],
)
def test_keys_and_passwords_are_taken_out(text: str, expected: str) -> None:
    assert without_secrets(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", "Mara hides the key under the mat.", "the sk-8 tram", "Bearer of bad news", "a:b@c"],
)
def test_words_of_a_story_stay(text: str) -> None:
    assert without_secrets(text) == text


@pytest.mark.parametrize("key", ["correct/horse+battery", 'a"quote\\d=key', "plainwords12"])
def test_a_key_without_any_known_form_is_taken_out_wherever_it_stands(key: str) -> None:
    body = json.dumps({"said": key})
    forms = [
        f"refused: {key}.",
        f"http://host/{quote(key, safe='')}/x",
        f"http://host/v1?a={quote_plus(key)}&b=1",
        quote(quote(key, safe=""), safe=""),
        quote(key, safe="").lower(),
        body,
        body.replace("/", "\\/"),
        json.dumps({"body": body}),
    ]
    for text in forms:
        gone = without_secrets(text, [key])
        assert GONE in gone
        for piece in (key, quote(key, safe=""), json.dumps(key)[1:-1]):
            assert piece not in gone


def test_of_keys_that_hold_one_another_nothing_is_left() -> None:
    assert without_secrets("abcdefgh-ijkl", ["abcdefgh", "abcdefgh-ijkl"]) == GONE


def test_a_key_so_short_that_it_may_be_a_word_leaves_the_story_alone() -> None:
    assert without_secrets("the lantern road", ["lantern", "", "x"]) == "the lantern road"
