"""Commands on a database that is named: a file, or one on a server."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import make_url
from tests.postgres import drop_database, new_database
from typer.testing import CliRunner, Result

import foreword
from foreword.cli.main import app


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
