import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.terms import Sought, composed, located_terms, search_terms, sought_terms

any_text = st.text(max_size=60)
wild = st.one_of(
    any_text,
    st.text(alphabet="aÄßi灯龍민ㅋ\u1106\u1175ไ้ทकि\u0301\ufe0f\u200d ._🐉ﬁΣς", max_size=30),
)


@pytest.mark.parametrize(
    "text",
    ["ora", "ORA", "Öra", "O\u0308ra", "ＯＲＡ", "ⓞⓡⓐ", "𝐎𝐫𝐚", "ℴra", "ora\ufe0f", "o\u00adra"],
)
def test_case_accents_and_width_do_not_count(text: str) -> None:
    assert search_terms(text) == ("ora",)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", ()),
        (" \n\t", ()),
        ("… — !?", ()),
        ("the the", ("the", "the")),
        ("ℌello ™", ("hello", "tm")),
        ("Straße, STRASSE", ("strasse", "strasse")),
        ("İzmir", ("izmir",)),
        ("ΣΊΣΥΦΟΣ σίσυφος", ("u3c3u3b9u3c3u3c5u3c6u3bfu3c3",) * 2),
        ("ﬁn", ("fin",)),
        ("snake_case a.b@c", ("snake", "case", "a", "b", "c")),
        ("don’t don't", ("don", "t", "don", "t")),
        ("1,024.5 B12 Ⅷ ½", ("1", "024", "5", "b12", "viii", "1", "2")),
        ("１２", ("12",)),
        ("٣", ("u663",)),
    ],
)
def test_words_and_numbers_end_where_punctuation_begins(text: str, terms: tuple[str, ...]) -> None:
    assert search_terms(text) == terms


def test_words_that_mean_something_to_a_database_are_just_words() -> None:
    text = 'AND or Not NEAR(a b, 3) "x" -y z* col:w ^v'
    words = "and or not near a b 3 x y z col w v"
    assert search_terms(text) == tuple(words.split())


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("猫", "u732b"),
        ("白猫", "u767d u767du732b u732b"),
        ("白い猫", "u767d u767du3044 u3044 u3044u732b u732b"),
        ("你好。世界", "u4f60 u4f60u597d u597d u4e16 u4e16u754c u754c"),
        ("M3白", "m3 u767d"),
        ("白M3猫", "u767d m3 u732b"),
        ("がか", "u304b u304bu304b u304b"),
        ("ｶ㍿", "u30ab u30abu682a u682a u682au5f0f u5f0f u5f0fu4f1a u4f1a u4f1au793e u793e"),
        ("ไทย", "ue44 ue44ue17 ue17 ue17ue22 ue22"),
        ("น้า", "ue19 ue19ue32 ue32"),
        ("민준이", "ubbfc ubbfcuc900 uc900 uc900uc774 uc774"),
        ("ㅋㅋ", "u110fu110f"),
    ],
)
def test_characters_of_scripts_without_spaces_are_terms_alone_and_in_pairs(
    text: str, terms: str
) -> None:
    assert search_terms(text) == tuple(terms.split())


def test_one_character_is_found_in_any_run_that_has_it() -> None:
    assert set(search_terms("猫")) <= set(search_terms("あの白猫は"))


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("العَرَبِيَّة العربية", ("u627u644u639u631u628u64au629",) * 2),
        ("हिन्दी भाषा", ("u939u93fu928u926u940", "u92du93eu937u93e")),
        ("שָׁלוֹם שלום", ("u5e9u5dcu5d5u5dd",) * 2),
        ("Ночь", ("u43du43eu447u44c",)),
    ],
)
def test_vowel_signs_stay_in_their_word_and_points_do_not_count(
    text: str, terms: tuple[str, ...]
) -> None:
    assert search_terms(text) == terms


def test_emoji_part_words_and_are_no_terms() -> None:
    assert search_terms("❤️ a🐉b 👩\u200d🚀 1️⃣ 🇩🇪") == ("a", "b", "1")


@given(wild)
def test_terms_are_lower_case_ascii_words_that_are_their_own_terms(text: str) -> None:
    for term in search_terms(text):
        assert term.isascii()
        assert term.isalnum()
        assert term == term.lower()
        assert search_terms(term) == (term,)


def test_every_character_gives_terms_that_are_their_own_terms() -> None:
    assigned = (char for char in map(chr, range(0x40000)) if unicodedata.category(char) != "Cn")
    unstable = [
        char for char in assigned for term in search_terms(char) if search_terms(term) != (term,)
    ]
    assert unstable == []


@given(wild, wild)
def test_terms_of_texts_with_a_space_between_are_the_terms_of_both(left: str, right: str) -> None:
    assert search_terms(f"{left} {right}") == search_terms(left) + search_terms(right)


@given(wild)
def test_the_unicode_form_of_a_text_does_not_count(text: str) -> None:
    forms = {search_terms(unicodedata.normalize(form, text)) for form in ("NFC", "NFD")}
    assert forms == {search_terms(text)}


@given(wild)
def test_the_terms_of_the_case_folded_text_are_the_same(text: str) -> None:
    assert search_terms(text.casefold()) == search_terms(text)


@given(wild)
def test_located_terms_are_the_terms_and_begin_where_they_say(text: str) -> None:
    text = composed(text)
    located = tuple(located_terms(text))
    assert tuple(term for _, term in located) == search_terms(text)
    places = [place for place, _ in located]
    assert places == sorted(places)
    for place, term in located:
        first = search_terms(text[place])
        assert first
        assert any(term.startswith(one) or one.startswith(term) for one in first)


@pytest.mark.parametrize(
    ("query", "sought"),
    [
        ("", ()),
        (
            "The Öra, the",
            (
                Sought("the", "the"),
                Sought("ora", "ora", "the ora"),
                Sought("the", "the", "ora the"),
            ),
        ),
        ("Ночь", (Sought("u43du43eu447u44c", "ночь"),)),
        ("猫", (Sought("u732b", "猫"),)),
        (
            "白い猫 M3",
            (
                Sought("u767du3044", "白い"),
                Sought("u3044u732b", "い猫", "u767du3044 u3044 u3044u732b"),
                Sought("m3", "m3", "u3044u732b u732b m3"),
            ),
        ),
        (
            "M3猫猫。猫猫",
            (
                Sought("m3", "m3"),
                Sought("u732bu732b", "猫猫", "m3 u732b u732bu732b"),
                Sought("u732bu732b", "猫猫", "u732bu732b u732b u732b u732bu732b"),
            ),
        ),
    ],
)
def test_a_query_is_sought_by_words_and_by_pairs_of_characters(
    query: str, sought: tuple[Sought, ...]
) -> None:
    assert sought_terms(query) == sought


@given(wild)
def test_what_is_sought_of_a_text_is_in_its_terms(text: str) -> None:
    joined = f" {' '.join(search_terms(text))} "
    for one in sought_terms(text):
        assert f" {one.term} " in joined
        assert f" {one.beside or one.term} " in joined


@given(wild)
def test_a_text_is_found_by_what_is_sought_of_it(text: str) -> None:
    assert bool(search_terms(text)) == bool(sought_terms(text))


@given(wild, st.frozensets(st.one_of(wild, st.sampled_from(["a", "b", "ss", "u706f", "…", ""]))))
def test_located_terms_among_some_are_those_of_all_of_them(text: str, some: frozenset[str]) -> None:
    wanted = frozenset(term for one in some for term in (one, *search_terms(one)))
    for shown in (composed(text), text.encode("ascii", "ignore").decode()):
        found = [one for one in located_terms(shown) if one[1] in wanted]
        assert list(located_terms(shown, wanted)) == found
