"""Where a pile may be cut: exchanges, the reserve, and the pieces that become summaries.

Above: `planning.recap` decides how large a piece should be and when. Below: `domain`.
Invariants: a piece lies inside one stretch, begins where the pile begins and ends where an exchange
ends; the pieces taken one after another are exactly what stands up to the last cut.

An exchange is what the user says, up to the next time the user speaks after somebody else did.
Two exceptions keep stories without exchanges summarisable. Where nobody but the user has stood
back for `LONG_RUN` turns, or the stretch opens without a user turn, every turn may end a piece.
Where nobody answers the user for `LONG_RUN` turns, every turn may end a piece too. A tool result
stays with its call in any case, a late one too. Nothing of this depends on what was already taken,
so pieces never shift.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, takewhile

from foreword.domain.ids import Pos, TurnId
from foreword.domain.turn import Entry, Role
from foreword.planning.call_groups import parts_a_call

LONG_RUN = 8
"""Turns without a change between the user and others after which exchanges mean nothing."""

NOWHERE = Pos(0)
"""As a cut: the pile cannot be cut anywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A run of neighbouring pile turns that one summary is to cover."""

    entries: tuple[Entry, ...]
    """Oldest first, never empty."""

    @property
    def from_pos(self) -> Pos:
        """Position of the oldest turn."""
        return self.entries[0].pos

    @property
    def to_pos(self) -> Pos:
        """Position of the newest turn."""
        return self.entries[-1].pos

    @property
    def tokens(self) -> int:
        """Tokens of the turns, message overhead included."""
        return sum(entry.cost for entry in self.entries)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """The newest place where the pile may be cut without touching the reserve."""

    pos: Pos
    """Last position that may be summarised; `NOWHERE` when nothing may."""
    kept: int
    """Tokens of the turns behind it."""
    largest: TurnId | None
    """The largest turn behind it, the newest of equals; None for an empty pile."""


def exchange_ends(before: Sequence[Role], after: Sequence[Role]) -> bool:
    """Say whether a piece may end between two turns of a stretch.

    Args:
        before: roles of the turns up to there, nearest first, `LONG_RUN` of them; fewer only where
            the stretch begins.
        after: roles of the turns from there on, nearest first, in the same way.
    """
    if not before or not after:
        return True
    if parts_a_call(before, after):
        return False
    if after[0] is Role.USER:
        unanswered = len(after) >= LONG_RUN and all(role is Role.USER for role in after)
        return before[0] is not Role.USER or unanswered
    return all(role is not Role.USER for role in before)


def last_cut(newest_first: Iterable[Entry], reserve: int, covered: Sequence[Pos] = ()) -> Cut:
    """Find the newest exchange end that leaves turns of at least `reserve` tokens behind it.

    Args:
        newest_first: the visible turns of the pile; read only as far as needed.
        reserve: tokens, at least 1; whole turns are kept.
        covered: last positions of the summaries in use, ascending: there a stretch ends.
    """
    walk = _Backwards(newest_first, covered)
    kept, largest = 0, None
    for index, entry in walk.entries():
        if kept >= reserve and exchange_ends(walk.before(index), walk.after(index)):
            return Cut(pos=entry.pos, kept=kept, largest=largest.turn_id if largest else None)
        kept += entry.cost
        if largest is None or entry.cost > largest.cost:
            largest = entry
    return Cut(pos=NOWHERE, kept=kept, largest=largest.turn_id if largest else None)


class _Backwards:
    """A pile read newest first, with as much looked ahead as a decision needs."""

    def __init__(self, newest_first: Iterable[Entry], covered: Sequence[Pos]) -> None:
        self._source = iter(newest_first)
        self._seen: list[Entry] = []
        self._covered = covered

    def entries(self) -> Iterator[tuple[int, Entry]]:
        index = 0
        while self._has(index):
            yield index, self._seen[index]
            index += 1

    def before(self, index: int) -> list[Role]:
        """Roles from the entry at `index` on towards the oldest, within its stretch."""
        roles = [self._seen[index].role]
        while len(roles) < LONG_RUN and self._has(index + 1) and not self._parted(index + 1):
            index += 1
            roles.append(self._seen[index].role)
        return roles

    def after(self, index: int) -> list[Role]:
        """Roles of the entries newer than the one at `index`, nearest first, within its stretch."""
        roles: list[Role] = []
        while index > 0 and len(roles) < LONG_RUN and not self._parted(index):
            index -= 1
            roles.append(self._seen[index].role)
        return roles

    def _has(self, index: int) -> bool:
        missing = index + 1 - len(self._seen)
        self._seen.extend(islice(self._source, max(0, missing)))
        return index < len(self._seen)

    def _parted(self, index: int) -> bool:
        """Say whether a covered stretch lies between the entry and the next newer one."""
        lower = bisect_left(self._covered, self._seen[index].pos)
        return lower < len(self._covered) and self._covered[lower] < self._seen[index - 1].pos


def exchanges(stretch: Iterable[Entry]) -> Iterator[tuple[Entry, ...]]:
    """Yield the turns of a stretch, oldest first, in groups that no piece may part.

    Reads `LONG_RUN` turns ahead at most.
    """
    source = iter(stretch)
    before: deque[Role] = deque(maxlen=LONG_RUN)
    ahead = deque(islice(source, LONG_RUN))
    group: list[Entry] = []
    while ahead:
        if group and exchange_ends(tuple(before), [entry.role for entry in ahead]):
            yield tuple(group)
            group = []
        entry = ahead.popleft()
        group.append(entry)
        before.appendleft(entry.role)
        ahead.extend(islice(source, 1))
    if group:
        yield tuple(group)


def first_piece(stretches: Iterable[Iterable[Entry]], *, cut: Pos, chunk: int) -> Piece | None:
    """Return the oldest piece of about `chunk` tokens up to the cut, or None when none is left.

    Args:
        stretches: the runs of neighbouring pile turns, oldest first, each oldest first; read only
            as far as needed.
        cut: as `last_cut` found it.
        chunk: tokens; a piece has at least half of them unless its stretch is smaller.
    """
    for stretch in stretches:
        groups = _up_to(cut, exchanges(stretch))
        piece = _chunk_of(groups, chunk)
        if piece:
            return Piece(entries=piece)
    return None


def forced_piece(stretches: Iterable[Iterable[Entry]], *, chunk: int) -> Piece | None:
    """Return the oldest piece of about `chunk` tokens that leaves the newest exchange alone.

    For a pile without a cut: the reserve is touched, since everything stands in it. None when the
    pile is one exchange or empty.
    """
    groups = [list(exchanges(stretch)) for stretch in stretches]
    filled = [stretch for stretch in groups if stretch]
    if filled:
        filled[-1].pop()
    for stretch in filled:
        piece = _chunk_of(iter(stretch), chunk)
        if piece:
            return Piece(entries=piece)
    return None


def _up_to(cut: Pos, groups: Iterable[tuple[Entry, ...]]) -> Iterator[tuple[Entry, ...]]:
    return takewhile(lambda group: group[-1].pos <= cut, groups)


def _chunk_of(groups: Iterator[tuple[Entry, ...]], chunk: int) -> tuple[Entry, ...]:
    """Take groups until they come nearest to the chunk; a rest under half of one joins them."""
    taken: list[Entry] = []
    total = 0
    for group in groups:
        size = _cost(group)
        enough = 2 * total >= chunk and 2 * total + size > 2 * chunk
        if enough:
            return tuple(chain(taken, _short_rest(group, groups, chunk)))
        taken.extend(group)
        total += size
    return tuple(taken)


def _short_rest(
    group: tuple[Entry, ...], groups: Iterator[tuple[Entry, ...]], chunk: int
) -> tuple[Entry, ...]:
    """Return all that is left when it is less than half a chunk, else nothing."""
    rest: list[Entry] = []
    total = 0
    for member in chain([group], groups):
        rest.extend(member)
        total += _cost(member)
        if 2 * total >= chunk:
            return ()
    return tuple(rest)


def _cost(entries: Iterable[Entry]) -> int:
    return sum(entry.cost for entry in entries)
