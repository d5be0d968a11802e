"""Pins, alternatives, summaries and cover rows, and what a revision touched and restores."""

# ruff: noqa: D103 - the name of a check says what it checks

from __future__ import annotations

from dataclasses import replace

from foreword.domain.ids import MAIN_BRANCH, Pos, Rev, SummaryId, TurnId
from foreword.domain.ops import Op, OpKind, RowKey, RowKind
from foreword.domain.specific_kinds import SpecificKind
from foreword.domain.summary import CoverState, SourceTurn
from foreword.domain.survival import Detail, Survival
from foreword.domain.turn import Alternative
from foreword.ports.store import Store
from foreword.testing.store_contract.teller import (
    AT,
    Teller,
    content_of,
    cover_row,
    summary_of,
    version_of,
)

KEPT = Survival(
    had=3,
    kept=1,
    share=0.25,
    since_originals=0.125,
    details=(
        Detail(
            kind=SpecificKind.NAME,
            text="\N{LATIN SMALL LETTER O WITH STROKE}la",
            weight=2.5,
            kept=False,
        ),
        Detail(kind=SpecificKind.NUMBER, text="eleven", weight=1.0, kept=True),
    ),
)


def test_pins_are_the_entries_of_pinned_turns_in_story_order(store: Store) -> None:
    teller = Teller(store)
    one, two, three = teller.say("one", "two", "three")
    with teller.op(kind=OpKind.PIN) as session:
        session.put_pins([three.turn_id, one.turn_id, two.turn_id, one.turn_id, TurnId(99)])
    teller.drop(two)
    with teller.op(kind=OpKind.UNPIN) as session:
        session.drop_pins([TurnId(98)])
    with teller.reading() as session:
        assert session.pins(MAIN_BRANCH) == (one, three)
    with teller.op(kind=OpKind.UNPIN) as session:
        session.drop_pins([one.turn_id])
    with teller.reading() as session:
        assert session.pins(MAIN_BRANCH) == (three,)


def test_summaries_are_read_as_they_were_stored(store: Store) -> None:
    teller = Teller(store)
    sources = tuple(SourceTurn(turn_id=TurnId(n), digest=bytes([n])) for n in (3, 1, 2))
    with teller.op() as session:
        first = session.add_summary(replace(summary_of("first"), turns=sources))
        second = session.add_summary(replace(summary_of("second"), context_digest=b"other"))
        meta = session.add_summary(summary_of("meta", children=[second.id, first.id]))
        edited = session.add_summary(
            replace(summary_of("edited"), edited_from=meta.id, reasoning="because")
        )
        rolled = session.add_summary(
            replace(
                summary_of("rolled", children=[edited.id]),
                turns=sources,
                scene_time="Third night of the \N{GREEK SMALL LETTER ALPHA} tide",
                survival=KEPT,
            )
        )
    assert [summary.id for summary in (first, second, meta, edited, rolled)] == [*range(1, 6)]
    assert (first.turns, meta.children, meta.replaced) == (sources, (2, 1), 1)
    with teller.reading() as session:
        stored = session.summaries([SummaryId(n) for n in (1, 2, 3, 4, 5, 99)])
        assert stored == {1: first, 2: second, 3: meta, 4: edited, 5: rolled}
        assert session.summaries([]) == {}
        assert session.summary_texts([]) == {}
        texts = session.summary_texts([meta.id, first.id, SummaryId(99)])
        assert texts == {meta.id: "meta", first.id: "first"}
        times = session.scene_times([first.id, rolled.id, SummaryId(99)])
        assert times == {rolled.id: rolled.scene_time}
        assert session.scene_times([]) == {}


def test_summaries_are_found_by_the_words_they_stand_for(store: Store) -> None:
    teller, other = Teller(store), Teller(store, "other")
    with teller.op() as session:
        first = session.add_summary(summary_of("first"))
        session.add_summary(replace(summary_of("longer"), n_turns=2))
        session.add_summary(replace(summary_of("differs inside"), span_digest=b"differs"))
        fourth = session.add_summary(summary_of("same words"))
    with other.op() as session:
        session.add_summary(summary_of("of another conversation"))
    with teller.reading() as session:
        assert session.summaries_of_span(b"first", 1, b"span") == (first, fourth)
        assert session.summaries_of_span(b"first", 3, b"span") == ()


def test_cover_rows_are_listed_by_state_and_by_span(store: Store) -> None:
    teller = Teller(store)
    with teller.op() as session:
        for _ in range(4):
            session.add_summary(summary_of())
        rows = [
            cover_row(SummaryId(1), 10, 20, state=CoverState.MERGED),
            cover_row(SummaryId(2), 10, 40, layer=1),
            cover_row(SummaryId(3), 50, 60),
            cover_row(SummaryId(4), 55, 90, state=CoverState.STALE),
        ]
        rev = session.conversation.rev
        session.put_cover(reversed(rows))
    child, meta, next_one, stale = (replace(row, since=rev) for row in rows)
    with teller.reading() as session:
        assert session.cover(MAIN_BRANCH) == (meta, next_one)
        assert session.cover(MAIN_BRANCH, CoverState.STALE) == (stale,)
        assert session.cover_rows(MAIN_BRANCH) == (meta, child, next_one, stale)
        assert session.cover_rows(MAIN_BRANCH, Pos(20), Pos(50)) == (meta, child, next_one)
        assert session.cover_rows(MAIN_BRANCH, Pos(21), Pos(49)) == (meta,)
        assert session.cover_rows(MAIN_BRANCH, Pos(41), Pos(49)) == ()
        assert session.cover_rows(MAIN_BRANCH, lo=Pos(60)) == (next_one, stale)
        assert session.cover_rows(MAIN_BRANCH, hi=Pos(10)) == (meta, child)


def test_the_cover_version_counts_ops_that_changed_the_cover(store: Store) -> None:
    teller = Teller(store)
    with teller.op() as session:
        first, second = (session.add_summary(summary_of()).id for _ in range(2))
        session.put_cover([cover_row(first, 1, 2)])
        session.put_cover([cover_row(second, 3, 4)])
    assert teller.branch().cover_version == 1
    with teller.op() as session:
        session.put_cover([])
        session.drop_cover([SummaryId(99)])
    assert teller.branch().cover_version == 1
    with teller.op() as session:
        session.drop_cover([first])
        dropped = session.conversation.rev
    with teller.reading() as session:
        assert [row.summary_id for row in session.cover(MAIN_BRANCH)] == [second]
        assert session.cover_history(MAIN_BRANCH) == {first, second}
        rows = session.cover_rows(MAIN_BRANCH)
        for row in rows:
            assert session.cover_of(MAIN_BRANCH, [row.summary_id]) == (row,)
        asked = [SummaryId(999), *(row.summary_id for row in reversed(rows))]
        assert session.cover_of(MAIN_BRANCH, asked) == rows
        assert session.cover_of(MAIN_BRANCH, []) == ()
    assert teller.branch().cover_version == 2
    teller.undo(dropped)
    assert teller.branch().cover_version == 3


def test_a_restored_cover_row_is_as_before_but_since_now(store: Store) -> None:
    teller = Teller(store)
    with teller.op() as session:
        summary = session.add_summary(summary_of()).id
        session.put_cover([cover_row(summary, 1, 9)])
    with teller.op() as session:
        session.put_cover([cover_row(summary, 1, 9, state=CoverState.STALE)])
        stale = session.conversation.rev
    teller.undo(stale)
    with teller.reading() as session:
        expected = replace(cover_row(summary, 1, 9), since=teller.rev())
        assert session.cover_rows(MAIN_BRANCH) == (expected,)


def test_an_op_touched_exactly_the_rows_that_it_wrote(store: Store) -> None:
    teller = Teller(store)
    one, two = teller.say("one", "two")
    with teller.op() as session:
        rev = session.conversation.rev
        (version,) = session.add_versions([version_of(one.turn_id, content_of("swipe"), alt_no=2)])
        summary = session.add_summary(summary_of()).id
        session.put_entries([one])
        session.put_pins([two.turn_id])
        session.put_alternatives(
            [Alternative(turn_id=one.turn_id, alt_no=2, version_id=version.id)]
        )
        session.put_cover([cover_row(summary, one.pos, two.pos)])
        session.drop_entries([two.pos])
        expected = {
            RowKey(RowKind.ENTRY, one.pos),
            RowKey(RowKind.ENTRY, two.pos),
            RowKey(RowKind.PIN, two.turn_id),
            RowKey(RowKind.ALTERNATIVE, one.turn_id, 2),
            RowKey(RowKind.COVER, summary),
        }
        assert session.touched(MAIN_BRANCH, rev) == expected
    with teller.reading() as session:
        assert session.touched(MAIN_BRANCH, rev) == expected
        assert session.touched(MAIN_BRANCH, Rev(99)) == frozenset()
    teller.undo(rev)
    assert teller.texts() == ["one", "two"]
    with teller.reading() as session:
        assert session.touched(MAIN_BRANCH, teller.rev()) == expected
        assert (session.pins(MAIN_BRANCH), session.cover_rows(MAIN_BRANCH)) == ((), ())
        assert session.alternatives(MAIN_BRANCH, [one.turn_id]) == {}


def test_what_an_op_wrote_and_took_away_again_is_not_touched(store: Store) -> None:
    teller = Teller(store)
    (one,) = teller.say("one")
    with teller.op() as session:
        session.put_pins([one.turn_id])
        session.drop_pins([one.turn_id])
        assert session.touched(MAIN_BRANCH, session.conversation.rev) == frozenset()


def test_undo_and_undo_of_the_undo_can_be_repeated(store: Store) -> None:
    teller = Teller(store)
    (one,) = teller.say("one")
    teller.edit(one, "edited")
    for expected in ("one", "edited", "one", "edited"):
        teller.undo(teller.rev())
        assert teller.texts() == [expected]
    teller.undo(Rev(1))
    assert teller.texts() == []
    teller.undo(teller.rev())
    assert teller.texts() == ["edited"]


def test_the_journal_is_read_newest_first_by_branch_and_actor(store: Store) -> None:
    teller = Teller(store)
    teller.say("one")
    fork = teller.fork(0)
    with store.write(teller.account, teller.id) as session:
        session.begin(MAIN_BRANCH, OpKind.UNDO, actor="repair", at=AT, group=Rev(1), undoes=Rev(1))
    undo = Op(
        rev=Rev(3),
        group=Rev(1),
        branch_id=MAIN_BRANCH,
        actor="repair",
        kind=OpKind.UNDO,
        at=AT,
        undoes=Rev(1),
    )
    with teller.reading() as session:
        newest = list(session.ops())
        assert newest[0] == undo
        assert [(op.rev, op.group, op.branch_id) for op in newest] == [
            (3, 1, MAIN_BRANCH),
            (2, 2, fork.id),
            (1, 1, MAIN_BRANCH),
        ]
        assert [op.rev for op in session.ops(MAIN_BRANCH)] == [3, 1]
        assert [op.rev for op in session.ops(actor="user")] == [2, 1]
        assert [op.rev for op in session.ops(MAIN_BRANCH, actor="user")] == [1]
        assert list(session.ops(actor="nobody")) == []


def test_a_long_journal_is_read_to_its_end(store: Store) -> None:
    teller = Teller(store)
    with store.write(teller.account, teller.id) as session:
        for _ in range(120):
            session.begin(MAIN_BRANCH, OpKind.EDIT, actor="user", at=AT)
    with teller.reading() as session:
        assert [op.rev for op in session.ops()] == list(range(120, 0, -1))
