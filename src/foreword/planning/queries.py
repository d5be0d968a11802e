"""What a search looks for: the words and phrases of a query, and which of them to ask the index.

Above: the engine's search. Below: `domain.terms`. Invariant: an answer is a function of the query
and of what is stored, whichever database counted. However long the query and the story are, so
many terms are counted, so many asked for, and so many texts found by each.

Source: DECISIONS D6.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise

from foreword.domain.ids import VersionId
from foreword.domain.specifics import SpecificKind, specifics
from foreword.domain.terms import search_terms, sought_terms
from foreword.planning.ranking import Weights, rarity

MOST_TERMS = 64
"""Different terms of a query that count; phrases, names and numbers go first."""
SAMPLE = 1_000
"""Texts from the middle of a conversation in which the terms are counted."""
FEW = 5
"""A term with fewer texts in the sample is counted in the whole conversation."""
COUNTED = 500
"""There, so far."""
ASKED = 6
"""The rarest terms, by which texts are found."""
PAIRED = 4
"""Of those, the rarest, which are also asked for two together."""
POSTINGS = 1_536
"""Texts found by single terms, shared among these."""
TOGETHER = 128
"""Texts found by several terms together: more of them than a search ranks at once."""
BLOCK = 48
"""Texts that are read at once."""
SMALLEST_POOL = 32
"""Texts that are ranked, at least, where so many answer."""
MOST_READ = 2_048
"""Texts that one search reads."""
NEWEST = 256
"""Turns of the branch that are read too, where its words are too common to look at all of them."""
MOST_IN_PHRASES = 32
"""Different terms by which the texts with a quoted phrase are found."""
PLENTY = 64
"""Texts so few are all ranked."""
SPECIFIC_WEIGHT = 1.5
"""What a name or a number counts, beside another word as rare."""
SHORT_WORDS = {1: 0.5, 2: 0.5, 3: 0.5, 4: 0.75}
"""What words of so many letters count: they are seldom what somebody looks for."""
_END_OF_ALPHABETS = "\u0530"
"""Latin, Greek and Cyrillic stand before it; elsewhere short words are no lesser ones."""

_QUOTED = re.compile(
    r'"([^"]+)"|“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|»([^«»]+)«|「([^「」]+)」|『([^『』]+)』'
)
_LONGEST = 20_000
"""Characters of a query that are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What somebody looks for."""

    words: Mapping[str, str]
    """Different terms in order, each as people write it; any of them may be missing."""
    phrases: tuple[str, ...]
    """Quoted phrases as terms with spaces between; every one must be found."""
    required: tuple[str, ...]
    """Terms that every text with these phrases has."""
    pairs: tuple[tuple[str, str, str], ...]
    """Terms that stand side by side, and how both stand in a text."""
    specific: frozenset[str]
    """Terms that are, or are part of, a name or a number."""


@dataclass(frozen=True, slots=True)
class Picks:
    """Questions to the index: for the last texts with all of some terms."""

    groups: tuple[tuple[str, ...], ...]
    """Each with its rarest term first."""
    limit: int
    """Texts for each group."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the index answered."""

    picks: Picks
    versions: tuple[tuple[VersionId, ...], ...]
    """By group, the last ones first."""


def query_of(text: str) -> Query:
    """Read what somebody typed, or a whole message."""
    text = text[:_LONGEST]
    quoted = [next(filter(None, found.groups())) for found in _QUOTED.finditer(text)]
    phrases = [" ".join(search_terms(phrase)) for phrase in quoted]
    in_phrases = dict.fromkeys(one.term for phrase in quoted for one in sought_terms(phrase))
    required = tuple(in_phrases)[:MOST_IN_PHRASES]
    sought = sought_terms(text)
    written = {one.term: one.written for one in sought}
    specific = _specific(text, written)
    first = [*required, *(term for term in written if term in specific), *written]
    kept = frozenset(list(dict.fromkeys(first))[:MOST_TERMS])
    pairs = {
        (before.term, after.term): after.beside
        for before, after in pairwise(sought)
        if before.term != after.term and {before.term, after.term} <= kept
    }
    return Query(
        words={term: word for term, word in written.items() if term in kept},
        phrases=tuple(dict.fromkeys(phrase for phrase in phrases if phrase)),
        required=required,
        pairs=tuple((*both, together) for both, together in pairs.items()),
        specific=specific & kept,
    )


def sampled(total: int) -> tuple[VersionId, VersionId]:
    """Return the first and the last of the texts to count in, of so many numbered from 1."""
    size = min(total, SAMPLE)
    before = (total - size) // 2
    return VersionId(before + 1), VersionId(before + size)


def uncertain(sample: Mapping[str, int], total: int) -> tuple[str, ...]:
    """Return the terms of which the sample says too little."""
    return tuple(term for term, count in sample.items() if count < FEW and total > SAMPLE)


def weights_of(
    query: Query, sample: Mapping[str, int], counted: Mapping[str, int], total: int
) -> Weights:
    """Say how much each term counts that any text has.

    Args:
        query: the query.
        sample: texts with each term among the sampled ones.
        counted: those of the whole conversation, up to `COUNTED`, of the `uncertain` terms.
        total: texts of the conversation.
    """
    size = min(total, SAMPLE)
    texts: dict[str, int] = {}
    for term in query.words:
        estimated = sample[term] * total // max(1, size)
        exact = counted.get(term, estimated)
        texts[term] = max(exact, estimated) if exact >= COUNTED else exact
    return {
        term: rarity(count, total) * _importance(query, term)
        for term, count in texts.items()
        if count
    }


def _importance(query: Query, term: str) -> float:
    """Return what a term counts beside others as rare.

    In a short story rarity alone does not tell *that* from *mule*; in alphabets length does.
    """
    word = query.words[term]
    if term in query.specific:
        return SPECIFIC_WEIGHT
    return SHORT_WORDS.get(len(word), 1.0) if max(word) < _END_OF_ALPHABETS else 1.0


def first_picks(query: Query, weights: Weights) -> Picks:
    """Choose what to ask the index: for the rarest terms, or for all of those of the phrases."""
    if query.required:
        rarest = sorted(query.required, key=lambda term: -weights.get(term, 0.0))
        return Picks((tuple(rarest),), POSTINGS)
    asked = sorted(weights, key=lambda term: -weights[term])[:ASKED]
    return Picks(tuple((term,) for term in asked), POSTINGS // max(1, len(asked)))


def further_picks(query: Query, weights: Weights, first: Answer) -> Picks:
    """Choose what to ask next: where first answers are many, for texts with several of the terms.

    Args:
        query: the query.
        weights: of its terms.
        first: what the first picks found.
    """
    answers = zip(first.picks.groups, first.versions, strict=True)
    plenty = [terms for terms, versions in answers if len(versions) > PLENTY]
    if query.required:
        free = [term for term in weights if term not in query.required]
        rarest = sorted(free, key=lambda term: -weights[term])[:PAIRED]
        return Picks(tuple((term, *terms) for terms in plenty for term in rarest), TOGETHER)
    single = [term for (term,) in plenty]
    pairs = combinations(single[:PAIRED], 2)
    return Picks((*pairs, *([tuple(single)] if len(single) > 2 else [])), TOGETHER)


def is_cut(answers: Iterable[Answer]) -> bool:
    """Say whether there may be texts that none of the picks found."""
    return any(len(found) >= one.picks.limit for one in answers for found in one.versions)


def pool_of(wanted: int) -> int:
    """Return how many texts are ranked to find so many: the same for a few more or less."""
    return max(SMALLEST_POOL, 1 << max(0, wanted - 1).bit_length())


def telling(weights: Weights) -> tuple[str, ...]:
    """Return the terms that say most, by which to choose a snippet: the rarer half of them."""
    best = max(weights.values(), default=0.0)
    return tuple(term for term, weight in weights.items() if weight >= best / 2)


def candidates(weights: Weights, answers: Iterable[Answer]) -> Iterator[VersionId]:
    """Yield what was found, most promising first: rarest terms, then what was written last."""
    bits = {term: 1 << place for place, term in enumerate(weights)}
    held: dict[VersionId, int] = {}
    for one in answers:
        for group, versions in zip(one.picks.groups, one.versions, strict=True):
            asked = sum(bits.get(term, 0) for term in group)
            for version in versions:
                held[version] = held.get(version, 0) | asked
    alike: dict[float, list[VersionId]] = {}
    by_terms: dict[int, list[VersionId]] = {}
    for version, terms in held.items():
        by_terms.setdefault(terms, []).append(version)
    for terms, together in by_terms.items():
        worth = sum(weights[term] for term, bit in bits.items() if bit & terms)
        alike.setdefault(round(worth, 6), []).extend(together)
    for worth in sorted(alike, reverse=True):
        yield from sorted(alike[worth], reverse=True)


def _specific(text: str, words: Mapping[str, str]) -> frozenset[str]:
    named = {
        one.term
        for found in specifics(text)
        if found.kind not in {SpecificKind.QUOTE, SpecificKind.OBJECT}
        for one in sought_terms(found.text)
    }
    numbers = {term for term, word in words.items() if any(char.isdigit() for char in word)}
    return frozenset((named | numbers) & words.keys())
