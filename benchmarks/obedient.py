"""A model that obeys: it answers from a script, and its summaries have the size that was asked for.

They name words of as many messages, evenly spread, as the size allows.
"""

import re
from collections.abc import Callable, Iterator

from benchmarks.costing import Said, Tally
from foreword.domain.calls import ModelRequest
from foreword.quality.authority import claims_authority
from foreword.testing.models import FakeModel

OBEYED = 0.9
"""How much of the size it uses."""
WORDS_TOLD, TOKENS_TOLD = 14, 18
"""Of a message, about."""
TOKENS_OF_WORD = 4 / 3
_TARGET = re.compile(r"at most (\d+) words")
_BEHIND = re.compile(r"the last (\d+) messages before this one")
_PASSAGE = re.compile(r"^▸ .+? \[[^\]]*\]: (.*?)(?=^▸ |\Z)", re.MULTILINE | re.DOTALL)
_FENCED = re.compile(r"<<<(\S+)\n(.*?)\n\1>>>", re.DOTALL)


class Obedient:
    """Counts what it is asked; `model` is what routes lead to."""

    def __init__(self, tally: Tally, replies: Iterator[str]) -> None:
        self._tally = tally
        self._replies = replies
        self.model = FakeModel(self._answer, chunk=1 << 20)

    def _answer(self, request: ModelRequest) -> str:
        said: list[Said] = [(one.role.value, one.content) for one in request.messages]
        if said[-1][1] == self._tally.story[-1]:
            self._tally.chat(said)
            return next(self._replies)
        self._tally.memory(said)
        asked = said[-1][1]
        words = _TARGET.search(asked)
        target = int(words[1]) * TOKENS_OF_WORD if words else 280
        return summary(_source(said), self._tally.count, round(OBEYED * target))


def summary(source: list[str], count: Callable[[str], int], tokens: int) -> str:
    """Return what parts of the source are about, within so many tokens."""
    topics = [found for text in source if (found := _topics(text))]
    number = max(1, min(len(topics), tokens // TOKENS_TOLD))
    chosen = [topics[place * len(topics) // number] for place in range(number)]
    told = [_told(one) for one in chosen]
    for words in range(WORDS_TOLD, 0, -1):
        told = [_told(one[:words]) for one in chosen]
        if count(" ".join(told)) <= tokens:
            break
    return " ".join(told)


def _topics(text: str) -> list[str]:
    """Return words that can be told without saying that somebody may or must do something."""
    found = list(dict.fromkeys(re.findall(r"[^\W\d_]{4,}", text)))[:WORDS_TOLD]
    return [] if claims_authority(_told(found)) else found


def _told(words: list[str]) -> str:
    return f"It is about {' '.join(words)}."


def _source(said: list[Said]) -> list[str]:
    asked = said[-1][1]
    behind = _BEHIND.search(asked)
    if behind:
        return [text for _, text in said[-1 - int(behind[1]) : -1]]
    fenced = "\n".join(found[2] for found in _FENCED.finditer(asked))
    return _PASSAGE.findall(fenced) or re.split(r"(?<=[.!?])\s+", fenced)
