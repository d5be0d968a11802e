"""What the same conversation costs in several systems, the provider's cache and memory included.

User and model say 60 to 120 tokens by turns; after every user's message the prompt for the reply is
made. Summaries are written by a model that keeps to the size it is told. See `costing` for how it
is counted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.corpus import Message, messages
from benchmarks.cost_systems import CHEAPEST, LANGMEM, Contender, contenders
from benchmarks.costing import Tally, counter
from benchmarks.progress import tell
from benchmarks.records import Outcome, Row, Target, rounded
from benchmarks.scales import Scale
from benchmarks.systems import field_of

EFFECTIVE = 340_000
PREFIX_PERCENT = 95.0
PROMISED = (8_192, 1_000)
"""The budget and the messages that the promise is about."""


def run(scale: Scale, work: Path) -> Iterator[Outcome]:
    """Measure every system in every budget; yield what is known after each."""
    work.mkdir(parents=True)
    field = field_of()
    outcome = Outcome(
        name="costs", rows=(), versions=field.versions, absent=field.absent, complete=False
    )
    story = tuple(messages("costs", scale.cost_messages))
    installed = {kind.name for kind in field.kinds}
    for budget in scale.cost_budgets:
        for contender in contenders():
            if contender.kind in installed:
                tell(f"costs: {contender.name}, {budget:,} tokens")
                row = _row(contender, story, budget)
                rows = (*outcome.rows, row)
                outcome = replace(outcome, rows=rows, targets=tuple(_targets(rows)))
                yield outcome
    yield replace(outcome, complete=True)


def _row(contender: Contender, story: Sequence[Message], budget: int) -> Row:
    tally = Tally(count=counter())
    contender.drive(contender, story, tally, budget)
    return {
        "system": contender.name,
        "budget": budget,
        "messages": len(story),
        "settings": " ".join(f"{name}={value}" for name, value in contender.at(budget).items()),
        "chat_calls": tally.calls,
        "chat_tokens": tally.tokens,
        "chat_uncached": tally.uncached,
        "memory_calls": tally.memory_calls,
        "memory_tokens": tally.memory_tokens,
        "memory_uncached": tally.memory_uncached,
        "effective": round(tally.effective),
        "prefix_percent": round(tally.prefix_percent, 2),
        "verbatim": rounded(tally.verbatim / max(1, tally.calls)),
        "most_tokens": tally.most,
        "unsummarised_percent": rounded(tally.unsummarised_percent),
        "newest_missing": tally.newest_missing,
    }


def _targets(rows: Sequence[Row]) -> Iterator[Target]:
    """Yield what was promised of ourselves, once everybody it is compared with is measured."""
    found = {row["system"]: row for row in rows if (row["budget"], row["messages"]) == PROMISED}
    own = found.get(CHEAPEST)
    if own is None:
        return
    where = "1,000 messages at 8k, own sizes"
    yield Target(
        what=f"{where}: effective input",
        limit=EFFECTIVE,
        measured=float(own["effective"]),
        unit="tokens",
    )
    yield Target(
        what=f"{where}: prefix share",
        limit=PREFIX_PERCENT,
        measured=float(own["prefix_percent"]),
        unit="%",
        at_least=True,
    )
    yield Target(
        what=f"{where}: left out without a summary",
        limit=0.0,
        measured=float(own["unsummarised_percent"]),
        unit="%",
    )
    yield Target(
        what=f"{where}: prompts without the newest message",
        limit=0.0,
        measured=float(own["newest_missing"]),
        unit="prompts",
    )
    if LANGMEM in found:
        yield Target(
            what=f"{where}: word for word in a prompt, LangMem's mean",
            limit=float(found[LANGMEM]["verbatim"]),
            measured=float(own["verbatim"]),
            unit="tokens",
            at_least=True,
        )
