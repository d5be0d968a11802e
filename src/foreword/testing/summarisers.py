"""Summarisers for tests: one that names its sources, one that remembers what it was asked.

Above: tests. Below: `ports.summariser`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from foreword.domain.summarising import MergeRequest, SummaryDraft, SummaryRequest
from foreword.ports.summariser import Summariser

Request = SummaryRequest | MergeRequest

FILLER = "~"


@dataclass(frozen=True, slots=True)
class EchoSummariser:
    """Names its sources by their first words: `sum(t1,t2)`, and of two such `mer(t1,t2|t3)`.

    One word by itself, so that it is shorter than what it stands for.
    """

    filled: bool = False
    """Go on with fillers until the draft has exactly as many words as it may have."""
    maker: str = "echo-1"
    """See Summariser.maker."""

    async def summarise(self, request: SummaryRequest) -> SummaryDraft:
        """See Summariser.summarise."""
        names = ",".join(first_word(passage.text) for passage in request.passages)
        return await self._draft(f"sum({names})", request.target_tokens)

    async def merge(self, request: MergeRequest) -> SummaryDraft:
        """See Summariser.merge."""
        names = "|".join(_inside(first_word(block)) for block in request.blocks)
        return await self._draft(f"mer({names})", request.target_tokens)

    async def _draft(self, text: str, target: int) -> SummaryDraft:
        # A model answers later: whoever waits may be cancelled here.
        await asyncio.sleep(0)
        fillers = [FILLER] * (target - 1) if self.filled else []
        return SummaryDraft(text=" ".join([text, *fillers]))


@dataclass(slots=True)
class RecordingSummariser:
    """Passes requests on to another summariser and keeps them with the answers."""

    inner: Summariser
    before: Callable[[Request], None] | None = None
    """Called with each request before it is answered; what it raises goes to the caller."""
    answered: list[tuple[Request, SummaryDraft]] = field(default_factory=list)
    """In the order of the answers."""

    @property
    def maker(self) -> str:
        """See Summariser.maker."""
        return self.inner.maker

    @property
    def requests(self) -> tuple[Request, ...]:
        """The requests that were answered, oldest first."""
        return tuple(request for request, _ in self.answered)

    async def summarise(self, request: SummaryRequest) -> SummaryDraft:
        """See Summariser.summarise."""
        self._announce(request)
        return self._keep(request, await self.inner.summarise(request))

    async def merge(self, request: MergeRequest) -> SummaryDraft:
        """See Summariser.merge."""
        self._announce(request)
        return self._keep(request, await self.inner.merge(request))

    def requests_for(self, text: str) -> Sequence[Request]:
        """Return the requests that were answered with exactly this text."""
        return [request for request, draft in self.answered if draft.text.strip() == text]

    def _announce(self, request: Request) -> None:
        if self.before is not None:
            self.before(request)

    def _keep(self, request: Request, draft: SummaryDraft) -> SummaryDraft:
        self.answered.append((request, draft))
        return draft


@dataclass(frozen=True, slots=True)
class FixedSummariser:
    """Gives the same text whatever it is asked."""

    text: str
    maker: str = "fixed-1"
    """See Summariser.maker."""

    async def summarise(self, request: SummaryRequest) -> SummaryDraft:  # noqa: ARG002 - the port's
        """See Summariser.summarise."""
        return SummaryDraft(text=self.text)

    async def merge(self, request: MergeRequest) -> SummaryDraft:  # noqa: ARG002 - the port's
        """See Summariser.merge."""
        return SummaryDraft(text=self.text)


def first_word(text: str) -> str:
    """Return the first word of a text; empty when it has none."""
    return next(iter(text.split()), "")


def _inside(name: str) -> str:
    return name.partition("(")[2].removesuffix(")") or name
