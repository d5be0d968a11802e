"""How turns and summaries are given to whoever reads them: as data, with speakers from structure.

Above: engine. Below: domain, inert text and the variables. Invariants: what is fenced holds the
fence's word nowhere, so no text can end its own fence; the only lines that are passage marks are
those written here, so no text can pass for what somebody else said.

Source: DESIGN rule 7; spec/summaries, both prompt sections; issue 3, section 3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import assert_never

from foreword.domain.scene_time import DATE_LINE, parted
from foreword.domain.summarising import MergeRequest, Passage, SummaryRequest
from foreword.prompts.inert import BREAK, MARK, disguised, inert
from foreword.prompts.rendering import CompiledTemplate
from foreword.prompts.variables import DEFAULT_FENCE, TemplateValues

PINNED_MARK = "kept word for word"
"""Stands behind the role of a passage that is sent in full anyway."""

QUOTED_WORDS, QUOTED_LENGTH = 8, 60
"""Words, and characters, by which a message is found again."""

_HEADING = re.compile(
    r"^[^\w\n]*(?:Background|Facts|Summary of story so far)[^\w\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
"""With a `#`, a line that would open another section of the built-in system message."""


def memory_block(summaries: Iterable[str]) -> str:
    """Return summaries as one block of inert text, in order, an empty line between two."""
    return "\n\n".join(map(_record, summaries))


@lru_cache(maxsize=2048)
def _record(text: str) -> str:
    # Every prompt holds the same summaries again.
    shown = inert_record(text)
    if parted(text)[1]:  # the last line is the summary's own, not what somebody in it says
        before, _, time = shown.rpartition(BREAK + DATE_LINE)
        return f"{before}{DATE_LINE}{time}"
    return shown


def inert_record(text: str) -> str:
    """Return a summary's words as inert text that opens no section of the system message."""
    return _HEADING.sub(_no_heading, inert(text))


def _no_heading(found: re.Match[str]) -> str:
    line = found[0]
    return line if line.startswith(BREAK) or "#" not in line else BREAK + line


def fenced(text: str, fence: str = DEFAULT_FENCE) -> str:
    """Return `text` between two lines that it cannot imitate.

    Args:
        text: anything; where it contains `fence` in whatever case, the word is broken up.
        fence: a word of at least two characters on one line.
    """
    if len(fence) < 2 or not fence.isprintable() or BREAK in fence or fence != fence.strip():
        raise ValueError(f"{fence!r} cannot be a fence")
    return f"<<<{fence}\n{_without(fence, text)}\n{fence}>>>"


def _without(fence: str, text: str) -> str:
    return re.sub(f"(?i)(?={disguised(fence)})(.)", rf"\1{BREAK}", text)


def passage_text(passages: Iterable[Passage], fence: str = DEFAULT_FENCE) -> str:
    """Return turns as a summariser reads them: `▸ Name [role]: text`, fenced.

    An empty line stands between two passages. Texts and names are made inert.
    """
    return fenced("\n\n".join(map(_passage, passages)), fence)


def shown_name(passage: Passage) -> str:
    """Return what the mark calls the speaker: one line without square brackets, never empty."""
    name = " ".join(inert(passage.speaker).split()).replace("[", "(").replace("]", ")")
    return name or passage.role.value.capitalize()


def _passage(passage: Passage) -> str:
    pinned = f", {PINNED_MARK}" if passage.pinned else ""
    mark = f"{MARK} {shown_name(passage)} [{passage.role.value}{pinned}]:"
    return f"{mark} {inert(passage.text)}"


def rendered(
    template: CompiledTemplate,
    request: SummaryRequest | MergeRequest,
    base: TemplateValues,
    fence: str = DEFAULT_FENCE,
) -> str:
    """Return the prompt for `request`: `template` is the summary or the meta one."""
    return template.render(_values(request, base, fence))


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


def suffix_values(
    request: SummaryRequest, base: TemplateValues, fence: str = DEFAULT_FENCE
) -> TemplateValues:
    """Return what the `suffix` template gets for `request`; see `summary_values`.

    The turns are not in it: they are the last messages before the one that asks.
    """
    first, last = request.passages[0].text, request.passages[-1].text
    return replace(
        _with_target(base, request.target_tokens, fence),
        turn_count=str(len(request.passages)),
        first_words=fenced(inert(_ends(first)[0]), fence),
        last_words=fenced(inert(_ends(last)[1]), fence),
        text="",
        summaries="",
    )


def _ends(text: str) -> tuple[str, str]:
    """Return the first and the last words of a text, each on one line."""
    words = text.split()
    first, last = " ".join(words[:QUOTED_WORDS]), " ".join(words[-QUOTED_WORDS:])
    return first[:QUOTED_LENGTH], last[-QUOTED_LENGTH:]


def merge_values(
    request: MergeRequest, base: TemplateValues, fence: str = DEFAULT_FENCE
) -> TemplateValues:
    """Return what the `meta` template gets for `request`; see `summary_values`."""
    return replace(
        _with_target(base, request.target_tokens, fence),
        summary_blocks=fenced(memory_block(request.blocks), fence),
    )


def repair_values(
    request: SummaryRequest | MergeRequest,
    base: TemplateValues,
    *,
    draft: str,
    direction: str,
    fence: str = DEFAULT_FENCE,
) -> TemplateValues:
    """Return what the `repair` template gets for a draft that was refused.

    Args:
        request: what the draft was asked for with.
        base: see `summary_values`.
        draft: what was written; blank for nothing worth showing.
        direction: what to do instead, a sentence a line, in our own words; taken as it is.
        fence: see `fenced`.
    """
    shown = inert(draft)
    return replace(
        _values(request, base, fence),
        draft=fenced(shown, fence) if shown.strip() else "",
        direction=_without(fence, direction),
    )


def _values(
    request: SummaryRequest | MergeRequest, base: TemplateValues, fence: str
) -> TemplateValues:
    match request:
        case SummaryRequest():
            return summary_values(request, base, fence)
        case MergeRequest():
            return merge_values(request, base, fence)
        case _:
            assert_never(request)


def _with_target(base: TemplateValues, tokens: int, fence: str) -> TemplateValues:
    words = max(1, tokens * 3 // 4)
    return replace(
        base,
        background_lore=_without(fence, inert(base.background_lore)),
        scene_time=fenced(time, fence) if (time := inert(base.scene_time)).strip() else "",
        target_tokens=str(tokens),
        target_words=str(words),
        fence=fence,
    )
