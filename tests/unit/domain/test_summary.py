import pytest

from foreword.domain.ids import Pos, SummaryId, TurnId
from foreword.domain.summary import CoverRow, CoverState, NewSummary, SourceTurn, Summary

TURN = SourceTurn(turn_id=TurnId(1), digest=bytes(16))


def summary(*, turns: tuple[SourceTurn, ...] = (), children: tuple[SummaryId, ...] = ()) -> Summary:
    return Summary(
        id=SummaryId(9),
        layer=0,
        depth=1,
        text="They crossed.",
        tokens=3,
        first_digest=bytes(16),
        n_turns=1,
        span_digest=bytes(16),
        maker="user",
        turns=turns,
        children=children,
    )


def row(first: int, last: int) -> CoverRow:
    return CoverRow(
        summary_id=SummaryId(1),
        state=CoverState.USED,
        layer=0,
        from_pos=Pos(first),
        to_pos=Pos(last),
        n_turns=1,
        src_tokens=1,
        tokens=1,
    )


def test_a_summary_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="turns or summaries as its sources"):
        summary()


def test_a_summary_that_was_rolled_on_has_one_to_continue_and_turns_after_it() -> None:
    rolled = summary(turns=(TURN,), children=(SummaryId(1),))
    assert (rolled.turns, rolled.children, rolled.replaced) == ((TURN,), (1,), 1)


def test_a_meta_summary_replaces_the_newest_it_merged() -> None:
    meta = summary(children=(SummaryId(1), SummaryId(4), SummaryId(3)))
    assert meta.replaced == 3
    assert isinstance(meta, NewSummary)


def test_a_summary_of_turns_replaces_none() -> None:
    assert summary(turns=(TURN,)).replaced is None


@pytest.mark.parametrize(
    ("first", "last", "meets"),
    [(1, 3, False), (1, 4, True), (5, 5, True), (1, 9, True), (6, 9, True), (7, 9, False)],
)
def test_a_row_meets_the_positions_it_shares_one_with(first: int, last: int, meets: bool) -> None:
    assert row(4, 6).overlaps(Pos(first), Pos(last)) is meets
