"""The reference pages are what the program says of itself."""

from pathlib import Path

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
