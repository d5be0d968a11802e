from pathlib import Path

import pytest

from foreword.errors import FileUnwritable
from foreword.formats.whole_file import write_whole


def test_a_file_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "story.md"
    path.write_bytes(b"old")
    write_whole(path, b"new")
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == {"story.md": b"new"}


@pytest.mark.parametrize("name", ["missing/story.md", "folder", "a\x00b", "n" * 300])
def test_what_cannot_be_written_is_said_and_leaves_everything(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder" / "inside").mkdir(parents=True)
    with pytest.raises(FileUnwritable, match=r"cannot be written: .*Choose another place"):
        write_whole(tmp_path / name, b"new")
    assert sorted(one.name for one in tmp_path.rglob("*")) == ["folder", "inside"]
