from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.language import guess_language
from foreword.domain.number_words import combine, han_value, is_joiner, number_value
from foreword.domain.specifics import SpecificKind, normalised, specifics


def found(text: str) -> list[tuple[str, str]]:
    return [(specific.kind.value, specific.text) for specific in specifics(text)]


def keys(text: str) -> set[str]:
    return {specific.key for specific in specifics(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She paid four groats a night for it.", ("number", "four groats a night")),
        ("He kept it for thirty-four years.", ("number", "thirty-four years")),
        ("He owes three hundred and forty marks.", ("number", "three hundred and forty marks")),
        ("The office is at nine Tallow Street now.", ("number", "nine Tallow Street")),
        ("There were sixty-one of them.", ("number", "sixty-one")),
        ("We were seven", ("number", "seven")),
        ("We gave seven to them all.", ("number", "seven")),
        ("The Tide Gate is the one.", ("name", "Tide Gate")),
        ("It was on the ninth of Frost.", ("date", "ninth of Frost")),
        ("Come on the 30th of Thaw, she said.", ("date", "30th of Thaw")),
        ("Written 12 Thaw 812 in the tower.", ("date", "12 Thaw 812")),
        ("Lent this 30th day of Harvest, 811.", ("date", "30th day of Harvest, 811")),
        ("[Time 18:20 | Day 1 | Quenby - Tide Gate | rain]", ("name", "Quenby")),
        ("“Quenby, the 2nd of Frost.", ("name", "Quenby")),
        ("Then Crane met him, and Crane left.", ("name", "Crane")),
        ("Suddenly a scar runs down his cheek.", ("object", "scar")),
        ("Due on 2026-04-18T10:30:00Z sharp.", ("date", "2026-04-18T10:30:00Z")),
        ("On March 3rd, 1888 they left.", ("date", "March 3rd, 1888")),
        ("They came at ten past nine.", ("time", "ten past nine")),
        ("It stopped at 3:52 exactly.", ("time", "3:52")),
        ("They met at 7 p.m. in town.", ("time", "7 p.m.")),
        ("It cost $1,250.50 in all.", ("money", "$1,250.50")),
        ("It cost 12 euros in all.", ("money", "12 euros")),
        ("He met Osgood Pockett there.", ("name", "Osgood Pockett")),
        ("He met Mr. Hale there.", ("name", "Mr. Hale")),
        ("He lies at Mariners' Rest now.", ("name", "Mariners' Rest")),
        ("I saw the Duke of Wessex once.", ("name", "Duke of Wessex")),
        ("I saw Hesper's stick.", ("name", "Hesper")),
        ("She gave me a brass key and left.", ("object", "brass key")),
        ("The sign read “Nine dark” in red.", ("quote", "Nine dark")),
        ("The boat is the *Second Thoughts* now.", ("quote", "Second Thoughts")),
        ("See ~/notes/tide-2026.csv.", ("path", "~/notes/tide-2026.csv")),
        ("Edit src/tide/cache.py today.", ("path", "src/tide/cache.py")),
        ("Open https://pier.example/a?b=1, please.", ("url", "https://pier.example/a?b=1")),
        ("Write to tove@pier.example today.", ("url", "tove@pier.example")),
        ("Release 0.9.3 on time.", ("version", "0.9.3")),
        ("It raised KeyError: 'M2' again.", ("error", "KeyError: 'M2' again.")),
        ("It ended with exit code 137 then.", ("error", "exit code 137")),
        ("Set max_retries first.", ("code", "max_retries")),
        ("Fixed in 5735768a today.", ("code", "5735768a")),
        ("This closes #214 at last.", ("code", "#214")),
    ],
)
def test_english_specifics_are_found_as_written(text: str, expected: tuple[str, str]) -> None:
    assert expected in found(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Ich habe vierunddreißig Jahre mit dem Boot und der Uhr gelebt.",
            ("number", "vierunddreißig Jahre"),
        ),
        ("Das ist der Brief und die Taschenuhr ist nicht da.", ("object", "Taschenuhr")),
        ("Das war am 14. Mai 1931 und nicht vorher.", ("date", "14. Mai 1931")),
        ("Er hat die Anna Weber und den Hund gesehen.", ("name", "Anna Weber")),
        ("Il a payé quatre francs pour la chambre et le vin.", ("number", "quatre francs")),
        ("老板娘说每晚四个铜板。", ("number", "四个铜板")),
        ("他给了我一只铜匣子。", ("object", "一只铜匣子")),
        ("她在《潮汐日报》上看到。", ("quote", "潮汐日报")),
        ("他叫顾长河。", ("name", "顾长河")),
        ("三月十二日下午三点半见。", ("date", "三月十二日")),
        ("三月十二日下午三点半见。", ("time", "三点半")),
        ("ヘスパーは宿を経営している。", ("name", "ヘスパー")),
        ("हेस्पर ने मुझे तांबे की चाबी दी।", ("object", "चाबी")),
        ("أعطتني هسبر مفتاحا نحاسيا", ("object", "نحاسيا")),
    ],
)
def test_other_languages_have_specifics_without_capital_letters(
    text: str, expected: tuple[str, str]
) -> None:
    assert expected in found(text)


def test_a_capital_at_the_beginning_of_a_sentence_is_not_a_name() -> None:
    assert found("Nobody came. Then they went home.") == []


def test_a_name_at_the_beginning_of_a_sentence_is_known_from_elsewhere() -> None:
    assert found("Hesper waits. We like Hesper.") == [("name", "Hesper"), ("name", "Hesper")]


def test_a_word_that_is_a_name_and_none_is_no_name_at_the_beginning_of_a_sentence() -> None:
    assert found("Hope left them. They met Hope. All hope was gone.") == [("name", "Hope")]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The guide was called نادر and she paid him at once.", ["نادر"]),
        (
            "He was called נדב בן ארי and had come down from the hills by boat at dawn.",
            ["נדב בן ארי"],
        ),
        ("We gave the key to 李雷 and went on to the old harbour.", ["李雷"]),
        ("He said أين المفتاح يا ميرا الآن to all of us, " + "as if we knew it, " * 5, []),
        ("قال نادر إن السفينة وصلت", []),
        ("三天前李雷来过", []),
    ],
)
def test_a_few_words_of_a_script_without_capitals_are_names(text: str, names: list[str]) -> None:
    assert [shown for kind, shown in found(text) if kind == "name"] == names


def test_dialogue_is_not_a_quote() -> None:
    assert all(kind != "quote" for kind, _ in found('"Come in," she said. "It is late."'))


def test_digits_and_number_words_have_the_same_key() -> None:
    assert keys("He kept it thirty-four years.") == keys("He kept it 34 years.") == {"34 years"}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("three hundred and forty marks", "340 marks"),
        ("1,250 marks", "1250 marks"),
        ("Twenty-three  marks and eight groats", "23 marks and 8 groats"),
        ("三百四十马克", "340马克"),
        ("٣٤", "34"),
        ("“Nine dark”", "9 dark"),
        ("", ""),
    ],
)
def test_keys_fold_case_spaces_and_numbers(text: str, key: str) -> None:
    assert normalised(text) == key


@pytest.mark.parametrize(
    ("word", "language", "value"),
    [
        ("elf", "en", None),
        ("elf", "de", 11),
        ("dreihundertzwanzig", "de", 320),
        ("zweitausendfünf", "de", 2005),
        ("jahrhundert", "de", None),
        ("tausendundeins", "de", 1001),
        ("Quarante", "fr", 40),
        ("two-sixty-two", "en", 64),
        ("tide-watch", "en", None),
        ("seven", "xx", 7),
    ],
)
def test_number_words_have_values_in_their_language(
    word: str, language: str, value: int | None
) -> None:
    assert number_value(word, language) == value


def test_number_words_combine_by_scale() -> None:
    assert (combine([3, 100, 40]), combine([2, 1000, 5]), combine([1000])) == (340, 2005, 1000)


def test_han_numerals_have_values() -> None:
    values = [han_value(text) for text in ("三百四十", "一九", "十二", "两万五千", "万")]
    assert values == [340, 19, 12, 25_000, 10_000]


def test_joiners_are_known() -> None:
    assert is_joiner("And")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "en"),
        ("12345", "en"),
        ("zzz qqq", "en"),
        ("Der Mann und die Frau sind nicht da.", "de"),
        ("Le chat et la souris sont dans les champs.", "fr"),
        ("他走进房间", "zh"),
        ("銅の鍵を渡した", "ja"),
        ("Она дала мне ключ", "ru"),
    ],
)
def test_languages_are_guessed_from_script_and_common_words(text: str, language: str) -> None:
    assert guess_language(text) == language


@given(st.text(alphabet=st.characters(codec=None), max_size=300))
def test_any_text_is_read_in_order_and_as_written(text: str) -> None:
    result = specifics(text)
    assert [s.start for s in result] == sorted(s.start for s in result)
    assert all(s.text == text[s.start : s.end] and s.text and s.key for s in result)
    plain = [s for s in result if s.kind is not SpecificKind.QUOTE]
    assert all(a.end <= b.start for a, b in pairwise(plain))


TRICKY = st.lists(
    st.sampled_from(
        "A|B.|the|of|a|seven|and|hundred|nine|to|Mr|Mr. | |一|只|叫|镇|三|百|ア|・|12|3:52|I'm|'s"
        "|“|”|\n| de | per |night|चाबी|-|x|—|  ".split("|")
    ),
    max_size=40,
).map("".join)


@given(TRICKY)
def test_odd_neighbours_never_break_the_reader(text: str) -> None:
    assert specifics(text) == specifics(text)
    assert all(s.text == text[s.start : s.end] for s in specifics(text))


def test_a_message_of_many_megabytes_is_read() -> None:
    assert len(specifics("He gave me 340 marks in the Gull Room. " * 5000)) == 10_000
