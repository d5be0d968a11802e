"""The kinds of specifics and the value that holds one.

Above: `specifics` and its patterns. Below: nothing. Invariant: `text == source[start:end]`.
"""

from dataclasses import dataclass
from enum import StrEnum


class SpecificKind(StrEnum):
    """What sort of exact detail it is."""

    NAME = "name"
    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    MONEY = "money"
    QUOTE = "quote"
    OBJECT = "object"
    PATH = "path"
    URL = "url"
    VERSION = "version"
    ERROR = "error"
    CODE = "code"


@dataclass(frozen=True, slots=True, kw_only=True)
class Specific:
    """One exact detail in a text."""

    kind: SpecificKind
    text: str
    """As written."""
    key: str
    """Equal for the same detail written differently: case, spaces, digits or number words."""
    start: int
    end: int
    """Character offsets into the text that was read; `end` is exclusive."""
