"""Texts on their way in and out: pipes, hostile characters, narrow terminals."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.integration.cli.door import Door, door, story

from foreword.cli.printing import PREVIEW, clean, one_line
from foreword.cli.recaps import bar

HOSTILE = "[bold]x[/bold] \x1b[31mred\x1b[0m \x1b]0;title\x07 :smile: [/] \u202egnp.exe \x9b2J"
SHOWN = "[bold]x[/bold] [31mred[0m ]0;title :smile: [/] gnp.exe 2J"


@pytest.mark.parametrize(
    ("piped", "kept"),
    [
        ("hello", "hello"),
        ("hello\n", "hello"),
        ("hello\r\n", "hello"),
        ("two\n\nparts\n\n", "two\n\nparts\n"),
        ("Grüße, 木\n", "Grüße, 木"),
        (b"\xef\xbb\xbfmarked\n", "marked"),
        ("utf 16\n".encode("utf-16"), "utf 16"),
        (b"caf\xe9\n", "café"),
        (b"nul\x00led", "nul\ufffdled"),
    ],
)
def test_a_text_comes_from_standard_input_without_its_last_line_break(
    piped: str | bytes, kept: str
) -> None:
    opened = story(0)
    done = opened.json("turn", "append", "c1", "--text", "-", text=piped)
    assert done["text"] == kept
    assert opened.json("turn", "show", "c1", "1")["text"] == kept


def test_a_text_that_was_shown_and_piped_back_changes_nothing() -> None:
    opened = story(4)
    opened.json("summary", "make", "c1", "--through", "4")
    text = opened.json("turn", "show", "c1", "2")["text"]
    opened.json("turn", "edit", "c1", "2", "--text", "-", text=f"{text}\n")
    assert [one["state"] for one in opened.json("summary", "list", "c1")] == ["in_use"]


def test_json_keeps_every_character_and_writes_no_escapes_for_letters() -> None:
    opened = story(0)
    opened.json("turn", "append", "c1", "--text", f"{HOSTILE} Grüße 木 😀")
    shown = opened.says("turn", "list", "c1", "--json")
    assert json.loads(shown)[0]["text"] == f"{HOSTILE} Grüße 木 😀"
    assert "Grüße 木 😀" in shown


def hostile() -> Door:
    """Return a conversation whose title, speaker, branch, text and summary are hostile."""
    opened = door()
    opened.json("new", HOSTILE)
    for text in (HOSTILE, "t2"):
        opened.json("turn", "append", "c1", "--speaker", HOSTILE, "--text", text)
    opened.json("summary", "make", "c1", "--through", "2")
    opened.json("summary", "edit", "c1", "S1", "--text", HOSTILE)
    opened.json("branch", "rename", "c1", "main", HOSTILE)
    opened.json("settings", "set", "c1", "style", HOSTILE)
    return opened


@pytest.mark.parametrize(
    "words",
    [
        ["list"],
        ["turn", "list", "c1"],
        ["turn", "show", "c1", "1"],
        ["summary", "list", "c1"],
        ["summary", "list", "c1", "--all"],
        ["summary", "show", "c1", "S2"],
        ["branch", "list", "c1"],
        ["prompt", "c1"],
        ["prompt", "c1", "--memory"],
        ["settings", "show", "c1"],
    ],
)
def test_text_of_a_story_is_shown_and_never_obeyed(words: list[str]) -> None:
    shown = hostile().says(*words, width=200)
    assert SHOWN in " ".join(shown.split())
    assert {sign for sign in shown if sign != "\n" and ord(sign) < 32} == set()
    assert not {"\x7f", "\x9b", "\u202e"} & set(shown)


def test_an_error_does_not_obey_what_was_typed_either() -> None:
    stderr = hostile().run("status", "\x1b[31mnope").stderr
    assert "\x1b" not in stderr


@pytest.mark.parametrize("width", [10, 40, 80, 200])
def test_ids_are_whole_at_every_width(width: int) -> None:
    opened = story(12, words=40)
    for through in ("4", "8", "12"):
        opened.json("summary", "make", "c1", "--through", through)
    opened.json("summary", "merge", "c1", "S1", "S2")
    shown = opened.says("list", width=width).split()
    assert {"c1", "12"} <= set(shown)
    assert {"S4", "1-8", "S3", "9-12"} <= set(
        opened.says("summary", "list", "c1", width=width).split()
    )
    tree = opened.says("summary", "list", "c1", "--all", width=width)
    assert [name in tree for name in ("S1,", "S2,", "S3,", "S4,")] == [True] * 4
    turns = opened.says("turn", "list", "c1", width=width).split()
    assert {str(number) for number in range(1, 13)} <= set(turns)


@given(st.text())
def test_what_is_shown_holds_nothing_a_terminal_obeys(text: str) -> None:
    shown = clean(text)
    assert all(sign in "\n\t" or ord(sign) >= 32 for sign in shown)
    assert clean(shown) == shown
    shown.encode("utf-8")


@given(st.text(max_size=2000))
def test_a_preview_is_one_line_and_not_too_long(text: str) -> None:
    line = one_line(text)
    assert "\n" not in line
    assert len(line) <= PREVIEW


@given(st.floats(min_value=0, max_value=1))
def test_a_bar_is_empty_at_nothing_and_full_at_all(progress: float) -> None:
    drawn = bar(progress)
    assert len(drawn) == len(bar(0))
    assert ("█" in drawn) == (progress > 0)
    assert ("░" not in drawn) == (progress == 1)
