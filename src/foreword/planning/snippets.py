"""What a search shows of a text: the stretch where most of the words stand."""

from __future__ import annotations

import re
from collections.abc import Collection

from foreword.domain.terms import search_terms

LENGTH = 160
"""Characters of a snippet, about."""
LONGEST_TEXT = 200_000
"""Characters of a text that are looked at."""
CONTEXT = 40
"""Characters kept before the first word found."""


def snippet(text: str, terms: Collection[str], *, length: int = LENGTH) -> str:
    """Return about `length` characters of `text`, on one line, around what was looked for.

    Args:
        text: any text.
        terms: as `search_terms` cuts them; the stretch with most different ones is shown.
        length: characters, without the dots that mark what was left out.
    """
    wanted = set(terms)
    found = [
        (match.start(), hit)
        for match in re.finditer(r"\S+", text[:LONGEST_TEXT])
        for hit in wanted.intersection(search_terms(match.group()))
    ]
    best, most = 0, 0
    first = 0
    for last, (end, _) in enumerate(found):
        while end - found[first][0] > length - CONTEXT:
            first += 1
        different = len({hit for _, hit in found[first : last + 1]})
        if different > most:
            best, most = found[first][0], different
    start = _word_start(text, max(0, best - CONTEXT))
    shown = " ".join(text[start : start + length].split())
    before = "…" if start else ""
    after = "…" if start + length < len(text) else ""
    return f"{before}{shown}{after}"


def _word_start(text: str, place: int) -> int:
    """Return the start of the first whole word from a place on, or the place itself."""
    if place == 0:
        return 0
    gap = re.search(r"\s+", text[place : place + CONTEXT])
    return place + gap.end() if gap else place
