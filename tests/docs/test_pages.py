"""Every command and program on the pages is run, and prints what the pages show."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from tests.docs.pages import READABLE, ROOT, RUN, blocks_of, matches, name_of, shown_now
from tests.docs.replay import differences
from typer.core import TyperGroup
from typer.main import get_command

from foreword.cli.main import app

REASONS = {
    "a test of its own runs it",
    "it asks for a key",
    "it builds or tests the repository",
    "it installs software",
}
"""Why a block may be left out."""

LANGUAGES = RUN | {"json", "text", "toml", "jinja"}
BLOCKS = [(page, block) for page in READABLE for block in blocks_of(page.read_text("utf-8"))]
PROGRAM = get_command(app)
RUNNABLE = [
    page for page in READABLE if any(block.is_run for found, block in BLOCKS if found == page)
]


@pytest.mark.parametrize("page", RUNNABLE, ids=name_of)
def test_a_page_prints_what_it_shows(page: Path, tmp_path: Path) -> None:
    found = list(differences(page.read_text("utf-8"), tmp_path))
    assert found == [], f"python -m tests.docs.replay {name_of(page)} writes what is printed now"


def test_only_blocks_with_a_listed_reason_are_left_out() -> None:
    left_out = {block.reason for _, block in BLOCKS if block.language in RUN and not block.is_run}
    assert left_out == REASONS


def test_every_block_says_a_language_that_we_know() -> None:
    assert [
        (name_of(page), block.first) for page, block in BLOCKS if block.language not in LANGUAGES
    ] == []


def test_no_command_hides_in_a_block_that_is_not_run() -> None:
    hidden = re.compile(r"\$ |foreword [a-z]")
    assert [
        (name_of(page), line)
        for page, block in BLOCKS
        if block.language not in RUN
        for line in block.lines
        if hidden.match(line)
    ] == []


def test_every_command_that_is_named_in_a_sentence_exists() -> None:
    named = re.compile(r"`(?:\w+=\S+ )?(foreword [^`]+)`")
    wrong = [
        (name_of(page), words)
        for page in READABLE
        for words in named.findall(page.read_text("utf-8"))
        if not _exists(words)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        (("a", "b"), "a  \n\nb\n", True),
        (("a",), "a\nb\n", False),
        (("a", "…"), "a\nb\nc\n", True),
        (("a", "…"), "a\n", True),
        (("…", "c"), "a\nb\nc\n", True),
        (("id … end",), "id 7 end\n", True),
        (("id … end",), "id 7\n", False),
        (("a.c",), "abc\n", False),
    ],
)
def test_dots_stand_for_what_differs_and_nothing_else_does(
    shown: tuple[str, ...], printed: str, *, same: bool
) -> None:
    assert matches(shown, printed) is same


@pytest.mark.parametrize(
    ("shown", "printed", "now"),
    [
        (["old"], "new\n\n", ["new"]),
        (["id … end"], "id 7 end\n", ["id … end"]),
        (["id … end", "b"], "id 7 end\nc\n", ["id … end", "c"]),
        (["a", "…", "z"], "b\nx\ny\n", ["b", "…", "y"]),
        (["a", "…", "m", "n", "…"], "b\nm\nx\n", ["b", "…", "m", "…"]),
        (["…"], "b\n", ["…"]),
    ],
)
def test_what_is_written_into_a_page_leaves_out_what_it_left_out(
    shown: list[str], printed: str, now: list[str]
) -> None:
    assert shown_now(shown, printed) == now


def test_every_file_that_a_page_outside_of_the_site_links_to_is_there() -> None:
    for page in (ROOT / "README.md", ROOT / "AGENTS.md"):
        targets = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8"))
        assert targets
        assert [target for target in targets if not (ROOT / target).exists()] == []


def _exists(words: str) -> bool:
    """Say whether a command line names a command, and only options that it takes."""
    command: Any = PROGRAM
    known = _options(command)
    rest = iter(shlex.split(words)[1:])
    for word in rest:
        if word.startswith("-") and len(word) > 1:
            if word not in known:
                return False
            if known[word]:
                next(rest, None)
        elif isinstance(command, TyperGroup):
            if word not in command.commands:
                return False
            command = command.commands[word]
            known |= _options(command)
    return True


def _options(command: Any) -> dict[str, bool]:
    """Return the options of a command, and whether a value follows each."""
    return {
        name: not getattr(one, "is_flag", False)
        for one in command.params
        for name in (*one.opts, *one.secondary_opts, "--help")
    }
