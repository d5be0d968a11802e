"""What a run leaves behind: rows of each benchmark, and what they were measured on.

`NAME.json` is a list of rows; `runs.json` says for each NAME when, where and with what it was
measured, and which targets were met.
"""

import json
import os
import platform
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path

from benchmarks.progress import tell

RESULTS = Path(__file__).parent / "results"
RUNS = "runs.json"
Row = Mapping[str, str | int | float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What was promised, and what was measured."""

    what: str
    limit: float
    measured: float
    unit: str
    at_least: bool = False
    """The limit is the least that is wanted, not the most."""

    @property
    def met(self) -> bool:
        """Whether the promise was kept."""
        return self.measured >= self.limit if self.at_least else self.measured <= self.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Everything that one benchmark found."""

    name: str
    rows: Sequence[Row]
    targets: Sequence[Target] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    absent: Mapping[str, str] = field(default_factory=dict)
    """Systems that took no part, and why."""
    complete: bool = True


def write(outcome: Outcome, results: Path) -> None:
    """Write the rows and what is known of the run."""
    results.mkdir(parents=True, exist_ok=True)
    _write(results / f"{outcome.name}.json", list(outcome.rows))
    runs = results / RUNS
    known = json.loads(runs.read_text("utf-8")) if runs.exists() else {}
    known[outcome.name] = {
        "date": _today(),
        "complete": outcome.complete,
        "machine": machine(),
        "versions": {
            **outcome.versions,
            "foreword": _revision(),
            "sqlite": sqlite3.sqlite_version,
        },
        "absent": dict(outcome.absent),
        "targets": [
            {**asdict(one), "measured": rounded(one.measured), "met": one.met}
            for one in outcome.targets
        ],
    }
    _write(runs, dict(sorted(known.items())))


def machine() -> dict[str, str | int]:
    """Say what the machine is, without its name."""
    return {
        "cpu": next(_cpu_names(), platform.processor() or platform.machine()),
        "cores": os.cpu_count() or 1,
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "system": f"{platform.system()} {platform.release().partition('-')[0]}",
        "python": platform.python_version(),
    }


def rounded(value: float) -> float:
    """Keep three digits, and all before the point: more would be noise."""
    return float(f"{value:.3g}") if abs(value) < 1_000 else round(value)


def _cpu_names() -> Iterator[str]:
    about = Path("/proc/cpuinfo")
    for line in about.read_text().splitlines() if about.exists() else ():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            yield value.strip()


def _revision() -> str:
    """Return the version of Foreword and the commit it was measured at."""
    import foreword  # noqa: PLC0415 - the report needs no Foreword

    try:
        found = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--exclude", "*"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return foreword.__version__
    return f"{foreword.__version__} ({found.stdout.strip()})"


def _today() -> str:
    return date.today().isoformat()  # noqa: DTZ011 - the day where it was measured


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    tell(f"wrote {path.name}")
