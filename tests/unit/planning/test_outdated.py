from dataclasses import replace

from tests.unit.planning.piles import cover

from foreword.domain.ids import Rev, SummaryId, TurnId
from foreword.domain.summary import CoverRow, CoverState
from foreword.planning.outdated import Outdated, outdated


def stale(number: int, first: int, last: int, *, since: int = 5) -> CoverRow:
    return replace(cover(number, first, last), state=CoverState.STALE, since=Rev(since))


def last_turns(*pairs: tuple[int, int]) -> dict[SummaryId, TurnId]:
    return {SummaryId(summary): TurnId(turn) for summary, turn in pairs}


def test_the_question_names_the_turns_that_the_summaries_belong_to() -> None:
    found = outdated(
        [stale(1, 1, 4), cover(2, 5, 8), stale(3, 9, 12)],
        last_turns((1, 4), (2, 8), (3, 12)),
        acknowledged=Rev(4),
    )
    assert found == Outdated(
        summary_ids=(SummaryId(1), SummaryId(3)), turn_ids=(TurnId(4), TurnId(12))
    )
    assert found.question == (
        "Invalidated summaries for messages with IDs: [4, 12]. "
        "Continue generation without those summaries?"
    )


def test_a_turn_of_two_outdated_summaries_is_named_once() -> None:
    found = outdated(
        [stale(3, 1, 8), stale(2, 5, 8)], last_turns((2, 8), (3, 8)), acknowledged=Rev(0)
    )
    assert found is not None
    assert (found.summary_ids, found.turn_ids) == ((3, 2), (8,))


def test_what_was_acknowledged_is_not_asked_again() -> None:
    assert outdated([stale(1, 1, 4)], last_turns((1, 4)), acknowledged=Rev(5)) is None


def test_what_another_summary_stands_for_again_is_not_asked() -> None:
    rows = [stale(1, 1, 4), cover(2, 1, 4)]
    assert outdated(rows, last_turns((1, 4), (2, 4)), acknowledged=Rev(0)) is None


def test_an_unwound_meta_summary_is_asked_about_through_its_part() -> None:
    rows = [stale(9, 1, 8), cover(1, 1, 4), stale(2, 5, 8)]
    found = outdated(rows, last_turns((9, 8), (1, 4), (2, 8)), acknowledged=Rev(0))
    assert found == Outdated(summary_ids=(SummaryId(2),), turn_ids=(TurnId(8),))


def test_merged_summaries_are_never_asked_about() -> None:
    merged = replace(cover(1, 1, 4), state=CoverState.MERGED, since=Rev(9))
    assert outdated([merged], last_turns((1, 4)), acknowledged=Rev(0)) is None
