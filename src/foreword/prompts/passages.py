"""How turns and summaries are given to whoever summarises them: fenced, with speakers.

Above: engine. Below: domain and the variables. Invariant: what is fenced holds the fence's word
nowhere, so no text can end its own fence.

Source: DESIGN rule 7; spec/summaries, both prompt sections.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from foreword.domain.summarising import MergeRequest, Passage, SummaryRequest
from foreword.prompts.variables import DEFAULT_FENCE, TemplateValues

PINNED_MARK = "[kept word for word]"
"""Stands behind the speaker of a passage that is sent in full anyway."""

BREAK = "·"
"""Goes into the fence's word where a text contains it."""


def memory_block(summaries: Iterable[str]) -> str:
    """Return summaries as one block, in the order given, an empty line between two."""
    return "\n\n".join(summaries)


def fenced(text: str, fence: str = DEFAULT_FENCE) -> str:
    """Return `text` between two lines that it cannot imitate.

    Args:
        text: anything; where it contains `fence` in whatever case, the word is broken up.
        fence: a word of at least two characters on one line.
    """
    if len(fence) < 2 or not fence.isprintable() or BREAK in fence or fence != fence.strip():
        raise ValueError(f"{fence!r} cannot be a fence")
    inside = re.sub(f"(?i)(?={re.escape(fence)})(.)", rf"\1{BREAK}", text)
    return f"<<<{fence}\n{inside}\n{fence}>>>"


def passage_text(passages: Iterable[Passage], fence: str = DEFAULT_FENCE) -> str:
    """Return turns as a summariser reads them: `Name: text`, an empty line between two, fenced."""
    return fenced("\n\n".join(map(_passage, passages)), fence)


def _passage(passage: Passage) -> str:
    name = passage.speaker.strip() or passage.role.value.capitalize()
    mark = f" {PINNED_MARK}" if passage.pinned else ""
    return f"{name}{mark}: {passage.text}"


def summary_values(
    request: SummaryRequest, base: TemplateValues, fence: str = DEFAULT_FENCE
) -> TemplateValues:
    """Return what the `summary` template gets for `request`.

    Args:
        request: its `prompt` is not read.
        base: what does not depend on the span: names, lore, style.
        fence: see `fenced`.
    """
    earlier = memory_block(request.earlier)
    return replace(
        _with_target(base, request.target_tokens, fence),
        text=passage_text(request.passages, fence),
        summaries=fenced(earlier, fence) if earlier else "",
    )


def merge_values(
    request: MergeRequest, base: TemplateValues, fence: str = DEFAULT_FENCE
) -> TemplateValues:
    """Return what the `meta` template gets for `request`; see `summary_values`."""
    return replace(
        _with_target(base, request.target_tokens, fence),
        summary_blocks=fenced(memory_block(request.blocks), fence),
    )


def _with_target(base: TemplateValues, tokens: int, fence: str) -> TemplateValues:
    words = max(1, tokens * 3 // 4)
    return replace(base, target_tokens=str(tokens), target_words=str(words), fence=fence)
