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
