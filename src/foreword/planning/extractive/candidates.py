"""Ways to quote a sentence: whole, its head, a later clause with or without its head.

Above: `extractive`. Below: `sentences`, `selection`. Invariant: every clause of a sentence is in at
least one candidate, and the whole sentence is one.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from foreword.planning.extractive.selection import Candidate
from foreword.planning.extractive.sentences import Sentence, SentenceKind

KIND_FACTORS: Final[Mapping[SentenceKind, float]] = {
    SentenceKind.PROSE: 1.0,
    SentenceKind.SCENE: 0.5,
    SentenceKind.CODE: 1.0,
    SentenceKind.REMARK: 0.4,
}
TAIL_LEFT_OUT: Final = 0.9
GAP: Final = 0.8
HEAD_LEFT_OUT: Final = 0.45
_RUN: Final = re.compile(r"\d+|[^\W\d_]+")
_MIN_WORDS: Final = 3
_MIN_CHARS: Final = 8


def candidates(sentence: Sentence, first: int, weight: float) -> Iterator[Candidate]:
    """Every way to quote `sentence`, whose clauses are the units from `first` on."""
    factor = KIND_FACTORS[sentence.kind] * weight
    clauses = sentence.clauses
    if sentence.kind is SentenceKind.SCENE:
        for position in range(len(clauses)):
            yield Candidate(units=(first + position,), extra_cost=1, factor=factor)
        return
    heads = [position for position, clause in enumerate(clauses) if clause.fresh]
    for head, end in zip(heads, [*heads[1:], len(clauses)], strict=True):
        yield from _quotations(sentence, first, (head, end), factor)


def _quotations(
    sentence: Sentence, first: int, part: tuple[int, int], factor: float
) -> Iterator[Candidate]:
    """Ways to quote the clauses from `head` to `end` (exclusive), which are one sentence."""
    head, end = part
    yield Candidate(units=tuple(range(first + head, first + end)), extra_cost=0, factor=factor)
    for position in range(head, end):
        text = sentence.clauses[position].text
        alone = len(text.split()) >= _MIN_WORDS or (not text.isascii() and len(text) >= _MIN_CHARS)
        if position > head:
            if alone:
                yield Candidate(
                    units=(first + position,), extra_cost=2, factor=factor * HEAD_LEFT_OUT
                )
            if position > head + 1:
                yield Candidate(
                    units=(first + head, first + position), extra_cost=2, factor=factor * GAP
                )
        if position < end - 1 and (alone or position > head):
            yield Candidate(
                units=tuple(range(first + head, first + position + 1)),
                extra_cost=1,
                factor=factor * TAIL_LEFT_OUT,
            )


def shape(sentence: Sentence) -> str:
    """The pattern of a row of figures or a line of code; empty for prose, which has none."""
    if sentence.kind is not SentenceKind.CODE:
        return ""
    return _RUN.sub(_sign, sentence.clauses[0].text)


def _sign(run: re.Match[str]) -> str:
    return "0" if run[0][0].isdigit() else "a"
