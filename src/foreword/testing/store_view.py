"""Everything that a session can tell about a conversation, as one value to compare.

Above: tests of stores and of the engine. Below: ports. Two stores that were told the same give
equal views.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from foreword.domain.conversation import Branch, Conversation
from foreword.domain.ids import BranchId, Pos, Rev, SummaryId, TurnId, VersionId
from foreword.domain.ops import Op, RowKey
from foreword.domain.standing import Standing
from foreword.domain.summary import CoverRow, Summary
from foreword.domain.turn import Alternative, Entry, Version
from foreword.ports.store import ReadSession

FARTHEST = Pos(1 << 40)
"""Behind every position that a test uses."""
SAMPLE = 12
"""Of a long list, about so many are asked for one by one."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchView:
    """What a session tells about a branch."""

    branch: Branch
    newest: tuple[Entry, ...]
    oldest: tuple[Entry, ...]
    by_order: tuple[Entry | None, ...]
    orders: tuple[int, ...]
    """Of positions of entries and of the ones behind them."""
    by_turn: tuple[Entry | None, ...]
    pins: tuple[Entry, ...]
    alternatives: tuple[tuple[TurnId, tuple[Alternative, ...]], ...]
    cover: tuple[CoverRow, ...]
    cover_rows: tuple[CoverRow, ...]
    cover_history: frozenset[SummaryId]
    standings: tuple[tuple[Standing, ...], ...]
    """Of some turns, what they ever were."""
    touched: tuple[frozenset[RowKey], ...]
    """By revision, from 1."""
    shown: tuple[Entry, ...]
    """Entries that show some of the versions with the last of the searched terms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreView:
    """What a session tells about a conversation."""

    conversation: Conversation
    ops: tuple[Op, ...]
    versions: tuple[Version, ...]
    summaries: tuple[Summary, ...]
    counted: tuple[tuple[str, int], ...]
    """In how many versions each searched term is, up to five of a part of them."""
    with_terms: tuple[tuple[VersionId, ...], ...]
    """The versions with all of the searched terms, then those with each."""
    branches: tuple[BranchView, ...]


def view_of(session: ReadSession, queries: Sequence[str] = ()) -> StoreView:
    """Ask the session everything; `queries` are search terms."""
    highest = 1 + max((entry.turn_id for entry in _everywhere(session)), default=0)
    turns = [TurnId(number) for number in range(1, highest + 1)]
    versions = session.versions([VersionId(number) for number in range(1, 4 * highest)])
    summaries = session.summaries([SummaryId(number) for number in range(1, 100)])
    branches = session.branches()
    return StoreView(
        conversation=session.conversation,
        ops=tuple(session.ops()),
        versions=tuple(version for _, version in sorted(versions.items())),
        summaries=tuple(summary for _, summary in sorted(summaries.items())),
        counted=tuple(_counted(session, queries).items()),
        with_terms=_with_terms(session, queries),
        branches=tuple(_branch_view(session, branch.id, turns, queries) for branch in branches),
    )


def _counted(session: ReadSession, queries: Sequence[str]) -> Mapping[str, int]:
    last = session.last_version()
    return session.count_terms(queries, first=VersionId(last // 3), last=last, most=5)


def _with_terms(session: ReadSession, queries: Sequence[str]) -> tuple[tuple[VersionId, ...], ...]:
    """Return the versions with all of the terms, and those with each."""
    if not queries:
        return ((),)
    together = session.versions_with([queries], 10)
    return (*together, *session.versions_with([[query] for query in queries], 1_000))


def _everywhere(session: ReadSession) -> list[Entry]:
    return [entry for branch in session.branches() for entry in session.newest(branch.id)]


def _branch_view(
    session: ReadSession, branch: BranchId, turns: Sequence[TurnId], queries: Sequence[str]
) -> BranchView:
    oldest = tuple(session.between(branch, Pos(1), FARTHEST))
    orders = range(1, len(oldest) + 2)
    revs = range(1, session.conversation.rev + 1)
    return BranchView(
        branch=session.branch(branch),
        newest=tuple(session.newest(branch)),
        oldest=oldest,
        by_order=tuple(session.nth(branch, order) for order in (0, *_some(orders), orders[-1])),
        orders=tuple(
            session.order(branch, Pos(entry.pos + step))
            for entry in _some(oldest)
            for step in (0, 1)
        ),
        by_turn=tuple(session.entry(branch, turn) for turn in _some(turns)),
        pins=session.pins(branch),
        alternatives=tuple(sorted(session.alternatives(branch, turns).items())),
        cover=session.cover(branch),
        cover_rows=session.cover_rows(branch),
        cover_history=session.cover_history(branch),
        standings=tuple(session.standings(branch, turn) for turn in _some(turns)[::3]),
        touched=tuple(session.touched(branch, Rev(rev)) for rev in revs),
        shown=session.shown(branch, _with_terms(session, queries)[-1][::2]),
    )


def _some(items: Sequence[Item]) -> Sequence[Item]:
    return items[:: max(1, len(items) // SAMPLE)]
