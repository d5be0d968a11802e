"""Reasoning is taken out, whole and streamed; prose about tags loses nothing."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.quality.reasoning import ReasoningSplitter, split_reasoning


@pytest.mark.parametrize(
    ("raw", "text", "reasoning"),
    [
        ("<think>hm</think>Mira left.", "Mira left.", "hm"),
        (' <THINKING depth="2">a</thinking>\n<reflection>b</reflection> Mira.', "Mira.", "ab"),
        ("[THINK]hm[/THINK]Mira.", "Mira.", "hm"),
        ("<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Mira.",
         "Mira.", "hm"),
        ("<|channel>thought\nhm<channel|>Mira.", "Mira.", "hm"),
        ("<think>never closed", "", "never closed"),
        ("First I look.\n</think>\n\nMira left.", "Mira left.", "First I look."),
        ("First I look.</think>Mira left.", "Mira left.", "First I look."),
        ("Mira left.\n<think>\nhm\n</think>\nShe came back.", "Mira left.\nShe came back.", "hm"),
    ],
)  # fmt: skip
def test_reasoning_is_taken_out(raw: str, text: str, reasoning: str) -> None:
    assert split_reasoning(raw) == (text, reasoning)


@pytest.mark.parametrize(
    "text",
    [
        "Models write <think>plans</think> into their text.",
        "She typed `</think>` and waited.",
        "```\n<think>\nhm\n</think>\n```",
        "Mira left.\n<think>\nnever closed",
        "<thinker> is a name.",
        "Write <think> first and </think>\nlast.",
    ],
)
def test_prose_about_tags_loses_nothing(text: str) -> None:
    assert split_reasoning(text) == (text, "")


_PIECES = st.sampled_from([
    "<think>", "</think>", "<Thought>", "</thought>", "[THINK]", "[/THINK]", "Mira left.", "\n",
    " ",
    "```\n", "<think>\nhm\n</think>\n", "<think",
    "<|channel|>analysis<|message|>", "<|end|>",
    "<|channel|>final<|message|>", "<|start|>assistant", "1 < 2", "[x]",
])  # fmt: skip


@given(st.lists(_PIECES).map("".join), st.data())
def test_a_stream_shows_the_same_text_however_it_is_cut(raw: str, data: st.DataObject) -> None:
    raw = "<think>plan</think>" + raw
    cuts = data.draw(st.sets(st.integers(0, len(raw))))
    edges = sorted({0, len(raw), *cuts})
    splitter = ReasoningSplitter()
    deltas = [delta for a, b in pairwise(edges) for delta in splitter.feed(raw[a:b])]
    deltas.extend(splitter.finish())
    shown = "".join(delta.text for delta in deltas if not delta.reasoning)
    assert shown.strip() == split_reasoning(raw)[0]
