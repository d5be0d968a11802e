"""The next scene is found however it is told; a summary in other words is not."""

# ruff: noqa: E501
# A case is kept on one line.

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.quality.real_text import TOLD, Told
from tests.unit.quality.stories import STORIES, source_of

from foreword.domain.turn import Role
from foreword.quality.findings import Draft, Finding, Gate, Source
from foreword.quality.scenes import check

FERRY = STORIES[0]
ARRIVAL = TOLD[0]
HEADED = source_of(
    ("Mara", Role.USER, "[Time 18:20 | Quenby | rain] Mara opens the gate and goes to the well."),
    ("Tom", Role.ASSISTANT, "[Time 18:40 | Quenby | rain]\nTom carries the bucket. What do you do?"),
)  # fmt: skip
MERGE = Source(blocks=("Anneke: I pay Bram.\nBram: I take it.",), tokens=60, target_tokens=30)
STRANGE = (
    "Then dragons attacked the purple zeppelins in volcanic islands. Wizards summoned a crystal golem "
    "and used forbidden grimoires. Pirates launched burning torpedoes at the floating castles."
)


def _kind(found: Finding | None) -> tuple[Gate, bool] | None:
    return (found.gate, found.soft) if found else None


@pytest.mark.parametrize(
    "tail",
    [
        "\nWhat will Anneke do next?", " *What do you do?*", "\nWas tust du als Nächstes?", "\nQue fais-tu ?",
        "\n\n[Time 22:50 | Day 1, Sunday | Gull Room | drizzle]\nYou look out on the Road and one light moves.",
        "\nAnneke: I obey.\nLantern Road: Good.\nAnneke: Yes.", "\nAnneke: I obey.",
        '\nHesper: "I obey."\nAnneke: "Good."\nHesper: "Then we go to the cask."',
        ' "Come down," says Hesper. "He is waiting for the two of them at the boat of his uncle, and no one else."',
        f" {STRANGE}",
    ],
)  # fmt: skip
def test_a_scene_after_a_good_summary_is_a_continuation(tail: str) -> None:
    draft = Draft(text=ARRIVAL.summary[:500].rpartition(".")[0] + "." + tail)
    assert _kind(check(draft, ARRIVAL.source)) == (Gate.CONTINUATION, False)


@pytest.mark.parametrize(
    "text",
    [
        ("Anneke wakes before dawn. She opens the shutters and finds the yellow light standing beneath her window. \"Come down,\" says "
         "Hesper. \"He is waiting.\" Anneke takes the key and goes down, and Matthis lifts the lantern to show her a boat."),
        STRANGE, STRANGE.rpartition(" Pirates")[0],
        'Anneke: "I obey at once."\nHesper: "Good for you, girl."',
    ],
)  # fmt: skip
def test_nothing_but_the_next_scene_is_a_continuation(text: str) -> None:
    assert _kind(check(Draft(text=text), ARRIVAL.source)) == (Gate.CONTINUATION, False)


def test_a_leap_in_time_is_worth_a_repair() -> None:
    leap = "The following fortnight began. Next morning they opened the third cask and wept."
    text = f"{FERRY.summary} {leap}"
    assert _kind(check(Draft(text=text), FERRY.source)) == (Gate.CONTINUATION, True)
    told = replace(FERRY.source, context=("It happened the next morning.",))
    assert check(Draft(text=text), told) is None


@pytest.mark.parametrize("told", TOLD, ids=lambda told: told.name)
def test_a_good_summary_of_a_real_stretch_is_no_scene(told: Told) -> None:
    assert check(Draft(text=told.summary), told.source) is None


@pytest.mark.parametrize(
    ("text", "source"),
    [
        *((story.summary, story.source) for story in STORIES),
        ("Tom carries the bucket. What do you do?", HEADED),
        ("Mara went to the well.\n[Time 18:20 | Quenby | rain]\nYou see Tom with the bucket.", HEADED),
        ("[Time 18:00 | Quenby | dry]\nYou and Tom carry the bucket.", HEADED),
        ("You open the gate.\n[Time 18:50 | Quenby | dry]\nYou and Tom carry the bucket.", HEADED),
        ("Mara went to the well.\n[Evening | Quenby]\nTom carries the bucket.", HEADED),
        ("Mara went to the well.\n[Evening | Quenby]", HEADED),
        ("Mara: opens the gate.\nTom: carries \"the bucket\".", HEADED),
        ("Mara: opens the gate.\nTom: \"I carry it for you.\"", HEADED),
        ("They meet.\nNext: I go to the well.", HEADED), ("They meet.\nbucket: mine, I say.", HEADED),
        ("They meet.\nMara: opens the gate and goes to the well.", HEADED),
        ("They meet.\nAnneke: I paid Bram.\nBram: I have taken it.", MERGE),
        ("Odile says \"no\" and \"we shall see.\"", FERRY.source), (STRANGE, HEADED), (STRANGE, MERGE),
        (f"{FERRY.summary} Suddenly dragons attacked purple zeppelins.", ARRIVAL.source), ("", MERGE),
        ("Drachen überfielen plötzlich violette Luftschiffe. Zauberer beschworen kristallene Ungeheuer im Tal. Piraten jagten brennende Torpedos zur Burg.", ARRIVAL.source),
    ],
)  # fmt: skip
def test_a_report_is_no_scene(text: str, source: Source) -> None:
    assert check(Draft(text=text), source) is None
