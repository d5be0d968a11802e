"""Addresses of databases: which are known, and how they are shown."""

from pathlib import Path

import pytest

from foreword.errors import InvalidSetting
from foreword.storage.connecting import address_of, shown
from foreword.storage.sql_store import SqlStore


@pytest.mark.parametrize(
    "place",
    [
        "postgresql://ann:s3cret@host:5433/stories",
        "postgres://ann:s3cret@host:5433/stories",
        "postgresql+psycopg://ann:s3cret@host:5433/stories",
    ],
)
def test_an_address_is_shown_without_its_password(place: str) -> None:
    assert shown(address_of(place)) == "postgresql://ann:***@host:5433/stories"


def test_passwords_among_the_options_are_not_shown_either() -> None:
    place = "postgresql:///stories?host=/tmp&password=s3cret&sslpassword=s3cret"
    assert "s3cret" not in shown(address_of(place))
    assert "host=" in shown(address_of(place))


def test_a_path_is_a_sqlite_file_whatever_its_name() -> None:
    assert shown(address_of("stories: one.db")) == "stories: one.db"
    assert shown(address_of(Path("a") / "postgresql:")) == str(Path("a") / "postgresql:")
    assert shown(address_of("sqlite:////srv/stories.db")) == "/srv/stories.db"


@pytest.mark.parametrize(
    "place",
    [
        "",
        "sqlite://",
        "sqlite:///:memory:",
        "mysql://ann:s3cret@host/stories",
        "postgresql+asyncpg://ann:s3cret@host/stories",
        "postgresql://ann:s3cret@host:port/stories",
        "nothing://s3cret",
        "://s3cret",
    ],
)
def test_another_address_is_refused_and_not_repeated(place: str) -> None:
    with pytest.raises(InvalidSetting, match="database cannot be") as refusal:
        SqlStore.open(place)
    assert "s3cret" not in str(refusal.value)
    assert "s3cret" not in repr(refusal.value.__cause__)
