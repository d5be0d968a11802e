"""Is the draft as long as its source and its target ask for?

Above: gates. Below: wording. Invariant: a source of at most `SMALL` tokens is never a reason to
lose a draft that says something.

Source: research, sizes of summaries.
"""

import re
from typing import Final

from foreword.quality.findings import Draft, Finding, Gate, Source

SMALL: Final = 60
SOFT_LEAST: Final = 0.2
"""The template says "at most": a short draft is rarely worth a second call."""
SOFT_MOST: Final = 1.5
REPAIRED_MOST: Final = 1.65
"""A draft that was already made shorter once is not worth a refusal for a few words."""
HARD_MOST: Final = 3.0
_BANDS: Final = ((0.4, 1.5), (0.4, 1.75), (0.3, 1.5))
"""Least and most of the target for summaries of turns, for the first merged layer, for deeper ones:
automatic memory refuses what is longer even after a repair, since its budget counts on it."""
_TELLS: Final = 0.05
_TELLS_OF_SOURCE: Final = 0.02
_TELLS_MOST: Final = 0.25
"""What automatic memory wants at least: a share of the target, or of the source where that is more,
but never more than a quarter of the target. Nobody reads its summaries before the turns leave."""
_BANDED: Final = 700
"""A larger target is the room of a whole that is rebuilt, not the size of one of many."""
_RUNAWAY: Final = 4
_WORTH_SHRINKING: Final = 2.0
_LONG_SOURCE: Final = 500
_LEAST_WORDS: Final = 30
_LEAST_CHARS: Final = 150
_LEAST_MOST: Final = 80
"""A target smaller than this is not held against a draft by its multiples alone."""
_UNSPACED: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff\uf900-\ufaff]")
_PLACEHOLDER: Final = re.compile(
    r"[\W_]*(?:(?:certainly|sure|of course|okay|ok|understood|gerne|natürlich)\b[\W_]*)?"
    r"(?:here (?:you go|it is)|here(?:'s| is| are)\b[^.\n]{0,40}\b(?:summary|summaries|recap|record"
    r"|ledger|overview|version)\b[^.\n]{0,40}|(?:the )?summary(?: here)?|n/?a|none|null|todo|tbd"
    r"|hier ist die zusammenfassung|zusammenfassung|no summary(?: available)?|insert summary here"
    r"|summary of (?:the )?(?:events|story|conversation)(?: so far)?)?[\W_]*",
    re.IGNORECASE,
)


def check_empty(draft: Draft) -> Finding | None:
    """Find a draft without a letter or digit, or with nothing but a placeholder."""
    if any(map(str.isalnum, draft.text)) and not _PLACEHOLDER.fullmatch(draft.text[:200]):
        return None
    if len(draft.text) > 200 and any(map(str.isalnum, draft.text)):
        return None
    return Finding(
        gate=Gate.EMPTY,
        detail="the draft says nothing",
        direction="Write the summary itself, with what happens in the text.",
    )


def check_runaway(tokens: int, source: Source) -> Finding | None:
    """Find a draft so long that nothing else about it is worth knowing."""
    most = _RUNAWAY * max(source.tokens, source.target_tokens, _LEAST_MOST)
    return _longer_than_source(tokens, source) if tokens > most else None


def check_size(
    draft: Draft, source: Source, *, tokens: int, repaired: bool = False
) -> Finding | None:
    """Find the worst way in which the draft, of `tokens`, is too long or too short."""
    return (
        _longer_than_source(tokens, source)
        or _far_too_short(draft, source)
        or _too_long(tokens, source, repaired=repaired)
        or _too_short(tokens, source)
    )


def _longer_than_source(tokens: int, source: Source) -> Finding | None:
    if tokens < source.tokens or source.tokens <= 0:
        return None
    return Finding(
        gate=Gate.LONGER_THAN_SOURCE,
        detail=f"the draft has {tokens} tokens, the text only {source.tokens}",
        direction=f"Write a shorter summary: {_shrink(tokens, source.target_tokens)}.",
        soft=source.tokens <= SMALL and tokens < 2 * source.tokens,
    )


def _far_too_short(draft: Draft, source: Source) -> Finding | None:
    words = spoken_words(draft.text)
    fair = len(draft.text.strip()) + 2 * len(_UNSPACED.findall(draft.text))
    if source.tokens <= _LONG_SOURCE or words >= _LEAST_WORDS or fair >= _LEAST_CHARS:
        return None
    return Finding(
        gate=Gate.TOO_SHORT,
        detail=f"the draft has {words} words for a text of {source.tokens} tokens",
        direction=f"Write a real summary of about {source.target_tokens} tokens, with names, "
        "decisions and numbers.",
    )


def _tells_something(tokens: int, source: Source) -> bool:
    """Say whether a draft that is too short is worth more than none."""
    if _band(source) is None:
        return True
    share = max(_TELLS * source.target_tokens, _TELLS_OF_SOURCE * source.tokens)
    return tokens >= min(share, _TELLS_MOST * source.target_tokens)


def _band(source: Source) -> tuple[float, float] | None:
    """Return the least and most of the target; None where no band holds."""
    if source.layer is None or not source.strict_size or source.target_tokens > _BANDED:
        return None
    return _BANDS[min(source.layer, len(_BANDS) - 1)]


def _too_long(tokens: int, source: Source, *, repaired: bool) -> Finding | None:
    target = max(source.target_tokens, _LEAST_MOST)
    band = _band(source)
    most = SOFT_MOST if band is None else band[1]
    if tokens <= (max(most, REPAIRED_MOST) if repaired else most) * target:
        return None
    hard = most if band is not None else HARD_MOST
    return Finding(
        gate=Gate.TOO_LONG,
        detail=f"the draft has {tokens} tokens, the target is {source.target_tokens}",
        direction=f"Say the same in fewer words: {_shrink(tokens, source.target_tokens)}.",
        soft=tokens <= hard * target or source.tokens <= SMALL,
    )


def _too_short(tokens: int, source: Source) -> Finding | None:
    worth = source.tokens >= _WORTH_SHRINKING * source.target_tokens
    band = _band(source)
    least = SOFT_LEAST if band is None else band[0]
    if not source.strict_size or not worth or tokens >= least * source.target_tokens:
        return None
    return Finding(
        gate=Gate.TOO_SHORT,
        detail=f"the draft has {tokens} tokens, the target is {source.target_tokens}",
        direction=f"Tell more of the text, {_grow(tokens, source.target_tokens)} as much, with "
        "names, decisions and numbers.",
        soft=_tells_something(tokens, source),
    )


def spoken_words(text: str) -> int:
    """Count words; in scripts without spaces two characters are one."""
    unspaced = len(_UNSPACED.findall(text))
    return (unspaced + 1) // 2 + len(re.findall(r"[^\W_]+", _UNSPACED.sub(" ", text)))


def _grow(tokens: int, target: int) -> str:
    times = target / max(1, tokens)
    for least, words in (
        (4.5, "many times"),
        (3.5, "about four times"),
        (2.6, "about three times"),
    ):
        if times >= least:
            return words
    return "more than twice"


def _shrink(tokens: int, target: int) -> str:
    share = target / max(1, tokens)
    if share >= 1:
        return "leave out what matters least"
    named = ((0.7, "a quarter"), (0.58, "a third"), (0.42, "half"), (0.29, "two thirds"))
    for least, words in named:
        if share >= least:
            return f"cut about {words} of it"
    return "cut more than three quarters of it" if share < 0.25 else "cut three quarters of it"
