"""Splitting: what does not fit into one request, in the fewest portions that do.

Above: engine. Below: pieces, which know where an exchange ends. Invariant: portions put together
are what was split, in its order.
"""

from __future__ import annotations

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
        ValueError: two neighbours do not fit, or there are fewer than two.
    """
    ranges = _even(tokens, room, least=2)
    if not ranges:
        raise ValueError("not even two of them fit")
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
    """Return the fewest ranges of at least `least` sizes that fit, as even as can be."""
    fewest = _filled(sizes, room, least)
    if fewest is None:
        return ()
    # The smallest room that needs no more ranges spreads the sizes most evenly.
    low, high, best = 0, room, fewest
    while low < high:
        middle = (low + high) // 2
        found = _filled(sizes, middle, least)
        if found is not None and len(found) <= len(fewest):
            high, best = middle, found
        else:
            low = middle + 1
    return best


def _filled(sizes: Sequence[int], room: int, least: int) -> tuple[tuple[int, int], ...] | None:
    """Return ranges that each hold as much as fits, or None where one cannot have `least`."""
    ranges: list[tuple[int, int]] = []
    at = 0
    while at < len(sizes):
        end, total = at, 0
        while end < len(sizes) and total + sizes[end] <= room:
            total += sizes[end]
            end += 1
        rest = len(sizes) - end
        end -= max(0, least - rest) if rest else 0
        if end - at < least:
            return None
        ranges.append((at, end))
        at = end
    return tuple(ranges)


def _cost(entries: Iterable[Entry]) -> int:
    return sum(entry.cost for entry in entries)
