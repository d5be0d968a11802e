"""Is the draft in a language and in scripts that its source has?

Above: `gates`. Below: the language guess and wording. Invariant: what is too short to be judged is
not judged, and words that the source writes in a script may stand in the draft in that script.
"""

import re
from collections import Counter
from functools import lru_cache
from itertools import groupby
from typing import Final

from foreword.domain.language import language_votes, script_language
from foreword.quality.findings import Draft, Finding, Gate, Source
from foreword.quality.wording import KEPT, plain, sentences, shortened, told

_RANGES: Final = (
    ("Han", 0x2E80, 0x2FDF, 3), ("Han", 0x3005, 0x3007, 3), ("kana", 0x3040, 0x30FF, 2),
    ("Han", 0x3400, 0x9FFF, 3), ("Hangul", 0x1100, 0x11FF, 2), ("Hangul", 0x3130, 0x318F, 2),
    ("Hangul", 0xAC00, 0xD7AF, 2), ("Han", 0xF900, 0xFAFF, 3), ("Latin", 0x41, 0x24F, 1),
    ("Latin", 0x1E00, 0x1EFF, 1), ("Greek", 0x370, 0x3FF, 1), ("Cyrillic", 0x400, 0x52F, 1),
    ("Armenian", 0x530, 0x58F, 1), ("Hebrew", 0x590, 0x5FF, 1), ("Arabic", 0x600, 0x77F, 1),
    ("Devanagari", 0x900, 0x97F, 1), ("Bengali", 0x980, 0x9FF, 1), ("Tamil", 0xB80, 0xBFF, 1),
    ("Telugu", 0xC00, 0xC7F, 1), ("Thai", 0xE00, 0xE7F, 1), ("Myanmar", 0x1000, 0x109F, 1),
    ("Georgian", 0x10A0, 0x10FF, 1), ("Ethiopic", 0x1200, 0x137F, 1), ("Khmer", 0x1780, 0x17FF, 1),
    ("Han", 0x20000, 0x323AF, 3),
)  # fmt: skip
_CLITIC: Final = re.compile(
    r"\bI['’](?:m|d|ll|ve)\b|(?<=\w)['’](?:s|t|d|m|ll|re|ve)\b", re.IGNORECASE
)
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_OWN_SHARE: Final = 0.05
"""From this share of the source on, a script is one of the source's own."""
_STRAY_SHARE: Final = 0.02
_STRAY_WEIGHT: Final = 12
"""A whole short sentence: twelve letters, or four Han characters."""
_JUDGED_LETTERS: Final = 20
_JUDGED_WORDS: Final = 12
_DRAFT_WORDS: Final = 8
_SURE_WORDS: Final = 20
_SURE_SHARE: Final = 0.2
_LATIN_WORDS: Final = 8
_CLEAR_SHARE: Final = 0.12
_CLEAR_LEAD: Final = 1.6
_NAMES: Final = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian",
    "pt": "Portuguese", "nl": "Dutch", "sv": "Swedish", "da": "Danish", "pl": "Polish",
    "cs": "Czech", "fi": "Finnish", "tr": "Turkish", "id": "Indonesian", "ja": "Japanese",
    "ko": "Korean", "zh": "Chinese", "el": "Greek", "he": "Hebrew", "hi": "Hindi", "th": "Thai",
}  # fmt: skip


def check(draft: Draft, source: Source) -> Finding | None:
    """Find the worse of a foreign script and a foreign language."""
    script = check_script(draft, source)
    if script is not None and not script.soft:
        return script
    return check_language(draft, source) or script


def check_script(draft: Draft, source: Source) -> Finding | None:
    """Find letters of a script that the source does not have; a few of them are soft."""
    own = _own_scripts(source.texts)
    if not own:
        return None
    read = told((*source.texts, *source.context, *_speakers(source)))
    text = plain(draft.text)
    letters = _weights(text)
    strays: dict[str, list[str]] = {}
    for name, run in _runs(text):
        if name not in own and name != "other" and run not in read:
            strays.setdefault(name, []).append(run)
    for name, runs in strays.items():
        if found := _stray(name, runs, letters, text):
            return _script_finding(name, found, runs, own)
    return None


@lru_cache(maxsize=KEPT)
def _own_scripts(texts: tuple[str, ...]) -> frozenset[str]:
    """The scripts of a source; none when it is too short to be judged."""
    weights = _weights("\n".join(texts))
    total = weights.total()
    if total < _JUDGED_LETTERS:
        return frozenset()
    return frozenset(name for name, weight in weights.items() if weight >= _OWN_SHARE * total)


def _stray(name: str, runs: list[str], letters: Counter[str], text: str) -> str:
    """Say how bad the runs of a script are that the source does not have: hard, soft or empty."""
    weight = sum(_weights("".join(runs)).values())
    share = weight / max(1, letters.total())
    if name == "Latin":
        # Products, abbreviations and units are in Latin letters everywhere.
        long = any(_is_latin_sentence(sentence) for sentence in sentences(text))
        return "hard" if long or share > 0.5 else ""
    sentence = any(
        _weights(piece)[name] * 2 > _weights(piece).total() and _weights(piece)[name] >= 9
        for piece in sentences(text)
    )
    hard = sentence or weight >= _STRAY_WEIGHT or (share >= _STRAY_SHARE and weight >= 6)
    return "hard" if hard else "soft"


def _is_latin_sentence(sentence: str) -> bool:
    weights = _weights(sentence)
    count = sum(_script(word[0])[0] == "Latin" for word in _LETTERS.findall(sentence))
    return count >= _LATIN_WORDS and weights["Latin"] > 0.8 * weights.total()


def check_language(draft: Draft, source: Source) -> Finding | None:
    """Find a draft in a language that no passage or block is in; context tells when they cannot."""
    text = plain(draft.text)
    written = _judged(text, _DRAFT_WORDS)
    known = _languages(source.texts) or _languages(source.context)
    if written is None and known:
        written = _stranger(text, known)
    if written is None or not known or written in known or _is_mixed(written, source, text):
        return None
    if _is_doubtful(written, text):
        return None
    wanted = " or ".join(_NAMES.get(language, language) for language in sorted(known)[:3])
    return Finding(
        gate=Gate.LANGUAGE,
        detail=f"the draft is in {_NAMES.get(written, written)}, its source in {wanted}: "
        f"“{shortened(text, 40)}”",
        direction=f"Write the summary in {wanted}, the language of the text.",
    )


def _judged(text: str, least: int) -> str | None:
    """The language of `text`; None when it is too short or two languages are too close."""
    if by_script := script_language(text):
        letters = sum(map(str.isalpha, text))
        return by_script if letters >= _JUDGED_LETTERS else None
    if len(_LETTERS.findall(text)) < least:
        return None
    votes = _votes(text)
    best, second = sorted(votes, key=lambda language: -votes[language])[:2]
    clear = votes[best] >= _CLEAR_SHARE and votes[best] >= _CLEAR_LEAD * votes[second]
    return best if clear else None


@lru_cache(maxsize=KEPT)
def _languages(texts: tuple[str, ...]) -> frozenset[str]:
    """What the texts are in, and all that the whole may be in when two languages are close."""
    whole = plain("\n".join(texts))
    judged = {_judged(plain(part), _JUDGED_WORDS) for part in (whole, *texts)} - {None}
    if not judged and len(_LETTERS.findall(whole)) >= _JUDGED_WORDS:
        votes = _votes(whole)
        best = max(votes.values())
        judged.update(
            language
            for language, share in votes.items()
            if best >= _CLEAR_SHARE and share * _CLEAR_LEAD >= best
        )
    return frozenset(language for language in judged if language)


def _stranger(text: str, known: frozenset[str]) -> str | None:
    """The likeliest language of a draft that is clearly in none of the known ones."""
    if script_language(text) or len(_LETTERS.findall(text)) < _DRAFT_WORDS:
        return None
    votes = _votes(text)
    best = max(votes, key=lambda language: votes[language])
    rival = max(votes.get(language, 0.0) for language in known)
    clear = votes[best] >= _CLEAR_SHARE and votes[best] >= _CLEAR_LEAD * rival
    return best if clear else None


def _is_doubtful(language: str, text: str) -> bool:
    """A short draft, in which two words that several languages have are no proof."""
    short = len(_LETTERS.findall(text)) < _SURE_WORDS and script_language(text) is None
    return short and _votes(text)[language] < _SURE_SHARE


def _votes(text: str) -> dict[str, float]:
    """The shares of the languages, with the endings of "Mara's" and "can't" left out."""
    return dict(language_votes(_CLITIC.sub("", text)))


def _is_mixed(language: str, source: Source, text: str) -> bool:
    """Whether the source has half as much of `language` as the draft, spread through it."""
    here = _votes("\n".join(source.texts)).get(language, 0.0)
    there = _votes(text).get(language, 0.0)
    return there > 0 and here >= there * 0.75


def _speakers(source: Source) -> tuple[str, ...]:
    return tuple(passage.speaker for passage in source.passages)


@lru_cache(maxsize=4096)
def _script(char: str) -> tuple[str, int]:
    code = ord(char)
    for name, first, last, weight in _RANGES:
        if first <= code <= last:
            return name, weight
    return "other", 1


def _weights(text: str) -> Counter[str]:
    """Letters by script; a Han character says as much as three letters."""
    found: Counter[str] = Counter()
    for char, count in Counter(text).items():
        if char.isalpha():
            name, weight = _script(char)
            found[name] += weight * count
    return found


def _runs(text: str) -> list[tuple[str, str]]:
    """Neighbouring letters of one script, with the name of the script."""
    return [
        (name, "".join(run))
        for word in _LETTERS.findall(text)
        for name, run in (
            (("Latin", word),) if word.isascii() else groupby(word, key=lambda c: _script(c)[0])
        )
    ]


def _script_finding(name: str, found: str, runs: list[str], own: frozenset[str]) -> Finding:
    wanted = " or ".join(sorted(own - {"other"})) or "the script of the text"
    return Finding(
        gate=Gate.SCRIPT,
        detail=f"the draft has {name} letters that the source has not: "
        f"“{shortened(' '.join(runs), 50)}”",
        direction=f"Write in {wanted} letters only, except for words that the text itself spells "
        "otherwise.",
        soft=found == "soft",
    )
