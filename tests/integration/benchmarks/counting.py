"""Something to measure in a test: each call gives the next number; `broken` fails at the third."""

import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.race import Entry
from benchmarks.samples import Sample


def samples(entry: Entry, folder: Path) -> Iterator[Sample]:
    if entry.system == "never ready":
        raise ValueError(entry.system)
    sys.stdout.write("Packages may print; it is no answer.\n")
    for number in range(1_000_000):
        if entry.system == "broken" and number == 3:
            raise ValueError(folder.name)
        yield Sample(wall_ms=1.0, cpu_ms=1.0, size=number)
