"""What a summary kept of the specifics of its source: counted, weighed, and told.

Above: engine. Below: `traces` and domain's specifics. Invariant: the same texts give the same
answer in any order; the whole source kept gives a share of 1, an empty summary 0.

Weight is rarity times restatement: a detail that few of the texts have weighs more, and so does one
that is said again. With texts in number n, of which d have the detail, which is said m times in
all: log2(1 + n / d) * (1 + log2(m)). A thing without a word about it ("a door") weighs half of it.

Source: issue 5, section 4; spec/cadence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum, log2
from typing import Final

from foreword.domain.language import DEFAULT_LANGUAGE, guess_language
from foreword.domain.specific_kinds import SpecificKind
from foreword.domain.specifics import specifics
from foreword.domain.survival import Detail, Survival
from foreword.quality.traces import Tokens, Traces, name_parts, tokens_of

MOST_DETAILS: Final = 64
"""How many details are told."""

HEAVIEST: Final = 12
"""Of so many a third may be lost before it is worth asking again."""

MOST_MISSING: Final = 12
"""How many lost details a summariser is asked for."""

ENOUGH: Final = 0.8
"""A share that is not worth asking again for."""


@dataclass(slots=True)
class _Told:
    """A specific, and how often texts say it."""

    kind: SpecificKind
    text: str
    times: int = 0
    texts: int = 0


def survival(
    source_texts: Sequence[str],
    summary: str,
    *,
    original_texts: Sequence[str] | None = None,
    carried: Sequence[Survival] = (),
) -> Survival:
    """Find what a summary kept of its source, and of the turns that the source goes back to.

    Args:
        source_texts: what it was made from.
        summary: its text.
        original_texts: the turns that the source goes back to, where it is not them.
        carried: instead of those, what the sources had kept of them. What had come through to the
            sources came through to the summary by its own share of them; the details of all
            sources, also those that were lost, are looked for again.

    Returns:
        Counts and share of the source's specifics; the details are of the original turns.
    """
    language = _language((*source_texts, *(original_texts or ())))
    traces = Traces(summary, {language, DEFAULT_LANGUAGE})
    found = _judged(_weighed(source_texts, language), traces, language)
    share = _share(found)
    details, since = found, share
    if carried:
        details = _judged(_joined(carried, language), traces, language)
        since = round(share * _mean(carried), 4)
    elif original_texts is not None:
        details = _judged(_weighed(original_texts, language), traces, language)
        since = _share(details)
    return Survival(
        had=len(found),
        kept=sum(detail.kept for detail in found),
        share=share,
        since_originals=since,
        details=tuple(details[:MOST_DETAILS]),
    )


def lost(survived: Survival) -> tuple[Detail, ...]:
    """Return the details that are not there any more, heaviest first."""
    return tuple(detail for detail in survived.details if not detail.kept)


def missing(survived: Survival) -> tuple[Detail, ...]:
    """Return what a summary should have told, at most `MOST_MISSING` details, heaviest first.

    Nothing where it kept most of the weight, or most of the `HEAVIEST` details.
    """
    gone = lost(survived)
    heavy = sum(not detail.kept for detail in survived.details[:HEAVIEST])
    if survived.share >= ENOUGH or 3 * heavy < min(HEAVIEST, len(survived.details)):
        return ()
    return gone[:MOST_MISSING]


def _language(texts: Iterable[str]) -> str:
    """Return the language of most texts; of two as frequent the first by name."""
    votes = Counter(guess_language(text) for text in texts)
    return min(votes, key=lambda name: (-votes[name], name), default=DEFAULT_LANGUAGE)


def _told(texts: Sequence[str], language: str) -> dict[Tokens, _Told]:
    found: dict[Tokens, _Told] = {}
    for text in texts:
        here: set[Tokens] = set()
        for one in specifics(text):
            key = tokens_of(one.text, language)
            if not key:
                continue
            told = found.setdefault(key, _Told(one.kind, one.text))
            # The same whatever the order of the texts.
            told.kind, told.text = min((told.kind, told.text), (one.kind, one.text))
            told.times += 1
            told.texts += key not in here
            here.add(key)
    return found


def _weighed(texts: Sequence[str], language: str) -> list[Detail]:
    return [
        Detail(
            kind=one.kind,
            text=one.text,
            weight=round(
                log2(1 + len(texts) / one.texts) * (1 + log2(one.times)) / _plain(key, one), 3
            ),
            kept=False,
        )
        for key, one in _told(texts, language).items()
    ]


def _plain(key: Tokens, told: _Told) -> int:
    return 2 if told.kind is SpecificKind.OBJECT and len(key) == 1 else 1


def _joined(carried: Iterable[Survival], language: str) -> list[Detail]:
    """Return the details of all; one that several have is as heavy as all of it."""
    found: dict[Tokens, Detail] = {}
    for detail in (detail for one in carried for detail in one.details):
        key = tokens_of(detail.text, language)
        known = found.get(key)
        weight = detail.weight + (0 if known is None else known.weight)
        found[key] = replace(known or detail, weight=round(weight, 3))
    return list(found.values())


def _mean(carried: Sequence[Survival]) -> float:
    """Return what is left of the original turns in all of them, heavy ones counting more."""
    weights = [fsum(detail.weight for detail in one.details) for one in carried]
    left = fsum(w * one.since_originals for w, one in zip(weights, carried, strict=True))
    return left / fsum(weights) if any(weights) else 1.0


def _judged(details: Sequence[Detail], traces: Traces, language: str) -> list[Detail]:
    """Return the details as the summary kept them, heaviest first."""
    owners = _owners(details, language)
    judged = [
        replace(detail, kept=_kept(detail, traces, language, owners=owners)) for detail in details
    ]
    return sorted(judged, key=lambda one: (-one.weight, one.kind, one.text))


def _kept(detail: Detail, traces: Traces, language: str, *, owners: Mapping[Tokens, int]) -> bool:
    if traces.tells(detail.kind, detail.text, language):
        return True
    if detail.kind is not SpecificKind.NAME:
        return False
    parts = name_parts(detail.text, language)
    return any(owners[part] == 1 and traces.names(part) for part in parts)


def _owners(details: Iterable[Detail], language: str) -> Counter[Tokens]:
    """Count how many names a part belongs to: only one of a single name is as good as it."""
    return Counter(
        part
        for detail in details
        if detail.kind is SpecificKind.NAME
        for part in set(name_parts(detail.text, language))
    )


def _share(details: Sequence[Detail]) -> float:
    whole = fsum(detail.weight for detail in details)
    kept = fsum(detail.weight for detail in details if detail.kept)
    return round(kept / whole, 4) if whole else 1.0
