"""Sentences of the request in a draft are found; what the story itself says is not."""

from dataclasses import replace
from importlib.resources import files

import pytest
from tests.unit.quality.stories import STORIES, Story, count, source_of

from foreword.domain.turn import Role
from foreword.quality.findings import Draft, Gate, Source
from foreword.quality.gates import judge
from foreword.quality.reciting import check

SUMMARY = (files("foreword.prompts") / "templates" / "summary.md").read_text("utf-8")
META = (files("foreword.prompts") / "templates" / "meta.md").read_text("utf-8")
SPAN = source_of(("Tom", Role.USER, "Tom opens the old green door and calls for Ann."))


def asked(source: Source, request: str = SUMMARY) -> Source:
    return replace(source, request=request)


@pytest.mark.parametrize(
    "recital",
    [
        "Record only what the text says.",
        "Write in the language of the text.",
        "RECORD ONLY what the text says!",
        "Tom opens the door.\n- Write in the language of the text.",
    ],
)
def test_a_sentence_of_the_template_is_no_memory(recital: str) -> None:
    found = check(Draft(text=f"Tom opens the door. {recital}"), asked(SPAN))
    assert found is not None
    assert (found.gate, found.soft) == (Gate.OWN_TAGS, False)


def test_the_finding_says_which_sentence_it_is() -> None:
    found = check(Draft(text="Write in the language of the text."), asked(SPAN))
    assert found is not None
    assert found.detail == "the draft repeats the request: “write in the language of the text”"


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
@pytest.mark.parametrize("request_", [SUMMARY, META])
def test_a_good_summary_repeats_no_request(story: Story, request_: str) -> None:
    source = asked(story.source, request_)
    assert judge(Draft(text=story.summary), source, count=count).usable


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Tom opens the door.", SPAN),
        (
            "The user told the clerk: record only what the text says.",
            source_of(("Tove", Role.USER, "Clerk, record only what the text says.")),
        ),
        ("Tom was told: no opinion.", SPAN),
    ],
)
def test_what_the_story_says_is_fine(text: str, source: Source) -> None:
    assert check(Draft(text=text), asked(source)) is None


def test_without_a_request_nothing_is_repeated() -> None:
    assert check(Draft(text="Record only what the text says."), SPAN) is None
