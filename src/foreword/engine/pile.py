"""The pile: uncovered visible turns, newest first or as stretches, read no further than asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from foreword.domain.ids import Pos
from foreword.domain.summary import CoverRow
from foreword.domain.turn import Entry
from foreword.engine.context import Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Pile:
    """The pile of an opened branch."""

    at: Reading
    cover: tuple[CoverRow, ...]
    """Rows in use, oldest first."""

    @property
    def turns(self) -> int:
        """Number of its turns."""
        return self.at.branch.visible_turns - sum(row.n_turns for row in self.cover)

    @property
    def tokens(self) -> int:
        """Tokens of its turns, message overhead included."""
        return self.at.branch.visible_tokens - sum(row.src_tokens for row in self.cover)

    @property
    def boundary(self) -> Pos:
        """Last covered position; 0 for none."""
        return self.cover[-1].to_pos if self.cover else Pos(0)

    def newest_first(self) -> Iterator[Entry]:
        """Yield its turns, newest first; stops looking once all are found."""
        return islice(self._newest_first(), self.turns)

    def stretches(self) -> Iterator[Iterator[Entry]]:
        """Yield its runs of neighbouring turns, oldest first, each oldest first."""
        session, branch = self.at.session, self.at.branch
        start = Pos(1)
        for row in self.cover:
            if start < row.from_pos:
                yield _visible(session.between(branch.id, start, Pos(row.from_pos - 1)))
            start = Pos(row.to_pos + 1)
        yield _visible(session.between(branch.id, start, branch.tip_pos))

    def _newest_first(self) -> Iterator[Entry]:
        session, branch = self.at.session, self.at.branch
        before: Pos | None = None
        for row in reversed(self.cover):
            yield from _visible(session.newest(branch.id, before=before, after=row.to_pos))
            before = row.from_pos
        yield from _visible(session.newest(branch.id, before=before))


def pile_of(at: Reading) -> Pile:
    """Return the pile of an opened branch."""
    return Pile(at=at, cover=at.session.cover(at.branch.id))


def covered_pins(pins: Sequence[Entry], cover: Sequence[CoverRow]) -> tuple[Entry, ...]:
    """Return the visible pinned turns that a summary in use covers."""
    return tuple(
        pin
        for pin in pins
        if not pin.hidden and any(row.overlaps(pin.pos, pin.pos) for row in cover)
    )


def _visible(entries: Iterator[Entry]) -> Iterator[Entry]:
    return (entry for entry in entries if not entry.hidden)
