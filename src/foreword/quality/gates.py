"""The judgement on a draft: every gate in turn, the most severe first.

Above: engine. Below: every gate. Invariant: any text is judged without an error, and the same text
always alike.

Source: issue 3, section 2; DESIGN rule 6.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from foreword.domain.scene_time import parted
from foreword.quality import (
    authority,
    language,
    markup,
    musing,
    names,
    overlap,
    provider_errors,
    reciting,
    refusal,
    scenes,
    sizes,
    truncation,
)
from foreword.quality.disguise import without_turns
from foreword.quality.findings import Check, Draft, Finding, Source
from foreword.quality.reasoning import split_reasoning

_CHECKS: Final[tuple[Check, ...]] = (
    provider_errors.check,
    refusal.check,
    markup.check_reasoning,
    musing.check,
    markup.check_own_tags,
    reciting.check,
    markup.check_role_markers,
    authority.check,
    truncation.check,
    overlap.check_continuation,
    scenes.check,
    overlap.check_echo,
    language.check,
    names.check,
)
"""All that need nothing but the draft and its source, the most severe first."""


_BLANK: Final = re.compile(r"\s{20,}")


def _short(blank: re.Match[str]) -> str:
    return "\n\n" if "\n" in blank[0] else " "


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A draft as it would be remembered, and what is wrong with it."""

    text: str
    """Without reasoning, envelope and characters that turn the order of letters."""
    findings: tuple[Finding, ...]
    """The most severe first."""
    scene_time: str = ""
    """What a line behind the envelope that was asked for says of when it ends."""

    @property
    def usable(self) -> bool:
        """Nothing is wrong."""
        return not self.findings

    @property
    def acceptable(self) -> bool:
        """Nothing is so wrong that the draft must not be remembered."""
        return all(finding.soft for finding in self.findings)


def judge(
    draft: Draft,
    source: Source,
    *,
    count: Callable[[str], int],
    repaired: bool = False,
    clean: Callable[[str], str] | None = None,
) -> Judgement:
    """Judge a draft by every gate; an empty one, or a runaway, has that finding alone.

    Args:
        draft: what the model wrote.
        source: what it was made from.
        count: tokens of a text.
        repaired: the draft was asked for because the one before had findings.
        clean: what the user wants done to drafts, without reasoning and envelope, before that.
    """
    written, _ = split_reasoning(draft.text)
    text = without_turns(markup.unwrapped(written, source), source)
    text, scene_time = parted(text) if source.envelope else (text, "")
    text = text if clean is None else clean(text)
    # Patterns that begin with white space would take time by the square of a long run of it.
    bare = replace(draft, text=_BLANK.sub(_short, text))
    if empty := sizes.check_empty(bare):
        return Judgement(text=text, findings=(empty,))
    tokens = count(text)
    if runaway := sizes.check_runaway(tokens, source):
        return Judgement(text=text, findings=(runaway,))
    checks: tuple[Callable[[], Finding | None], ...] = (
        partial(markup.check_declined, written),
        *(partial(check, bare, source) for check in _CHECKS),
        partial(markup.check_envelope, written, source),
        partial(sizes.check_size, bare, source, tokens=tokens, repaired=repaired),
    )
    found = [finding for check in checks if (finding := check())]
    findings = tuple(sorted(found, key=lambda finding: finding.soft))
    return Judgement(text=text, findings=findings, scene_time=scene_time)
