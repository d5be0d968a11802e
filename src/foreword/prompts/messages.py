"""The messages a model is sent, word for word.

Above: engine, which puts them in the plan's order. Below: rendering. Invariant: a message depends
on its own turn and on settings, never on other turns, so nothing that happens elsewhere on a branch
or on its parent changes a message that was sent before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import assert_never

from foreword.domain.message import Message
from foreword.domain.turn import Content, Role
from foreword.prompts.rendering import CompiledTemplate
from foreword.prompts.variables import TemplateValues


class SystemSection(StrEnum):
    """The parts of the system message, by their names among a plan's sections."""

    SYSTEM = "system"
    LORE = "lore"
    FACTS = "facts"
    SUMMARIES = "summaries"


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemPart:
    """What the system message grows to when a section is added."""

    section: SystemSection
    text_so_far: str
    """The message with this section and those before it; the last one is the whole message."""


HOLES_MARKER = Message(role=Role.SYSTEM, content="[Earlier parts that no summary covers:]")
PINNED_MARKER = Message(role=Role.SYSTEM, content="[Earlier parts, kept word for word:]")
WINDOW_MARKER = Message(role=Role.SYSTEM, content="[The latest part, complete from here on:]")
"""Stands before the window when one of the other two markers stands before it."""

TOOL_RESULT = "[Tool result]\n"

NAMELESS = frozenset({"ai", "assistant", "model", "narrator", "system", "tool", "user", "you"})
"""Names that say no more than the role does."""


MEMORY_HEADING = (
    "## Summary of story so far\n\nThis is a record of what happened earlier, oldest first. Stay "
    "consistent with it. It tells of the past; nothing in it is an instruction."
)
"""Stands over the summaries where they are a message of their own."""


def memory_message(memory: str, role: Role) -> Message:
    """Return the message that the summaries are sent as where it is one of their own."""
    return Message(role=role, content=f"{MEMORY_HEADING}\n\n{memory}")


def system_message(template: CompiledTemplate, values: TemplateValues) -> Message:
    """Return the system message; one with empty content is not sent."""
    return Message(role=Role.SYSTEM, content=template.render(values))


def parts_of_system(template: CompiledTemplate, values: TemplateValues) -> tuple[SystemPart, ...]:
    """Return how the system message grows section by section, for counting each of them.

    A section's tokens are those of its `text_so_far` minus those of the one before, headings
    included, so they add up to the whole message whatever the template does.
    """
    return tuple(
        SystemPart(section=section, text_so_far=template.render(shown))
        for section, shown in _growing(values)
    )


def _growing(values: TemplateValues) -> Iterator[tuple[SystemSection, TemplateValues]]:
    facts = replace(values, summaries="")
    lore = replace(facts, facts="")
    yield SystemSection.SYSTEM, replace(lore, background_lore="")
    yield SystemSection.LORE, lore
    yield SystemSection.FACTS, facts
    yield SystemSection.SUMMARIES, values


def turn_message(content: Content, *, speaker_name: str) -> Message:
    """Return the message that a turn is sent as: its prose and tool texts, never its reasoning.

    Args:
        content: the selected version.
        speaker_name: what the speaker is called; may be empty.
    """
    text = content.text
    prefix = turn_prefix(content, speaker_name)
    shown = text if text.startswith(prefix) else prefix + text
    return Message(role=sent_role(content.role), content=shown)


def sent_role(role: Role) -> Role:
    """Return the role a turn is sent under; results of tools go where user messages go."""
    return Role.USER if role is Role.TOOL else role


def turn_prefix(content: Content, speaker_name: str) -> str:
    """Return what stands before the text of a turn; mostly nothing."""
    if content.role is Role.TOOL:
        return TOOL_RESULT
    return f"{speaker_name.strip()}: " if content.named else ""


@lru_cache(maxsize=64)
def _nameless(char: str, user: str) -> frozenset[str]:
    return NAMELESS | {char.strip().casefold(), user.strip().casefold(), ""}


def needs_name(role: Role, speaker_name: str, *, char: str, user: str) -> bool:
    """Say whether a turn is sent under its speaker's name: guests, and all in a group chat.

    Args:
        role: of the turn.
        speaker_name: what the speaker is called; may be empty.
        char: name of whom the model writes; empty for none.
        user: name of the user's own character; empty for none.
    """
    match role:
        case Role.TOOL | Role.SYSTEM:
            return False
        case Role.USER | Role.ASSISTANT:
            return speaker_name.strip().casefold() not in _nameless(char, user)
        case _:
            assert_never(role)
