"""Excerpts: one line of a text, and a mark under the place in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.errors.excerpts import WIDTH, excerpt


@pytest.mark.parametrize(
    ("column", "text", "shown", "mark"),
    [
        (0, "a line", "  7 | a line", None),
        (3, "a line", "  7 | a line", 2),
        (3, "中文x", "  7 | 中文x", 4),
        (3, "e\u0301x", "  7 | e\u0301x", 1),
        (2, "\tx", "  7 |  x", 1),
        (7, "a line", "  7 | a line", 6),
    ],
)
def test_the_mark_stands_under_the_place(
    column: int, text: str, shown: str, mark: int | None
) -> None:
    marked = "" if mark is None else "\n    | " + " " * mark + "^"
    assert excerpt(7, column, text) == shown + marked


def test_of_a_long_line_the_part_around_the_place_is_shown() -> None:
    line, mark = excerpt(1, 501, "a" * 500 + "X" + "b" * 500).split("\n")
    assert line == f"  1 | …{'a' * 38}X{'b' * 39}…"
    assert line[mark.index("^")] == "X"


@given(text=st.text(min_size=1, max_size=300), data=st.data())
def test_an_excerpt_is_short_and_one_line_with_at_most_one_mark(
    text: str, data: st.DataObject
) -> None:
    column = data.draw(st.integers(1, len(text)))
    line, mark = excerpt(1, column, text).split("\n")
    assert len(line) <= WIDTH + 8
    assert mark.strip(" |") == "^"
