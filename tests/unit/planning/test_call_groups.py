from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.planning.piles import ROLES, cover, entry, numbers, pile

from foreword.domain.turn import Entry, Role
from foreword.planning.call_groups import MOST_RESULTS, REACH, call_groups, parts_a_call

letters = st.text("uuaatts", max_size=30)


def groups(roles: str, start: int = 1) -> list[str]:
    """Return the groups of these turns, oldest first."""
    found = reversed(list(call_groups(reversed(pile(roles, start=start)))))
    return ["".join(roles[number - start] for number in numbers(group[::-1])) for group in found]


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ("", []),
        ("uaua", ["u", "a", "u", "a"]),
        ("uatta", ["u", "att", "a"]),
        ("uatata", ["u", "at", "at", "a"]),
        ("uautu", ["u", "aut", "u"]),
        ("atutt", ["atutt"]),
        ("ttut", ["t", "t", "u", "t"]),
        ("a" + "u" * (REACH - 2) + "t", ["a" + "u" * (REACH - 2) + "t"]),
        ("a" + "u" * (REACH - 1) + "t", ["a", *"u" * (REACH - 1), "t"]),
        ("a" + "t" * MOST_RESULTS, ["a" + "t" * MOST_RESULTS]),
        ("ut", ["u", "t"]),
    ],
)
def test_results_stand_with_their_call_however_late(roles: str, expected: list[str]) -> None:
    assert groups(roles) == expected


def test_a_story_of_results_alone_is_not_one_group() -> None:
    assert groups("t" * 300) == ["t"] * 300


def test_no_group_reaches_across_a_summary() -> None:
    turns = (*pile("ua"), *pile("ttat", start=6))
    found = list(call_groups(reversed(turns), [cover(1, 3, 5)]))
    assert [numbers(group) for group in found] == [[9, 8], [7], [6], [2], [1]]
    before = list(call_groups(reversed(pile("at", start=6)), [cover(1, 3, 5)]))
    assert [numbers(group) for group in before] == [[7, 6]]


def test_a_turn_that_is_no_result_is_not_read_past() -> None:
    read: list[int] = []

    def newest_first() -> Iterator[Entry]:
        for number, letter in enumerate("autta", start=1):
            read.append(number)
            yield entry(100 - number, ROLES[letter])

    found = call_groups(newest_first())
    sizes = [(len(next(found)), len(read)) for _ in range(2)]
    assert sizes == [(1, 1), (1, 2)]
    assert (len(next(found)), len(read)) == (3, 5)


def test_the_edge_of_a_stretch_parts_no_call() -> None:
    assert not parts_a_call([], [Role.TOOL])
    assert not parts_a_call([Role.ASSISTANT], [])


@given(letters)
def test_groups_are_all_turns_in_their_order(roles: str) -> None:
    turns = pile(roles)[::-1]
    assert tuple(turn for group in call_groups(turns) for turn in group) == turns


@given(letters)
def test_a_place_that_parts_a_call_lies_inside_a_group_or_before_results(roles: str) -> None:
    turns = pile(roles)
    kinds = [turn.role for turn in turns]
    inside = {
        int(turn.turn_id) - 1 for group in call_groups(reversed(turns)) for turn in group[:-1]
    }
    for at in range(1, len(turns)):
        parted = parts_a_call(kinds[:at][::-1], kinds[at:])
        assert parted == (at in inside or kinds[at] is Role.TOOL)


@given(letters, st.integers(0, 30))
def test_what_stands_before_or_behind_a_group_does_not_change_it(roles: str, at: int) -> None:
    found = groups(roles)
    kept = found[min(at, len(found)) :]
    skipped = sum(map(len, found)) - sum(map(len, kept))
    assert groups("".join(kept), start=1 + skipped) == kept
