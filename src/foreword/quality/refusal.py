"""Is the draft a refusal, or does it hold one?

Above: `gates`. Below: the phrases beside it and wording. Invariant: what stands in quotation marks
or word for word in the source is the story's, not the model's.
Source: research, three layers of refusal guard: wording, families together, shape.
"""

import re
from collections import Counter
from functools import lru_cache
from typing import Final

from foreword.domain.specifics import SpecificKind, specifics
from foreword.domain.turn import Role
from foreword.quality.findings import Draft, Finding, Gate, Source
from foreword.quality.refusal_phrases import (
    AS_AN_AI,
    ASIDE,
    ASKS,
    CHATTER,
    DECLINES,
    META,
    OFFERS,
    POLICY,
    SPEAKS,
)
from foreword.quality.wording import (
    KEPT,
    sentences,
    shortened,
    told_folded,
    unmasked,
    unquoted,
    words,
)

_OPENING: Final = re.compile(
    r"\A[\W_]*(?:(?:please )?(?:note|nb|disclaimer|warning)(?: that)?[:,]? )?"
)
_CAST: Final = 8
_DIRECTION: Final = "Write the summary of the given text itself and nothing about the task."


def check(draft: Draft, source: Source) -> Finding | None:
    """Find a refusal, a request for the text, or talk about the task in place of a summary."""
    told = told_folded(source.texts)
    spoken = tuple(
        (sentence, unquoted(sentence).casefold()) for sentence in sentences(unmasked(draft.text))
    )
    aside = not _works(source)
    for sentence, bare in spoken:
        if _declines(bare, aside=aside):
            if len(spoken) > 1 and _belongs(sentence, bare, told, source):
                continue
            return _finding(f"the draft declines or asks instead of telling: “{_cut(sentence)}”")
    return _families(spoken, told) or _shape(draft, source) or _chatter(spoken, told)


def _works(source: Source) -> bool:
    """Whether an assistant is at work in the source, which may decline something there."""
    return any("assistant" in block.casefold() for block in source.blocks) or any(
        passage.role is Role.TOOL or "assistant" in passage.speaker.casefold()
        for passage in source.passages
    )


def _declines(bare: str, *, aside: bool) -> bool:
    """Whether a sentence declines or asks, be it in brackets or as a note."""
    said = _OPENING.sub("", bare, count=1)
    return bool(
        DECLINES.search(bare)
        or ASKS.search(bare)
        or (said != bare and DECLINES.search(said))
        or (aside and ASIDE.search(said))
    )


def _chatter(spoken: tuple[tuple[str, str], ...], told: str) -> Finding | None:
    """A remark to the reader at the head or the end, which the source does not make."""
    for sentence, bare in (*spoken[:2], *spoken[-3:]):
        if CHATTER.search(bare.strip("*_[(> ")) and sentence.casefold() not in told:
            return Finding(
                gate=Gate.REFUSAL,
                detail=f"the draft speaks to its reader: “{_cut(sentence)}”",
                direction="Leave out every remark to the reader: no greeting, offer, question or "
                "count of words, nothing but the summary.",
                soft=True,
            )
    return None


def _belongs(sentence: str, bare: str, told: str, source: Source) -> bool:
    """Whether the source says it, or it is about somebody of the cast and not about the task."""
    if sentence.casefold() in told:
        return True
    heard = set(words(bare))
    cast = _cast(source.texts, tuple(passage.speaker for passage in source.passages))
    return any(name in heard for name in cast) and not heard & META


def _families(spoken: tuple[tuple[str, str], ...], told: str) -> Finding | None:
    """Policy, "as an AI" and offers prove little each; two of them together are a refusal."""
    met: dict[int, str] = {}
    for sentence, bare in spoken:
        for number, family in enumerate((POLICY, AS_AN_AI, OFFERS)):
            first = family.search(bare)
            if first and first.group() not in told:
                met.setdefault(number, sentence)
    if len(met) < 2:
        return None
    return _finding(f"the draft talks about the model's own limits: “{_cut(met[min(met)])}”")


def _shape(draft: Draft, source: Source) -> Finding | None:
    """Nobody of the cast, but the text and the request as such, from me to you."""
    cast = _cast(source.texts, tuple(passage.speaker for passage in source.passages))
    said = words(unquoted(draft.text))
    heard = set(said)
    if len(cast) < 2 or any(name in heard for name in cast):
        return None
    told = _told_words(source.texts)
    carried = [word for word in said if len(word) > 4 and word not in META]
    if sum(word in told for word in carried) * 2 > len(carried):
        return None
    about = sum(word in META for word in said)
    if about >= 2 and sum(word in SPEAKS for word in said) >= 1:
        return _finding("the draft speaks of the text and the request but names nobody in it")
    return None


@lru_cache(maxsize=KEPT)
def _told_words(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for text in texts for word in words(text))


@lru_cache(maxsize=KEPT)
def _cast(texts: tuple[str, ...], speakers: tuple[str, ...]) -> tuple[str, ...]:
    """Folded words of the names that recur in the source, most frequent first."""
    counts: Counter[str] = Counter()
    for text in texts:
        for specific in specifics(text):
            if specific.kind is SpecificKind.NAME:
                counts.update(word for word in words(specific.text) if len(word) > 2)
    counts.update(word for speaker in speakers for word in set(words(speaker)))
    return tuple(name for name, count in counts.most_common(_CAST) if count > 1)


def _cut(sentence: str) -> str:
    return shortened(sentence, 60)


def _finding(detail: str) -> Finding:
    return Finding(gate=Gate.REFUSAL, detail=detail, direction=_DIRECTION)
