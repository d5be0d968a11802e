"""How well a text answers a query.

Above: `queries`, the engine's search. Below: `domain.terms`. Invariant: a text's score depends on
nothing but the query, the weights of its terms and the text, so it is the same on every database.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Protocol

from foreword.domain.terms import search_terms

Weights = Mapping[str, float]
"""How much each term of a query counts that occurs in the conversation."""

SATURATION = 1.2
"""Up to how often, about, it counts that a term occurs again (BM25's k1)."""
LENGTH_SHARE = 0.5
"""How much longer texts are held to more occurrences, from 0 to 1 (BM25's b)."""
TOGETHER_SHARE = 0.5
"""What two terms of the query side by side count, beside the commoner one of them."""
DIGITS = 4
"""Decimal places of a score."""


class Wanted(Protocol):
    """What a text is held against; see `queries.Query`."""

    @property
    def words(self) -> Mapping[str, str]:
        """Terms, each as people write it."""
        ...

    @property
    def phrases(self) -> Sequence[str]:
        """Terms with spaces between, all of which must stand in the text."""
        ...

    @property
    def pairs(self) -> Sequence[tuple[str, str, str]]:
        """Two terms, and both as they stand side by side."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """How a text answers a query."""

    score: float
    """Above 0; only comparable with others of the same search."""
    terms: tuple[str, ...]
    """Those of the query that it has, in the order of the query."""


def rarity(texts: int, total: int) -> float:
    """Return what a term counts that so many of all texts have, above 0 (BM25's idf)."""
    return log(1 + (total - min(texts, total) + 0.5) / (texts + 0.5))


def match(query: Wanted, weights: Weights, text: str, length: float) -> Match | None:
    """Return how a text answers a query, or None when it does not.

    Args:
        query: what is looked for.
        weights: of the terms that count.
        text: the text.
        length: its length as a multiple of the mean length.
    """
    terms = search_terms(text)
    found = Counter(term for term in terms if term in weights)
    joined = f" {' '.join(terms)} "
    if not found or any(f" {phrase} " not in joined for phrase in query.phrases):
        return None
    slack = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length)
    matched = tuple(term for term in query.words if term in found)
    score = sum(
        weights[term] * found[term] * (SATURATION + 1) / (found[term] + slack) for term in matched
    )
    score += sum(
        TOGETHER_SHARE * min(weights[first], weights[second])
        for first, second, together in query.pairs
        if first in found and second in found and f" {together} " in joined
    )
    share = sum(weights[term] for term in matched) / sum(weights.values())
    return Match(score=round(score * (1 + share), DIGITS), terms=matched)
