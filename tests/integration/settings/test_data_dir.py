"""Where conversations are kept."""

import stat
from pathlib import Path

import pytest

from foreword.errors import StoreReadOnly
from foreword.settings.data_dir import HOME_VARIABLE, data_dir, made_dir


def test_the_folder_given_comes_before_the_environment() -> None:
    assert data_dir(Path("given"), {HOME_VARIABLE: "home"}) == Path("given")


def test_the_environment_comes_before_the_users_folder() -> None:
    assert data_dir(None, {HOME_VARIABLE: "home"}) == Path("home")


@pytest.mark.parametrize("environ", [{}, {HOME_VARIABLE: ""}, {HOME_VARIABLE: "  "}])
def test_the_users_own_folder_is_the_default(environ: dict[str, str]) -> None:
    assert data_dir(None, environ).name == "foreword"


def test_a_tilde_is_the_home_folder() -> None:
    home = Path("~").expanduser()
    assert data_dir(Path("~/x"), {}) == data_dir(None, {HOME_VARIABLE: "~/x"}) == home / "x"


def test_a_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    folder = made_dir(tmp_path / "a" / "b")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_that_is_there_keeps_its_permissions(tmp_path: Path) -> None:
    tmp_path.chmod(0o750)
    assert stat.S_IMODE(made_dir(tmp_path).stat().st_mode) == 0o750


def test_a_file_in_its_place_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(StoreReadOnly, match="Choose another place"):
        made_dir(path)
    with pytest.raises(StoreReadOnly):
        made_dir(path / "below")
