"""The reference pages are what the program says of itself."""

from pathlib import Path

from tests.integration.cli.door import story

from foreword.cli.reference import command_page, exit_code_page, write_pages

PAGES = Path(__file__).parents[3] / "docs" / "reference"


def test_the_page_of_commands_is_current() -> None:
    assert (PAGES / "cli.md").read_text("utf-8") == command_page()


def test_the_page_of_exit_codes_is_current() -> None:
    assert (PAGES / "exit-codes.md").read_text("utf-8") == exit_code_page()


def test_both_pages_can_be_written_anew(tmp_path: Path) -> None:
    write_pages(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cli.md", "exit-codes.md"]
    assert (tmp_path / "cli.md").read_text("utf-8") == command_page()


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
    page = (PAGES / "json.md").read_text("utf-8")
    assert {key for key in printed if f"`{key}`" not in page} == set()
