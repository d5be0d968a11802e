"""The settings that are a choice between words.

Above: `policy`. Below: nothing. Invariant: a member's value is the word that is stored and shown.
"""

from __future__ import annotations

from enum import StrEnum


class Mode(StrEnum):
    """Who starts a summary."""

    MANUAL = "manual"
    ADVISED = "advised"
    BALANCED = "balanced"
    PREFIX_CACHE = "prefix-cache"

    @property
    def automatic(self) -> bool:
        """Whether memory runs by itself, in the background."""
        return self in (Mode.BALANCED, Mode.PREFIX_CACHE)

    @property
    def keeps_prefix(self) -> bool:
        """Whether what many batches change comes into force at once."""
        return self is Mode.PREFIX_CACHE


class Cadence(StrEnum):
    """How much story may gather before a recap is due."""

    LESS_OFTEN = "less-often"
    RECOMMENDED = "recommended"
    MORE_OFTEN = "more-often"


class Resolution(StrEnum):
    """How much story goes into one recap: more detail means less story each."""

    LESS_DETAIL = "less-detail"
    RECOMMENDED = "recommended"
    MORE_DETAIL = "more-detail"


class LastResort(StrEnum):
    """What stands in when no model writes a summary that can be used."""

    NOTHING = "nothing"
    BUILTIN = "builtin"


class Strategy(StrEnum):
    """What automatic memory makes a summary from, and so how often old material is rewritten."""

    LAYERS = "layers"
    """Turns once; crowded layers are merged into the next."""
    TWO_LEVEL = "two-level"
    """Turns into blocks, and one top that is rebuilt from the blocks."""
    ORIGINALS = "originals"
    """All covered turns, each time anew."""
    ROLLING = "rolling"
    """The last summary and what came since."""


class Placement(StrEnum):
    """Where the summaries stand in a prompt."""

    IN_PROMPT = "in-prompt"
    """In the system message, where its template has them."""
    BEFORE_PROMPT = "before-prompt"
    """As a message of their own before the system message."""
    IN_CHAT = "in-chat"
    """As a message of their own, so many messages before the end."""
    MACRO_ONLY = "macro-only"
    """Only where a text of the settings has `{{summaries}}` or `{{summaryception_memory}}`."""


class MemoryRole(StrEnum):
    """Who says the summaries, where they are a message of their own."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


class MemoryLog(StrEnum):
    """How much the log of memory work holds; each level has what those before it have."""

    NORMAL = "normal"
    DEBUG = "debug"
    TRACE = "trace"
    PROMPTS = "prompts"
    """With what models were asked and what they wrote; never a key."""
