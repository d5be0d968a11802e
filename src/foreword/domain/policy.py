"""Settings of a conversation: a policy is a trigger, a strategy and numbers.

Stored settings are strings by name; `policy_from` turns them into one checked value. Doors show
the names and descriptions from here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import cast

from foreword.domain.choices import (
    Cadence,
    LastResort,
    MemoryLog,
    MemoryRole,
    Mode,
    Placement,
    Resolution,
    Strategy,
)
from foreword.domain.setting_values import (
    Reader,
    dollars,
    one_of,
    setting,
    switch,
    whole,
    written_value,
)
from foreword.errors import UnknownSetting

__all__ = [
    "DEFAULT_CONTEXT",
    "DEFAULT_REPLY",
    "LARGEST_CONTEXT",
    "SMALLEST_CONTEXT",
    "Cadence",
    "LastResort",
    "MemoryLog",
    "MemoryRole",
    "Mode",
    "Placement",
    "Policy",
    "Resolution",
    "Strategy",
    "policy_from",
    "setting_help",
    "setting_names",
    "setting_range",
    "written",
]

DEFAULT_CONTEXT = 32_768
SMALLEST_CONTEXT = 512
LARGEST_CONTEXT = 100_000_000
DEFAULT_REPLY = 1024


_TOKENS = whole(0, LARGEST_CONTEXT, "tokens")
_PERCENT = whole(1, 100, "percent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Every setting of a conversation, checked."""

    system: str = field(default="", metadata=setting("Text that opens every prompt."))
    personas: str = field(
        default="", metadata=setting("Who the characters are; sent after the system text.")
    )
    context: int = field(
        default=DEFAULT_CONTEXT,
        metadata=setting(
            "Size of the model's context, in tokens.",
            whole(SMALLEST_CONTEXT, LARGEST_CONTEXT, "tokens"),
        ),
    )
    reply: int | None = field(
        default=None,
        metadata=setting(
            "Tokens kept for the reply; unset, a quarter of the context up to 1024.", _TOKENS
        ),
    )
    mode: Mode = field(
        default=Mode.ADVISED,
        metadata=setting(
            "manual: recaps only when asked; advised: says when one is due; balanced: summarises "
            "in the background as the story grows; prefix-cache: the same in larger steps, so "
            "that more of each prompt is read from the provider's cache.",
            one_of(Mode),
        ),
    )
    cadence: Cadence = field(
        default=Cadence.RECOMMENDED,
        metadata=setting(
            "How much unsummarised story gathers before a recap is due: "
            "less-often, recommended or more-often.",
            one_of(Cadence),
        ),
    )
    resolution: Resolution = field(
        default=Resolution.RECOMMENDED,
        metadata=setting(
            "How much story goes into one recap: less-detail, recommended or more-detail "
            "(less story each).",
            one_of(Resolution),
        ),
    )
    char: str = field(
        default="",
        metadata=setting(
            "Name of the character or narrator that the model writes; its turns need no name."
        ),
    )
    user: str = field(default="", metadata=setting("Name of the user's own character."))
    narrative_pov: str = field(
        default="", metadata=setting("Point of view, for templates: for example second person.")
    )
    narrative_tense: str = field(
        default="", metadata=setting("Tense, for templates: for example present tense.")
    )
    style: str = field(default="", metadata=setting("Style of the prose, for templates."))
    last_resort: LastResort = field(
        default=LastResort.NOTHING,
        metadata=setting(
            "What happens when no model writes a usable summary: nothing (the turns stay "
            "uncovered) or builtin (the built-in summariser stands in).",
            one_of(LastResort),
        ),
    )
    spend_per_day: float | None = field(
        default=None,
        metadata=setting(
            "Most US dollars that models may cost in a day (UTC), all conversations together; "
            "unset for no cap.",
            dollars,
        ),
    )
    spend_per_conversation: float | None = field(
        default=None,
        metadata=setting(
            "Most US dollars that models may cost in a conversation; unset: no cap.", dollars
        ),
    )
    memory: bool = field(
        default=True,
        metadata=setting("off: no automatic memory work in this conversation.", switch),
    )
    paused: bool = field(
        default=False,
        metadata=setting(
            "on: automatic memory work waits until `memory resume`; `memory stop` sets it.",
            switch,
        ),
    )
    strategy: Strategy = field(
        default=Strategy.LAYERS,
        metadata=setting(
            "What automatic memory summarises: layers (turns once, crowded layers merged), "
            "two-level (blocks and one top rebuilt from them), originals (everything anew each "
            "time) or rolling (the last summary and what came since).",
            one_of(Strategy),
        ),
    )
    depth_limit: int | None = field(
        default=None,
        metadata=setting(
            "Most summarisation passes that a summary's oldest material may go through before "
            "automatic memory rebuilds that block from the originals; unset: 8 with rolling, no "
            "limit with the other strategies, whose depth stays small by itself.",
            whole(1, 100, "passes"),
        ),
    )
    verbatim: int | None = field(
        default=None,
        metadata=setting(
            "Tokens of the newest turns that automatic memory leaves word for word; unset: 22000 "
            "(balanced) or 20000 (prefix-cache), at most 55 % or 45 % of what the context leaves.",
            whole(100, LARGEST_CONTEXT, "tokens"),
        ),
    )
    queue: int | None = field(
        default=None,
        metadata=setting(
            "Tokens that gather beside the verbatim ones before automatic memory summarises; "
            "unset: 6000 (balanced) or 16000 (prefix-cache), at most 15 % or 30 % of what the "
            "context leaves.",
            whole(50, LARGEST_CONTEXT, "tokens"),
        ),
    )
    memory_budget: int | None = field(
        default=None,
        metadata=setting(
            "Tokens that all summaries of automatic memory may take; unset: 10000, at most 25 % "
            "of what the context leaves.",
            whole(100, LARGEST_CONTEXT, "tokens"),
        ),
    )
    summary_target: int | None = field(
        default=None,
        metadata=setting(
            "Tokens of one summary of turns in automatic memory; unset: 280, less where the "
            "memory budget is small.",
            whole(80, 700, "tokens"),
        ),
    )
    batch_target: int = field(
        default=16_000,
        metadata=setting(
            "Tokens of turns that automatic memory aims to put into one summary.",
            whole(200, 64_000, "tokens"),
        ),
    )
    batch_cap: int = field(
        default=24_000,
        metadata=setting(
            "Most tokens of turns in one summary of automatic memory; one that ends an exchange "
            "may pass it by 15 %.",
            whole(200, 64_000, "tokens"),
        ),
    )
    layer_count: int = field(
        default=24,
        metadata=setting(
            "Summaries that a layer holds before its oldest are merged.",
            whole(2, 200, "summaries"),
        ),
    )
    merge_count: int = field(
        default=3,
        metadata=setting(
            "Summaries that automatic memory merges into one.", whole(2, 12, "summaries")
        ),
    )
    most_layers: int = field(
        default=20,
        metadata=setting("Layers above the turns that merging may build.", whole(1, 20, "layers")),
    )
    share_layer0: int = field(
        default=60,
        metadata=setting(
            "Share of the memory budget for summaries of turns while no deeper layer exists.",
            _PERCENT,
        ),
    )
    share_layer0_deep: int = field(
        default=50,
        metadata=setting(
            "Share of the memory budget for summaries of turns once deeper layers exist.", _PERCENT
        ),
    )
    share_layer1: int = field(
        default=30,
        metadata=setting("Share of the memory budget for the first merged layer.", _PERCENT),
    )
    share_deeper: int = field(
        default=20,
        metadata=setting("Share of the memory budget for all deeper layers together.", _PERCENT),
    )
    placement: Placement = field(
        default=Placement.IN_PROMPT,
        metadata=setting(
            "Where the summaries stand: in-prompt (in the system message), before-prompt, in-chat "
            "(so many messages before the end) or macro-only (only where a text has "
            "`{{summaries}}`).",
            one_of(Placement),
        ),
    )
    placement_depth: int = field(
        default=4,
        metadata=setting(
            "How many messages follow the summaries that are placed in-chat.",
            whole(0, 10_000, "messages"),
        ),
    )
    memory_role: MemoryRole = field(
        default=MemoryRole.SYSTEM,
        metadata=setting(
            "Who says the summaries where they are a message of their own.", one_of(MemoryRole)
        ),
    )
    memory_repeat: bool = field(
        default=False,
        metadata=setting(
            "on: the summaries are sent twice, one after the other; models recall repeated text "
            "better, at twice its tokens.",
            switch,
        ),
    )
    cache_ttl: int = field(
        default=30,
        metadata=setting(
            "Minutes after which the provider's cache counts as cold.", whole(5, 240, "minutes")
        ),
    )
    ask_missing: bool = field(
        default=False,
        metadata=setting(
            "on: a draft that lost weighty specifics is asked for once more with their list.",
            switch,
        ),
    )
    strip_ideographs: bool = field(
        default=False,
        metadata=setting(
            "on: Chinese characters are taken out of summaries, for models that slip into "
            "Chinese; without effect where the source has some.",
            switch,
        ),
    )
    cleanup: str = field(
        default="",
        metadata=setting(
            "Regular expressions that clean drafts up, one a line: /pattern/flags => replacement."
        ),
    )
    memory_log: MemoryLog = field(
        default=MemoryLog.NORMAL,
        metadata=setting(
            "How much the log of memory work holds: normal, debug, trace or prompts (with what "
            "models were asked and wrote; never a key).",
            one_of(MemoryLog),
        ),
    )

    @property
    def reply_reserve(self) -> int:
        """Tokens kept for the reply, never more than half the context."""
        if self.reply is None:
            return min(DEFAULT_REPLY, self.context // 4)
        return min(self.reply, self.context // 2)


_make = cast("Callable[..., Policy]", Policy)


def policy_from(settings: Mapping[str, str]) -> Policy:
    """Return the policy that `settings` describe; what they do not name has its default.

    Raises:
        UnknownSetting: no setting has one of the names.
        InvalidSetting: a value does not fit its setting.
    """
    return _policy(tuple(sorted(settings.items())))


@lru_cache(maxsize=64)
def _policy(items: tuple[tuple[str, str], ...]) -> Policy:
    readers = {name: _reader(name) for name, _ in items}
    return _make(**{name: readers[name](name, value) for name, value in items if value != ""})


def written(policy: Policy, name: str) -> str:
    """Return the value of a setting in the form in which it is stored and shown."""
    return written_value(policy.reply_reserve if name == "reply" else getattr(policy, name))


def setting_names() -> tuple[str, ...]:
    """Return the names of all settings, in the order a page would list them."""
    return tuple(entry.name for entry in fields(Policy))


def setting_help(name: str) -> str:
    """Return one sentence on what the setting does.

    Raises:
        UnknownSetting: no setting has that name.
    """
    return str(_metadata(name)["about"])


def setting_range(name: str) -> tuple[int, int] | None:
    """Return the least and the most of a setting that is a whole number; None for others.

    Raises:
        UnknownSetting: no setting has that name.
    """
    reader = _reader(name)
    return (reader.least, reader.most) if isinstance(reader, whole) else None


def _reader(name: str) -> Reader:
    return cast("Reader", _metadata(name)["read"])


def _metadata(name: str) -> Mapping[str, object]:
    for entry in fields(Policy):
        if entry.name == name:
            return entry.metadata
    raise UnknownSetting(name=name, known=setting_names())
