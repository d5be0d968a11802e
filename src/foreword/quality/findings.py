"""What a gate finds in a draft, and what it needs to know of the draft's source.

Above: every gate, and the engine, which words a repair from the findings. Below: domain.

Source: DESIGN rule 6; research, failure → guard → test.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from foreword.domain.calls import Finish
from foreword.domain.summarising import Passage


class Gate(StrEnum):
    """What can be wrong with a draft."""

    EMPTY = "empty"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    LONGER_THAN_SOURCE = "longer_than_source"
    TRUNCATED = "truncated"
    REASONING = "reasoning"
    REFUSAL = "refusal"
    PROVIDER_ERROR = "provider_error"
    CONTINUATION = "continuation"
    ECHO = "echo"
    LANGUAGE = "language"
    SCRIPT = "script"
    ENVELOPE = "envelope"
    OWN_TAGS = "own_tags"
    ROLE_MARKERS = "role_markers"
    UNKNOWN_NAMES = "unknown_names"
    AUTHORITY = "authority"
    """A permission, request or standing instruction that no user turn gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that is wrong with a draft."""

    gate: Gate
    detail: str
    """What was found, with numbers or the words in question; one sentence without a full stop."""
    direction: str
    """What the next draft should do instead; one imperative sentence for the model."""
    soft: bool = False
    """Worth a repair, but not worth losing the draft for when the repaired one still has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a model wrote, with the reasoning already taken out."""

    text: str
    finish: Finish = Finish.STOP


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What a draft was made from."""

    passages: tuple[Passage, ...] = ()
    """The turns, oldest first; none for a merge."""
    blocks: tuple[str, ...] = ()
    """The summaries that are merged, oldest first; none for turns."""
    context: tuple[str, ...] = ()
    """What else the model read: earlier summaries, lore, personas, names of the characters."""
    tokens: int
    """Of the passages or blocks."""
    target_tokens: int
    """What the draft may take."""
    fence: str = ""
    """The word of the fences in the request."""
    request: str = ""
    """The template of the request; empty for unknown."""
    envelope: str = ""
    """Name of the tag that the template asks the draft to stand in; empty for none."""
    strict_size: bool = True
    """The built-in template asked for the target; with one of the user's own, short is fine."""
    layer: int | None = None
    """Of the summary that automatic memory wants; None for one that is made by hand."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The words to summarise, without speakers."""
        return self.blocks or tuple(passage.text for passage in self.passages)


Check = Callable[[Draft, Source], Finding | None]
"""A gate."""
