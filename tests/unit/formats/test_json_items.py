"""The values of a JSON file, one after the other."""

import pytest

from foreword.domain.interchange import Loss
from foreword.formats.json_items import json_items


def read(text: str) -> tuple[list[object], list[tuple[str, str]]]:
    losses: list[Loss] = []
    values: list[object] = [item.value for item in json_items(text, losses)]
    return values, [(loss.where, loss.what) for loss in losses]


@pytest.mark.parametrize("text", ["[1, 2]", " [1\n,2] \n", "1\n2", "\ufeff1\r\n\r\n2\r\n", "1\r2"])
def test_lists_and_lines_give_their_values_in_order(text: str) -> None:
    assert read(text) == ([1, 2], [])


def test_a_file_of_one_value_over_several_lines_gives_that() -> None:
    assert read('{"a":\n1}\n') == ([{"a": 1}], [])
    assert read("[]") == ([], [])


@pytest.mark.parametrize(
    ("text", "values", "where", "what"),
    [
        ("[1, 2", [1, 2], "the end of the file", "certainty"),
        ("[1, {", [1], "item 2", "it and all after it"),
        ("[1] 2", [1], "the end of the file", "some text"),
        ("1\n{\n2", [1, 2], "line 2", "the whole line"),
        ("1\n2 x", [1, 2], "line 2", "some text"),
    ],
)
def test_what_cannot_be_read_is_named_and_the_rest_is_there(
    text: str, values: list[object], where: str, what: str
) -> None:
    assert read(text) == (values, [(where, what)])


def test_numbers_that_python_refuses_and_nesting_without_end_are_no_errors() -> None:
    digits = "1" * 5000
    assert read(f"[{digits}, NaN]") == ([digits, None], [])
    assert read("[1," + "[" * 100_000)[1] == [("item 2", "it and all after it")]


def test_the_first_value_is_there_before_the_rest_is_read() -> None:
    losses: list[Loss] = []
    items = json_items("[1, {broken", losses)
    assert next(items).value == 1
    assert losses == []
