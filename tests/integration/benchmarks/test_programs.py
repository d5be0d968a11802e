"""The programs themselves, with conversations so short that their numbers mean nothing."""

import json
from pathlib import Path

import pytest
from benchmarks.__main__ import run
from benchmarks.report import page, plot
from benchmarks.scales import TINY


@pytest.mark.slow
def test_every_benchmark_of_foreword_writes_its_rows_and_targets(tmp_path: Path) -> None:
    names = ["operations", "search", "import", "turns"]
    assert run(names, TINY, results=tmp_path, work=tmp_path / "work")
    results = {file.stem: json.loads(file.read_text("utf-8")) for file in tmp_path.glob("*.json")}
    runs = results["runs"]
    assert sorted(runs) == sorted(names)
    assert [name for name in names if not (runs[name]["complete"] and runs[name]["targets"])] == []
    assert [(row["system"], row["turns"]) for row in results["turns"]][:2] == [
        ("Foreword", 24),
        ("Foreword, no summaries", 24),
    ]
    assert {"median_ms", "p99_ms", "rss_mb"} <= results["turns"][0].keys()
    assert results["import"][0]["messages"] == 20
    assert {row["conversations"] for row in results["search"]} == {1, 2}
    assert list((tmp_path / "work").glob("*")) == []
    assert "## Operations" in page(results)
    assert plot(results).endswith("</svg>\n")


def test_costs_and_growth_are_measured_and_shown(tmp_path: Path) -> None:
    assert run(["costs", "growth"], TINY, results=tmp_path, work=tmp_path / "work")
    results = {file.stem: json.loads(file.read_text("utf-8")) for file in tmp_path.glob("*.json")}
    own = {row["system"]: row for row in results["costs"] if "Foreword" in row["system"]}
    assert len(own) == 5
    assert {row["newest_missing"] for row in own.values()} == {0}
    assert {row["unsummarised_percent"] for row in own.values()} == {0.0}
    plain, suffix = own["Foreword, prefix-cache"], own["Foreword, prefix-cache, suffix"]
    assert suffix["memory_uncached"] < plain["memory_uncached"]
    short, long = results["growth"]
    assert (short["summaries"], long["summaries"] > 0) == (0, True)
    assert long["depth"] <= long["most_depth"]
    shown = page(results)
    assert "### 2,048 tokens" in shown
    assert "## How memory grows" in shown
