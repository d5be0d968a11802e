"""Summaries of real stretches pass every gate, however they are written."""

from __future__ import annotations

import pytest
from tests.unit.quality.real_text import TOLD, Told
from tests.unit.quality.stories import count

from foreword.quality.findings import Draft
from foreword.quality.gates import Judgement, judge


@pytest.mark.parametrize("told", TOLD, ids=lambda told: told.name)
def test_a_good_summary_of_a_real_stretch_has_no_finding(told: Told) -> None:
    judged = judge(Draft(text=told.summary), told.source, count=count)
    assert judged == Judgement(text=told.summary, findings=())
