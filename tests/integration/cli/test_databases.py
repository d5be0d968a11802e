"""Commands on a database that is named: a file, or one on a server."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import create_engine, make_url
from tests.postgres import drop_database, new_database
from typer.testing import CliRunner, Result

import foreword
from foreword.cli.main import app
from foreword.storage.schema import SCHEMAS
from foreword.storage.upgrade import configuration


def run(*words: str, **environ: str) -> Result:
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "100", "NO_COLOR": "1", **environ})


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "stories.db")
        return
    address = new_database()
    yield address
    drop_database(address)


def titles(*words: str, **environ: str) -> list[str]:
    result = run("list", "--json", *words, **environ)
    assert result.exit_code == 0, result.output
    return [one["title"] for one in json.loads(result.stdout)]


def test_a_database_is_named_by_option_by_variable_or_in_python(place: str, tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    assert run("--database", place, "new", "Lamp", FOREWORD_HOME=home).exit_code == 0
    assert titles("--database", place, FOREWORD_HOME=home) == ["Lamp"]
    assert titles(FOREWORD_DATABASE=place, FOREWORD_HOME=home) == ["Lamp"]
    assert titles(FOREWORD_HOME=home, FOREWORD_DATABASE="") == []
    assert titles("--data-dir", home, FOREWORD_DATABASE=place) == []
    with foreword.open(database=place) as memory:
        assert [one.title for one in memory.conversations()] == ["Lamp"]


def test_an_address_that_is_none_is_refused_without_its_password() -> None:
    result = run("list", "--database", "mysql://ann:s3cret@host/stories")
    assert (result.exit_code, "s3cret" in result.output) == (4, False)
    assert "database cannot be" in result.stderr


@pytest.mark.postgres
def test_a_server_that_does_not_let_in_is_named_without_the_password(tmp_path: Path) -> None:
    address = make_url(new_database()).set(database="missing", password="s3cret")
    place = address.render_as_string(hide_password=False)
    result = run("list", "--json", "--database", place, FOREWORD_HOME=str(tmp_path))
    assert "s3cret" not in result.output
    assert json.loads(result.stderr.splitlines()[-1])["error"]["type"] == "StoreUnavailable"


def document(*words: str) -> Any:
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_database_is_backed_up_and_put_back(place: str, tmp_path: Path) -> None:
    file = str(tmp_path / "backup.db")
    for title in ("Lamp", "Bridge"):
        assert run("new", title, "--database", place).exit_code == 0
    assert run("turn", "append", "Lamp", "--text", "Hello", "--database", place).exit_code == 0
    made = document("database", "backup", file, "--database", place)
    assert made["bytes"] == Path(file).stat().st_size
    assert set(made) == {"database", "kind", "path", "bytes"}
    refused = run("database", "backup", file, "--database", place)
    assert (refused.exit_code, "--force" in refused.stderr) == (4, True)
    assert run("delete", "Bridge", "--database", place).exit_code == 0
    refused = run("database", "restore", file, "--database", place)
    assert (refused.exit_code, "--force" in refused.stderr) == (4, True)
    assert titles("--database", place) == ["Lamp"]
    told = run("database", "restore", file, "--force", "--database", place)
    assert (told.exit_code, "rows of" in told.stdout) == (0, True)
    assert titles("--database", place) == ["Lamp", "Bridge"]
    other = str(tmp_path / "other.db")
    assert document("database", "restore", file, "--database", other)["database"] == other
    assert document("search", "Lamp", "hello", "--database", other) != []


def test_migrate_says_what_is_there_and_check_changes_nothing(tmp_path: Path) -> None:
    place = str(tmp_path / "new.db")
    checked = run("database", "migrate", "--check", "--database", place)
    assert (checked.exit_code, Path(place).exists()) == (1, False)
    assert "nothing was there" in checked.stdout
    assert document("database", "migrate", "--database", place) == {
        "database": place,
        "kind": "sqlite",
        "found": None,
        "wanted": SCHEMAS[-1],
        "current": True,
        "migrated": True,
    }
    for words in (["--check"], []):
        again = run("database", "migrate", *words, "--database", place)
        assert (again.exit_code, "is up to date" in again.stdout) == (0, True)


def test_migrate_brings_an_old_database_up_to_date(tmp_path: Path) -> None:
    place = str(tmp_path / "old.db")
    engine = create_engine(f"sqlite:///{place}")
    with engine.begin() as connection:
        command.upgrade(configuration(connection), "0001")
    engine.dispose()
    checked = run("database", "migrate", "--check", "--database", place)
    assert (checked.exit_code, "it was 0001" in checked.stdout) == (1, True)
    done = run("database", "migrate", "--database", place)
    assert (done.exit_code, "it was 0001" in done.stdout) == (0, True)
    assert run("database", "migrate", "--check", "--database", place).exit_code == 0


@pytest.mark.postgres
def test_migrate_names_a_database_on_a_server_without_its_password() -> None:
    address = make_url(new_database(empty=True)).set(password="s3cret")
    place = address.render_as_string(hide_password=False)
    checked = run("database", "migrate", "--check", "--json", "--database", place)
    assert (checked.exit_code, json.loads(checked.stdout)["kind"]) == (1, "postgresql")
    assert "s3cret" not in checked.output
    assert document("database", "migrate", "--database", place)["migrated"] is True
    drop_database(place)
