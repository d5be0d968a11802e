"""Settings of a conversation: a policy is a trigger, a strategy and numbers.

Stored settings are strings by name; `policy_from` turns them into one checked value. Doors show
the names and descriptions from here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import lru_cache
from typing import TypeVar

from foreword.errors import InvalidSetting, UnknownSetting

Choice = TypeVar("Choice", bound=StrEnum)

DEFAULT_CONTEXT = 32_768
SMALLEST_CONTEXT = 512
LARGEST_CONTEXT = 100_000_000
DEFAULT_REPLY = 1024

_SEPARATOR = re.compile(r"[\s,_'’]")
_NUMBER = re.compile(rf"[0-9]+|[0-9]{{1,3}}(?:{_SEPARATOR.pattern}[0-9]{{3}})+")
"""Digits, or groups of three with something between them that is no decimal sign."""

_AMOUNT = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,6})?")


class Mode(StrEnum):
    """Who starts a summary."""

    MANUAL = "manual"
    ADVISED = "advised"


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


def _about(sentence: str) -> dict[str, str]:
    return {"about": sentence}


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Every setting of a conversation, checked."""

    system: str = field(default="", metadata=_about("Text that opens every prompt."))
    personas: str = field(
        default="", metadata=_about("Who the characters are; sent after the system text.")
    )
    context: int = field(
        default=DEFAULT_CONTEXT, metadata=_about("Size of the model's context, in tokens.")
    )
    reply: int | None = field(
        default=None,
        metadata=_about("Tokens kept for the reply; unset, a quarter of the context up to 1024."),
    )
    mode: Mode = field(
        default=Mode.ADVISED,
        metadata=_about("manual: recaps only when asked; advised: says when one is due."),
    )
    cadence: Cadence = field(
        default=Cadence.RECOMMENDED,
        metadata=_about(
            "How much unsummarised story gathers before a recap is due: "
            "less-often, recommended or more-often."
        ),
    )
    resolution: Resolution = field(
        default=Resolution.RECOMMENDED,
        metadata=_about(
            "How much story goes into one recap: less-detail, recommended or more-detail "
            "(less story each)."
        ),
    )
    char: str = field(
        default="",
        metadata=_about(
            "Name of the character or narrator that the model writes; its turns need no name."
        ),
    )
    user: str = field(default="", metadata=_about("Name of the user's own character."))
    narrative_pov: str = field(
        default="", metadata=_about("Point of view, for templates: for example second person.")
    )
    narrative_tense: str = field(
        default="", metadata=_about("Tense, for templates: for example present tense.")
    )
    style: str = field(default="", metadata=_about("Style of the prose, for templates."))
    last_resort: LastResort = field(
        default=LastResort.NOTHING,
        metadata=_about(
            "What happens when no model writes a usable summary: nothing (the turns stay "
            "uncovered) or builtin (the built-in summariser stands in)."
        ),
    )
    spend_per_day: float | None = field(
        default=None,
        metadata=_about(
            "Most US dollars that models may cost in a day (UTC), all conversations together; "
            "unset for no cap."
        ),
    )
    spend_per_conversation: float | None = field(
        default=None,
        metadata=_about("Most US dollars that models may cost in a conversation; unset: no cap."),
    )

    @property
    def reply_reserve(self) -> int:
        """Tokens kept for the reply, never more than half the context."""
        if self.reply is None:
            return min(DEFAULT_REPLY, self.context // 4)
        return min(self.reply, self.context // 2)


def policy_from(settings: Mapping[str, str]) -> Policy:
    """Return the policy that `settings` describe; what they do not name has its default.

    Raises:
        UnknownSetting: no setting has one of the names.
        InvalidSetting: a value does not fit its setting.
    """
    return _policy(tuple(sorted(settings.items())))


@lru_cache(maxsize=64)
def _policy(items: tuple[tuple[str, str], ...]) -> Policy:
    settings = dict(items)
    for name in settings:
        setting_help(name)
    return Policy(
        context=_tokens(settings, "context", SMALLEST_CONTEXT) or DEFAULT_CONTEXT,
        reply=_tokens(settings, "reply", 0),
        mode=_one_of(settings, "mode", Mode.ADVISED),
        cadence=_one_of(settings, "cadence", Cadence.RECOMMENDED),
        resolution=_one_of(settings, "resolution", Resolution.RECOMMENDED),
        system=settings.get("system", ""),
        personas=settings.get("personas", ""),
        char=settings.get("char", ""),
        user=settings.get("user", ""),
        narrative_pov=settings.get("narrative_pov", ""),
        narrative_tense=settings.get("narrative_tense", ""),
        style=settings.get("style", ""),
        last_resort=_one_of(settings, "last_resort", LastResort.NOTHING),
        spend_per_day=_dollars(settings, "spend_per_day"),
        spend_per_conversation=_dollars(settings, "spend_per_conversation"),
    )


def written(policy: Policy, name: str) -> str:
    """Return the value of a setting in the form in which it is stored and shown."""
    value = policy.reply_reserve if name == "reply" else getattr(policy, name)
    if isinstance(value, float):
        return f"{value:.6f}".rstrip("0").rstrip(".")
    return "" if value is None else str(value)


def setting_names() -> tuple[str, ...]:
    """Return the names of all settings, in the order a page would list them."""
    return tuple(entry.name for entry in fields(Policy))


def setting_help(name: str) -> str:
    """Return one sentence on what the setting does.

    Raises:
        UnknownSetting: no setting has that name.
    """
    for entry in fields(Policy):
        if entry.name == name:
            return str(entry.metadata["about"])
    raise UnknownSetting(name=name, known=setting_names())


def _tokens(settings: Mapping[str, str], name: str, least: int) -> int | None:
    value = settings.get(name, "")
    if value == "":
        return None
    digits = _SEPARATOR.sub("", value) if _NUMBER.fullmatch(value.strip()) else ""
    if digits and len(digits) <= len(str(LARGEST_CONTEXT)):
        number = int(digits)
        if least <= number <= LARGEST_CONTEXT:
            return number
    raise InvalidSetting(
        name=name, value=value, wanted=f"a whole number of tokens from {least} to {LARGEST_CONTEXT}"
    )


def _dollars(settings: Mapping[str, str], name: str) -> float | None:
    value = settings.get(name, "")
    if value == "":
        return None
    amount = value.strip().removeprefix("$").strip()
    if not _AMOUNT.fullmatch(amount):
        wanted = "US dollars from 0 to 999999999, such as 2.50"
        raise InvalidSetting(name=name, value=value, wanted=wanted)
    return float(amount)


def _one_of(settings: Mapping[str, str], name: str, default: Choice) -> Choice:
    """Return the member that is meant; the labels of the pages are understood too."""
    value = settings.get(name, "")
    if value == "":
        return default
    kind = type(default)
    # "More often, faster" and more_often are both ways to write more-often.
    word = "-".join(value.partition(",")[0].replace("_", " ").replace("-", " ").casefold().split())
    for member in kind:
        if member.value == word:
            return member
    wanted = ", ".join(member.value for member in kind)
    raise InvalidSetting(name=name, value=value, wanted=f"one of {wanted}")
