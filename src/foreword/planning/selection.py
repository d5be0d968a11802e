"""Chooses clauses under a token budget so that the weight of what they mention is greatest.

Above: `extractive`. Below: nothing. Invariant: the sum of the costs never exceeds the budget, and
equal input gives an equal choice (ties go to the earlier clause).
Source: budgeted submodular coverage, Lin and Bilmes 2011; concept weights, Gillick and Favre 2009.
"""

import heapq
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

FRAGMENT: Final = 0.75
"""Factor for a clause that would begin in mid-sentence."""
COST_POWER: Final = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A clause that may be chosen."""

    sentence: int
    position: int
    group: int
    """Units of one group share the cost of their speaker's name."""
    cost: int
    group_cost: int
    fresh: bool
    factor: float
    concepts: tuple[int, ...]


@dataclass(slots=True)
class _Choice:
    units: Sequence[Unit]
    weights: Sequence[float]
    budget: int
    chosen: set[int] = field(default_factory=set)
    covered: Counter[int] = field(default_factory=Counter)
    groups: Counter[int] = field(default_factory=Counter)
    spent: int = 0

    def cost(self, index: int) -> int:
        unit = self.units[index]
        return unit.cost + (0 if self.groups[unit.group] else unit.group_cost)

    def gain(self, index: int) -> float:
        unit = self.units[index]
        joined = unit.fresh or self._previous(index) in self.chosen
        gain = sum(self.weights[c] for c in unit.concepts if not self.covered[c])
        return gain * unit.factor * (1.0 if joined else FRAGMENT)

    def _previous(self, index: int) -> int:
        before = index - 1
        same = before >= 0 and self.units[before].sentence == self.units[index].sentence
        return before if same else -1

    def ratio(self, index: int) -> float:
        return self.gain(index) / self.cost(index) ** COST_POWER

    def add(self, index: int) -> None:
        unit = self.units[index]
        self.spent += self.cost(index)
        self.chosen.add(index)
        self.covered.update(unit.concepts)
        self.groups[unit.group] += 1


def choose(units: Sequence[Unit], weights: Sequence[float], budget: int) -> frozenset[int]:
    """Choose unit numbers whose costs sum to at most `budget`."""
    choice = _Choice(units=units, weights=weights, budget=budget)
    by_group: dict[int, list[int]] = {}
    for index, unit in enumerate(units):
        by_group.setdefault(unit.group, []).append(index)
    heap = [(-choice.ratio(index), index) for index in range(len(units))]
    heapq.heapify(heap)
    while heap:
        key, index = heapq.heappop(heap)
        if index in choice.chosen or choice.spent + choice.cost(index) > budget:
            continue
        ratio = choice.ratio(index)
        if ratio <= 0:
            continue
        if -key > ratio + 1e-12:
            heapq.heappush(heap, (-ratio, index))
            continue
        first = not choice.groups[units[index].group]
        choice.add(index)
        stale = by_group[units[index].group] if first and units[index].group_cost else [index + 1]
        for other in stale:
            if other < len(units) and other not in choice.chosen:
                heapq.heappush(heap, (-choice.ratio(other), other))
    return frozenset(choice.chosen)
