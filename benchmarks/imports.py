"""Take a chat of SillyTavern in, from a file to wherever the system keeps it.

Foreword counts tokens, takes digests and indexes every word meanwhile; each system does what its
own call for many messages does. A sample is a whole import into something empty.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from benchmarks.chat_files import write_chat
from benchmarks.corpus import messages
from benchmarks.race import Entry, Lap, race
from benchmarks.records import Outcome, Row, Target, rounded
from benchmarks.samples import Sample, median, timed
from benchmarks.scales import Scale
from benchmarks.systems import READ_BEFORE, field_of, kind_of, load
from benchmarks.systems.protocol import Importer, Place

SYSTEMS = (
    "Foreword",
    READ_BEFORE.name,
    "LangChain agent, SqliteSaver",
    "LlamaIndex Memory",
    "LlamaIndex Memory, file",
    "OpenAI Agents SQLiteSession",
)
WANTED = 15_000
"""Messages a second."""


def samples(entry: Entry, folder: Path) -> Iterator[Sample]:
    """Import one message, so that everything is loaded; yield an empty sample, then imports."""
    first = folder / "first.jsonl"
    write_chat(first, messages("first", 1), slug="first")
    _imported(entry, folder / "first", first)
    yield Sample(wall_ms=0, cpu_ms=0)
    for number in range(entry.samples):
        yield _imported(entry, folder / str(number), Path(entry.given))


def _imported(entry: Entry, folder: Path, file: Path) -> Sample:
    folder.mkdir()
    system = load(entry.system, Place(folder=folder, budget=entry.budget))
    if hasattr(system, "importing"):
        return timed(system.importing(file))
    importer = cast("Importer", system)
    return timed(lambda: importer.import_file(file))


def run(scale: Scale, work: Path) -> Iterator[Outcome]:
    """Measure every system that can import; yield what is known after every round."""
    field = field_of(map(kind_of, SYSTEMS))
    files = {size: work / f"chat-{size}.jsonl" for size in scale.imports}
    work.mkdir(parents=True, exist_ok=True)
    for size, file in files.items():
        write_chat(file, messages("imported", size), slug=file.stem)
    rounds = scale.import_pace.rounds
    entries = [
        Entry(system=kind.name, turns=size, samples=rounds, budget=8_192, given=str(file))
        for size, file in files.items()
        for kind in field.kinds
    ]
    outcome = Outcome(
        name="import", rows=(), versions=field.versions, absent=field.absent, complete=False
    )
    for laps in race(__name__, entries, scale.import_pace, work / "race"):
        rows = [_row(lap) for lap in laps]
        outcome = replace(outcome, rows=rows, targets=tuple(_targets(rows)))
        yield outcome
    yield replace(outcome, complete=True)


def _row(lap: Lap) -> Row:
    wall = median([one.wall_ms for one in lap.samples])
    cpu = median([one.cpu_ms for one in lap.samples])
    return {
        "system": lap.entry.system,
        "messages": lap.samples[-1].size,
        "seconds": rounded(wall / 1_000),
        "cpu_seconds": rounded(cpu / 1_000),
        "messages_per_second": rounded(lap.samples[-1].size / wall * 1_000),
        "peak_mb": rounded(lap.peak_mb),
        "samples": len(lap.samples),
    }


def _targets(rows: Sequence[Row]) -> Iterator[Target]:
    for name, what in (
        (READ_BEFORE.name, "tokens, digests and full text of"),
        ("Foreword", "import from a file of"),
    ):
        for row in [one for one in rows if one["system"] == name][-1:]:
            yield Target(
                what=f"{what} {int(row['messages']):,} messages",
                limit=WANTED,
                measured=float(row["messages_per_second"]),
                unit="messages a second",
                at_least=True,
            )
