"""What each clause would add to a summary: its specifics and rare words, weighed.

Above: `extractive`. Below: `domain.specifics`. Invariant: a weight depends only on the sentences
and the earlier summaries, never on a word list of one story.
"""

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from foreword.domain.specifics import SpecificKind, specifics
from foreword.planning.extractive.sentences import Sentence, SentenceKind

KIND_WEIGHTS: Final[Mapping[SpecificKind, float]] = {
    SpecificKind.NUMBER: 1.0,
    SpecificKind.DATE: 1.0,
    SpecificKind.TIME: 0.8,
    SpecificKind.MONEY: 1.2,
    SpecificKind.NAME: 1.0,
    SpecificKind.QUOTE: 0.8,
    SpecificKind.OBJECT: 0.5,
    SpecificKind.PATH: 0.8,
    SpecificKind.URL: 0.7,
    SpecificKind.VERSION: 0.9,
    SpecificKind.ERROR: 1.0,
    SpecificKind.CODE: 0.6,
}
WORD_WEIGHT: Final = 0.18
KNOWN: Final = 0.7
"""Factor for what an earlier summary already says."""
COMMON: Final = 0.3
"""How fast a concept loses weight with the doublings of its mentions."""
GROUNDED: Final = 0.15
"""Added for any clause that names somebody or something: it can be understood alone."""
SPREAD: Final = 0.15
"""Added for the first clause of a passage, so that no passage is passed over lightly."""
_OWN: Final = "\x00clause "
_PASSAGE: Final = "\x00passage "
_WORD: Final = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Concepts:
    """What the clauses of a span mention."""

    weights: tuple[float, ...]
    """Weight per concept."""
    mentions: tuple[tuple[tuple[int, ...], ...], ...]
    """Concepts per sentence and clause."""


def weigh(sentences: Sequence[Sentence], earlier: Sequence[str]) -> Concepts:
    """Find and weigh the concepts of every clause."""
    places: list[tuple[int, int]] = []
    starts: list[int] = []
    texts: list[str] = []
    length = 0
    for number, sentence in enumerate(sentences):
        for position, clause in enumerate(sentence.clauses):
            places.append((number, position))
            starts.append(length)
            last = position == len(sentence.clauses) - 1
            texts.append(clause.text + ("\n" if last else " "))
            length += len(texts[-1])
    found: list[dict[str, float]] = [{} for _ in places]
    whole = "".join(texts)
    for specific in specifics(whole):
        at = bisect_right(starts, specific.start) - 1
        end = bisect_right(starts, specific.end - 1) - 1
        if end != at:
            continue
        weight = KIND_WEIGHTS[specific.kind]
        found[at][specific.key] = max(weight, found[at].get(specific.key, 0.0))
        if specific.kind is SpecificKind.NAME:
            found[at][f"{_OWN}{at}"] = GROUNDED
    for at, (number, position) in enumerate(places):
        if sentences[number].kind is SentenceKind.SCENE:
            continue
        found[at][f"{_PASSAGE}{sentences[number].passage}"] = SPREAD
        for word in _WORD.findall(sentences[number].clauses[position].text):
            found[at].setdefault(word.casefold(), WORD_WEIGHT)
    return _concepts(sentences, places, found, earlier)


def _concepts(
    sentences: Sequence[Sentence],
    places: Sequence[tuple[int, int]],
    found: Sequence[Mapping[str, float]],
    earlier: Sequence[str],
) -> Concepts:
    known_text = "\n".join(earlier)
    known = {specific.key for specific in specifics(known_text)}
    known.update(word.casefold() for word in _WORD.findall(known_text))
    frequency = Counter(key for keys in found for key in keys)
    best: dict[str, float] = {}
    for keys in found:
        for key, weight in keys.items():
            best[key] = max(weight, best.get(key, 0.0))
    numbers = {key: index for index, key in enumerate(best)}
    weights = tuple(
        weight * (KNOWN if key in known else 1.0) / _commonness(key, frequency[key])
        for key, weight in best.items()
    )
    mentions: list[list[tuple[int, ...]]] = [[] for _ in sentences]
    for (number, _), keys in zip(places, found, strict=True):
        mentions[number].append(tuple(numbers[key] for key in keys))
    return Concepts(weights=weights, mentions=tuple(tuple(row) for row in mentions))


def _commonness(key: str, mentions: int) -> float:
    return 1.0 if key[0] == "\x00" else 1.0 + COMMON * math.log2(mentions)
