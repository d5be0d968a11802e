"""What a conversation costs: every prompt counted, with what a provider's cache would hold of it.

A cache holds the beginning that a request has in common with the last prompt of the chat or with
the last request for a summary, whichever is longer. Effective input is what is not cached and a
tenth of what is, requests for summaries counted the same way.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile

from foreword.llm.tokens import BpeCounter

OVERHEAD = 4
"""Tokens of a message beside its text."""
CACHED_PRICE = 0.1
Said = tuple[str, str]
"""Role and text."""


@dataclass(slots=True)
class Tally:
    """The requests of one conversation, added up."""

    count: Callable[[str], int]
    story: list[str] = field(default_factory=list)
    """What was said, in order."""
    calls: int = 0
    tokens: int = 0
    uncached: int = 0
    most: int = 0
    """Tokens of the longest prompt."""
    verbatim: int = 0
    """Tokens of the story word for word, in all prompts."""
    newest_missing: int = 0
    memory_calls: int = 0
    memory_tokens: int = 0
    memory_uncached: int = 0
    prompt_bytes: int = 0
    same_bytes: int = 0
    _chat: Sequence[Said] = ()
    _memory: Sequence[Said] = ()
    _known: set[str] = field(default_factory=set)
    _shown: list[str] = field(default_factory=list)

    def say(self, text: str) -> None:
        """Write down what was said; the same words are never said twice."""
        self.story.append(text)
        self._known.add(text)

    def chat(self, prompt: Iterable[Said]) -> None:
        """Count a prompt for the reply to what was said last."""
        said = tuple(prompt)
        tokens = self._tokens(said)
        self.calls += 1
        self.tokens += tokens
        self.uncached += tokens - self._cached(said)
        self.most = max(self.most, tokens)
        texts = [text for _, text in said]
        self.verbatim += sum(self.count(one) + OVERHEAD for one in texts if one in self._known)
        self.newest_missing += self.story[-1] not in texts
        sizes = [len(_rendered(one)) for one in said]
        self.prompt_bytes += sum(sizes)
        self.same_bytes += _same(said, self._chat, lambda one: len(_rendered(one)), _same_bytes)
        self._chat = said

    def memory(self, request: Iterable[Said]) -> None:
        """Count a request for a summary."""
        said = tuple(request)
        tokens = self._tokens(said)
        self.memory_calls += 1
        self.memory_tokens += tokens
        self.memory_uncached += tokens - self._cached(said)
        self._shown.append(_letters(" ".join(text for _, text in said)))
        self._memory = said

    @property
    def effective(self) -> float:
        """What all input costs, in tokens that are not cached."""
        uncached = self.uncached + self.memory_uncached
        cached = self.tokens + self.memory_tokens - uncached
        return uncached + CACHED_PRICE * cached

    @property
    def prefix_percent(self) -> float:
        """How much of the prompts, in bytes, stood at the start of the one before."""
        return 100 * self.same_bytes / max(1, self.prompt_bytes)

    @property
    def unsummarised_percent(self) -> float:
        """How much of what is not sent any more was never shown to who summarises."""
        sent = {text for _, text in self._chat}
        gone = [text for text in self.story[:-1] if text not in sent]
        lost = [one for one in map(_letters, gone) if not any(one in seen for seen in self._shown)]
        return 100 * len(lost) / max(1, len(gone))

    def _tokens(self, said: Iterable[Said]) -> int:
        return sum(map(self._cost, said))

    def _cost(self, one: Said) -> int:
        return self.count(one[1]) + OVERHEAD

    def _cached(self, said: Sequence[Said]) -> int:
        def part(one: Said, other: Said) -> int:
            same = one[1][: _alike(one[1], other[1])]
            return self.count(same) if one[0] == other[0] else 0

        return max(_same(said, other, self._cost, part) for other in (self._chat, self._memory))


def counter() -> Callable[[str], int]:
    """Return a counter of o200k tokens that counts each text once."""
    return lru_cache(maxsize=1 << 16)(BpeCounter().count)


def _same(
    said: Sequence[Said],
    other: Sequence[Said],
    whole: Callable[[Said], int],
    part: Callable[[Said, Said], int],
) -> int:
    """Add up what is the same from the start: whole messages, part of the first that differs."""
    total = 0
    for one, before in zip(said, other, strict=False):
        if one != before:
            return total + part(one, before)
        total += whole(one)
    return total


@lru_cache(maxsize=1 << 14)
def _rendered(one: Said) -> bytes:
    return json.dumps({"role": one[0], "content": one[1]}, ensure_ascii=False).encode()


def _same_bytes(one: Said, other: Said) -> int:
    return _alike(_rendered(one), _rendered(other))


def _alike(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how much is the same from the start."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


@lru_cache(maxsize=1 << 14)
def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text)
