"""The built-in summariser: no model, no network, the same answer every time.

Above: engine, through the port. Below: `planning.extractive`, `sentencex` for sentence boundaries.
Invariant: a draft depends on its request alone.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, cast

from foreword.domain.language import SAMPLE_CHARS, guess_language
from foreword.domain.storable import storable_text
from foreword.domain.summarising import MergeRequest, SummaryDraft, SummaryRequest
from foreword.llm.tokens import default_counter
from foreword.planning import extractive
from foreword.ports.token_counter import TokenCounter

MAKER: Final = "builtin-1"
"""Name and version of the algorithm: raise the number when the same request gives another text."""

_Segment = Callable[[str, str], Sequence[str]]


@lru_cache(maxsize=1)
def _segment() -> _Segment:
    # Imported late: most commands split nothing.
    return cast("_Segment", importlib.import_module("sentencex").segment)


@dataclass(frozen=True, slots=True)
class SentenceSplitter:
    """Splits text of one language into sentences."""

    language: str

    def __call__(self, text: str) -> Sequence[str]:
        """Return the sentences of `text`, in order."""
        return _segment()(self.language, storable_text(text))


def splitter_for(texts: Sequence[str]) -> SentenceSplitter:
    """Return a splitter for the language the texts seem to be in."""
    return SentenceSplitter(guess_language(_sample(texts)))


@dataclass(frozen=True, slots=True)
class BuiltinSummariser:
    """Condenses by picking the sentences with the most and rarest specifics."""

    counter: TokenCounter = field(default_factory=default_counter)

    @property
    def maker(self) -> str:
        """See Summariser.maker."""
        return MAKER

    async def summarise(self, request: SummaryRequest) -> SummaryDraft:
        """See Summariser.summarise."""
        split = splitter_for([passage.text for passage in request.passages])
        text = await asyncio.to_thread(
            extractive.summarise, request, count=self.counter.count, split=split
        )
        return SummaryDraft(text=text)

    async def merge(self, request: MergeRequest) -> SummaryDraft:
        """See Summariser.merge."""
        split = splitter_for(request.blocks)
        text = await asyncio.to_thread(
            extractive.merge, request, count=self.counter.count, split=split
        )
        return SummaryDraft(text=text)


def _sample(texts: Sequence[str]) -> str:
    """The beginning of every text: enough to guess a language, however many there are."""
    share = max(200, SAMPLE_CHARS // max(1, len(texts)))
    return "\n".join(text[:share] for text in texts)
