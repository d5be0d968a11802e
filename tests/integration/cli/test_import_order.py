"""Imports of folders and of several files: their order, and whose losses are told."""

from collections.abc import Sequence
from pathlib import Path

from tests.integration.cli.door import door

CUT = '{"mes": "cut'


def write_chat(path: Path, *texts: str, end: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f'{{"name": "A", "is_user": true, "mes": "{text}"}}' for text in texts]
    path.write_text("\n".join([*lines, end]), encoding="utf-8")
    return path


def told(shown: str) -> Sequence[str]:
    """Return the names of the files in the order in which they were told."""
    return [Path(line.split(": ")[0]).name for line in shown.splitlines()]


def test_a_chat_of_a_folder_comes_before_its_branches(tmp_path: Path) -> None:
    write_chat(tmp_path / "X - Branch #1.jsonl", "a", "c")
    write_chat(tmp_path / "X.jsonl", "a", "b")
    write_chat(tmp_path / "later" / "A.jsonl", "z")
    shown = door().says("import", str(tmp_path))
    assert told(shown) == ["X.jsonl", "X - Branch #1.jsonl", "A.jsonl"]


def test_files_that_are_named_keep_the_order_they_were_named_in(tmp_path: Path) -> None:
    first = write_chat(tmp_path / "z.jsonl", "a")
    second = write_chat(tmp_path / "a.jsonl", "b")
    assert told(door().says("import", str(first), str(second))) == ["z.jsonl", "a.jsonl"]


def test_an_empty_folder_says_so(tmp_path: Path) -> None:
    (tmp_path / ".hidden").write_text("text", encoding="utf-8")
    result = door().run("import", str(tmp_path))
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == (
        f"{tmp_path}: there is no file in this folder, or they are all hidden.\n"
    )


def test_pictures_in_a_folder_are_passed_over_and_named_ones_are_refused(tmp_path: Path) -> None:
    write_chat(tmp_path / "a.jsonl", "a")
    picture = tmp_path / "map.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    result = door().run("import", str(tmp_path))
    assert (result.exit_code, told(result.stdout)) == (0, ["a.jsonl"])
    assert result.stderr == f"{picture}: passed over, it is in no format that Foreword reads\n"
    assert door().error("import", str(picture))[1]["type"] == "FormatUnknown"


def test_losses_name_their_file_when_there_are_several(tmp_path: Path) -> None:
    path = write_chat(tmp_path / "chat.jsonl", "a", end=CUT)
    assert door().run("import", str(path)).stderr.startswith("  line 2:")
    assert door().run("import", str(tmp_path)).stderr.startswith("  chat.jsonl: line 2:")


def test_what_is_lost_is_not_told_again_when_nothing_is_new(tmp_path: Path) -> None:
    path = write_chat(tmp_path / "chat.jsonl", "a", "b", end=CUT)
    opened = door()
    assert opened.run("import", str(path)).stderr
    again = opened.run("import", str(path))
    assert "nothing new for 'chat'" in again.stdout
    assert again.stderr == ""
    assert opened.json("import", str(path))["losses"]
