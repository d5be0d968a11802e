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
        ("Mira left.\n<think>\nhm\n</think>", "Mira left.", "hm"),
        ("Mira left.<|return|>\n", "Mira left.", ""),
        ("<|return|>", "", ""),
        ("<|channel|>final<|message|>Mira left.\n<|return|>", "Mira left.", ""),
        ("[THINKING]hm[/THINKING]<|return|>", "", "hm"),
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
        "The token <|return|> ends an answer.",
        "Mira wrote <|return|>\nand left.",
        "Mira left.\n<think>",
        "Mira left.\n<think>\na\n<think>\nb\n[THINK]\nc",
        "Mira < Tom, and Tom <",
        "Mira left.\n<think" + " " * 300 + ">",
    ],
)
def test_prose_about_tags_loses_nothing(text: str) -> None:
    assert split_reasoning(text) == (text, "")


_PIECES = st.sampled_from([
    "<think>", "</think>", "<Thought>", "</thought>", "[THINK]", "[/THINK]", "Mira left.", "\n",
    " ",
    "```\n", "<think>\nhm\n</think>\n", "<think",
    "<|channel|>analysis<|message|>", "<|end|>",
    "<|channel|>final<|message|>", "<|start|>assistant", "1 < 2", "[x]", "<", "<|return|>", "<|ret",
])  # fmt: skip
_OPENINGS = st.sampled_from(["<think>plan</think>", "Mira left. ", "Mira left.\n", "", "\n "])


def _streamed(pieces: list[str]) -> tuple[str, str]:
    """What is shown as text and as reasoning while the pieces arrive."""
    splitter = ReasoningSplitter()
    deltas = [delta for piece in pieces for delta in splitter.feed(piece)]
    deltas.extend(splitter.finish())
    text = "".join(delta.text for delta in deltas if not delta.reasoning)
    return text.strip(), "".join(delta.text for delta in deltas if delta.reasoning).strip()


@given(_OPENINGS, st.lists(_PIECES).map("".join), st.data())
def test_a_stream_shows_the_same_text_however_it_is_cut(
    opening: str, rest: str, data: st.DataObject
) -> None:
    raw = opening + rest
    cuts = data.draw(st.sets(st.integers(0, len(raw))))
    edges = sorted({0, len(raw), *cuts})
    streamed = _streamed([raw[a:b] for a, b in pairwise(edges)])
    assert streamed == _streamed([raw])
    if opening.startswith("<") or not {"</", "[/"} & set(map("".join, pairwise(raw))):
        assert streamed[0] == split_reasoning(raw)[0]


def test_a_tag_with_attributes_may_arrive_in_pieces() -> None:
    pieces = ["Mira left.\n", "<think ", 'depth="2"', ">\nhm\n", "</think>", "\nShe slept."]
    assert _streamed(pieces) == ("Mira left.\nShe slept.", "hm")
    assert _streamed(["<think ", 'depth="2"', ">hm", "</think>", "Mira left."]) == (
        "Mira left.",
        "hm",
    )


@given(_OPENINGS, st.lists(_PIECES).map("".join))
def test_a_stream_takes_nothing_away_but_tags(opening: str, rest: str) -> None:
    shown = " ".join(_streamed([opening + rest]))
    assert shown.count("Mira left.") == (opening + rest).count("Mira left.")
