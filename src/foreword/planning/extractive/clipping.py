"""Clips a text to its beginning when no sentence of it fits.

Above: `extractive`. Below: nothing. Invariant: what is returned begins the text, is empty only for
an empty text, and fits the budget unless one character alone does not.
"""

import re
from collections.abc import Callable
from typing import Final

_SPACES: Final = re.compile(r"\s+")
_MAX_CHARS: Final = 20_000
_MARK: Final = "…"


def clip(text: str, budget: int, count: Callable[[str], int]) -> str:
    """Keep as much of the beginning of `text` as fits into `budget` tokens, whole words if any."""
    shown = _SPACES.sub(" ", text[:_MAX_CHARS]).strip()
    if not shown or (len(text) <= _MAX_CHARS and count(shown) <= budget):
        return shown
    marked = _longest(shown, budget, count, _MARK)
    if count(marked) <= budget and len(marked) <= len(text):
        return marked
    return _longest(shown, budget, count, "")


def _longest(text: str, budget: int, count: Callable[[str], int], mark: str) -> str:
    """The longest beginning that fits with `mark` behind it, at least one character."""
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if count(text[:middle] + mark) <= budget:
            low = middle
        else:
            high = middle - 1
    return _at_word_end(text, low) + mark


def _at_word_end(text: str, end: int) -> str:
    if text[end : end + 1] in {"", " "}:
        return text[:end].rstrip()
    space = text.rfind(" ", 0, end)
    return text[: space if space > 0 else end]
