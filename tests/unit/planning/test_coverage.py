from dataclasses import replace

import pytest

from foreword.domain.ids import SummaryId
from foreword.domain.turn import Entry
from foreword.planning.coverage import (
    Coverage,
    Dropped,
    PromptPlan,
    Section,
    SectionName,
)


def test_a_coverage_adds_up_to_the_turns_of_the_branch() -> None:
    coverage = Coverage(verbatim=5, covered=20, masked=1, hidden=2, dropped=3, turns=31)
    assert coverage.total == 31


@pytest.mark.parametrize("turns", [30, 32])
def test_a_hole_or_an_overlap_is_refused(turns: int) -> None:
    with pytest.raises(ValueError, match=f"the branch has {turns} turns"):
        Coverage(verbatim=5, covered=20, masked=1, hidden=2, dropped=3, turns=turns)


def test_a_negative_count_cannot_hide_an_overlap() -> None:
    with pytest.raises(ValueError, match="accounts for"):
        Coverage(verbatim=6, covered=5, masked=0, hidden=0, dropped=-1, turns=10)


def test_sections_stand_in_the_order_of_the_prompt() -> None:
    assert [name.value for name in SectionName] == [
        "system",
        "lore",
        "facts",
        "summaries",
        "holes",
        "pinned",
        "verbatim",
        "recalled",
        "continuity",
    ]


def test_a_plan_takes_what_its_sections_take() -> None:
    nothing: tuple[Entry, ...] = ()
    plan = PromptPlan(
        sections=(
            Section(name=SectionName.SYSTEM, tokens=40),
            Section(name=SectionName.FACTS, tokens=2),
        ),
        summaries=(),
        holes=nothing,
        pinned=nothing,
        verbatim=nothing,
        dropped=Dropped(),
        coverage=Coverage(verbatim=0, covered=0, masked=0, hidden=0, dropped=0, turns=0),
        limit=100,
    )
    assert plan.tokens == 42
    assert not plan.summaries_unsent
    unsent = replace(plan, summaries=(SummaryId(1),))
    assert unsent.summaries_unsent
    sent = Section(name=SectionName.SUMMARIES, tokens=9)
    assert not replace(unsent, sections=(*plan.sections, sent)).summaries_unsent
