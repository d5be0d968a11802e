"""Does the draft copy its source, or go on with the scene, instead of summarising?

Above: gates. Below: search terms and wording. Invariant: words in quotation marks that the source
has are quotations, and quoting is what a summary is asked to do.
"""

import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from typing import Final

from foreword.domain.terms import search_terms
from foreword.quality.findings import Draft, Finding, Gate, Source
from foreword.quality.wording import KEPT, folded, shortened, unquoted

_RUN: Final = 8
"""Terms in a row that two writers hardly choose alike."""
_JUDGED: Final = 40
_COPIED: Final = 0.6
_WHOLE: Final = 0.8
_SPOKEN: Final = 40
"""A text of so few characters can hardly be said in other words."""
_MERGED: Final = 0.85
_QUOTE: Final = re.compile(
    r"\"([^\"\n]{12,600})\"|“([^”\n]{12,600})”|„([^“”\n]{12,600})[“”]"
    r"|«([^»\n]{12,600})»|「([^」\n]{5,600})」"
)
_ACTION: Final = re.compile(r"(?<![\w*])\*(?!\*)([^*\n]{8,400})\*(?![\w*])")
_FIRST: Final = frozenset(
    "i i'm i'd i'll i've my me myself you your you're ich mir mich mein "
    "meine du dir dich dein deine je j'ai mon ma moi yo mi я мне меня".split()
)
_LOOP: Final = re.compile(r"(\w)\1{99}|(?<!\w)((?:\w{1,12}\W){1,3}?)\2{39}")
"""A model that got stuck on a letter or on a few words."""
_WINDOW: Final = 320
"""Characters at either end that a scene of two speeches fills."""
_NOVEL_SHARE: Final = 0.2
_PERSON_SHARE: Final = 0.05


def check_echo(draft: Draft, source: Source) -> Finding | None:
    """Find a draft that is a copy of its source or of an earlier summary."""
    if not source.blocks and _holds_all(draft.text, source.texts):
        return _echo("the whole text stands in the draft", draft.text)
    flat = _flat(draft.text)
    for earlier in source.context:
        if len(_told_flat((earlier,))) > _SPOKEN and _told_flat((earlier,)) == flat:
            return _echo("the draft is an earlier summary", draft.text)
    terms = search_terms(unquoted(draft.text))
    if len(terms) < _JUDGED:
        return None
    runs = _runs(terms)
    if _repeats(runs) or _LOOP.search(draft.text):
        return _echo("the draft repeats itself", draft.text)
    told = _told_runs(source.texts)
    own = [run for run in runs if told.get(run, 1) == 1]
    if len(own) >= _JUDGED // 2:
        share = sum(run in told for run in own) / len(own)
        kept = len(terms) / (_RUN - 1 + max(1, told.total()))
        # Extracts may be merged; a span that is hardly longer than a summary necessarily overlaps.
        most, shrunk = (_MERGED, 0.8) if source.blocks else (_COPIED, 0.0)
        small = not source.blocks and source.tokens <= 150 and kept < 0.9
        if share >= most and kept >= shrunk and not small:
            return _echo(f"{share:.0%} of the draft is copied from its source", draft.text)
    for earlier in source.context:
        known = _told_runs((earlier,))
        if (share := sum(run in known for run in runs) / max(1, len(runs))) >= 0.7:
            return _echo(f"{share:.0%} of the draft stands in an earlier summary", draft.text)
    return None


def _holds_all(text: str, texts: tuple[str, ...]) -> bool:
    """Whether nearly every passage stands in `text`, whatever stands between them."""
    passages = _flats(texts)
    total = sum(map(len, passages))
    if total <= _SPOKEN or len(text) < _WHOLE * total:
        return False
    flat = _flat(text)
    return sum(len(passage) for passage in passages if passage in flat) >= _WHOLE * total


def _repeats(runs: list[int]) -> bool:
    """Whether half of the draft are the same few words over and over."""
    times = Counter(runs)
    return sum(count for count in times.values() if count > 2) * 2 > len(runs)


def _runs(terms: tuple[str, ...]) -> list[int]:
    """Every `_RUN` terms that follow each other, as one number."""
    return list(map(hash, zip(*(terms[at:] for at in range(_RUN)), strict=False)))


@lru_cache(maxsize=2 * KEPT)
def _told_runs(texts: tuple[str, ...]) -> Counter[int]:
    return Counter(_runs(search_terms("\n".join(texts))))


@lru_cache(maxsize=KEPT)
def _flats(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(_flat, texts))


@lru_cache(maxsize=2 * KEPT)
def _told_flat(texts: tuple[str, ...]) -> str:
    return _flat("\n".join(texts))


@lru_cache(maxsize=KEPT)
def _told_in_person(texts: tuple[str, ...]) -> bool:
    return _is_in_person("\n".join(texts))


def _echo(detail: str, text: str) -> Finding:
    return Finding(
        gate=Gate.ECHO,
        detail=f"{detail}: “{shortened(text, 40)}”",
        direction="Tell what happens in your own words instead of copying the text.",
    )


def check_continuation(draft: Draft, source: Source) -> Finding | None:
    """Find a draft that writes the next turn instead of a summary of those that are there."""
    told = _told_flat((*source.texts, *source.context))
    novel = [quote for quote in _quotes(draft.text) if _flat(quote) not in told]
    spoken = sum(map(len, novel)) / max(1, len(draft.text))
    actions = [act[1] for act in _ACTION.finditer(draft.text) if _flat(act[1]) not in told]
    acted = sum(map(len, actions)) / max(1, len(draft.text))
    person = _is_in_person(draft.text) and not _told_in_person(source.texts)
    turn = _opens_as_turn(draft, source, new=bool(novel or actions))
    if (len(novel) >= 2 and spoken >= _NOVEL_SHARE) or _plays_at_an_end(draft.text, source):
        return _continuation("the draft has new lines of dialogue", novel[0])
    if actions and (acted >= _NOVEL_SHARE or person or novel):
        return _continuation("the draft acts instead of telling", actions[0])
    if turn or (person and (novel or spoken >= 0.1)):
        return _continuation("the draft is written as the next turn", draft.text)
    if person and not source.blocks and _is_in_person(draft.text, 2 * _PERSON_SHARE):
        return _continuation("the draft speaks as someone in the scene", draft.text)
    return None


def _plays_at_an_end(text: str, source: Source) -> bool:
    """Whether a good summary begins or ends with speeches that nobody makes in the source."""
    known = told_term_pairs((*source.texts, *source.context))
    fresh = [
        found
        for found in _QUOTE.finditer(text)
        if len(pairs := term_pairs(found[0])) >= 3 and len(pairs & known) * 2 < len(pairs)
    ]
    head = [found for found in fresh if found.end() <= _WINDOW]
    tail = [found for found in fresh if found.start() >= len(text) - _WINDOW]
    return any(
        len(end) >= 2 and sum(len(found[0]) for found in end) >= 0.3 * min(_WINDOW, len(text))
        for end in (head, tail)
    )


def term_pairs(text: str) -> frozenset[tuple[str, str]]:
    """The neighbouring terms of `text`."""
    terms = search_terms(text)
    return frozenset(pairwise(terms))


@lru_cache(maxsize=KEPT)
def told_term_pairs(texts: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    """The neighbouring terms of a source."""
    return term_pairs("\n".join(texts))


def _quotes(text: str) -> list[str]:
    return [next(filter(None, found.groups())) for found in _QUOTE.finditer(text)]


def _flat(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", folded(text)))


def _is_in_person(text: str, least: float = _PERSON_SHARE) -> bool:
    words = re.findall(r"[^\W\d_]+(?:'[a-z]+)?", folded(unquoted(text)))
    return len(words) >= 12 and sum(word in _FIRST for word in words) >= least * len(words)


def _opens_as_turn(draft: Draft, source: Source, *, new: bool) -> bool:
    """Whether the draft begins with a speaker's label and something new that is said or done."""
    line = draft.text.lstrip().partition("\n")[0]
    label = re.match(r"[*_]{0,2}([^:：\n*]{1,40})[*_]{0,2}[:：]\s*[\"“„«「*]", line)
    speakers = {folded(passage.speaker.strip()) for passage in source.passages if passage.speaker}
    return bool(new and label and folded(label[1].strip()) in speakers)


def _continuation(detail: str, words: str) -> Finding:
    return Finding(
        gate=Gate.CONTINUATION,
        detail=f"{detail}: “{shortened(words, 50)}”",
        direction="Do not go on with the scene: report in the third person what happened in the "
        "text.",
    )
