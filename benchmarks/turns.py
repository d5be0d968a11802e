"""Append a user's turn and get the prompt for the reply, in conversations of many lengths.

A sample is both calls together; the append of the reply is shown apart, and so are summaries where
they are made by a call of their own, as a mean: they are due only now and then. The last turns up
to the length are measured; a short conversation several times over, each time another one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.corpus import messages, texts
from benchmarks.race import Entry, Lap, race
from benchmarks.records import Outcome, Row, Target, rounded
from benchmarks.samples import Sample, Watch, median, p99, timed
from benchmarks.scales import Scale
from benchmarks.systems import field_of, load
from benchmarks.systems.protocol import Chat, Kept, Place

BUDGET = 8_192
PRODUCT = "Foreword"


def samples(entry: Entry, folder: Path) -> Iterator[Sample]:
    """Prepare, take one turn so that all is loaded; yield an empty sample, then one a turn."""
    exchanges = min(entry.samples, max(1, entry.turns // 4))
    system = load(entry.system, Place(folder=folder, budget=entry.budget))
    chats = [
        system.chat(number, messages(f"chat {number}", entry.turns - 2 * exchanges))
        for number in range(-(-entry.samples // exchanges))
    ]
    said = texts("said")
    _exchange(system.chat(len(chats), messages("first", 8)), next(said), next(said))
    yield Sample(wall_ms=0, cpu_ms=0)
    for chat in chats:
        for _ in range(exchanges):
            yield _exchange(chat, next(said), next(said))


def _exchange(chat: Chat, text: str, reply: str) -> Sample:
    sample = timed(lambda: chat.say(text))
    watch = Watch()
    with watch:
        chat.answer(reply)
    sample = replace(sample, aside_ms=watch.wall_ms)
    if not isinstance(chat, Kept):
        return sample
    with watch:
        chat.upkeep()
    return replace(sample, upkeep_ms=watch.wall_ms)


def run(scale: Scale, work: Path) -> Iterator[Outcome]:
    """Measure every system that is installed; yield what is known after every round."""
    field = field_of()
    entries = [
        Entry(system=kind.name, turns=turns, samples=scale.turn_samples, budget=BUDGET)
        for turns in scale.turns
        for kind in field.kinds
        if turns <= kind.most_turns
    ]
    outcome = Outcome(
        name="turns", rows=(), versions=field.versions, absent=field.absent, complete=False
    )
    for laps in race(__name__, entries, scale.turn_pace, work):
        rows = _rows(laps)
        outcome = replace(outcome, rows=rows, targets=tuple(_targets(rows)))
        yield outcome
    yield replace(outcome, complete=True)


def _rows(laps: Sequence[Lap]) -> list[Row]:
    own = {
        lap.entry.turns: median([one.wall_ms for one in lap.samples])
        for lap in laps
        if lap.entry.system == PRODUCT
    }
    return [_row(lap, own.get(lap.entry.turns)) for lap in laps]


def _row(lap: Lap, own_ms: float | None) -> Row:
    walls = [one.wall_ms for one in lap.samples]
    ratio = {} if own_ms is None else {"times_foreword": rounded(median(walls) / own_ms)}
    return {
        "system": lap.entry.system,
        "turns": lap.entry.turns,
        "median_ms": rounded(median(walls)),
        "p99_ms": rounded(p99(walls)),
        "cpu_ms": rounded(median([one.cpu_ms for one in lap.samples])),
        "reply_ms": rounded(median([one.aside_ms for one in lap.samples])),
        "upkeep_ms": rounded(sum(one.upkeep_ms for one in lap.samples) / len(walls)),
        "rss_mb": rounded(lap.resident_mb),
        "prompt_messages": lap.samples[-1].size,
        "samples": len(lap.samples),
        **ratio,
    }


def _targets(rows: Sequence[Row]) -> Iterator[Target]:
    own = {int(row["turns"]): row for row in rows if row["system"] == PRODUCT}
    if not own:
        return
    longest = max(own)
    yield Target(
        what=f"append a turn and get the prompt at {longest:,} turns",
        limit=1.0,
        measured=float(own[longest]["median_ms"]),
        unit="ms",
    )
    if longest > 1_000 and 1_000 in own:
        slowdown = float(own[longest]["median_ms"]) / float(own[1_000]["median_ms"])
        growth = float(own[longest]["rss_mb"]) - float(own[1_000]["rss_mb"])
        against = f"{longest:,} turns against 1,000"
        yield Target(what=f"time of {against}", limit=1.3, measured=slowdown, unit="times")
        yield Target(what=f"memory of {against}", limit=20.0, measured=growth, unit="MB more")
