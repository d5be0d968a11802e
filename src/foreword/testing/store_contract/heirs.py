"""Forks that read the merged rows of their parent's cover, and rows over a stretch."""

# ruff: noqa: D103 - the name of a check says what it checks

from __future__ import annotations

from dataclasses import replace

from foreword.domain.ids import MAIN_BRANCH, BranchId, Pos, SummaryId
from foreword.domain.ops import OpKind
from foreword.domain.summary import CoverRow, CoverState
from foreword.ports.store import Store
from foreword.testing.store_contract.teller import Teller, cover_row, summary_of

MERGED, STALE, USED = CoverState.MERGED, CoverState.STALE, CoverState.USED


def _told(store: Store) -> tuple[Teller, list[CoverRow]]:
    """Tell a story with four summaries: two merged, one in use, one stale."""
    teller = Teller(store)
    with teller.op() as session:
        ids = [session.add_summary(summary_of()).id for _ in range(4)]
        spans = ((10, 20, MERGED), (21, 60, MERGED), (10, 60, USED), (30, 40, STALE))
        session.put_cover(
            cover_row(one, lo, hi, state=state)
            for one, (lo, hi, state) in zip(ids, spans, strict=True)
        )
        rows = list(session.cover_rows(MAIN_BRANCH))
    return teller, sorted(rows, key=lambda row: row.summary_id)


def _rows(teller: Teller, branch: BranchId) -> dict[int, str]:
    with teller.reading() as session:
        return {int(row.summary_id): row.state.value for row in session.cover_rows(branch)}


def test_a_fork_reads_the_merged_rows_that_end_before_it_and_no_others(store: Store) -> None:
    teller, (first, *_) = _told(store)
    fork = teller.fork(50, merged=True)
    plain = teller.fork(50, name="plain")
    with teller.reading() as session:
        assert session.cover_rows(fork.id) == (first,)
        assert session.cover_of(fork.id, [SummaryId(n) for n in range(1, 5)]) == (first,)
        assert session.cover_rows(fork.id, Pos(15), Pos(30)) == (first,)
        assert session.cover_rows(fork.id, Pos(21), Pos(30)) == ()
        assert (session.cover(fork.id), session.cover(fork.id, STALE)) == ((), ())
        assert session.cover_history(fork.id) == {1}
        assert (session.cover_rows(plain.id), session.cover_history(plain.id)) == ((), frozenset())


def test_what_the_parent_does_later_changes_nothing_in_the_fork(store: Store) -> None:
    teller, (first, *_) = _told(store)
    fork = teller.fork(50, merged=True)
    with teller.op(kind=OpKind.UNWIND) as session:
        session.put_cover([replace(first, state=USED)])
    with teller.op(kind=OpKind.DELETE_SUMMARY) as session:
        session.drop_cover([first.summary_id])
    assert _rows(teller, fork.id) == {1: "merged"}
    later = teller.fork(50, merged=True)
    assert _rows(teller, later.id) == {}


def test_a_fork_opens_takes_away_and_restores_what_it_reads(store: Store) -> None:
    teller, (first, *_) = _told(store)
    fork = teller.fork(50, merged=True)
    with teller.op(fork.id, OpKind.UNWIND) as session:
        session.put_cover([replace(first, state=USED)])
        opened = session.conversation.rev
    assert _rows(teller, fork.id) == {1: "used"}
    assert _rows(teller, MAIN_BRANCH)[1] == "merged"
    teller.undo(opened, branch=fork.id)
    with teller.reading() as session:
        assert session.cover_rows(fork.id) == (first,)
    with teller.op(fork.id, OpKind.DELETE_SUMMARY) as session:
        session.drop_cover([first.summary_id, SummaryId(3)])
        dropped = session.conversation.rev
    assert _rows(teller, fork.id) == {}
    assert teller.branch(fork.id).cover_version == 3
    with teller.op(fork.id, OpKind.DELETE_SUMMARY) as session:
        session.drop_cover([first.summary_id])
    assert teller.branch(fork.id).cover_version == 3
    teller.undo(dropped, branch=fork.id)
    assert _rows(teller, fork.id) == {1: "merged"}


def test_a_fork_of_a_fork_reads_through_both(store: Store) -> None:
    teller, (first, *_) = _told(store)
    near = teller.fork(50, merged=True)
    far = teller.fork(40, parent=near.id, merged=True)
    cut = teller.fork(15, parent=near.id, merged=True)
    with teller.op(near.id, OpKind.DELETE_SUMMARY) as session:
        session.drop_cover([first.summary_id])
    blank = teller.fork(50, parent=near.id, merged=True)
    apart = teller.fork(50, name="apart")
    below = teller.fork(50, parent=apart.id, merged=True)
    assert _rows(teller, far.id) == {1: "merged"}
    assert _rows(teller, cut.id) == {}
    assert _rows(teller, blank.id) == {}
    assert _rows(teller, below.id) == {}


def test_rows_over_a_stretch_are_those_that_meet_it(store: Store) -> None:
    teller = Teller(store)
    with teller.op() as session:
        for _ in range(3):
            session.add_summary(summary_of())
        session.put_cover(
            [
                cover_row(SummaryId(1), 1, 9),
                cover_row(SummaryId(2), 10, 20),
                cover_row(SummaryId(3), 5, 30, state=STALE),
            ]
        )

        def over(state: CoverState, lo: int, hi: int) -> list[int]:
            rows = session.cover_over(MAIN_BRANCH, state, Pos(lo), Pos(hi))
            return [int(row.summary_id) for row in rows]

        assert over(USED, 1, 30) == [1, 2]
        assert over(USED, 9, 9) == [1]
        assert over(USED, 10, 10) == [2]
        assert over(USED, 21, 30) == []
        assert over(STALE, 30, 99) == [3]
        assert over(STALE, 1, 4) == []
