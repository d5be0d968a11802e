"""The prompt plan: all summaries, all pinned turns, and as many of the newest turns as fit.

Above: engine, which loads the material and renders the plan. Below: `planning.coverage` holds the
values, `planning.call_groups` what stays together, `domain` the nouns. Invariants: a plan never
exceeds its limit; the turns sent from the pile are its newest ones without a gap; no tool call is
sent without its results, nor they without it; every turn of the branch is accounted for once.

Source: DESIGN, Prompt layout and rule 2; DECISIONS, Summaries.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from foreword.domain.ids import Pos
from foreword.domain.summary import CoverRow
from foreword.domain.turn import Entry, Role
from foreword.errors import ContextTooSmall
from foreword.planning.call_groups import call_groups
from foreword.planning.coverage import (
    Coverage,
    Dropped,
    OwnMemory,
    PromptPlan,
    Section,
    SectionName,
)
from foreword.planning.placement import section_place

REPLIES = 8
"""Turns at the newest end among which the newest user turn is looked for: it has to fit."""

_PART_NAMES = {
    SectionName.SYSTEM: "the system text",
    SectionName.SUMMARIES: "the summaries",
    SectionName.PINNED: "the pinned turns",
    SectionName.VERBATIM: "the newest turn",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Running counts of the branch, known without reading its turns."""

    visible: int
    hidden: int
    pile_turns: int
    """Visible turns that no summary in use covers."""
    pile_tokens: int
    """Of those turns, message overhead included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """Tokens of what the prompt adds by itself."""

    holes_marker: int = 0
    """Counted when a turn before the boundary is sent in `holes`."""
    pinned_marker: int = 0
    """Counted when a pinned turn is sent in `pinned`."""
    window_marker: int = 0
    """Counted with `verbatim` when one of the other two is sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Everything a plan is made from."""

    fixed: tuple[Section, ...]
    """Parts whose size does not depend on the story: system, lore, facts, recalled, continuity."""
    cover: tuple[CoverRow, ...]
    """The rows in use, oldest span first."""
    pins: tuple[Entry, ...]
    """All pinned visible turns of the branch, covered or not, oldest first."""
    pile: Iterable[Entry]
    """Uncovered visible turns, newest first; read one turn further than what fits, and on to
    the call where that turn is a tool result."""
    totals: Totals
    costs: Costs = Costs()
    summary_tokens: int = 0
    """Of all summaries in use, as they are sent."""
    own_memory: OwnMemory | None = None
    """Where they stand when they are a message of their own."""

    @property
    def boundary(self) -> Pos:
        """Position of the last covered turn; 0 for none."""
        return self.cover[-1].to_pos if self.cover else Pos(0)


def plan_window(material: Material, *, limit: int) -> PromptPlan:
    """Keep all summaries and pinned turns, and as many of the newest others as fit.

    Of what follows the boundary, the newest turn always has to fit, and so have those back to the
    newest user turn when it is among the newest `REPLIES`: without it there is nothing to answer.
    A tool call and its results count as one: all of them fit, or none is sent.

    Args:
        material: what there is.
        limit: tokens of the prompt; room for the reply is already taken off.

    Raises:
        ContextTooSmall: what must be sent alone exceeds the limit.
    """
    walk = call_groups(_checked(material), material.cover)
    head, ahead = _head(walk, material.boundary)
    window = _Window(material)
    for group in head:
        window.take(group)
    if window.tokens > limit:
        raise _too_small(window, limit)
    for group in chain(ahead, walk):
        if not window.take(group, limit):
            return window.plan(limit, exhausted=False)
    return window.plan(limit, exhausted=True)


class _Window:
    """The turns taken so far, newest first, and what the prompt with them costs."""

    def __init__(self, material: Material) -> None:
        pins = [pin for pin in material.pins if not pin.hidden]
        self._material = material
        self._boundary = material.boundary
        self._outside = {pin.turn_id: pin for pin in pins}
        self._covered_pins = sum(_covers(material.cover, pin.pos) for pin in pins)
        self._sent: list[Entry] = []
        self._has_hole = False
        self._has_window = False
        self._summary_tokens = material.summary_tokens
        self._markers_now = self._markers(len(pins), holes=False, window=False)
        fixed = sum(part.tokens for part in material.fixed)
        self._tokens = fixed + self._summary_tokens + _cost(pins) + self._markers_now

    @property
    def tokens(self) -> int:
        """Tokens of the whole prompt as it is now."""
        return self._tokens

    def take(self, group: tuple[Entry, ...], limit: int | None = None) -> bool:
        """Send the next older turns of the pile, if the prompt with all of them keeps to the limit.

        Pinned turns among them stand in their places from now on.

        Args:
            group: turns that stay together, newest first, all on one side of the boundary.
            limit: None to send them however large they are.
        """
        loose = [entry for entry in group if entry.turn_id not in self._outside]
        pinned = len(group) - len(loose)
        hole = group[0].pos < self._boundary
        tokens = self._tokens + _cost(loose)
        markers = self._markers_now
        if pinned or not (self._has_hole if hole else self._has_window):
            markers = self._markers(
                len(self._outside) - pinned,
                holes=self._has_hole or hole,
                window=self._has_window or not hole,
            )
            tokens += markers - self._markers_now
        if limit is not None and tokens > limit:
            return False
        self._tokens, self._markers_now = tokens, markers
        for entry in group:
            self._outside.pop(entry.turn_id, None)
        self._has_hole = self._has_hole or hole
        self._has_window = self._has_window or not hole
        self._sent.extend(group)
        return True

    def sections(self) -> tuple[Section, ...]:
        """Return what the prompt consists of, in order."""
        material, costs = self._material, self._material.costs
        holes, verbatim = self._parted()
        covered = sum(row.n_turns for row in material.cover) - self._covered_pins
        parts = (
            *material.fixed,
            Section(name=SectionName.SUMMARIES, tokens=self._summary_tokens, turns=covered),
            _turns_section(SectionName.HOLES, holes, costs.holes_marker),
            _turns_section(SectionName.PINNED, tuple(self._outside.values()), costs.pinned_marker),
            _turns_section(
                SectionName.VERBATIM,
                verbatim,
                costs.window_marker if holes or self._outside else 0,
            ),
        )
        filled = [part for part in parts if part.tokens or part.turns]
        return tuple(sorted(filled, key=lambda part: section_place(part.name, material.own_memory)))

    def plan(self, limit: int, *, exhausted: bool) -> PromptPlan:
        """Return the plan that sends what was taken.

        Raises:
            ValueError: the turns that were read and the branch's counts do not agree.
        """
        material, totals = self._material, self._material.totals
        pinned = tuple(self._outside.values())
        loose = [pin for pin in pinned if not _covers(material.cover, pin.pos)]
        holes, verbatim = self._parted()
        dropped = Dropped(
            turns=totals.pile_turns - len(self._sent) - len(loose),
            tokens=totals.pile_tokens - _cost(self._sent) - _cost(loose),
        )
        if exhausted and dropped != Dropped():
            raise ValueError(f"the whole pile was read, yet {dropped} are left of {totals}")
        return PromptPlan(
            sections=self.sections(),
            summaries=tuple(row.summary_id for row in material.cover),
            holes=holes,
            pinned=pinned,
            verbatim=verbatim,
            dropped=dropped,
            coverage=Coverage(
                verbatim=len(self._sent) + len(pinned),
                covered=sum(row.n_turns for row in material.cover) - self._covered_pins,
                masked=0,
                hidden=totals.hidden,
                dropped=dropped.turns,
                turns=totals.visible + totals.hidden,
            ),
            limit=limit,
            own_memory=material.own_memory,
        )

    def _parted(self) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
        """Return the turns taken before the boundary and those behind it, oldest first."""
        oldest_first = tuple(reversed(self._sent))
        split = bisect_left(oldest_first, self._material.boundary, key=_position)
        return oldest_first[:split], oldest_first[split:]

    def _markers(self, outside: int, *, holes: bool, window: bool) -> int:
        """Tokens of the markers with so many pinned turns out of place."""
        costs = self._material.costs
        return (
            (costs.holes_marker if holes else 0)
            + (costs.pinned_marker if outside else 0)
            + (costs.window_marker if window and (holes or outside) else 0)
        )


def _checked(material: Material) -> Iterator[Entry]:
    """Yield the pile; a turn out of order, hidden or covered must never reach a prompt."""
    cover, boundary = material.cover, material.boundary
    newer: Pos | None = None
    for entry in material.pile:
        pos = entry.pos
        in_order = newer is None or pos < newer
        if entry.hidden or not in_order or (pos <= boundary and _covers(cover, pos)):
            raise ValueError(f"{entry} does not belong into the pile here")
        newer = pos
        yield entry


def _head(
    walk: Iterator[tuple[Entry, ...]], boundary: Pos
) -> tuple[list[tuple[Entry, ...]], list[tuple[Entry, ...]]]:
    """Read the groups that have to be sent, and return them and what was read beside them."""
    seen: list[tuple[Entry, ...]] = []
    turns = 0
    while turns < REPLIES and (group := next(walk, None)) is not None:
        seen.append(group)
        turns += len(group)
        if group[0].pos < boundary:
            break
        if any(entry.role is Role.USER for entry in group):
            return seen, []
    behind = [group for group in seen[:1] if group[0].pos > boundary]
    return behind, seen[len(behind) :]


def _too_small(window: _Window, limit: int) -> ContextTooSmall:
    largest = max(window.sections(), key=lambda section: section.tokens)
    return ContextTooSmall(
        needed=window.tokens, limit=limit, largest=_PART_NAMES.get(largest.name, largest.name.value)
    )


def _turns_section(name: SectionName, entries: Sequence[Entry], marker: int) -> Section:
    tokens = _cost(entries) + marker if entries else 0
    return Section(name=name, tokens=tokens, turns=len(entries))


def _covers(cover: Sequence[CoverRow], pos: Pos) -> bool:
    """Say whether one of the rows, oldest first, covers the position."""
    at = bisect_left(cover, pos, key=lambda row: row.to_pos)
    return at < len(cover) and cover[at].from_pos <= pos


def _cost(entries: Iterable[Entry]) -> int:
    return sum(entry.cost for entry in entries)


def _position(entry: Entry) -> Pos:
    return entry.pos
