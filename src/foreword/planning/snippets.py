"""What a search shows of a text: the stretch where most of the words stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

from foreword.domain.terms import composed, located_terms

LENGTH = 160
"""Characters of a snippet, about."""
LONGEST_TEXT = 200_000
"""Characters of a text that are looked at."""
CONTEXT = 40
"""Characters kept before the first word found, at most a quarter of the snippet."""


def snippet(text: str, terms: Collection[str], *, length: int = LENGTH) -> str:
    """Return at most `length` characters of `text`, on one line, around what was looked for.

    Args:
        text: any text.
        terms: as `search_terms` cuts them; the stretch with most different ones is shown.
        length: characters, at least 1, without the dots that mark what was left out.
    """
    text = composed(text)
    found = list(located_terms(text[:LONGEST_TEXT], frozenset(terms)))
    context = min(CONTEXT, length // 4)
    start = _word_start(text, max(0, _richest(found, length - context) - context), context)
    shown = " ".join(text[start : start + length].split())
    before = "…" if start else ""
    after = "…" if start + length < len(text) else ""
    return f"{before}{shown}{after}"


def _richest(found: Sequence[tuple[int, str]], size: int) -> int:
    """Return where the first stretch with the most different terms begins, 0 without any."""
    best, most = 0, 0
    first = 0
    inside: Counter[str] = Counter()
    for end, term in found:
        inside[term] += 1
        while found[first][0] <= end - size:
            left = found[first][1]
            inside[left] -= 1
            if not inside[left]:
                del inside[left]
            first += 1
        if len(inside) > most:
            best, most = found[first][0], len(inside)
    return best


def _word_start(text: str, place: int, within: int) -> int:
    """Return the start of the first whole word from a place on, or the place itself."""
    if place == 0:
        return 0
    gap = re.search(r"\s+", text[place : place + within])
    return place + gap.end() if gap else place
