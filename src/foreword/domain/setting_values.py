"""How the text of a setting becomes a value, and what is said when it does not fit.

Above: `policy`. Below: `errors`. Invariant: a reader either returns a value in range or raises
`InvalidSetting` with what was wanted, unit included.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from foreword.errors import InvalidSetting

Choice = TypeVar("Choice", bound=StrEnum)
Reader = Callable[[str, str], object]
"""Takes the name of a setting and its text, which is not empty."""

_SEPARATOR: Final = re.compile(r"[\s,_'’]")
_NUMBER: Final = re.compile(rf"[0-9]+|[0-9]{{1,3}}(?:{_SEPARATOR.pattern}[0-9]{{3}})+")
"""Digits, or groups of three with something between them that is no decimal sign."""

_AMOUNT: Final = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,6})?")
_ON: Final = ("on", "yes", "true", "1")
_OFF: Final = ("off", "no", "false", "0")


def setting(about: str, reader: Reader | None = None) -> dict[str, object]:
    """Return the metadata of a field: what it does, and how its text is read (as it stands)."""
    return {"about": about, "read": reader or _text}


@dataclass(frozen=True, slots=True)
class whole:  # noqa: N801 - written where functions stand that read other kinds
    """Read a whole number of a unit, groups of thousands allowed."""

    least: int
    most: int
    unit: str

    def __call__(self, name: str, value: str) -> int:
        """See `Reader`."""
        digits = _SEPARATOR.sub("", value) if _NUMBER.fullmatch(value.strip()) else ""
        short = digits and len(digits) <= len(str(self.most))
        if short and self.least <= int(digits) <= self.most:
            return int(digits)
        wanted = f"a whole number of {self.unit} from {self.least} to {self.most}"
        raise InvalidSetting(name=name, value=value, wanted=wanted)


def dollars(name: str, value: str) -> float:
    """Read an amount of US dollars."""
    amount = value.strip().removeprefix("$").strip()
    if not _AMOUNT.fullmatch(amount):
        wanted = "US dollars from 0 to 999999999, such as 2.50"
        raise InvalidSetting(name=name, value=value, wanted=wanted)
    return float(amount)


def one_of(kind: type[Choice]) -> Reader:
    """Read a member of an enumeration; the labels of the pages are understood too."""

    def read(name: str, value: str) -> Choice:
        # "More often, faster" and more_often are both ways to write more-often.
        word = value.partition(",")[0].replace("_", " ").replace("-", " ").casefold()
        word = "-".join(word.split())
        for member in kind:
            if member.value == word:
                return member
        wanted = f"one of {', '.join(member.value for member in kind)}"
        raise InvalidSetting(name=name, value=value, wanted=wanted)

    return read


def switch(name: str, value: str) -> bool:
    """Read on or off."""
    word = value.strip().casefold()
    if word in _ON:
        return True
    if word in _OFF:
        return False
    raise InvalidSetting(name=name, value=value, wanted="on or off")


def written_value(value: object) -> str:
    """Return a value as a setting holds it."""
    match value:
        case None:
            return ""
        case bool():
            return "on" if value else "off"
        case float():
            return f"{value:.6f}".rstrip("0").rstrip(".")
        case _:
            return str(value)


def _text(_name: str, value: str) -> str:
    return value
