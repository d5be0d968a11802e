"""Portions of a stream (`itertools.batched` needs Python 3.12)."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

Value = TypeVar("Value")


def portions(values: Iterable[Value], size: int) -> Iterator[list[Value]]:
    """Yield the values in lists of `size`, the last one maybe shorter."""
    rest = iter(values)
    while portion := list(islice(rest, size)):
        yield portion
