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
