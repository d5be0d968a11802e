"""Cutting long lists of values into statements that databases take."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")

PORTION = 500
"""Values in one IN list; databases limit how many a statement may have."""


def portions(items: Collection[Item], size: int = PORTION) -> Iterator[list[Item]]:
    """Yield the items in lists of at most `size`."""
    rest = iter(items)
    while portion := list(islice(rest, size)):
        yield portion
