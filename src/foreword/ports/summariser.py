"""The port to whoever writes summaries: the built-in algorithm or a model.

Above: engine. Below: `domain.summarising`. Invariant: a summariser changes nothing; what it returns
is a draft until the engine commits it.
"""

from typing import Protocol

from foreword.domain.summarising import MergeRequest, SummaryDraft, SummaryRequest


class Summariser(Protocol):
    """Condenses spans and merges summaries."""

    @property
    def maker(self) -> str:
        """Name and version of what writes, stored with every summary: `builtin-1`."""
        ...

    async def summarise(self, request: SummaryRequest) -> SummaryDraft:
        """Condense the passages into at most `target_tokens` tokens."""
        ...

    async def merge(self, request: MergeRequest) -> SummaryDraft:
        """Condense the blocks into at most `target_tokens` tokens."""
        ...
