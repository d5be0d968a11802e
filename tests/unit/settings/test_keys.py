from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from foreword.domain.routes import Route, route_from
from foreword.errors import KeyUnavailable
from foreword.settings.keys import known_keys, read_key, write_key

KEY = "sk-abcdef123456"
URL = "http://localhost:1/v1"


def route(**values: str) -> Route:
    return route_from("chat", {"url": URL, "model": "m", **values})


def refused(given: Route, folder: Path, environ: dict[str, str] | None = None) -> str:
    with pytest.raises(KeyUnavailable) as caught:
        read_key(given, environ or {}, folder)
    assert KEY not in str(caught.value)
    return caught.value.reason


def test_a_route_that_names_no_key_has_an_empty_one(tmp_path: Path) -> None:
    assert read_key(route(), {}, tmp_path) == ""


def test_a_key_comes_from_the_variable_that_the_route_names(tmp_path: Path) -> None:
    given = route(key_env="MY_KEY")
    assert read_key(given, {"MY_KEY": f" {KEY}\r\n"}, tmp_path) == KEY
    assert "MY_KEY is not set" in refused(given, tmp_path)
    assert "MY_KEY is not set" in refused(given, tmp_path, {"MY_KEY": " \n"})
    for broken in (f"{KEY} {KEY}", f"{KEY}\nX: y", f"{KEY}\x07", f"{KEY}é"):
        assert "no key" in refused(given, tmp_path, {"MY_KEY": broken})


def test_a_written_key_is_the_owners_alone_and_is_read_again(tmp_path: Path) -> None:
    data = tmp_path / "data"
    for key in (KEY, KEY + "7\n"):
        path = write_key(data, "chat", key)
        assert path == data / "keys" / "chat"
        assert read_key(route(key_file=str(path)), {}, data) == key.strip()
        assert read_key(route(key_file="keys/chat"), {}, data) == key.strip()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [file.name for file in (data / "keys").iterdir()] == ["chat"]


def test_a_name_cannot_lead_a_key_out_of_its_folder(tmp_path: Path) -> None:
    for name in ("../../etc", "", "/root/x", ".", ".."):
        assert write_key(tmp_path, name, KEY).parent == tmp_path / "keys"


def test_what_is_no_key_is_not_written(tmp_path: Path) -> None:
    for text in ("", "\n", "two words", "tab\tin", "line\nline", "é"):
        with pytest.raises(KeyUnavailable):
            write_key(tmp_path, "chat", text)
    assert not (tmp_path / "keys").exists()


def test_a_file_that_others_may_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text(KEY, encoding="utf-8")
    for mode in (0o640, 0o604, 0o620, 0o666):
        path.chmod(mode)
        assert f"chmod 600 {path}" in refused(route(key_file=str(path)), tmp_path)
    path.chmod(0o400)
    assert read_key(route(key_file=str(path)), {}, tmp_path) == KEY


def test_what_is_no_file_with_a_key_is_refused(tmp_path: Path) -> None:
    empty, long, pipe = tmp_path / "empty", tmp_path / "long", tmp_path / "pipe"
    empty.touch(0o600)
    long.touch(0o600)
    long.write_text("k" * 70_000, encoding="utf-8")
    os.mkfifo(pipe, 0o600)
    for path, words in (
        (tmp_path / "none", "No such file"),
        (tmp_path, ""),
        (empty, "is empty"),
        (long, "more than a key"),
        (pipe, "not a regular file"),
    ):
        assert words in refused(route(key_file=str(path)), tmp_path)


def test_of_all_routes_the_keys_that_can_be_read_are_known(tmp_path: Path) -> None:
    routes = [
        route_from("chat", {"model": "m", "key_env": "OWN_KEY"}),
        route_from("merge", {"model": "m", "key_env": "MISSING"}),
        route_from("summarise", {"model": "m"}),
    ]
    assert known_keys(routes, {"OWN_KEY": "plain-words"}, tmp_path) == ("plain-words",)
