"""Drafts that say the request's own sentences again: what small models do that understood none.

Above: gates. Below: findings and wording.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from foreword.quality.findings import Draft, Finding, Gate, Source
from foreword.quality.wording import KEPT, shortened, told_folded, words

LEAST_WORDS: Final = 5
"""Shorter sentences of a template may well be said in a story."""

_VARIABLES: Final = re.compile(r"\{%[^%]{0,400}%\}|\{\{[^}]{0,400}\}\}")
_ENDS: Final = re.compile(r"[.:;!?]\s|\n\s*(?:[-*]|\n)")


def check(draft: Draft, source: Source) -> Finding | None:
    """Find a sentence of the template that the source does not say."""
    said = " ".join(words(draft.text))
    known = " ".join(words(told_folded(source.texts)))
    for sentence in _sentences(source.request):
        if sentence in said and sentence not in known:
            return Finding(
                gate=Gate.OWN_TAGS,
                detail=f"the draft repeats the request: “{shortened(sentence, 60)}”",
                direction="Write only the record itself; do not repeat the instructions.",
            )
    return None


@lru_cache(maxsize=KEPT)
def _sentences(request: str) -> tuple[str, ...]:
    """The sentences of a template as plain words, those with variables left out."""
    pieces = _ENDS.split(_VARIABLES.sub("\n\n", request))
    plain = (words(piece) for piece in pieces)
    return tuple(" ".join(one) for one in plain if len(one) >= LEAST_WORDS)
