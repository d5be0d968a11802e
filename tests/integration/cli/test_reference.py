"""The reference pages are what the program says of itself."""

import re
from pathlib import Path

import pytest
from tests.integration.cli.door import story

from foreword.cli.exits import exit_code_of
from foreword.cli.reference import PAGES, page, write_pages
from foreword.cli.reference_errors import conditions, error_page, example
from foreword.errors import ForewordError
from foreword.settings.variables import VARIABLES

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "docs" / "reference"
SOURCE = ROOT / "src" / "foreword"
VARIABLE = re.compile(r"\bFOREWORD_[A-Z]+\b")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_what_the_program_says_now(name: str) -> None:
    assert (FOLDER / name).read_text("utf-8") == page(name)


def test_all_pages_can_be_written_anew(tmp_path: Path) -> None:
    write_pages(tmp_path)
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == {
        name: page(name) for name in PAGES
    }


@pytest.mark.parametrize("kind", [*conditions(ForewordError)], ids=lambda kind: kind.__name__)
def test_every_condition_is_shown_with_a_message_of_its_own(kind: type[ForewordError]) -> None:
    shown = error_page().partition(f"### {kind.__name__}\n")[2].partition("\n#")[0]
    assert f"Exit code {exit_code_of(kind).value}" in shown
    assert "\n> " in shown
    assert "None" not in str(example(kind))


def test_every_variable_that_the_program_reads_is_listed() -> None:
    sources = [path.read_text("utf-8") for path in SOURCE.rglob("*.py")]
    read = {name for text in sources for name in VARIABLE.findall(text)}
    listed = {one.name for one in VARIABLES if one.name.startswith("FOREWORD_")}
    assert read == listed


def keys_of(document: object) -> set[str]:
    """Return every key in a document, however deep."""
    if isinstance(document, dict):
        return set(document).union(*map(keys_of, document.values()))
    return set().union(*map(keys_of, document)) if isinstance(document, list) else set()


COMMANDS = (
    ["list"],
    ["status", "c1"],
    ["recap", "c1", "--dry-run"],
    ["summary", "list", "c1"],
    ["summary", "report", "c1"],
    ["summary", "repair", "c1", "--dry-run"],
    ["turn", "list", "c1"],
    ["turn", "show", "c1", "2"],
    ["branch", "list", "c1"],
    ["prompt", "c1"],
    ["prompt", "c1", "--memory"],
    ["history", "c1"],
    ["search", "c1", "t5"],
    ["verify"],
    ["templates", "list"],
    ["templates", "check"],
    ["undo", "c1"],
    ["redo", "c1"],
)


def test_the_page_of_json_names_every_key(tmp_path: Path) -> None:
    opened = story(30, words=20)
    opened.json("settings", "set", "c1", "context", "2048")
    opened.json("summary", "make", "c1", "--through", "2")
    opened.json("turn", "edit", "c1", "2", "--text", "T2")
    opened.json("summary", "make", "c1", "--through", "4")
    printed = keys_of([opened.json(*words) for words in COMMANDS])
    bundle = str(tmp_path / "story.json")
    printed |= keys_of(opened.json("export", "c1", "--output", bundle))
    printed |= keys_of(opened.json("import", bundle))
    page = (FOLDER / "json.md").read_text("utf-8")
    assert {key for key in printed if f"`{key}`" not in page} == set()
