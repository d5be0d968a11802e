"""Chooses clauses under a token budget so that the weight of what they mention is greatest.

Above: `extractive`. Below: nothing. Invariant: the sum of the costs never exceeds the budget, and
equal input gives an equal choice (ties go to the earlier candidate).
Source: budgeted submodular coverage, Lin and Bilmes 2011; concept weights, Gillick and Favre 2009.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

EFFORT: Final = 2.0
"""Tokens added to every cost when choices are compared: crumbs are hard to read."""
_CLOSE: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A clause that may be chosen."""

    group: int
    """Units of one group share the cost of their speaker's name."""
    cost: int
    group_cost: int
    concepts: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Clauses of one sentence that are chosen together."""

    units: tuple[int, ...]
    extra_cost: int
    """Tokens of the marks that show what was left out."""
    factor: float
    """How well it reads: 1.0 for a whole sentence."""


@dataclass(slots=True)
class _Choice:
    units: Sequence[Unit]
    weights: Sequence[float]
    chosen: set[int] = field(default_factory=set)
    covered: set[int] = field(default_factory=set)
    groups: set[int] = field(default_factory=set)
    spent: int = 0

    def cost(self, candidate: Candidate) -> int:
        new = [index for index in candidate.units if index not in self.chosen]
        if not new:
            return 0
        group = self.units[new[0]].group
        shared = 0 if group in self.groups else self.units[new[0]].group_cost
        return sum(self.units[index].cost for index in new) + shared + candidate.extra_cost

    def gain(self, candidate: Candidate) -> float:
        new: set[int] = set()
        for index in candidate.units:
            if index not in self.chosen:
                new.update(self.units[index].concepts)
        return candidate.factor * sum(
            self.weights[concept] for concept in sorted(new - self.covered)
        )

    def add(self, candidate: Candidate) -> None:
        self.spent += self.cost(candidate)
        self.chosen.update(candidate.units)
        for index in candidate.units:
            self.covered.update(self.units[index].concepts)
            self.groups.add(self.units[index].group)


def choose(
    units: Sequence[Unit],
    candidates: Sequence[Candidate],
    *,
    weights: Sequence[float],
    budget: int,
) -> frozenset[int]:
    """Choose unit numbers whose costs sum to at most `budget`."""
    choice = _Choice(units=units, weights=weights)
    touching: dict[int, list[int]] = {}
    for number, candidate in enumerate(candidates):
        for index in candidate.units:
            touching.setdefault(index, []).append(number)

    def ratio(number: int) -> float:
        cost = choice.cost(candidates[number])
        return choice.gain(candidates[number]) / (cost + EFFORT) if cost else 0.0

    heap = [(-ratio(number), number) for number in range(len(candidates))]
    heapq.heapify(heap)
    while heap:
        key, number = heapq.heappop(heap)
        now = ratio(number)
        if now <= 0 or choice.spent + choice.cost(candidates[number]) > budget:
            continue
        if -key > now + _CLOSE:
            heapq.heappush(heap, (-now, number))
            continue
        choice.add(candidates[number])
        near = sorted({n for index in candidates[number].units for n in touching[index]})
        for other in near:
            heapq.heappush(heap, (-ratio(other), other))
    return frozenset(choice.chosen)
