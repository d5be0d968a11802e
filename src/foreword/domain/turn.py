"""Turns: what somebody said, in all its versions, and where it stands on a branch.

Content is immutable (`Version`), position is not (`Entry`): an edit or another alternative is a
new version in the same place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import assert_never

from foreword.domain.ids import Pos, SpeakerId, TurnId, VersionId


class Role(StrEnum):
    """Who a turn is from, in the words of chat APIs."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPart:
    """Prose that a model reads."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallPart:
    """A call of a tool by the model."""

    call_id: str
    name: str
    arguments: str
    """As the model wrote them, normally JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResultPart:
    """What a tool answered."""

    call_id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaPart:
    """A picture or file, by reference."""

    media_type: str
    reference: str


PART_NAMES: Mapping[type, str] = {
    TextPart: "text",
    ToolCallPart: "tool_call",
    ToolResultPart: "tool_result",
    MediaPart: "media",
}
"""The name of each kind of part in stored and exported JSON."""

Part = TextPart | ToolCallPart | ToolResultPart | MediaPart


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What a turn says, before it has a place or an id."""

    role: Role
    speaker: SpeakerId
    parts: tuple[Part, ...]
    reasoning: str = ""
    """What the model thought before it answered: kept, never sent, not part of the digest."""
    sent_at: str = ""
    """When it was sent, as the source wrote it."""
    extra: str = ""
    """Fields of the source that Foreword does not know, as a JSON object; empty for none."""
    named: bool = False
    """Sent with the speaker's name before it, since the role does not say who speaks. Decided when
    the turn is stored, so that no later setting changes a message or what it costs."""

    @property
    def text(self) -> str:
        """The prose and tool texts, one part a paragraph."""
        if len(self.parts) == 1:
            return part_text(self.parts[0])
        return "\n\n".join(part_text(part) for part in self.parts)


def part_text(part: Part) -> str:
    """Return what a reader or a search sees of `part`."""
    match part:
        case TextPart() | ToolResultPart():
            return part.text
        case ToolCallPart():
            return f"{part.name}({part.arguments})"
        case MediaPart():
            return f"[{part.media_type}: {part.reference}]"
        case _:
            assert_never(part)


def with_text(parts: tuple[Part, ...], text: str) -> tuple[Part, ...]:
    """Return `parts` with other prose in the place of the first; calls and media stay.

    The prose of a tool's answer is the answer.
    """
    match parts:
        case (ToolResultPart() as result,):
            return (ToolResultPart(call_id=result.call_id, text=text),)
        case _:
            prose = (place for place, part in enumerate(parts) if isinstance(part, TextPart))
            first = next(prose, 0)
            kept = [part for part in parts if not isinstance(part, TextPart)]
            return (*kept[:first], TextPart(text=text), *kept[first:])


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One immutable version of a turn."""

    id: VersionId
    turn_id: TurnId
    alt_no: int
    """Which alternative this is, from 1; an edit keeps the number of what it replaces."""
    content: Content
    tokens: int
    """Tokens of `content.text`, counted once when the version was stored."""
    digest: bytes
    """`domain.digest.content_digest` of `content`, 16 bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A turn in its place on a branch, without its text."""

    pos: Pos
    turn_id: TurnId
    version_id: VersionId
    role: Role
    speaker: SpeakerId
    tokens: int
    digest: bytes
    hidden: bool = False
    """Excluded by the user: never sent, never summarised."""

    @property
    def cost(self) -> int:
        """Tokens the turn takes in a prompt."""
        return self.tokens + MESSAGE_OVERHEAD


MESSAGE_OVERHEAD = 4
"""Tokens that a message costs beside its text (DECISIONS, Summaries)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """One of the versions a turn can show; the entry's `version_id` says which it does."""

    turn_id: TurnId
    alt_no: int
    version_id: VersionId


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A turn with everything a reader wants to know of it."""

    order: int
    """Place on the branch from 1, hidden turns included."""
    entry: Entry
    content: Content
    speaker_name: str
    alternatives: tuple[Alternative, ...] = field(default=())
    pinned: bool = False

    @property
    def text(self) -> str:
        """The prose and tool texts of the alternative that is shown, one part a paragraph."""
        return self.content.text
