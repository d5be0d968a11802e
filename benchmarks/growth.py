"""How memory grows with a conversation: tokens read for it, and passes that words go through.

One conversation in mode balanced, summarised by the built-in summariser as it grows.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from math import ceil, log2
from pathlib import Path

from benchmarks.corpus import messages
from benchmarks.progress import tell
from benchmarks.records import Outcome, Row, Target, rounded
from benchmarks.scales import Scale
from foreword.bootstrap import open_engine
from foreword.domain.summarising import MergeRequest, SummaryDraft, SummaryRequest
from foreword.domain.turn import Role
from foreword.engine import conversations, turns, upkeep
from foreword.engine.context import Engine, Place, reading
from foreword.ports.summariser import Summariser

EVERY = 20
"""Messages after which it is asked whether something is due; it seldom is."""
SETTINGS = {"mode": "balanced", "context": "32768"}
LEAST_COMPARED = 1_000
"""Shorter conversations are mostly window."""
LINEAR = 1.25
"""Times the tokens a message may take in one ten times as long."""


class _Counting:
    """The built-in summariser, and what it was given."""

    def __init__(self, inner: Summariser) -> None:
        self._inner = inner
        self.maker = inner.maker
        self.blocks = 0
        self.merges = 0
        self.texts: list[str] = []
        """Given since they were counted last."""

    async def summarise(self, request: SummaryRequest) -> SummaryDraft:
        self.blocks += 1
        self.texts += [*(one.text for one in request.passages), *request.earlier]
        return await self._inner.summarise(request)

    async def merge(self, request: MergeRequest) -> SummaryDraft:
        self.merges += 1
        self.texts += request.blocks
        return await self._inner.merge(request)


def run(scale: Scale, work: Path) -> Iterator[Outcome]:
    """Let a conversation grow; yield what is known at each of its lengths."""
    work.mkdir(parents=True)
    plain = open_engine(work / "memory")
    counting = _Counting(plain.summariser)
    engine = replace(plain, summariser=counting)
    known = conversations.create(engine, "Growth", SETTINGS)
    place = Place(conversation=known.id)
    story = messages("growth", scale.growth_messages[-1])
    outcome = Outcome(name="growth", rows=(), complete=False)
    done = tokens = 0
    for length in scale.growth_messages:
        tell(f"growth: up to {length:,} messages")
        for number, message in enumerate(islice(story, length - done), done + 1):
            turns.append(engine, place, message.text, role=Role(message.role))
            if number % EVERY == 0 or number == length:
                asyncio.run(upkeep.keep_up(engine, place))
                tokens += sum(map(engine.counter.count, counting.texts))
                counting.texts.clear()
        done = length
        rows = (*outcome.rows, _row(engine, place, length, counting, tokens))
        outcome = replace(outcome, rows=rows, targets=tuple(_targets(rows)))
        yield outcome
    yield replace(outcome, complete=True)


def _row(engine: Engine, place: Place, length: int, counted: _Counting, tokens: int) -> Row:
    with reading(engine, place) as at:
        cover = at.session.cover(at.branch.id)
        found = at.session.summaries([row.summary_id for row in cover]).values()
    return {
        "messages": length,
        "summaries": counted.blocks,
        "merges": counted.merges,
        "memory_tokens": tokens,
        "tokens_a_message": rounded(tokens / length),
        "in_use": len(cover),
        "in_use_tokens": sum(row.tokens for row in cover),
        "depth": max((one.depth for one in found), default=0),
        "most_depth": most_depth(counted.blocks),
    }


def most_depth(blocks: int) -> int:
    """Return the passes that merging so many summaries of turns may take."""
    return ceil(log2(blocks)) + 1 if blocks else 0


def _targets(rows: Sequence[Row]) -> Iterator[Target]:
    last = rows[-1]
    yield Target(
        what=f"passes of the oldest words after {last['messages']:,} messages",
        limit=float(last["most_depth"]),
        measured=float(last["depth"]),
        unit="(log₂ of the summaries, and 1)",
    )
    compared = [row for row in rows if int(row["messages"]) >= LEAST_COMPARED]
    if len(compared) > 1:
        before, after = compared[-2:]
        yield Target(
            what=f"tokens read for memory a message, {after['messages']:,} messages against "
            f"{before['messages']:,}",
            limit=LINEAR,
            measured=float(after["tokens_a_message"]) / float(before["tokens_a_message"]),
            unit="times",
        )
