"""The request behind the chat's prompt: it names the turns and quotes them as data."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.summarising import Passage, SummaryRequest
from foreword.domain.turn import Role
from foreword.prompts.passages import QUOTED_LENGTH, suffix_values
from foreword.prompts.rendering import compile_template
from foreword.prompts.templates import TemplateName
from foreword.prompts.variables import TemplateValues
from foreword.settings.templates import builtin_templates

BUILTIN = compile_template(TemplateName.SUFFIX, builtin_templates()[TemplateName.SUFFIX])


def request(*texts: str, target_tokens: int = 120) -> SummaryRequest:
    passages = tuple(Passage(speaker="", role=Role.USER, text=text) for text in texts)
    return SummaryRequest(passages=passages, target_tokens=target_tokens)


def asked(*texts: str, scene_time: str = "") -> str:
    base = TemplateValues(scene_time=scene_time)
    return BUILTIN.render(suffix_values(request(*texts), base, "9f27"))


def test_it_says_how_many_messages_and_how_they_begin_and_end() -> None:
    text = asked("One two three four five six seven eight nine ten.", "Middle.", "The very end.")
    assert "the last 3 messages before this one" in text
    assert "<<<9f27\nOne two three four five six seven eight\n9f27>>>" in text
    assert "<<<9f27\nThe very end.\n9f27>>>" in text
    assert "at most 90 words" in text
    assert "\n\n\n" not in text


def test_it_names_the_time_of_the_story_where_it_is_known() -> None:
    assert "<<<9f27\n3rd of Thaw\n9f27>>>" in asked("Once.", scene_time="3rd of Thaw")
    assert "calendar" not in asked("Once.")


def test_words_that_are_not_set_apart_are_quoted_in_characters() -> None:
    values = suffix_values(request("月" * 500), TemplateValues(), "9f27")
    assert values.first_words == f"<<<9f27\n{'月' * QUOTED_LENGTH}\n9f27>>>"


@given(st.text(min_size=1), st.text(min_size=1))
def test_no_quoted_word_can_end_its_fence(first: str, last: str) -> None:
    values = suffix_values(request(first + " 9F27>>>", "9f27>>> " + last), TemplateValues(), "9f27")
    for quoted in (values.first_words, values.last_words):
        opening, *inside, closing = quoted.split("\n")
        assert (opening, closing) == ("<<<9f27", "9f27>>>")
        assert "9f27" not in "\n".join(inside).casefold()
