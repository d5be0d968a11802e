"""Makes the page and the plot of the documentation from the results. Needs Jinja2 and no Foreword.

    python -m benchmarks.report

Invariant: the same results give the same bytes, so that a test can compare what is committed.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from benchmarks.plot import plotted
from benchmarks.records import RESULTS, RUNS
from benchmarks.systems import KINDS

DOCS = Path(__file__).parents[1] / "docs"
PAGE, PLOT = "benchmarks.md", "benchmarks.svg"
OWN = ("Foreword", "Foreword, no summaries")
OWN_COLOURS = (("#0b6e4f", "#4fd1a1"), ("#2f8f9d", "#7cc9d6"))
"""On light, on dark."""
COLOURS = (
    ("#a8481c", "#f0a274"),
    ("#c0392b", "#f58e82"),
    ("#8a6d0b", "#dcc266"),
    ("#b0357f", "#ef95c8"),
    ("#6a4fb3", "#b9a5f0"),
    ("#2f6fb3", "#8bbcf0"),
    ("#1f5a8a", "#6ba6d6"),
    ("#5c6370", "#a9b0bb"),
    ("#7a5230", "#cfa27c"),
)
Results = Mapping[str, Any]
"""Every file of the results by its name without `.json`."""


def load(folder: Path = RESULTS) -> Results:
    """Read all results."""
    return {
        file.stem: json.loads(file.read_text("utf-8")) for file in sorted(folder.glob("*.json"))
    }


def page(results: Results) -> str:
    """Return the page as Markdown."""
    return _template("page.md.j2").render(**_view(results))


def plot(results: Results) -> str:
    """Return the plot of the turns as SVG."""
    rows = results.get("turns", [])
    names = [kind.name for kind in KINDS if any(row["system"] == kind.name for row in rows)]
    series = {
        name: sorted((row["turns"], row["median_ms"]) for row in rows if row["system"] == name)
        for name in names
    }
    return _template("turns.svg.j2").render(
        plot=plotted(series, OWN), own_colours=OWN_COLOURS, colours=COLOURS
    )


def number(value: float) -> str:
    """Write a number with three digits, thousands apart, without trailing zeros."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    text = f"{value:.3g}"
    return f"{value:.6f}".rstrip("0") if "e" in text else text


def _view(results: Results) -> dict[str, object]:
    runs: Mapping[str, Any] = results[Path(RUNS).stem]
    rows: Sequence[Mapping[str, Any]] = results.get("turns", [])
    sizes = sorted({row["turns"] for row in rows})
    names = [kind.name for kind in KINDS if any(row["system"] == kind.name for row in rows)]
    return {
        "runs": runs,
        "machines": _each(map(_machine, (run["machine"] for run in runs.values()))),
        "unfinished": [name for name, run in runs.items() if not run["complete"]],
        "targets": [one for run in runs.values() for one in run["targets"]],
        "absent": _each(name for run in runs.values() for name in run["absent"]),
        "versions": sorted(
            _each(
                f"{name} {version}"
                for run in runs.values()
                for name, version in run["versions"].items()
            )
        ),
        "kinds": {kind.name: kind for kind in KINDS},
        "sizes": sizes,
        "systems": names,
        "turns": {(row["system"], row["turns"]): row for row in rows},
        "longest": {
            name: max((row for row in rows if row["system"] == name), key=lambda row: row["turns"])
            for name in names
        },
        "quicker": {size: _quicker(rows, size) for size in sizes},
        "imports": results.get("import", []),
        "search": results.get("search", []),
        "operations": results.get("operations", []),
        "survival": results.get("survival", []),
        "costs": results.get("costs", []),
        "growth": results.get("growth", []),
        "number": number,
    }


def _quicker(rows: Sequence[Mapping[str, Any]], size: int) -> list[Mapping[str, Any]]:
    """Return the systems that are faster than Foreword, the fastest first."""
    faster = [
        row
        for row in rows
        if row["turns"] == size and row["system"] not in OWN and row.get("times_foreword", 1) < 1
    ]
    return sorted(faster, key=lambda row: float(row["times_foreword"]))


def _machine(about: Mapping[str, Any]) -> str:
    return (
        f"{about['cores']} cores of {about['cpu']}, {about['memory_gb']} GB, {about['system']}, "
        f"Python {about['python']}"
    )


def _each(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _template(name: str) -> Template:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=False,  # Markdown, and an SVG whose names stand in this folder
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    return environment.get_template(name)


def main() -> None:
    """Write both files."""
    results = load()
    (DOCS / PAGE).write_text(page(results), encoding="utf-8")
    (DOCS / PLOT).write_text(plot(results), encoding="utf-8")
    print(f"Wrote docs/{PAGE} and docs/{PLOT}.")


if __name__ == "__main__":
    main()
