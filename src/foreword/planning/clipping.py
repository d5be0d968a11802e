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
    if len(text) <= _MAX_CHARS and count(shown) <= budget:
        return shown
    low, high = 1, len(shown)
    while low < high:
        middle = (low + high + 1) // 2
        if count(shown[:middle] + _MARK) <= budget:
            low = middle
        else:
            high = middle - 1
    clipped = _at_word_end(shown, low)
    marked = clipped + _MARK
    return marked if count(marked) <= budget and len(marked) <= len(text) else clipped


def _at_word_end(text: str, end: int) -> str:
    if text[end : end + 1] in {"", " "}:
        return text[:end].rstrip()
    space = text.rfind(" ", 0, end)
    return text[: space if space > 0 else end]
