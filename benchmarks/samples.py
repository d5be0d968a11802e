"""Samples of what one call took, and their medians."""

import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One call."""

    wall_ms: float
    cpu_ms: float
    """Of all threads of the process."""
    aside_ms: float = 0.0
    """What belongs to a turn but is shown apart: the append of the reply."""
    upkeep_ms: float = 0.0
    """Likewise: summaries, where they are made by a call of their own."""
    size: int = 0
    """What came of it: messages of the prompt, turns imported, hits."""


class Watch:
    """Measures blocks of code: `with watch: …`, then `watch.wall_ms` and `watch.cpu_ms`."""

    def __enter__(self) -> None:
        self._cpu = time.process_time()
        self._wall = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self.wall_ms = (time.perf_counter() - self._wall) * 1_000
        self.cpu_ms = (time.process_time() - self._cpu) * 1_000


def timed(call: Callable[[], int]) -> Sample:
    """Measure one call."""
    watch = Watch()
    with watch:
        size = call()
    return Sample(wall_ms=watch.wall_ms, cpu_ms=watch.cpu_ms, size=size)


def median(values: Sequence[float]) -> float:
    """Return the middle value, or the mean of the two in the middle."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def p99(values: Sequence[float]) -> float:
    """Return the least value that 99 of 100 do not exceed."""
    return sorted(values)[ceil(len(values) * 0.99) - 1]


def resident_mb() -> float:
    """Return the memory of this process that is in RAM now; the most ever where that is unknown."""
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    return peak_mb()


def peak_mb() -> float:
    """Return the most memory that this process has had in RAM."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
