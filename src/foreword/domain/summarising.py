"""What goes into a summariser and what comes out: plain values.

Above: `ports.summariser` and every implementation speak these. Below: nothing.
Invariant: hidden turns are never among the passages; whoever builds a request leaves them out.
"""

from dataclasses import dataclass

from foreword.domain.turn import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One visible turn as a summariser reads it."""

    speaker: str
    """Name as shown to the reader; may be empty."""
    role: Role
    text: str
    pinned: bool = False
    """Sent word for word anyway: read for context, not worth repeating."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryRequest:
    """A span of turns to condense."""

    passages: tuple[Passage, ...]
    """Story order."""
    earlier: tuple[str, ...] = ()
    """Summaries in force before the span, oldest first: context, what they say is not new."""
    target_tokens: int
    prompt: str = ""
    """The rendered template, for real models; the built-in summariser ignores it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeRequest:
    """Several neighbouring summaries to condense into one."""

    blocks: tuple[str, ...]
    """Oldest first."""
    target_tokens: int
    prompt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryDraft:
    """What a summariser wrote, before any gate."""

    text: str
    reasoning: str = ""
    scene_time: str = ""
    """When it ends in the story, where it says so in a line of its own."""
