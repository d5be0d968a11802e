"""A cheap, deterministic guess at the language of a text.

Above: `specifics` picks its number words by it, the built-in summariser its sentence rules.
Below: nothing. Invariant: the answer depends only on the first `SAMPLE_CHARS` characters, and an
undecided text is "en", so a guess is never missing.
"""

import re
from collections import Counter
from typing import Final

SAMPLE_CHARS: Final = 6000
DEFAULT_LANGUAGE: Final = "en"

_WORD: Final = re.compile(r"[^\W\d_]+")
_SCRIPTS: Final = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af\u1100-\u11ff]")),
    ("zh", re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("bn", re.compile(r"[\u0980-\u09ff]")),
    ("ta", re.compile(r"[\u0b80-\u0bff]")),
    ("te", re.compile(r"[\u0c00-\u0c7f]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
    ("my", re.compile(r"[\u1000-\u109f]")),
    ("am", re.compile(r"[\u1200-\u137f]")),
    ("hy", re.compile(r"[\u0530-\u058f]")),
    ("ka", re.compile(r"[\u10a0-\u10ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
)
# A handful of very frequent words each; ties go to the earlier line.
_COMMON: Final = {
    "en": "the and of to is was that it he she you with his her for not are from",
    "de": "der die das und ist nicht ich ein eine mit sie den dem zu auf war sich auch",
    "fr": "le la les et est une des dans que qui pas elle il je vous avec sur du",
    "es": "el la los y que de en una las por con no se su para como pero del",
    "it": "il la che di non una per con sono gli della le si ho era lo nel ma",
    "pt": "o a os que de um uma para com não se em por mais como mas do da",
    "nl": "de het een en van ik niet dat is met zijn voor op te hij was aan er",
    "sv": "och att det som en jag är inte på han var den med för hon ett av",
    "da": "og det at en jeg er ikke på han var den med til af hun et som",
    "pl": "i nie to się na że w z do jest jak ale po co był była tak",
    "cs": "a je se na že v to s z do ale jak byl jsem by jsou",
    "fi": "ja on ei hän se että oli mutta kun niin mitä en minä olen joka",
    "tr": "bir ve bu ne için da de çok ben ama gibi daha var o mi",
    "id": "yang dan di itu dengan untuk tidak ini dari dia saya ke akan ada",
}
_BY_WORD: Final = {
    word: tuple(language for language, words in _COMMON.items() if word in words.split())
    for words in _COMMON.values()
    for word in words.split()
}
_NOT_LATIN: Final = re.compile("[\u0370-\u1fff\u3040-\ud7af\uf900-\ufaff]")


def guess_language(text: str) -> str:
    """Name the likeliest language as an ISO 639-1 code, "en" when nothing speaks for another.

    Source: script first (a tenth of the sampled letters), then the share of very common words.
    """
    if by_script := script_language(text):
        return by_script
    scores = language_votes(text)
    best = max(scores, key=lambda language: scores[language])
    return best if scores[best] else DEFAULT_LANGUAGE


def script_language(text: str) -> str | None:
    """Name the language that the script of `text` speaks for; None when no script decides.

    Source: a tenth of the letters; "ru" stands for every language in Cyrillic, "ar" in Arabic.
    """
    sample = text[:SAMPLE_CHARS]
    if not _NOT_LATIN.search(sample):
        return None
    letters = sum(map(str.isalpha, sample))
    for language, script in _SCRIPTS:
        if letters and len(script.findall(sample)) * 10 >= letters:
            return language
    return None


def language_votes(text: str) -> dict[str, float]:
    """For each known language, the share of the sampled words that are among its commonest."""
    counts = Counter(map(str.casefold, _WORD.findall(text[:SAMPLE_CHARS])))
    total = max(1, counts.total())
    votes = dict.fromkeys(_COMMON, 0)
    for word, count in counts.items():
        for language in _BY_WORD.get(word, ()):
            votes[language] += count
    return {language: count / total for language, count in votes.items()}
