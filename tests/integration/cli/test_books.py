"""Markdown and EPUB through the command line: out, in again, and what a folder holds."""

from __future__ import annotations

import json
from pathlib import Path

from tests.books import epub, page
from tests.integration.cli.door import Door, door, story

CHAPTERS = {
    "a.xhtml": page("<h1>One</h1><p>It was dark.</p><img src='x' alt='a map'/>"),
    "b.xhtml": page("<h1>Two</h1><p>It was late.</p>"),
}
LOCK = '<EncryptedData><EncryptionMethod Algorithm="http://x/aes"/></EncryptedData>'


def turns(opened: Door, conversation: str) -> list[tuple[str, str, str, bool, bool]]:
    """Return what is known of each turn that a document carries."""
    return [
        (one["role"], one["speaker"], one["text"], one["hidden"], one["pinned"])
        for one in opened.json("turn", "list", conversation)
    ]


def test_a_document_that_is_imported_elsewhere_gives_the_same_turns(tmp_path: Path) -> None:
    opened = story(3)
    text = "# Two\n\n```\nopen <!-- foreword {} -->  \n\n---\n"
    opened.says("turn", "append", "c1", "--role", "assistant", "--speaker", "Bo", "--text", text)
    opened.says("turn", "hide", "c1", "2")
    opened.says("turn", "pin", "c1", "3")
    path = tmp_path / "lamp.md"

    done = opened.json("export", "c1", "--format", "markdown", "--output", str(path))
    assert (done["format"], done["bytes"]) == ("markdown", path.stat().st_size)
    other = door()
    taken = other.json("import", str(path))
    assert (taken["title"], taken["turns"], taken["losses"]) == ("Lamp", 4, [])
    assert turns(other, "c1") == turns(opened, "c1")
    assert "nothing new for 'Lamp' (c1)" in opened.says("import", str(path))


def test_a_branch_is_exported_with_what_a_document_cannot_hold(tmp_path: Path) -> None:
    opened = story(4)
    opened.says("branch", "new", "c1", "--from", "2", "--name", "other")
    opened.says("turn", "choose", "c1", "2", "--text", "another one")
    path = tmp_path / "lamp.md"

    done = opened.json("export", "c1", "--format", "Markdown", "-o", str(path), "--branch", "other")
    assert [loss["what"] for loss in done["losses"]] == ["1 other alternative", "1 other branch"]
    written = path.read_text("utf-8")
    assert written.startswith('<!-- foreword {"markdown":1,"title":"Lamp"} -->\n\n# Lamp\n\n')
    assert "another one" in written
    assert "t3" not in written
    assert opened.says("export", "c1", "--format", "markdown", "-o", "-") == written


def test_a_book_is_imported_once_with_its_losses(tmp_path: Path) -> None:
    path = tmp_path / "book.epub"
    path.write_bytes(epub(CHAPTERS))
    opened = door()

    done = opened.json("import", str(path))
    assert (done["title"], done["turns"]) == ("Night ferry", 2)
    assert done["losses"] == [
        {"where": "OEBPS/a.xhtml", "what": "1 picture: 'a map'", "why": "only text is taken"}
    ]
    told = [one["text"] for one in opened.json("turn", "list", "c1")]
    assert told == ["# One\n\nIt was dark.", "# Two\n\nIt was late."]
    assert opened.json("import", str(path))["turns"] == 0


def test_a_folder_of_books_is_imported_and_a_locked_one_stops_no_other(tmp_path: Path) -> None:
    (tmp_path / "a.epub").write_bytes(epub(CHAPTERS))
    (tmp_path / "b.epub").write_bytes(epub(CHAPTERS, encryption=LOCK))
    (tmp_path / "c.md").write_text("## User\n\nLate?\n\n## Assistant\n\nLate.\n", "utf-8")
    (tmp_path / "d.md").write_text("# The *Lamp*\n\n## One\n\nIt was dark.\n", "utf-8")
    (tmp_path / "e.txt").write_text("It was late.\n", "utf-8")
    (tmp_path / "f.zip").write_bytes(b"PK\x03\x04 no book")
    opened = door()

    result = opened.run("import", str(tmp_path), "--json")
    assert result.exit_code == 4
    taken = json.loads(result.stdout)
    assert [(one["title"], one["turns"]) for one in taken] == [
        ("Night ferry", 2),
        ("c", 2),
        ("The Lamp", 1),
        ("e", 1),
    ]
    assert "protected by DRM" in result.stderr
    assert "f.zip: passed over" in result.stderr


def test_an_unknown_format_is_told_all_that_can_be_written(tmp_path: Path) -> None:
    opened = story(1)
    code, error = opened.error("export", "c1", "--format", "epub", "-o", str(tmp_path / "x"))
    assert (code, error["type"]) == (4, "ExportFormatUnknown")
    assert "markdown" in error["message"]
