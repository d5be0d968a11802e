"""Drafts that were cut off are found; other ways of ending are not."""

# ruff: noqa: E501
# A case is kept on one line.

from __future__ import annotations

import pytest

from foreword.domain.calls import Finish
from foreword.quality.findings import Draft, Gate, Source
from foreword.quality.truncation import check

SOURCE = Source(tokens=500, target_tokens=100)
WHOLE = "Odile paid Bram. He took her over, and the mast cracked on the way."


@pytest.mark.parametrize(
    "text",
    [
        "Odile paid Bram. He took her over the water and the mast", "Odile paid Bram and",
        "Odile paid Bram, who said that the", "Odile paid Bram because,", "Er zahlte und",
        "Odile paid Bram (who had lost a boy.", "Bram sagte: „Nein.", "Er sagte „ja“ und „wir gehen.", "Bram said “No.",
        'Bram said: "Seven.', "Il répondit : «Non.", "老陈说：「不。", "林雪把信交给老陈，", "Odile -",
        "Odile hesi", "Odile paid Bram.\n```\nkey = 1", "林雪走了。她去了码头打听那条船",
        "- Bram took her over. He mended the mast with his belt and then he stee",
        "Isolde asked Corin for his song again: the river runs low, and the river runs co",
        "He paid.</summary>\nOdile left the", "Он ушёл. Она осталась и",
    ],
)  # fmt: skip
def test_a_draft_that_was_cut_off_is_truncated(text: str) -> None:
    found = check(Draft(text=text), SOURCE)
    assert found is not None
    assert (found.gate, found.soft) == (Gate.TRUNCATED, False)


@pytest.mark.parametrize("finish", [Finish.LENGTH, Finish.FILTER])
def test_a_whole_draft_that_was_stopped_is_truncated(finish: Finish) -> None:
    found = check(Draft(text=WHOLE, finish=finish), SOURCE)
    assert found is not None
    assert found.gate is Gate.TRUNCATED


@pytest.mark.parametrize("finish", [Finish.STOP, Finish.OTHER])
@pytest.mark.parametrize(
    "text",
    [
        WHOLE, "Odile paid Bram (eleven coins).", 'Bram said: "Seven, and you bail."', "她走了。",
        "Odile left… 🙂", "- Coins left: 4", "1. Odile pays\n2. Bram bails", "| a | b |",
        "Coins left: 4", "Met Mr. Voss at the inn\nLeft at dawn\nSlept in the barn",
        "Odile left.\ncurrent_date_time: 2031-05-02 14 Fri", "<summary>Odile left.</summary>",
        "<a>Odile left.</a>\ncurrent_date_time: 1", "Odile left.</b>\ncurrent_date_time: 1\n</a>",
        "```\nkey = 1\n```", "*Odile left.*", "Wo ist er?", "كتبت الرسالة وذهبت؟", "वह चली गई।",
        "- Bram met Capt. Oda at the inn", "Odile left ♪", "She said: “Seven.”", "</b>", "",
        "He said “no” and “never” (twice). Then he left.", "a) Bram bails", "Odile left é\u0301", "Bram sagte: „Nein.“", "„Nein“, sagte er.", "»Nein«, sagte er.",
    ],
)  # fmt: skip
def test_a_draft_that_ends_some_other_way_is_complete(text: str, finish: Finish) -> None:
    assert check(Draft(text=text, finish=finish), SOURCE) is None
