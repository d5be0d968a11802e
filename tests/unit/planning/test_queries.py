from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.ids import VersionId
from foreword.domain.terms import search_terms
from foreword.planning import queries
from foreword.planning.queries import Answer, Picks, Query, query_of, weights_of
from foreword.planning.ranking import rarity

wild = st.text(alphabet='aB 3.é白猫"“”„«»「」Йk', max_size=40)


def weights(**texts: int) -> dict[str, float]:
    """Return weights of terms that so many of 1,000 texts have."""
    return {term: rarity(count, 1_000) for term, count in texts.items()}


def versions(*ids: int) -> tuple[VersionId, ...]:
    return tuple(map(VersionId, ids))


def test_a_query_keeps_different_words_in_order_as_people_write_them() -> None:
    found = query_of("The ÖRA, the Ночь 白い猫!")
    assert list(found.words.values()) == ["the", "ora", "ночь", "白い", "い猫"]
    assert [together for _, _, together in found.pairs] == [
        "the ora",
        "ora the",
        "the u43du43eu447u44c",
        "u43du43eu447u44c u767d u767du3044",
        "u767du3044 u3044 u3044u732b",
    ]


@pytest.mark.parametrize(
    ("text", "phrases", "required"),
    [
        ('the "brass key" of', ("brass key",), ("brass", "key")),
        ("“brass key” «la clé» „am Tor“", ("brass key", "la cle", "am tor"), None),
        ("»am Tor« 「白猫」『猫』", ("am tor", "u767d u767du732b u732b", "u732b"), None),
        ('"白猫"', ("u767d u767du732b u732b",), ("u767du732b",)),
        ('"the the" "the the"', ("the the",), ("the",)),
        ('" " "…" ""', (), ()),
        ('an "open quote', (), ()),
    ],
)
def test_quoted_phrases_are_required(
    text: str, phrases: tuple[str, ...], required: tuple[str, ...] | None
) -> None:
    found = query_of(text)
    assert found.phrases == phrases
    assert required is None or found.required == required


def test_names_and_numbers_are_specific() -> None:
    found = query_of("where did Anneke Thole pay 340 marks for b12 and Москва")
    assert {"anneke", "thole", "340", "b12"} <= found.specific
    assert found.specific.isdisjoint({"where", "did", "pay", "for", "and"})
    assert query_of("фонарь").specific == frozenset()


def test_of_a_long_query_names_and_numbers_stay_and_then_what_comes_first() -> None:
    found = query_of(
        " ".join(f"word{'abcdefghij'[n // 10]}{'klmnopqrst'[n % 10]}" for n in range(99)) + " 42"
    )
    assert len(found.words) == queries.MOST_TERMS
    assert next(iter(found.words)) == "wordak"
    assert list(found.words)[-1] == "42"


@given(wild)
def test_every_part_of_a_query_is_made_of_its_terms(text: str) -> None:
    found = query_of(text)
    assert found.specific <= found.words.keys()
    assert set(found.required) <= found.words.keys()
    for first, second, together in found.pairs:
        assert {first, second} <= found.words.keys()
        assert f" {together} " in f" {' '.join(search_terms(text))} "
    for phrase in found.phrases:
        assert phrase in " ".join(search_terms(text))


@pytest.mark.parametrize(
    ("total", "sample"),
    [(0, (1, 0)), (1, (1, 1)), (1_000, (1, 1_000)), (1_001, (1, 1_000)), (9_000, (4_001, 5_000))],
)
def test_the_sample_is_all_texts_or_those_in_the_middle(
    total: int, sample: tuple[int, int]
) -> None:
    assert queries.sampled(total) == sample


def test_only_terms_that_are_rare_in_a_part_are_counted_in_the_whole() -> None:
    assert queries.uncertain({"a": 4, "b": 5, "c": 0}, 1_001) == ("a", "c")
    assert queries.uncertain({"a": 4, "b": 5, "c": 0}, 1_000) == ()


def test_the_weight_of_a_term_follows_from_the_texts_that_have_it() -> None:
    query = query_of("apple bread candle dates extra")
    sample = {"apple": 500, "bread": 4, "candle": 0, "dates": 2, "extra": 0}
    counted = {"bread": 500, "candle": 7, "dates": 500, "extra": 0}
    assert weights_of(query, sample, counted, 1_000_000) == {
        "apple": rarity(500_000, 1_000_000),
        "bread": rarity(4_000, 1_000_000),
        "candle": rarity(7, 1_000_000),
        "dates": rarity(2_000, 1_000_000),
    }


def test_in_a_short_conversation_the_counts_are_exact() -> None:
    query = query_of("lantern 42 oilcan")
    found = weights_of(query, {"lantern": 3, "42": 3, "oilcan": 0}, {}, 9)
    assert found == {"lantern": rarity(3, 9), "42": queries.SPECIFIC_WEIGHT * rarity(3, 9)}


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("did that mule see Ann", [0.5, 0.75, 0.75, 0.5, 1.5]),
        ("как мост стоит", [0.5, 0.75, 1.0]),
        ("مع", [1.0]),
        ("白い猫", [1.0, 1.0]),
    ],
)
def test_short_words_of_alphabets_count_less_and_short_names_more(
    text: str, counts: list[float]
) -> None:
    query = query_of(text)
    found = weights_of(query, dict.fromkeys(query.words, 1), {}, 9)
    assert [round(weight / rarity(1, 9), 3) for weight in found.values()] == counts


def test_nothing_has_weight_where_nothing_is_stored() -> None:
    assert weights_of(query_of("lamp"), {"lamp": 0}, {}, 0) == {}


def test_the_rarest_terms_are_asked_for_each_by_itself() -> None:
    query = query_of("a b c d e f g h")
    counts = weights(a=9, b=8, c=7, d=6, e=5, f=4, g=3, h=900)
    assert queries.first_picks(query, counts) == Picks(tuple((term,) for term in "gfedcb"), 256)
    assert queries.first_picks(query, {}).groups == ()


def test_terms_of_phrases_are_asked_for_together() -> None:
    picks = queries.first_picks(query_of('a "b c"'), weights(a=1, b=50, c=20))
    assert picks == Picks((("c", "b"),), queries.POSTINGS)


def test_terms_in_many_texts_are_asked_for_together_too() -> None:
    many, few = versions(*range(100)), versions(1, 2)

    def further(*terms: str) -> tuple[tuple[str, ...], ...]:
        found = tuple(few if term == "a" else many for term in terms)
        first = Answer(Picks(tuple((term,) for term in terms), 256), found)
        return queries.further_picks(query_of("a b c d e"), weights(a=2), first).groups

    assert further(*"abcde") == (*combinations("bcde", 2), ("b", "c", "d", "e"))
    assert further(*"abc") == (("b", "c"),)
    assert further(*"ab") == ()


def test_with_a_common_phrase_rarer_terms_are_asked_for_beside_it() -> None:
    query = query_of('a "b c" d')
    counts = weights(a=9, b=50, c=20, d=5)
    picks = Picks((("c", "b"),), 1_536)
    common = Answer(picks, (versions(*range(65)),))
    assert queries.further_picks(query, counts, common) == Picks(
        (("d", "c", "b"), ("a", "c", "b")), queries.TOGETHER
    )
    assert queries.further_picks(query, counts, Answer(picks, (versions(1),))).groups == ()


def test_an_answer_as_long_as_it_may_be_is_cut() -> None:
    picks = Picks((("a",), ("b",)), 2)
    whole, cut = (Answer(picks, (versions(1), more)) for more in (versions(2), versions(3, 2)))
    assert queries.is_cut([whole, cut])
    assert not queries.is_cut([whole])


def test_texts_with_more_and_rarer_terms_come_first_then_what_was_written_last() -> None:
    counts = {"a": 3.0, "b": 2.0, "c": 1.5}
    groups = (("a",), ("b",), ("c",), ("unknown",))
    first = Answer(
        Picks(groups, 9), (versions(7, 4), versions(8, 5, 4), versions(9, 8), versions(3))
    )
    further = Answer(Picks((("b", "c"),), 9), (versions(2, 1),))
    found = tuple(queries.candidates(counts, [first, further]))
    assert found == versions(4, 8, 2, 1, 7, 5, 9, 3)


@pytest.mark.parametrize(
    ("wanted", "pool"), [(0, 32), (1, 32), (20, 32), (32, 32), (33, 64), (64, 64), (500, 512)]
)
def test_a_few_more_wanted_change_nothing_in_what_is_ranked(wanted: int, pool: int) -> None:
    assert queries.pool_of(wanted) == pool


def test_a_snippet_is_chosen_by_terms_that_are_not_much_commoner_than_the_rarest() -> None:
    assert queries.telling({"a": 4.0, "b": 2.0, "c": 1.9}) == ("a", "b")
    assert queries.telling({}) == ()


def test_an_empty_query_looks_for_nothing() -> None:
    assert query_of(" …") == Query(
        words={}, phrases=(), required=(), pairs=(), specific=frozenset()
    )
