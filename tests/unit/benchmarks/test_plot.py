"""Lines and labels of the plot."""

from itertools import pairwise

from benchmarks.plot import BOTTOM, LABEL_GAP, LEFT, TOP, plotted
from benchmarks.report import number


def test_lines_start_and_end_at_the_edges_of_the_axes() -> None:
    plot = plotted({"a": [(100, 0.5), (10_000, 500.0)]}, own=())
    (line,) = plot.lines
    assert [x for x, _ in line.points] == [LEFT, plot.right]
    assert [tick.label for tick in plot.up] == ["0.1", "1", "10", "100", "1,000"]
    assert (plot.up[0].at, plot.up[-1].at) == (BOTTOM, TOP)


def test_no_label_meets_another_however_close_the_lines_end() -> None:
    series = {f"system {n}": [(100, 1.0), (1_000, 1.0 + n / 1_000)] for n in range(9)}
    heights = sorted(line.label_y for line in plotted(series, own=()).lines)
    assert all(below - above >= LABEL_GAP - 1e-6 for above, below in pairwise(heights))
    assert heights[-1] <= BOTTOM


def test_what_is_our_own_is_drawn_last_over_the_others() -> None:
    series = {name: [(1, 1.0), (10, 2.0)] for name in ("ours", "theirs", "another")}
    drawn = [(line.name, line.own, line.number) for line in plotted(series, own=("ours",)).lines]
    assert drawn == [("theirs", False, 0), ("another", False, 1), ("ours", True, 0)]


def test_numbers_have_three_digits_and_no_zeros_at_the_end() -> None:
    written = [number(value) for value in (0.0541, 0.3, 1.25, 24.24, 195.4, 2796.0, 0.00012)]
    assert written == ["0.0541", "0.3", "1.25", "24.2", "195", "2,796", "0.00012"]
