"""How many known answers the built-in summariser keeps; see `probe_survival`, which measures it."""

from collections.abc import Iterator
from pathlib import Path

from benchmarks import probe_survival
from benchmarks.records import Outcome, Row, rounded
from benchmarks.scales import Scale

SHARES = (0.10, 0.25)
SPAN = 20


def run(scale: Scale, work: Path) -> Iterator[Outcome]:  # noqa: ARG001 - as every benchmark
    """Measure the bundled story."""
    found = probe_survival.measure(
        probe_survival.bundled("jsonl"),
        probe_survival.bundled("probes.json"),
        span=SPAN,
        shares=SHARES,
    )
    rows: list[Row] = [
        {
            "method": row.method,
            "share": row.share,
            "kept_percent": rounded(row.kept_percent),
            "anywhere_percent": rounded(row.anywhere_percent),
            "pairs": row.pairs,
            "tokens": rounded(row.tokens),
            "budget": row.budget,
        }
        for row in found
    ]
    yield Outcome(name="survival", rows=rows)
