"""Characters in disguise are seen through, and the story keeps those of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.quality.stories import STORIES, count, source_of

from foreword.domain.turn import Role
from foreword.quality.disguise import undisguised, without_turns
from foreword.quality.findings import Draft
from foreword.quality.gates import Judgement, judge

FERRY = STORIES[0]


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Ｕser: hello", "User: hello"),
        ("Us\u0435r: hello", "User: hello"),
        ("<\u200b|im_start|>", "<|im_start|>"),
        ("◁think▷ ＜think＞", "<think> <think>"),
        ("&lt;system&gt;", "<system>"),
        ("&#x3C;system&#62;", "<system>"),
        ("&#" + "9" * 5000 + ";", "&#" + "9" * 5000 + ";"),
        ("sys\u202etem", "system"),
        ("Tom & Mara", "Tom & Mara"),
        ("林雪质问老陈", "林雪质问老陈"),
    ],
)
def test_a_disguise_comes_off(text: str, seen: str) -> None:
    assert undisguised(text) == seen


def test_characters_that_turn_the_letters_are_not_remembered() -> None:
    text = FERRY.summary.replace("storm", "\u202estorm\u202c")
    assert judge(Draft(text=text), FERRY.source, count=count) == Judgement(
        text=FERRY.summary, findings=()
    )


def test_what_the_source_turns_itself_stays_turned() -> None:
    text = "Mara wrote \u2067שלום\u2069 on the wall."
    told = source_of(("Mara", Role.USER, "I write \u2067שלום\u2069 on the wall."))
    assert without_turns(text, told) == text
    context = replace(FERRY.source, context=(text,))
    assert without_turns(text, context) == text
    assert without_turns(text, FERRY.source) == "Mara wrote שלום on the wall."
    assert without_turns("林雪", FERRY.source) == "林雪"
