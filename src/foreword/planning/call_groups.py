"""Tool calls and their results, which are sent, dropped and summarised together or not at all.

Above: `planning.window` takes them whole, `planning.pieces` never ends a piece within one. Below:
`domain`. Told from roles alone: results belong to the nearest assistant turn before them. A run of
results may be of any length up to `MOST_RESULTS`; other turns may stand between it and its call,
since results come late, as long as no more than `REACH` turns lead from the one to the other.
Invariant: whether two turns belong together depends on nothing outside of their group.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from foreword.domain.summary import CoverRow
from foreword.domain.turn import Entry, Role

REACH = 8
"""Turns from a call up to its first result, both counted; further apart they are strangers."""

MOST_RESULTS = 128
"""Neighbouring results that one call is looked for behind: as many calls as a turn may hold.

Source: OpenAI API reference, `tools` of a chat completion: at most 128 functions.
"""


def parts_a_call(before: Sequence[Role], after: Sequence[Role]) -> bool:
    """Say whether a call stands before this place in a stretch and its result behind it.

    Args:
        before: roles up to here, nearest first; more than `REACH` change nothing.
        after: roles from here on, nearest first, in the same way.
    """
    if not before or not after:
        return False
    if after[0] is Role.TOOL:
        return True
    answer = next((at for at, role in enumerate(after) if role in _ENDS), None)
    if answer is None or after[answer] is not Role.TOOL or Role.ASSISTANT not in before:
        return False
    return before.index(Role.ASSISTANT) + answer + 2 <= REACH


_ENDS = (Role.ASSISTANT, Role.TOOL)


def call_groups(
    newest_first: Iterable[Entry], cover: Sequence[CoverRow] = ()
) -> Iterator[tuple[Entry, ...]]:
    """Yield turns in groups that may not be parted, newest first inside and outside.

    A turn that has no call to belong to is a group of its own. Without results among them no turn
    is read before it is asked for; behind a result, up to its call.

    Args:
        newest_first: visible turns of the pile.
        cover: the rows in use, oldest first: no group reaches across one.
    """
    walk = _Walk(newest_first, cover)
    while walk.has(0):
        yield walk.take(_size(walk))


class _Walk:
    """Turns read as far as somebody asked."""

    def __init__(self, newest_first: Iterable[Entry], cover: Sequence[CoverRow]) -> None:
        self._source = iter(newest_first)
        self._cover = cover
        self._ahead: deque[Entry] = deque()

    def has(self, index: int) -> bool:
        """Say whether there is a turn so far ahead, reading up to it."""
        while len(self._ahead) <= index:
            entry = next(self._source, None)
            if entry is None:
                return False
            self._ahead.append(entry)
        return True

    def role(self, index: int) -> Role | None:
        """Return the role of a turn ahead; None where the stretch of the first one is over."""
        if not self.has(index) or (index and self._covered_between(index)):
            return None
        return self._ahead[index].role

    def take(self, count: int) -> tuple[Entry, ...]:
        """Return the next turns and go on behind them."""
        return tuple(self._ahead.popleft() for _ in range(count))

    def _covered_between(self, index: int) -> bool:
        older, newer = self._ahead[index].pos, self._ahead[index - 1].pos
        at = bisect_left(self._cover, older, key=lambda row: row.to_pos)
        return at < len(self._cover) and self._cover[at].to_pos < newer


def _size(walk: _Walk) -> int:
    """Return how many of the turns ahead are one group."""
    results = 0
    while results < MOST_RESULTS and walk.role(results) is Role.TOOL:
        results += 1
    if not results:
        return 1
    for index in range(results, results + REACH - 1):
        match walk.role(index):
            case Role.ASSISTANT:
                return index + 1
            case None:
                return 1
            case _:
                continue
    return 1
