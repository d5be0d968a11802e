from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.planning.piles import (
    GAP,
    costs,
    entry,
    exchanges_of,
    numbers,
    parted_at,
    parted_stories,
    pile,
    stories,
)

from foreword.domain.ids import Pos, TurnId
from foreword.domain.turn import Entry, Role
from foreword.planning.pieces import (
    LONG_RUN,
    NOWHERE,
    Cut,
    Piece,
    exchange_ends,
    exchanges,
    first_piece,
    forced_piece,
    last_cut,
)


def cut_after(turns: Sequence[Entry], reserve: int) -> int:
    """Return the number of the turn after which the pile is cut, 0 for nowhere."""
    return last_cut(reversed(turns), reserve).pos // GAP


def groups(roles: str) -> list[str]:
    letters = iter(roles)
    return ["".join(next(letters) for _ in group) for group in exchanges(pile(roles))]


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ("", []),
        ("uaua", ["ua", "ua"]),
        ("aua", ["a", "ua"]),
        ("aauaaa", ["a", "a", "uaaa"]),
        ("saua", ["s", "a", "ua"]),
        ("uuaua", ["uua", "ua"]),
        ("usaua", ["usa", "ua"]),
        ("uatata", ["uatata"]),
        ("uasua", ["uas", "ua"]),
        ("uauu", ["ua", "uu"]),
        ("atata", ["at", "at", "a"]),
        ("uautua", ["uaut", "ua"]),
        ("uauatut", ["ua", "uatut"]),
        ("ututut", ["ut", "ut", "ut"]),
    ],
)
def test_a_user_turn_and_all_that_follows_it_stay_together(roles: str, expected: list[str]) -> None:
    assert groups(roles) == expected


def test_turns_without_any_user_stand_for_themselves() -> None:
    assert groups("a" * 20) == ["a"] * 20


def test_a_long_run_of_replies_may_be_cut_once_it_is_long() -> None:
    assert groups("u" + "a" * 11 + "ua") == ["u" + "a" * LONG_RUN, "a", "a", "a", "ua"]


def test_a_tool_result_stays_with_its_call_in_a_long_run() -> None:
    assert groups("u" + "at" * 6) == ["uatatatat", "at", "at"]


def test_user_turns_that_nobody_answers_may_be_cut() -> None:
    assert groups("u" * 11) == ["u", "u", "u", "u" * LONG_RUN]


def test_the_reserve_is_whole_turns() -> None:
    turns = costs("uauaua", [50, 60, 50, 60, 50, 60])
    assert [cut_after(turns, reserve) for reserve in (1, 110, 111, 220, 221, 330, 400)] == [
        4,
        4,
        2,
        2,
        0,
        0,
        0,
    ]


def test_a_cut_waits_for_the_end_of_an_exchange() -> None:
    turns = costs("uauaaa", [50, 60, 50, 10, 10, 10])
    assert last_cut(reversed(turns), 10) == Cut(pos=Pos(2 * GAP), kept=80, largest=TurnId(3))


def test_an_empty_pile_has_no_cut() -> None:
    assert last_cut([], 10) == Cut(pos=NOWHERE, kept=0, largest=None)


def test_the_newest_of_equally_large_turns_is_the_largest() -> None:
    assert last_cut(reversed(pile("ua")), 1000).largest == TurnId(2)


def test_a_hole_may_be_cut_where_the_covered_stretch_begins() -> None:
    hole, behind = pile("uau"), pile("aua", 10, start=8)
    cut = last_cut(reversed(hole + behind), 30, parted_at([hole, behind]))
    assert cut == Cut(pos=Pos(3 * GAP), kept=30, largest=TurnId(10))


def test_a_reserve_that_reaches_into_a_hole_keeps_its_newest_exchange() -> None:
    hole, behind = pile("uaua"), pile("ua", 10, start=8)
    cut = last_cut(reversed(hole + behind), 30, parted_at([hole, behind]))
    assert cut.pos == Pos(2 * GAP)


def test_long_runs_do_not_reach_across_a_covered_stretch() -> None:
    hole, behind = pile("aaa"), pile("aa", 10, start=8)
    cut = last_cut(reversed(hole + behind), 10, parted_at([hole, behind]))
    assert cut.pos == Pos(8 * GAP)


def test_summaries_before_the_whole_pile_part_nothing() -> None:
    turns = pile("uaua", start=20)
    assert last_cut(reversed(turns), 10, [Pos(50), Pos(100)]).pos == Pos(21 * GAP)


def test_a_piece_is_about_a_chunk() -> None:
    turns = pile("ua" * 20, 50)
    piece = first_piece([turns], cut=Pos(40 * GAP), chunk=430)
    assert piece is not None
    assert (numbers(piece.entries), piece.tokens) == ([1, 2, 3, 4, 5, 6, 7, 8], 400)


def test_a_rest_under_half_a_chunk_joins_the_piece() -> None:
    turns = pile("ua" * 6, 50)
    piece = first_piece([turns], cut=turns[-1].pos, chunk=420)
    assert piece is not None
    assert piece.entries == turns


def test_a_rest_of_half_a_chunk_is_left_for_the_next_piece() -> None:
    turns = pile("ua" * 6, 50)
    piece = first_piece([turns], cut=turns[-1].pos, chunk=400)
    assert piece is not None
    assert numbers(piece.entries) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_a_small_opening_is_not_a_piece_of_its_own() -> None:
    turns = costs("auaua", [10, 400, 500, 200, 200])
    piece = first_piece([turns], cut=turns[-1].pos, chunk=400)
    assert piece is not None
    assert numbers(piece.entries) == [1, 2, 3]


def test_holes_come_first_and_stand_alone() -> None:
    hole, behind = pile("ua", 20), pile("ua" * 10, start=8)
    piece = first_piece([[], hole, behind], cut=behind[-1].pos, chunk=400)
    assert piece is not None
    assert piece.entries == hole


def test_nothing_is_taken_beyond_the_cut() -> None:
    assert first_piece([pile("uaua")], cut=NOWHERE, chunk=200) is None


def test_a_long_stretch_is_read_no_further_than_a_piece_and_a_half() -> None:
    read: list[int] = []

    def endless() -> Iterator[Entry]:
        for number in range(1, 100_000):
            read.append(number)
            yield entry(number, Role.USER if number % 2 else Role.ASSISTANT)

    piece = first_piece([endless()], cut=Pos(10**9), chunk=1000)
    assert piece is not None
    assert len(piece.entries) == 10
    assert len(read) < 10 + 5 + LONG_RUN + 4


def test_forcing_takes_a_hole_and_leaves_what_follows() -> None:
    hole, behind = pile("ua", 20), pile("ua", 20, start=8)
    piece = forced_piece([hole, behind], chunk=400)
    assert piece == Piece(entries=hole)


def test_forcing_leaves_the_newest_exchange_even_in_a_hole() -> None:
    hole = pile("uaua", 20)
    piece = forced_piece([hole, []], chunk=400)
    assert piece is not None
    assert numbers(piece.entries) == [1, 2]


@pytest.mark.parametrize("roles", ["", "ua", "uaaa"])
def test_forcing_takes_nothing_of_a_single_exchange(roles: str) -> None:
    assert forced_piece([pile(roles)], chunk=400) is None


def test_an_edge_of_a_stretch_ends_an_exchange() -> None:
    assert exchange_ends([], [Role.ASSISTANT])
    assert exchange_ends([Role.USER], [])


@given(stories())
def test_exchanges_are_those_a_reader_would_see(turns: tuple[Entry, ...]) -> None:
    plain = exchanges_of(turns)
    opening = [] if not plain or plain[0][0].role is Role.USER else plain.pop(0)
    found = [list(group) for group in exchanges(turns)]
    opened = [group for group in found if group[0] in opening]
    assert [turn for group in opened for turn in group] == opening
    assert found[len(opened) :] == plain


letter_runs = st.tuples(st.sampled_from("uast"), st.integers(1, 12)).map(
    lambda run: run[0] * run[1]
)
roles = st.one_of(st.text("uast", max_size=40), st.lists(letter_runs, max_size=6).map("".join))


@given(roles, st.integers(1, 2000))
def test_reading_from_either_end_finds_the_same_cuts(letters: str, reserve: int) -> None:
    turns = pile(letters)
    ends = [group[-1] for group in exchanges(turns)][:-1]
    allowed = [
        end.pos for end in ends if len([t for t in turns if t.pos > end.pos]) * 100 >= reserve
    ]
    assert last_cut(reversed(turns), reserve).pos == max(allowed, default=NOWHERE)


@given(roles, st.integers(1, 2000), st.integers(200, 1500))
def test_taking_a_piece_moves_no_other_cut(letters: str, reserve: int, chunk: int) -> None:
    turns = pile(letters)
    cut = last_cut(reversed(turns), reserve)
    piece = first_piece([turns], cut=cut.pos, chunk=chunk)
    rest = turns[len(piece.entries) if piece else 0 :]
    again = last_cut(reversed(rest), reserve)
    assert again.pos == (NOWHERE if piece is None or piece.to_pos == cut.pos else cut.pos)


@given(parted_stories(), st.integers(1, 3000), st.integers(200, 3000))
def test_a_piece_has_half_a_chunk_unless_its_stretch_is_smaller(
    stretches: tuple[tuple[Entry, ...], ...], reserve: int, chunk: int
) -> None:
    everything = [turn for stretch in stretches for turn in stretch]
    cut = last_cut(reversed(everything), reserve, parted_at(stretches))
    piece = first_piece(stretches, cut=cut.pos, chunk=chunk)
    if piece is not None:
        at = next(stretch for stretch in stretches if stretch)
        within = [turn for turn in at if turn.pos <= cut.pos]
        assert 2 * piece.tokens >= chunk or list(piece.entries) == within
