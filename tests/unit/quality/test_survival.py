import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.language import guess_language
from foreword.domain.specific_kinds import SpecificKind
from foreword.domain.survival import Detail, Survival
from foreword.quality.survival import MOST_DETAILS, MOST_MISSING, lost, missing, survival
from foreword.quality.traces import tokens_of

ROOT = Path(__file__).parents[3]
MARKS = ROOT / "tests/data/survival/lantern-road.json"
STORY = ROOT / "src/foreword/data/lantern_road/lantern-road.jsonl"

SENTENCES = (
    "Hesper Oake paid four groats a night.",
    "They met Matthis Crane at 18:30 in Ambleford.",
    "The debt is 340 marks, lent on 30th of Harvest, 811.",
    "He kept the house for thirty-four years.",
    "She hid a brass key behind the third cask.",
    "It raised KeyError: 'M2' in src/tide/cache.py on 2026-04-18.",
    "Release 0.9.3 costs $1,250.50 at https://pier.example/a?b=1 today.",
    "The board read “Nine dark” in red.",
    "Потом Анна Орлова заплатила 12 рублей.",
    "Greta Holm wohnt seit vierunddreißig Jahren in Lübeck.",
    "ハンナ・オークは三十四年この宿を守ってきた。",
    "Lucía Ferrer pagó doce monedas el 3 de mayo de 1921.",
)
sentences = st.sampled_from(SENTENCES)
passages = st.lists(st.lists(sentences, min_size=1, max_size=4).map(" ".join), max_size=6)
summaries = st.lists(st.one_of(sentences, st.text(max_size=60)), max_size=5).map("\n".join)


def texts(found: Survival, *, kept: bool) -> set[str]:
    return {detail.text for detail in found.details if detail.kept is kept}


def marks() -> list[dict[str, Any]]:
    return list(json.loads(MARKS.read_text(encoding="utf-8"))["passages"])


def message(number: int) -> str:
    line = STORY.read_text(encoding="utf-8").splitlines()[number]
    return str(json.loads(line)["mes"])


@pytest.mark.parametrize("mark", marks(), ids=lambda mark: str(mark["message"]))
def test_marked_specifics_of_the_story_are_found_and_judged_as_marked(
    mark: dict[str, Any],
) -> None:
    source = message(mark["message"])[: mark["chars"]]
    found = survival([source], mark["summary"])
    language = guess_language(source)
    judged = {tokens_of(one.text, language): one.kept for one in found.details}
    told = {text: judged.get(tokens_of(text, language)) for text in mark["marked"]}
    assert told == {text: text in mark["kept"] for text in mark["marked"]}
    assert not {tokens_of(text, language) for text in mark.get("missed", [])} & judged.keys()


@pytest.mark.parametrize(
    ("source", "summary", "kept", "gone"),
    [
        (
            (
                "Am 14. März 2024 zahlte Greta Holm dreihundertvierzig Mark für die Uhr, seit "
                "vierunddreißig Jahren, und traf ihn um 18:30."
            ),
            "Holm zahlte am 14.3.2024 340 Mark, seit 34 Jahren.",
            {"14. März 2024", "Greta Holm", "dreihundertvierzig Mark", "vierunddreißig Jahren"},
            {"18:30"},
        ),
        (
            "ハンナ・オークは三十四年この宿を守ってきた。十二月三日、アンネケに手紙を渡した。",
            "12月3日。ハンナは34年宿を守った。",
            {"ハンナ・オーク", "三十四年", "十二月三日"},
            {"アンネケ"},
        ),
        (
            "Вчера старая Анна Орлова встретила Петра у реки. Она из Рязани и ждала 3 года.",
            "Орловой 3 года снилась Рязань.",
            {"Анна Орлова", "Рязани", "3 года"},
            {"Петра"},
        ),
        (
            (
                "Ayer Lucía Ferrer pagó doce monedas por el mapa el 3 de mayo de 1921 a las 18:45. "
                "El archivo es /srv/mapas/norte.csv."
            ),
            "Ferrer pagó 12 monedas el 3 de mayo y guardó norte.csv.",
            {"Lucía Ferrer", "doce monedas", "3 de mayo de 1921", "/srv/mapas/norte.csv"},
            {"18:45"},
        ),
    ],
    ids=["german", "japanese", "russian", "spanish"],
)
def test_specifics_of_other_languages_survive_written_otherwise(
    source: str, summary: str, kept: set[str], gone: set[str]
) -> None:
    found = survival([source], summary)
    assert kept <= texts(found, kept=True)
    assert gone <= texts(found, kept=False)


@pytest.mark.parametrize(
    ("source", "summary", "kept"),
    [
        ("It cost $1,250.50 in all.", "It cost 1250.50 dollars.", True),
        ("It cost 12 euros in all.", "He paid €12.", True),
        ("It cost 12 euros in all.", "He paid €13.", False),
        ("They met at 7 p.m. in town.", "They met at 19:00.", True),
        ("They met at 7 p.m. in town.", "They met at 20:00.", False),
        ("Due on 2026-04-18 sharp.", "It is due on 18 April.", True),
        ("Due on 2026-04-18 sharp.", "It is due on 18 May.", False),
        ("Edit src/tide/cache.py today.", "He edits cache.py.", True),
        ("Edit src/tide/cache.py today.", "He edits main.py.", False),
        ("Open https://pier.example/a?b=1, please.", "See pier.example/a?b=1.", True),
        ("Open https://pier.example/a?b=1, please.", "See pier.example/c.", False),
        ("It raised KeyError: 'M2' again.", "A KeyError came.", True),
        ("It raised KeyError: 'M2' again.", "A ValueError came.", False),
        ("He met Hesper Oake there.", "Mistress Oake was there.", True),
        ("He met Hesper Oake there.", "An oake was there.", False),
        ("Set max_retries first.", "max_retries was set.", True),
        ("Set max_retries first.", "Retries were set.", False),
        ("The sign read “Nine dark” in red.", "It read nine dark.", True),
        ("She gave me a small brass key and left.", "The key, of brass, is hers.", True),
        ("She gave me a small brass key and left.", "A key is hers.", False),
        ("She saw a goose of his.", "The goose slept.", True),
        ("She saw a goose of his.", "Nothing slept.", False),
        ("他给了我一个小铜盒子。", "那个铜盒子还在。", True),
        ("他给了我一个小铜盒子。", "他走了。", False),
    ],
)
def test_a_detail_is_kept_where_the_summary_tells_it_in_its_own_way(
    source: str, summary: str, kept: bool
) -> None:
    found = survival([source], summary)
    assert [detail.kept for detail in found.details] == [kept]


def test_a_family_name_that_two_people_share_stands_for_neither() -> None:
    found = survival(["He met Hesper Oake and then met Marten Oake there."], "Oake was there.")
    assert texts(found, kept=True) == set()


def test_rare_details_and_ones_said_again_weigh_more() -> None:
    everywhere = "He met Crane today. "
    found = survival(
        [everywhere + "Then Crane met Hask.", everywhere, everywhere + "He saw Tam."], ""
    )
    weights = {detail.text: detail.weight for detail in found.details}
    assert weights == {"Crane": 3.0, "Hask": 2.0, "Tam": 2.0}


def test_a_merge_is_judged_by_what_the_turns_had() -> None:
    first = survival(["He met Crane. He met Hask."], "He met Crane.")
    second = survival(["He met Tam."], "He met Tam.")
    merged = survival(["He met Crane.", "He met Tam."], "He met Crane.", carried=(first, second))
    assert (merged.had, merged.kept, merged.share) == (2, 1, 0.5)
    assert merged.since_originals == pytest.approx(1 / 3, abs=1e-4)
    assert texts(merged, kept=False) == {"Hask", "Tam"}


def test_original_turns_may_be_given_as_they_are() -> None:
    found = survival(["He met Crane."], "He met Crane.", original_texts=["He met Crane and Hask."])
    assert (found.share, found.since_originals) == (1.0, 0.5)


def test_what_several_sources_carry_weighs_as_much_as_all_of_it() -> None:
    one = survival(["He met Crane."], "He met Crane.")
    found = survival(["He met Crane."], "", carried=(one, one))
    assert found.details == (Detail(kind=SpecificKind.NAME, text="Crane", weight=2.0, kept=False),)


def test_sources_without_a_detail_have_lost_none() -> None:
    nothing = survival(["and so on"], "")
    assert survival(["He met Crane."], "Crane", carried=(nothing,)).since_originals == 1.0


def test_long_rows_of_number_words_are_no_single_number() -> None:
    source = "He counted three hundred and " + "five thousand and " * 3000 + "three goats."
    assert {detail.kind for detail in survival([source], source).details} == {SpecificKind.NUMBER}


def test_signs_alone_are_no_detail() -> None:
    assert survival(["The board read “♥♥” only."], "").had == 0


def test_russian_names_are_the_same_with_and_without_dots() -> None:
    assert survival(["Вчера вечером Пётр уехал, и Пётр молчал."], "Петра нет.").kept == 1


def test_an_address_of_mail_is_kept_as_it_stands_only() -> None:
    assert survival(["Write to tove@pier.example today."], "Write to her.").kept == 0


def test_only_the_heaviest_details_are_told() -> None:
    source = " ".join(f"It took {number} years." for number in range(100, 200))
    found = survival([source], "")
    assert (found.had, len(found.details), len(lost(found))) == (100, MOST_DETAILS, MOST_DETAILS)


def test_a_source_without_specifics_loses_nothing() -> None:
    nothing = Survival(had=0, kept=0, share=1.0, since_originals=1.0)
    assert survival(["and so on"], "") == nothing
    assert survival([], "") == nothing


@given(passages)
def test_the_whole_source_keeps_everything(source: list[str]) -> None:
    found = survival(source, "\n".join(source))
    assert (found.kept, found.share) == (found.had, 1.0)


@given(st.lists(st.text(max_size=200), max_size=4), st.text(max_size=200))
def test_any_texts_are_compared(source: list[str], summary: str) -> None:
    found = survival(source, summary)
    assert 0 <= found.kept <= found.had
    assert 0 <= found.share <= 1


@given(passages)
def test_an_empty_summary_keeps_nothing(source: list[str]) -> None:
    found = survival(source, "")
    assert (found.kept, found.share) == (0, 0.0 if found.had else 1.0)


@given(passages, summaries, st.text(max_size=80))
def test_more_text_never_keeps_less(source: list[str], summary: str, more: str) -> None:
    before, after = survival(source, summary), survival(source, f"{summary}\n{more}")
    assert texts(before, kept=True) <= texts(after, kept=True)
    assert before.share <= after.share


@given(passages, summaries, st.randoms(use_true_random=False))
def test_the_order_of_the_passages_does_not_matter(
    source: list[str], summary: str, random: Random
) -> None:
    shuffled = list(source)
    random.shuffle(shuffled)
    assert survival(source, summary) == survival(shuffled, summary)


def test_what_is_missing_is_worth_asking_for_when_a_third_of_the_heavy_details_is_lost() -> None:
    years = [f"It took {number} years." for number in range(100, 130)]
    few = survival(years, " ".join(years[:20]))
    most = survival(years, " ".join(years[:8]))
    assert (missing(few), len(missing(most))) == ((), MOST_MISSING)
    assert missing(survival(years, " ".join(years))) == ()
