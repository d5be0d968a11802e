"""Which database is opened."""

from pathlib import Path

import pytest

from foreword.settings.database import DATABASE_VARIABLE, chosen_database

ADDRESS = "postgresql://host/stories"


def test_what_is_given_stands_before_everything(tmp_path: Path) -> None:
    environ = {DATABASE_VARIABLE: "other.db", "FOREWORD_HOME": str(tmp_path)}
    assert chosen_database(ADDRESS, tmp_path / "folder", environ) == ADDRESS
    assert chosen_database("a.db", None, environ) == Path("a.db")
    assert not (tmp_path / "folder").exists()


def test_a_folder_that_is_given_stands_before_the_environment(tmp_path: Path) -> None:
    chosen = chosen_database(None, tmp_path / "folder", {DATABASE_VARIABLE: ADDRESS})
    assert chosen == tmp_path / "folder" / "foreword.db"
    assert (tmp_path / "folder").is_dir()


def test_the_environment_stands_before_its_folder(tmp_path: Path) -> None:
    environ = {DATABASE_VARIABLE: f" {ADDRESS} ", "FOREWORD_HOME": str(tmp_path)}
    assert chosen_database(None, None, environ) == ADDRESS


@pytest.mark.parametrize("empty", [{}, {DATABASE_VARIABLE: " "}])
def test_without_a_choice_it_is_a_file_in_the_folder(tmp_path: Path, empty: dict[str, str]) -> None:
    environ = {**empty, "FOREWORD_HOME": str(tmp_path / "home")}
    assert chosen_database(None, None, environ) == tmp_path / "home" / "foreword.db"


def test_a_path_may_begin_at_home() -> None:
    assert chosen_database("~/a.db", None, {}) == Path.home() / "a.db"
