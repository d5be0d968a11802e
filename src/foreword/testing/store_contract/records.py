"""Kept prompts: whole, one beside the other, and gone without a trace once they are forgotten."""

# ruff: noqa: D103 - the name of a check says what it checks

from __future__ import annotations

from dataclasses import fields, replace

from foreword.domain.ids import MAIN_BRANCH, BranchId, PlanId, Rev, SummaryId, VersionId
from foreword.domain.turn import Role
from foreword.planning.coverage import Coverage, Dropped, Section, SectionName
from foreword.planning.records import (
    KeptMessage,
    NewRecord,
    PlainText,
    Record,
    SummaryText,
    TurnText,
)
from foreword.ports.store import Store
from foreword.testing.store_contract.teller import AT, Teller


def record_of(*texts: str, branch: BranchId = MAIN_BRANCH, turn: int = 1) -> NewRecord:
    """Return a prompt with these texts of its own around a summary, and one turn."""
    pieces = [PlainText(text) for text in texts]
    return NewRecord(
        branch=branch,
        rev=Rev(1),
        cover_version=2,
        at=AT,
        messages=(
            KeptMessage(
                role=Role.SYSTEM,
                section=SectionName.SYSTEM,
                pieces=(*pieces, SummaryText(SummaryId(1)), *pieces[:1]),
            ),
            KeptMessage(
                role=Role.USER,
                section=SectionName.VERBATIM,
                pieces=(TurnText(VersionId(turn)),),
            ),
        ),
        sections=(
            Section(name=SectionName.SYSTEM, tokens=9),
            Section(name=SectionName.VERBATIM, tokens=5, turns=1),
        ),
        coverage=Coverage(verbatim=1, covered=2, masked=3, hidden=4, dropped=5, turns=15),
        dropped=Dropped(turns=5, tokens=50),
        limit=100,
        context=200,
        reply=20,
        prefix_digest=b"d" * 16,
    )


def kept(new: NewRecord, number: int, *replies: VersionId) -> Record:
    """Return what a prompt is once it is kept."""
    given = {entry.name: getattr(new, entry.name) for entry in fields(NewRecord)}
    return Record(id=PlanId(number), replies=replies, **given)


def test_a_kept_prompt_is_found_as_it_was(store: Store) -> None:
    teller = Teller(store)
    teller.say("one")
    new = record_of("Öra {", "}", "")
    with teller.writing() as session:
        number = session.add_record(new)
        assert session.records([number]) == (kept(new, 1),)
    with teller.reading() as session:
        assert session.records([number, PlanId(7)]) == (kept(new, 1),)
        assert session.records([]) == ()


def test_prompts_of_a_branch_are_told_newest_first(store: Store) -> None:
    teller = Teller(store)
    teller.say("one")
    fork = teller.fork(1)
    with teller.writing() as session:
        for branch in (MAIN_BRANCH, fork.id, MAIN_BRANCH):
            session.add_record(record_of("a", branch=branch))
    with teller.reading() as session:
        assert session.record_ids(MAIN_BRANCH) == (3, 1)
        assert session.record_ids(fork.id) == (2,)
        assert session.record_ids(MAIN_BRANCH, limit=1) == (3,)
        assert [one.branch for one in session.records([PlanId(3), PlanId(2)])] == [fork.id, 1]


def test_a_prompt_is_no_op_and_changes_nothing_else(store: Store) -> None:
    teller = Teller(store)
    teller.say("one")
    with teller.reading() as session:
        before = (session.conversation, session.branches(), tuple(session.ops()))
    with teller.writing() as session:
        session.add_record(record_of("a"))
    with teller.reading() as session:
        assert (session.conversation, session.branches(), tuple(session.ops())) == before


def test_a_reply_knows_the_prompt_that_it_was_written_from(store: Store) -> None:
    teller = Teller(store)
    one, two = (entry.version_id for entry in teller.say("one", "two"))
    new = record_of("a")
    with teller.writing() as session:
        first, second = session.add_record(new), session.add_record(new)
        session.link_reply(second, two)
        session.link_reply(second, one)
        session.link_reply(PlanId(9), two)
    with teller.reading() as session:
        assert session.records([first, second]) == (kept(new, 1), kept(new, 2, one, two))
        assert session.record_of_reply(two) == second
        assert session.record_of_reply(VersionId(9)) is None
    with teller.writing() as session:
        session.link_reply(first, two)
    with teller.reading() as session:
        assert session.records([first, second]) == (kept(new, 1, two), kept(new, 2, one))


def test_prompts_without_a_reply_are_told_but_for_the_newest(store: Store) -> None:
    teller = Teller(store)
    one, two = (entry.version_id for entry in teller.say("one", "two"))
    fork = teller.fork(1)
    with teller.writing() as session:
        for branch in (*[MAIN_BRANCH] * 5, fork.id):
            session.add_record(record_of("a", branch=branch))
        session.link_reply(PlanId(2), one)
        session.link_reply(PlanId(5), two)
    with teller.reading() as session:
        assert session.unanswered_records(MAIN_BRANCH, skip=0) == (4, 3, 1)
        assert session.unanswered_records(MAIN_BRANCH, skip=2) == (1,)
        assert session.unanswered_records(MAIN_BRANCH, skip=9) == ()
        assert session.unanswered_records(fork.id, skip=0) == (6,)


def test_prompts_that_are_forgotten_leave_the_texts_of_others(store: Store) -> None:
    teller, other = Teller(store), Teller(store, "other")
    (one,) = (entry.version_id for entry in teller.say("one"))
    other.say("one")
    shared, alone = record_of("a", "b"), record_of("a", "c")
    with other.writing() as session:
        session.add_record(shared)
    with teller.writing() as session:
        for new in (shared, alone, shared):
            session.add_record(new)
        session.link_reply(PlanId(1), one)
        session.drop_records([PlanId(1), PlanId(2), PlanId(8)])
        assert session.record_ids(MAIN_BRANCH) == (3,)
    with teller.reading() as session:
        assert session.records([PlanId(1), PlanId(2), PlanId(3)]) == (kept(shared, 3),)
        assert session.record_of_reply(one) is None
    with teller.writing() as session:
        session.drop_records([PlanId(3)])
        session.drop_records([])
        assert session.record_ids(MAIN_BRANCH) == ()
        assert session.add_record(replace(alone, rev=Rev(2))) == 1
        assert session.records([PlanId(1)]) == (kept(replace(alone, rev=Rev(2)), 1),)
    with other.reading() as session:
        assert session.records([PlanId(1)]) == (kept(shared, 1),)


def test_texts_that_no_database_keeps_are_replaced(store: Store) -> None:
    teller = Teller(store)
    teller.say("one")
    with teller.writing() as session:
        session.add_record(record_of("a\x00b", "\ud800"))
    with teller.reading() as session:
        (found,) = session.records([PlanId(1)])
    assert found.texts == ("a\ufffdb", "\ufffd", "a\ufffdb")
