"""The plot of the turns: where each line, tick and label stands. Pure; `templates` draws it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

WIDTH, HEIGHT = 860, 520
LEFT, RIGHT, TOP, BOTTOM = 64, 256, 24, 470
LABEL_GAP = 15.0
"""Least distance between two labels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A line of the grid with its number."""

    at: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One system."""

    name: str
    own: bool
    """Foreword itself, which is drawn to be seen first."""
    number: int
    """Among the own lines, or among the others, from 0."""
    points: tuple[tuple[float, float], ...]
    label_x: float
    label_y: float

    @property
    def path(self) -> str:
        """The points as SVG wants them."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.points)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """Everything that is drawn."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    lines: tuple[Line, ...]


def plotted(series: Mapping[str, Sequence[tuple[float, float]]], own: Sequence[str]) -> Plot:
    """Place lines on two logarithmic axes.

    Args:
        series: by name, the points of each, x rising; all above zero.
        own: the names that are drawn to be seen first, in order.
    """
    xs = [log10(x) for points in series.values() for x, _ in points]
    ys = [log10(y) for points in series.values() for _, y in points]
    width = WIDTH - LEFT - RIGHT
    lowest, highest = floor(min(ys)), ceil(max(ys))
    first, last = min(xs), max(xs)

    def across(x: float) -> float:
        return LEFT + width * (log10(x) - first) / max(last - first, 1e-9)

    def up(y: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * (log10(y) - lowest) / max(highest - lowest, 1)

    placed = {name: tuple((across(x), up(y)) for x, y in points) for name, points in series.items()}
    return Plot(
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=WIDTH - RIGHT,
        top=TOP,
        bottom=BOTTOM,
        across=tuple(
            Tick(at=across(x), label=f"{x:,.0f}")
            for x in sorted({x for points in series.values() for x, _ in points})
        ),
        up=tuple(
            Tick(at=up(10.0**power), label=f"{10.0**power:,.15g}")
            for power in range(lowest, highest + 1)
        ),
        lines=tuple(_lines(placed, own)),
    )


def _lines(
    placed: Mapping[str, tuple[tuple[float, float], ...]], own: Sequence[str]
) -> Iterator[Line]:
    end = max(points[-1][0] for points in placed.values())
    at_end = {name: points[-1][1] for name, points in placed.items() if points[-1][0] == end}
    heights = _apart(at_end)
    others = [name for name in placed if name not in own]
    for name in (*others, *(name for name in own if name in placed)):
        x, y = placed[name][-1]
        yield Line(
            name=name,
            own=name in own,
            number=(own if name in own else others).index(name),
            points=placed[name],
            label_x=x + 10,
            label_y=heights.get(name, y - 8),
        )


def _apart(wanted: Mapping[str, float]) -> dict[str, float]:
    """Move labels down until none meets another, then up where they left the plot."""
    names = sorted(wanted, key=lambda name: wanted[name])
    heights: list[float] = []
    for name in names:
        least = heights[-1] + LABEL_GAP if heights else float("-inf")
        heights.append(max(wanted[name], least))
    below = float(BOTTOM)
    for place in reversed(range(len(heights))):
        heights[place] = min(heights[place], below)
        below = heights[place] - LABEL_GAP
    return dict(zip(names, heights, strict=True))
