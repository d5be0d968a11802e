"""What stood when: rows of a branch over those of its ancestors, as somebody would read them."""

from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.ids import Pos, Rev, SpeakerId, TurnId, VersionId
from foreword.domain.standing import EntryRow, RowsOfLevel, Standing, standings
from foreword.domain.turn import Entry, Role

LAST = 12


def entry(version: int) -> Entry:
    return Entry(
        pos=Pos(1),
        turn_id=TurnId(1),
        version_id=VersionId(version),
        role=Role.USER,
        speaker=SpeakerId("s"),
        tokens=1,
        digest=b"",
    )


def row(since: int, until: int | None, version: int | None = None) -> EntryRow:
    return EntryRow(
        since=Rev(since),
        until=None if until is None else Rev(until),
        entry=None if version is None else entry(version),
    )


def level(*rows: EntryRow, as_of: int | None = None) -> RowsOfLevel:
    return RowsOfLevel(rows=rows, as_of=None if as_of is None else Rev(as_of))


def told(*levels: RowsOfLevel) -> list[tuple[int, int | None, int]]:
    return [(one.since, one.until, one.entry.version_id) for one in standings(levels)]


def test_nothing_ever_stood_without_rows() -> None:
    assert standings([level(), level(as_of=3)]) == ()


def test_the_rows_of_a_branch_stand_one_after_the_other() -> None:
    assert told(level(row(1, 4, 1), row(4, 6, 2), row(8, None, 3))) == [
        (1, 4, 1),
        (4, 6, 2),
        (8, None, 3),
    ]


def test_a_fork_shows_its_parent_as_of_then_and_again_once_its_own_row_is_closed() -> None:
    parent = level(row(1, 3, 1), row(3, 9, 2), as_of=5)
    assert told(level(row(7, 8, 3)), parent) == [(1, 3, 1), (3, 7, 2), (7, 8, 3), (8, None, 2)]


def test_a_blank_ends_what_is_inherited() -> None:
    parent = level(row(1, None, 1), row(4, None, 2), as_of=3)
    assert told(level(row(6, 8), row(8, None, 3)), parent) == [(1, 6, 1), (8, None, 3)]


def rows(first: int, as_of: int | None) -> st.SearchStrategy[RowsOfLevel]:
    """Rows of one level that follow each other, with or without gaps, all behind `first`."""
    borders = st.lists(st.integers(first, LAST), unique=True, max_size=6).map(sorted)
    kinds = st.lists(st.sampled_from(["row", "blank", "gap"]), min_size=6, max_size=6)

    def made(borders: list[int], kinds: list[str]) -> RowsOfLevel:
        ends = [*borders[1:], None]
        pairs = zip(borders, ends, kinds, strict=False)
        return level(
            *(
                row(since, until, 100 * first + since if kind == "row" else None)
                for since, until, kind in pairs
                if kind != "gap"
            ),
            as_of=as_of,
        )

    return st.builds(made, borders, kinds)


LEVELS = st.tuples(rows(8, None), rows(5, 7), rows(1, 4))


@given(levels=LEVELS)
def test_at_every_revision_it_is_what_the_nearest_level_shows(
    levels: tuple[RowsOfLevel, ...],
) -> None:
    found = standings(levels)
    for number in range(1, LAST + 2):
        shown = [one.entry for one in found if stands(one, number)]
        assert shown == [one for one in [nearest(levels, number)] if one is not None]
    ends = [(one.until or LAST + 9) for one in found]
    assert all(end <= after.since for end, after in zip(ends, found[1:], strict=False))


def stands(one: Standing, number: int) -> bool:
    return one.since <= number and (one.until is None or number < one.until)


def nearest(levels: tuple[RowsOfLevel, ...], number: int) -> Entry | None:
    for one in levels:
        seen = number if one.as_of is None else min(number, one.as_of)
        for candidate in one.rows:
            if candidate.since <= seen < (candidate.until or LAST + 9):
                return candidate.entry
    return None
