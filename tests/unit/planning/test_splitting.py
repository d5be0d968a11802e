from collections.abc import Sequence
from itertools import chain, combinations, pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.unit.planning.piles import costs, numbers, pile, stories

from foreword.domain.turn import Entry, Role
from foreword.planning.pieces import exchanges
from foreword.planning.splitting import newest_that_fit, split_rows, split_span

rows = st.lists(st.integers(0, 30), min_size=2, max_size=8)


def size(entries: Sequence[Entry]) -> int:
    return sum(entry.cost for entry in entries)


def shown(portions: Sequence[Sequence[Entry]]) -> list[list[int]]:
    return [numbers(portion) for portion in portions]


def fewest(tokens: Sequence[int], room: int, least: int) -> int | None:
    """Try every way to cut neighbours, and return the smallest number of parts that all fit."""
    inner = range(1, len(tokens))
    for parts in range(1, len(tokens) + 1):
        for cuts in combinations(inner, parts - 1):
            ranges = list(pairwise((0, *cuts, len(tokens))))
            if all(hi - lo >= least and sum(tokens[lo:hi]) <= room for lo, hi in ranges):
                return parts
    return None


@pytest.mark.parametrize(
    ("roles", "room", "portions"),
    [
        ("", 100, []),
        ("uaua", 400, [[1, 2, 3, 4]]),
        ("uaua", 399, [[1, 2], [3, 4]]),
        ("uauaua", 500, [[1, 2], [3, 4, 5, 6]]),
        ("uauauaua", 700, [[1, 2, 3, 4], [5, 6, 7, 8]]),
        ("uauauauauauaua", 600, [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12, 13, 14]]),
        ("uaaau", 400, [[1, 2, 3, 4], [5]]),
        ("uaaau", 300, [[1, 2], [3, 4, 5]]),
        ("uaaa", 200, [[1, 2], [3, 4]]),
        ("uatata", 200, [[1], [2, 3], [4, 5], [6]]),
        ("uatata", 100, [[1], [2], [3], [4], [5], [6]]),
        ("uattua", 300, [[1], [2, 3, 4], [5, 6]]),
        ("tua", 200, [[1], [2, 3]]),
    ],
)
def test_a_span_is_cut_where_exchanges_end_into_parts_of_about_the_same_size(
    roles: str, room: int, portions: list[list[int]]
) -> None:
    assert shown(split_span(pile(roles), room)) == portions


def test_an_exchange_that_fits_is_not_cut_beside_one_that_does_not() -> None:
    entries = costs("uauaua", [100, 100, 300, 300, 100, 100])
    assert shown(split_span(entries, 400)) == [[1, 2], [3], [4], [5, 6]]


@pytest.mark.parametrize("room", [299, 0, -5])
def test_a_turn_that_does_not_fit_alone_cannot_be_split(room: int) -> None:
    with pytest.raises(ValueError, match="a single turn does not fit"):
        split_span(costs("ua", [10, 300]), room)


@given(stories(), st.integers(1, 20_000))
def test_portions_fit_and_are_the_span_in_its_order(entries: Sequence[Entry], room: int) -> None:
    assume(all(entry.cost <= room for entry in entries))
    portions = split_span(entries, room)
    assert tuple(chain.from_iterable(portions)) == tuple(entries)
    assert all(portion and size(portion) <= room for portion in portions)


@given(stories(), st.integers(1, 20_000))
def test_a_portion_ends_inside_an_exchange_only_where_that_does_not_fit(
    entries: Sequence[Entry], room: int
) -> None:
    assume(all(entry.cost <= room for entry in entries))
    ends = {portion[-1] for portion in split_span(entries, room)}
    for group in exchanges(entries):
        if size(group) <= room:
            assert ends.isdisjoint(group[:-1])


@given(
    st.lists(st.tuples(st.integers(4, 60), st.integers(4, 60)), min_size=1, max_size=8), st.data()
)
def test_the_result_of_a_tool_stays_with_its_call_where_that_fits(
    calls: Sequence[tuple[int, int]], data: st.DataObject
) -> None:
    entries = costs("u" + "at" * len(calls), [4, *chain.from_iterable(calls)])
    room = data.draw(st.integers(max(map(sum, calls)), 200))
    for portion in split_span(entries, room):
        assert portion[0].role is not Role.TOOL


@given(
    st.lists(st.integers(4, 30), min_size=1, max_size=9),
    st.integers(30, 120),
)
def test_no_other_cut_between_exchanges_needs_fewer_portions(
    tokens: Sequence[int], room: int
) -> None:
    entries = costs("ua" * len(tokens), list(chain.from_iterable((4, one) for one in tokens)))
    assume(all(4 + one <= room for one in tokens))
    assert len(split_span(entries, room)) == fewest([4 + one for one in tokens], room, 1)


@given(st.integers(1, 60), st.integers(1, 12))
def test_equal_exchanges_are_shared_out_evenly(count: int, fits: int) -> None:
    portions = split_span(pile("ua" * count), 200 * fits)
    counts = [len(portion) // 2 for portion in portions]
    assert len(portions) == -(-count // fits)
    assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize(
    ("tokens", "room", "ranges"),
    [
        ((10, 10), 20, ((0, 2),)),
        ((10, 10, 10), 30, ((0, 3),)),
        ((10, 10, 10, 10), 30, ((0, 2), (2, 4))),
        ((10, 10, 10, 10, 10), 40, ((0, 2), (2, 5))),
        ((5, 6, 3, 9, 2, 8), 18, ((0, 2), (2, 4), (4, 6))),
        ((1, 1, 1, 8, 5, 2), 10, ((0, 2), (2, 4), (4, 6))),
    ],
)
def test_summaries_are_shared_out_in_ranges_of_two_or_more(
    tokens: Sequence[int], room: int, ranges: tuple[tuple[int, int], ...]
) -> None:
    assert split_rows(tokens, room) == ranges


@pytest.mark.parametrize(
    ("tokens", "room"), [((), 9), ((5,), 9), ((5, 5), 9), ((5, 4, 9), 9), ((9, 1, 1, 9), 9)]
)
def test_summaries_that_do_not_fit_in_twos_cannot_be_shared_out(
    tokens: Sequence[int], room: int
) -> None:
    with pytest.raises(ValueError, match="two neighbours fit"):
        split_rows(tokens, room)


@given(rows, st.integers(0, 80))
def test_summaries_are_shared_out_in_the_fewest_ranges_whenever_there_is_a_way(
    tokens: Sequence[int], room: int
) -> None:
    parts = fewest(tokens, room, 2)
    if parts is None:
        with pytest.raises(ValueError, match="two neighbours fit"):
            split_rows(tokens, room)
        return
    ranges = split_rows(tokens, room)
    assert len(ranges) == parts
    assert list(chain.from_iterable(range(lo, hi) for lo, hi in ranges)) == list(range(len(tokens)))
    assert all(hi - lo >= 2 and sum(tokens[lo:hi]) <= room for lo, hi in ranges)


@pytest.mark.parametrize(
    ("tokens", "room", "count"),
    [
        ((), 100, 0),
        ((40, 30, 20), 0, 0),
        ((40, 30, 20), 19, 0),
        ((40, 30, 20), 20, 1),
        ((40, 30, 20), 89, 2),
        ((40, 30, 20), 90, 3),
        ((1, 99, 20), 30, 1),
        ((5,), -5, 0),
    ],
)
def test_the_newest_that_fit_stand_last_without_a_gap(
    tokens: Sequence[int], room: int, count: int
) -> None:
    assert newest_that_fit(tokens, room) == count


@given(st.lists(st.integers(0, 50)), st.integers(-10, 500))
def test_one_more_of_the_newest_would_not_fit(tokens: Sequence[int], room: int) -> None:
    count = newest_that_fit(tokens, room)
    assert sum(tokens[len(tokens) - count :]) <= max(room, 0)
    if count < len(tokens):
        assert sum(tokens[len(tokens) - count - 1 :]) > room
