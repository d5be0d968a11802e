"""The page of the benchmarks shows the results that are committed, whatever they are."""

from pathlib import Path

from benchmarks import report

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_shows_the_committed_results() -> None:
    assert (DOCS / report.PAGE).read_text("utf-8") == report.page(report.load())


def test_the_plot_shows_the_committed_results() -> None:
    assert (DOCS / report.PLOT).read_text("utf-8") == report.plot(report.load())
