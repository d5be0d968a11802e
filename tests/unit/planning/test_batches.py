from collections.abc import Iterator
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.planning.piles import ROLES, costs, entry, exchanges_of, numbers, pile

from foreword.domain.ids import Pos
from foreword.domain.turn import Entry, Role
from foreword.planning.batches import batches, first_batch
from foreword.planning.budgets import Budgets

FAR = Pos(10**6)


def sizes(target: int = 16_000, cap: int = 24_000) -> Budgets:
    return Budgets(
        verbatim=1,
        queue=1,
        memory=1,
        summary_target=1,
        batch_target=target,
        batch_cap=cap,
    )


def cut_sizes(tokens: int, exchange: int, budgets: Budgets) -> list[int]:
    """Cut so many tokens of equal exchanges, and return the sizes of the batches."""
    turns = pile("ua" * (tokens // exchange), exchange // 2)
    return [piece.tokens for piece in batches([turns], cut=FAR, budgets=budgets)]


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        (2_000, [2_000]),
        (16_000, [16_000]),
        (18_400, [18_400]),
        (18_600, [9_200, 9_400]),
        (32_000, [16_000, 16_000]),
        (40_000, [13_400, 13_200, 13_400]),
    ],
)
def test_a_total_is_cut_into_even_batches_of_about_the_target(
    tokens: int, expected: list[int]
) -> None:
    assert cut_sizes(tokens, 200, sizes()) == expected


def test_a_batch_ends_where_it_is_nearest_to_the_even_size() -> None:
    turns = costs("uauaua", [400, 400, 300, 300, 700, 700])
    found = batches([turns], cut=FAR, budgets=sizes(1_500, 2_000))
    # Of 2,800 tokens, 1,400 each: the second exchange ends just there.
    assert [numbers(piece.entries) for piece in found] == [[1, 2, 3, 4], [5, 6]]


def test_a_batch_never_passes_the_cap_by_more_than_its_tolerance() -> None:
    turns = costs("uauaua", [100, 100, 100, 100, 900, 900])
    found = batches([turns], cut=FAR, budgets=sizes(1_000, 1_000))
    assert [piece.tokens for piece in found] == [400, 1800]


def test_an_exchange_larger_than_the_cap_is_one_batch() -> None:
    turns = costs("uaua", [3_000, 3_000, 100, 100])
    found = batches([turns], cut=FAR, budgets=sizes(1_000, 1_000))
    assert [piece.tokens for piece in found] == [6_000, 200]


def test_no_batch_parts_a_call_from_its_result() -> None:
    turns = costs("uatatauata", [400] * 10)
    found = batches([turns], cut=FAR, budgets=sizes(500, 500))
    assert [numbers(piece.entries) for piece in found] == [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10]]


def test_no_batch_parts_a_call_from_a_late_result() -> None:
    turns = costs("uautuaua", [400] * 8)
    found = batches([turns], cut=FAR, budgets=sizes(500, 500))
    assert [numbers(piece.entries) for piece in found] == [[1, 2, 3, 4], [5, 6], [7, 8]]


def test_no_batch_spans_a_gap() -> None:
    stretches = [pile("ua", 100), pile("uaua", 100, start=9)]
    found = batches(stretches, cut=FAR, budgets=sizes())
    assert [numbers(piece.entries) for piece in found] == [[1, 2], [9, 10, 11, 12]]


def test_nothing_behind_the_cut_is_taken() -> None:
    turns = pile("uauaua", 100)
    (piece,) = batches([turns], cut=turns[3].pos, budgets=sizes())
    assert numbers(piece.entries) == [1, 2, 3, 4]
    assert batches([turns], cut=Pos(0), budgets=sizes()) == ()


def test_the_first_batch_reads_no_further_than_it_needs() -> None:
    read = 0

    def turns() -> Iterator[Entry]:
        nonlocal read
        for number in range(1, 100_000):
            read += 1
            yield entry(number, ROLES["au"[number % 2]], 200)

    piece = first_batch([turns()], cut=FAR, total=19_999_800, budgets=sizes(2_000, 3_000))
    assert piece is not None
    assert piece.tokens == 2_000
    assert read < 30


def test_there_is_no_first_batch_of_nothing() -> None:
    assert first_batch([], cut=FAR, total=0, budgets=sizes()) is None
    assert first_batch([pile("ua")], cut=Pos(0), total=200, budgets=sizes()) is None


@given(
    tokens=st.lists(st.integers(5, 3_000), min_size=1, max_size=40),
    target=st.integers(200, 8_000),
    more=st.integers(0, 8_000),
    kept=st.integers(0, 10),
)
def test_batches_are_exactly_the_turns_up_to_the_cut(
    tokens: list[int], target: int, more: int, kept: int
) -> None:
    turns = costs("".join("ua"[n % 2] for n in range(len(tokens))), tokens)
    budgets = sizes(target, target + more)
    up_to = turns[: max(0, len(turns) - kept)]
    cut = up_to[-1].pos if up_to else Pos(0)
    found = batches([turns], cut=cut, budgets=budgets)
    assert tuple(chain.from_iterable(piece.entries for piece in found)) == up_to
    groups = exchanges_of(up_to)
    ends = {group[-1].turn_id for group in groups}
    assert all(piece.entries[-1].turn_id in ends for piece in found)
    largest = max((sum(turn.cost for turn in group) for group in groups), default=0)
    most = -(-budgets.batch_cap * 115 // 100)
    assert all(piece.tokens <= max(most, largest) for piece in found)
    assert all(piece.entries[0].role is Role.USER for piece in found[1:])
