"""Splitting: what does not fit into one request, in the fewest portions that do.

Above: engine. Below: pieces, which know where an exchange ends. Invariant: portions put together
are what was split, in its order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain

from foreword.domain.turn import Entry, Role
from foreword.planning.pieces import exchanges


def newest_that_fit(tokens: Sequence[int], room: int) -> int:
    """Return how many of the newest fit into the room together; the newest stand last."""
    return sum(total <= room for total in accumulate(reversed(tokens)))


def split_span(entries: Sequence[Entry], room: int) -> tuple[tuple[Entry, ...], ...]:
    """Return neighbouring turns in the fewest portions, of about the same size.

    Portions end where exchanges do; an exchange that does not fit is parted between its turns, but
    the result of a tool stays with its call where that fits.

    Raises:
        ValueError: a single turn does not fit.
    """
    atoms = list(chain.from_iterable(_atoms(group, room) for group in exchanges(entries)))
    sizes = [_cost(atom) for atom in atoms]
    if any(size > room for size in sizes):
        raise ValueError("a single turn does not fit")
    return tuple(tuple(chain.from_iterable(atoms[lo:hi])) for lo, hi in _even(sizes, room, least=1))


def split_rows(tokens: Sequence[int], room: int) -> tuple[tuple[int, int], ...]:
    """Return ranges of at least two neighbours whose tokens fit: first, and behind the last.

    Raises:
        ValueError: there is no way to cut them so, or there are fewer than two.
    """
    ranges = _even(tokens, room, least=2)
    if not ranges:
        raise ValueError("they cannot be cut so that two neighbours fit each time")
    return ranges


def _atoms(group: tuple[Entry, ...], room: int) -> Iterable[tuple[Entry, ...]]:
    """Yield what must not be parted: the exchange, or what of it belongs together."""
    if _cost(group) <= room:
        return [group]
    bound: list[list[Entry]] = []
    for entry in group:
        if bound and entry.role is Role.TOOL:
            bound[-1].append(entry)
        else:
            bound.append([entry])
    return chain.from_iterable(
        [tuple(one)] if _cost(one) <= room else [(entry,) for entry in one] for one in bound
    )


def _even(sizes: Sequence[int], room: int, *, least: int) -> tuple[tuple[int, int], ...]:
    """Return the fewest ranges of at least `least` sizes that fit, about equally large.

    There are none when there is nothing to cut, or no way to cut it.
    """
    sums = tuple(accumulate(sizes, initial=0))
    needed = _needed(sums, room, least)
    if needed[0] > len(sizes):
        return ()
    ranges: list[tuple[int, int]] = []
    at = 0
    while at < len(sizes):
        target = sums[at] + (sums[-1] - sums[at]) / needed[at]
        ends = range(at + least, bisect_right(sums, sums[at] + room))
        fewest = [end for end in ends if needed[end] == needed[at] - 1]
        end = min(fewest, key=lambda end: abs(sums[end] - target))
        ranges.append((at, end))
        at = end
    return tuple(ranges)


def _needed(sums: Sequence[int], room: int, least: int) -> Sequence[int]:
    """Return for each place how few ranges take what is behind it; too many where none can."""
    impossible = len(sums)
    needed = [impossible] * len(sums)
    needed[-1] = 0
    for at in range(len(sums) - 2, -1, -1):
        ends = needed[at + least : bisect_right(sums, sums[at] + room)]
        needed[at] = min(impossible, min(ends, default=impossible) + 1)
    return needed


def _cost(entries: Iterable[Entry]) -> int:
    return sum(entry.cost for entry in entries)
