"""The process of one system: prepares, then measures a slice whenever it is told to.

    python -m benchmarks.worker MEASURE ENTRY FOLDER

MEASURE names a module with a function `samples`, ENTRY is the JSON of a `race.Entry`. It reads
lines from standard input, each with the most samples and seconds of a slice, and answers each with
a line of JSON; the first line it writes says that it is ready. The end of the input ends it.
"""

import gc
import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from importlib import import_module
from itertools import islice
from pathlib import Path

from benchmarks.race import Entry
from benchmarks.samples import Sample, peak_mb, resident_mb


def _slice(samples: Iterator[Sample], most: int, seconds: float) -> Iterator[Sample]:
    end = time.perf_counter() + seconds
    for sample in islice(samples, most):
        yield sample
        if time.perf_counter() > end:
            return


def main() -> None:
    """Prepare, and answer until the input ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what packages print is no answer
    measure, entry, folder = sys.argv[1:]
    module = import_module(measure)
    samples = module.samples(Entry(**json.loads(entry)), Path(folder))
    next(samples)
    gc.collect()
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in sys.stdin:
        most, seconds = line.split()
        taken = list(_slice(samples, int(most), float(seconds)))
        answer = {
            "samples": [asdict(sample) for sample in taken],
            "resident_mb": resident_mb(),
            "peak_mb": peak_mb(),
        }
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
