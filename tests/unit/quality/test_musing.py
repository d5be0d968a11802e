"""Thinking aloud about the task is found; people who think in a story are not."""

# ruff: noqa: E501
# A case is kept on one line.

from __future__ import annotations

import pytest
from tests.unit.quality.stories import STORIES, count, source_of

from foreword.domain.turn import Role
from foreword.quality.findings import Draft, Gate, Source
from foreword.quality.gates import judge
from foreword.quality.musing import check

FERRY = STORIES[0].source
NARRATOR = source_of(
    ("Ines", Role.USER, "Let me think. I need to identify the key events of that night, I told him."),
)  # fmt: skip


@pytest.mark.parametrize(
    "head",
    [
        "Thinking: I need to summarise 20 turns.\n", "**Reasoning**\nFirst I look at the turns.\n\n**Summary**\n",
        "## Thought process\n", "First, I need to identify the key events. ", "Let me think step by step. ",
        "(thought for 3 seconds) ", "Thought for about 12s\n", "Okay, so the user wants a summary. ",
        "Okay, let me think. ", "I’ll summarize the events. ", "We need to produce a concise summary. ",
        "The user wants me to condense this. ", "Let me start by listing what happens. ",
        "Ｔhinking: hm\n", "Ich muss zuerst alles zusammenfassen. ", "Je dois d'abord résumer le texte. ",
        "Primero debo resumir la escena. ", "Мне нужно сначала обобщить разговор. ", "我需要先总结这段对话。",
    ],
)  # fmt: skip
def test_a_head_that_thinks_of_the_task_is_reasoning(head: str) -> None:
    draft = Draft(text=head + STORIES[0].summary)
    found = check(draft, FERRY)
    assert found is not None
    assert (found.gate, found.soft) == (Gate.REASONING, False)
    assert not judge(draft, FERRY, count=count).acceptable


@pytest.mark.parametrize(
    ("text", "source"),
    [
        *((story.summary, story.source) for story in STORIES),
        ("Let me think, I told him, and I went out.", NARRATOR), ("Let me think. He waited.", NARRATOR),
        ("I need to identify the key events of that night.", NARRATOR),
        ("Let me think, said Bram, and he gave back four coins.", FERRY), ("\"Let me think,\" said Bram.", FERRY),
        ("Thinking of her sister, Odile paid.", FERRY), ("Reasoning that the wind would drop, Bram waited.", FERRY),
        ("I need to identify the man who took my ledger.", FERRY), ("I read the message and went out.", FERRY),
        ("The user wants three fixes released.", FERRY), ("The user wants me to write the notes.", FERRY),
        ("Bram thought for a few seconds.", FERRY), ("I summarised the log for Bram.", FERRY), ("", FERRY),
    ],
)  # fmt: skip
def test_thinking_in_a_story_is_none(text: str, source: Source) -> None:
    assert check(Draft(text=text), source) is None
