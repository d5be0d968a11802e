"""Tables on short lines: numbers and ids stay whole, names are cut, texts fold."""

from collections.abc import Sequence

import pytest
from tests.integration.cli.door import Door, story

from foreword.cli.printing import table
from foreword.cli.tables import LEAST_NAME, LEAST_TEXT, fit, shortened

LONG = "Branch of the evening on which everything went wrong at the crooked lantern"
WIDTHS = (60, 80, 100)


def crowded() -> Door:
    """Return a conversation in which every name is long."""
    opened = story(4, words=30, title=f"{LONG} and nobody ever wrote it down")
    for text in ("a short one", "w " * 40):
        opened.json("turn", "append", "c1", "--speaker", LONG, "--text", text)
    opened.json("summary", "make", "c1", "--through", "4")
    opened.json("branch", "new", "c1", "--from", "6", "--name", LONG)
    return opened


def words_of(shown: str) -> Sequence[str]:
    return shown.split()


@pytest.mark.parametrize("width", WIDTHS)
def test_a_list_cuts_the_branch_and_keeps_ids_titles_and_numbers(width: int) -> None:
    opened = crowded()
    view = opened.json("list")[0]
    shown = opened.says("list", width=width)
    assert {"c1", str(view["turns"]), str(view["tokens"])} <= set(words_of(shown))
    assert "…" in shown
    assert "(of 2)" in shown
    folded = [line[5:].split("  ")[0].strip() for line in shown.splitlines()]
    assert "nobody" in " ".join(folded)
    assert max(map(len, shown.splitlines())) <= width


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    ("command", "heads"),
    [
        ("branch list c1", {"*", "1", "2", "6"}),
        ("summary list c1", {"S1", "1-4", "0"}),
        ("history c1", {"2026-01-01T00:00:00+00:00", "fork", "8"}),
        ("turn list c1", {"1", "5", "6", "30", "16", "assistant"}),
        ("search c1 short", {"5"}),
    ],
)
def test_every_table_keeps_its_ids_and_numbers(command: str, heads: set[str], width: int) -> None:
    shown = crowded().says(*command.split(), width=width)
    assert heads <= set(words_of(shown))
    assert max(map(len, shown.splitlines())) <= width


def test_what_must_stay_whole_makes_the_line_longer_instead_of_being_cut() -> None:
    made = table("id", "who", "text", numbers=("id",), names=("who",), wide=("text",))
    made.add_row("9" * 70, LONG, LONG)
    assert fit(made, 60) == 70 + LEAST_NAME + LEAST_TEXT + 6


def test_two_texts_share_what_is_left_of_the_line() -> None:
    made = table("short", "long", wide=("short", "long"))
    made.add_row("word", LONG)
    assert fit(made, 60) == 60
    assert [column.width for column in made.columns] == [5, 51]


def test_a_name_of_wide_letters_is_cut_by_the_room_it_takes() -> None:
    assert shortened("燈" * 20, 9) == "燈燈燈燈…"
