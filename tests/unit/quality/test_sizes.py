"""Drafts of the wrong size are found; small sources and scripts without spaces are not wronged."""

# ruff: noqa: E501
# A case is kept on one line.

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.quality.stories import STORIES, count

from foreword.quality.findings import Draft, Finding, Gate, Source
from foreword.quality.gates import judge
from foreword.quality.sizes import check_empty, check_runaway, check_size, spoken_words

SHORT = STORIES[-1]


def _source(tokens: int, target: int, **others: object) -> Source:
    return replace(Source(blocks=("x",), tokens=tokens, target_tokens=target), **others)  # type: ignore[arg-type]


def _size(tokens: int, source: Source, text: str = "word " * 40, **how: bool) -> Finding | None:
    return check_size(Draft(text=text), source, tokens=tokens, **how)


def _kind(found: Finding | None) -> tuple[Gate, bool] | None:
    return (found.gate, found.soft) if found else None


@pytest.mark.parametrize(
    "text",
    [
        "", " \n\t", "...", "—", "🙂", "Certainly!", "Sure, here is the summary:", "N/A", "None.",
        "**Summary:**", "[summary]", "TODO", "Natürlich! Hier ist die Zusammenfassung:", "." * 300,
    ],
)  # fmt: skip
def test_a_draft_that_says_nothing_is_empty(text: str) -> None:
    found = check_empty(Draft(text=text))
    assert found is not None
    assert (found.gate, found.soft) == (Gate.EMPTY, False)


@pytest.mark.parametrize(
    "text",
    [
        "Mara left.", "火災。", "Nobody came.", "42", "Here is where Bram hid the key: the well.",
        "Sure of his aim, Tom fired.", "None of them came back.", "The summary of the trial was read.",
        "." * 300 + "Mara left.",
    ],
)  # fmt: skip
def test_a_draft_that_says_little_is_not_empty(text: str) -> None:
    assert check_empty(Draft(text=text)) is None


@pytest.mark.parametrize(
    ("tokens", "source"),
    [(200, _source(200, 60)), (900, _source(200, 60)), (200, _source(150, 140)),
     (130, _source(60, 40)), (61, _source(61, 60))],
)  # fmt: skip
def test_a_draft_longer_than_its_source_is_lost(tokens: int, source: Source) -> None:
    assert _kind(_size(tokens, source)) == (Gate.LONGER_THAN_SOURCE, False)


@pytest.mark.parametrize(
    ("tokens", "source"),
    [(199, _source(200, 190)), (66, _source(70, 64)), (61, _source(62, 61)), (10, _source(0, 0)),
     (150, _source(151, 140))],
)  # fmt: skip
def test_a_little_shorter_than_the_source_is_short_enough(tokens: int, source: Source) -> None:
    assert _size(tokens, source) is None


@pytest.mark.parametrize(("tokens", "source"), [(40, 30), (60, 60), (100, 55)])
def test_a_very_short_span_never_costs_a_draft(tokens: int, source: int) -> None:
    assert _kind(_size(tokens, _source(source, 20))) == (Gate.LONGER_THAN_SOURCE, True)


@pytest.mark.parametrize(
    ("tokens", "target", "soft"), [(160, 100, True), (300, 100, True), (301, 100, False),
                                   (121, 10, True), (900, 100, False)],
)  # fmt: skip
def test_a_draft_over_its_target_is_too_long(tokens: int, target: int, *, soft: bool) -> None:
    found = _size(tokens, _source(5000, target))
    assert _kind(found) == (Gate.TOO_LONG, soft)


@pytest.mark.parametrize(("tokens", "target"), [(150, 100), (100, 100), (120, 10), (60, 90)])
def test_a_draft_near_its_target_is_short_enough(tokens: int, target: int) -> None:
    assert _size(tokens, _source(5000, target)) is None


def test_a_repaired_draft_may_be_a_little_longer() -> None:
    source = _source(5000, 100)
    assert _kind(_size(165, source)) == (Gate.TOO_LONG, True)
    assert _size(165, source, repaired=True) is None
    assert _kind(_size(166, source, repaired=True)) == (Gate.TOO_LONG, True)
    wet = "barn road mill well yard gate field shed wharf tower bridge ferry chapel forge".split()
    months = ("in spring", "in summer", "in autumn")
    told = [f"the {place} was wet {month}." for month in months for place in wet]
    draft = Draft(text=" ".join(told[:22]))
    assert not judge(draft, source, count=count).usable
    assert judge(draft, source, count=count, repaired=True).usable


@pytest.mark.parametrize(
    ("tokens", "direction"),
    [
        (160, "cut about a third of it"), (155, "cut about a third of it"),
        (200, "cut about half of it"), (300, "cut about two thirds of it"),
        (390, "cut three quarters of it"), (900, "cut more than three quarters of it"),
    ],
)  # fmt: skip
def test_the_direction_says_how_much_to_cut(tokens: int, direction: str) -> None:
    found = _size(tokens, _source(5000, 100))
    assert found is not None
    assert found.direction == f"Say the same in fewer words: {direction}."


def test_a_draft_within_its_target_but_longer_than_the_source_leaves_out_the_least() -> None:
    found = _size(90, _source(80, 100))
    assert found is not None
    assert found.direction == "Write a shorter summary: leave out what matters least."
    nearly = _size(120, _source(80, 100))
    assert nearly is not None
    assert nearly.direction == "Write a shorter summary: cut about a quarter of it."


@pytest.mark.parametrize(
    ("layer", "least", "most", "repaired"),
    [(0, 112, 420, 462), (1, 112, 490, 490), (2, 84, 420, 462), (9, 84, 420, 462)],
)
def test_automatic_memory_has_a_band_of_sizes_by_layer(
    layer: int, least: int, most: int, repaired: int
) -> None:
    source = _source(16_000, 280, layer=layer)
    assert [_size(tokens, source) for tokens in (least, 280, most)] == [None] * 3
    assert _kind(_size(least - 1, source)) == (Gate.TOO_SHORT, True)
    assert _kind(_size(most + 1, source)) == (Gate.TOO_LONG, False)
    assert _size(repaired, source, repaired=True) is None
    assert _kind(_size(repaired + 1, source, repaired=True)) == (Gate.TOO_LONG, False)


@pytest.mark.parametrize(
    "others", [{"layer": None}, {"layer": 0, "strict_size": False}], ids=["by hand", "own template"]
)
def test_no_band_holds_by_hand_or_with_a_template_of_the_users_own(
    others: dict[str, object],
) -> None:
    source = _source(16_000, 280, **others)
    assert _size(60, source) is None
    assert _kind(_size(600, source)) == (Gate.TOO_LONG, True)


def test_no_band_holds_for_the_room_of_a_rebuilt_whole() -> None:
    assert _size(300, _source(16_000, 701, layer=1)) is None
    assert _kind(_size(270, _source(16_000, 700, layer=1))) == (Gate.TOO_SHORT, True)


@pytest.mark.parametrize(
    ("tokens", "direction"),
    [
        (20, "many times as much"), (70, "about four times as much"),
        (100, "about three times as much"), (115, "more than twice as much"),
    ],
)  # fmt: skip
def test_the_direction_says_how_much_to_grow(tokens: int, direction: str) -> None:
    found = _size(tokens, _source(16_000, 290, layer=0))
    assert found is not None
    assert direction in found.direction


@pytest.mark.parametrize(
    ("tokens", "target", "least"),
    [(16_000, 280, 70), (1_200, 280, 24), (600, 280, 14), (400, 40, 8)],
)
def test_automatic_memory_loses_a_draft_that_tells_next_to_nothing(
    tokens: int, target: int, least: int
) -> None:
    source = _source(tokens, target, layer=0)
    assert _kind(_size(least, source)) == (Gate.TOO_SHORT, True)
    assert _kind(_size(least - 1, source)) == (Gate.TOO_SHORT, False)
    assert _size(least - 1, replace(source, strict_size=False)) is None
    by_hand = _size(least - 1, replace(source, layer=None))
    assert by_hand is None or by_hand.soft


@pytest.mark.parametrize("tokens", [39, 79])
def test_a_draft_far_under_its_target_is_worth_a_repair(tokens: int) -> None:
    source = _source(4000, 400)
    found = _size(tokens, source)
    assert found is not None
    assert (found.gate, found.soft) == (Gate.TOO_SHORT, True)
    assert "many times as much" in found.direction
    assert _size(tokens, replace(source, strict_size=False)) is None


@pytest.mark.parametrize(("tokens", "source"), [(80, _source(4000, 400)), (30, _source(500, 300)),
                                                (14, SHORT.source)])  # fmt: skip
def test_a_short_draft_is_enough(tokens: int, source: Source) -> None:
    assert _size(tokens, source) is None


@pytest.mark.parametrize("text", ["Things happen.", "They talk for a while and then leave.",
                                  "大家聊天。", "Mara " * 29])  # fmt: skip
def test_a_few_words_for_a_long_text_are_lost(text: str) -> None:
    found = _size(count(text), _source(900, 100, strict_size=False), text)
    assert _kind(found) == (Gate.TOO_SHORT, False)


@pytest.mark.parametrize("text", ["Mara " * 30, "incomprehensibilities " * 8, "林雪质问老陈" * 9])
def test_few_long_words_or_many_characters_are_a_summary(text: str) -> None:
    assert _size(count(text), _source(900, 100, strict_size=False), text) is None


def test_two_characters_of_a_script_without_spaces_are_a_word() -> None:
    assert (spoken_words("林雪质问老陈"), spoken_words("Mara 走了 home"), spoken_words("")) == (
        3,
        3,
        0,
    )


def test_a_runaway_is_judged_by_its_size_alone() -> None:
    draft = Draft(text="I'm sorry, I cannot help. " * 400)
    judged = judge(draft, SHORT.source, count=count)
    assert [finding.gate for finding in judged.findings] == [Gate.LONGER_THAN_SOURCE]
    assert not judged.acceptable


def test_four_times_the_source_or_the_target_is_no_runaway() -> None:
    assert check_runaway(320, _source(60, 20)) is None
    assert check_runaway(4000, _source(1000, 20)) is None
    assert check_runaway(4000, _source(10, 1000)) is None
    assert check_runaway(500, _source(0, 20)) is None
