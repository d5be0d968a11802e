"""Settings of Summaryception taken over, for one conversation or as defaults of all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.integration.cli.door import door, story

SAMPLE = str(Path(__file__).parents[2] / "data" / "summaryception" / "settings.json")


def write(folder: Path, **fields: object) -> str:
    path = folder / "settings.json"
    path.write_text(json.dumps(fields), encoding="utf-8")
    return str(path)


def test_they_become_settings_of_the_conversation_beside_those_it_has() -> None:
    opened = story(2)
    before = opened.json("settings", "show")
    opened.json("settings", "set", "c1", "char", "Mara")
    found = opened.json("settings", "import", SAMPLE, "c1")
    after = opened.json("settings", "show", "c1")
    assert {one["name"]: one["value"] for one in found["taken"]}.items() <= after.items()
    assert (after["mode"], after["verbatim"], after["char"]) == ("prefix-cache", "18000", "Mara")
    assert {"where": "continuityEnabled", "what": "true"}.items() <= found["losses"][0].items()
    assert opened.json("settings", "show") == before


def test_they_become_defaults_of_all_without_a_conversation(tmp_path: Path) -> None:
    opened = story(0)
    path = write(tmp_path, verbatimTokenBudget=9000)
    assert opened.json("settings", "import", path)["taken"][0]["field"] == "verbatimTokenBudget"
    assert opened.json("settings", "show", "c1")["verbatim"] == "9000"


@pytest.mark.parametrize("where", [(), ("c1",)])
def test_a_dry_run_says_the_same_and_sets_nothing(where: tuple[str, ...]) -> None:
    opened = story(0)
    before = opened.json("settings", "show", *where)
    tried = opened.json("settings", "import", SAMPLE, *where, "--dry-run")
    assert opened.json("settings", "show", *where) == before
    done = opened.json("settings", "import", SAMPLE, *where)
    assert done == {**tried, "dry_run": False}


@pytest.mark.parametrize("where", [(), ("c1",)])
def test_rules_that_would_leave_nothing_are_named_and_the_rest_is_set(
    tmp_path: Path, where: tuple[str, ...]
) -> None:
    letters = [*"abcdefghijklmnopqrstuvwxyzMTBSITCL0123456789:.,()- "]
    path = write(tmp_path, stripPatterns=[*letters[:49]], cacheTtlMinutes=45)
    opened = story(0)
    found = opened.json("settings", "import", path, *where)
    shown = opened.json("settings", "show", *where)
    assert (shown["cache_ttl"], shown["cleanup"]) == ("45", "")
    assert found["losses"][0]["where"] == "stripPatterns"


def test_people_see_what_was_taken_from_where_and_what_was_not() -> None:
    result = story(0).run("settings", "import", SAMPLE, "c1")
    assert "verbatimTokenBudget" in result.stdout
    assert "configMode: advanced (it is about the page of the extension)" in result.stderr


def test_a_file_without_such_settings_changes_nothing(tmp_path: Path) -> None:
    code, error = door().error("settings", "import", write(tmp_path, theme="dark"))
    assert (code, error["type"]) == (4, "FileUnreadable"), error
    code, error = door().error("settings", "import", str(tmp_path / "none.json"))
    assert (code, error["type"]) == (4, "FileUnreadable"), error
