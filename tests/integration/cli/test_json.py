"""The documents that programs read: their keys and values are API."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.integration.cli.door import AT, Door, door, story, summary, turn

CHAT = "\n".join(
    json.dumps(line)
    for line in (
        {"user_name": "Ann", "character_name": "Bo", "chat_metadata": {"integrity": "x-1"}},
        {"name": "Ann", "is_user": True, "mes": "Hello there", "send_date": "Monday"},
        {"name": "Bo", "is_user": False, "mes": "Good day", "swipes": ["Good day", "Go away"]},
    )
)


def chat_file(folder: Path, name: str = "lamp.jsonl", *, more: str = "") -> str:
    path = folder / name
    path.write_text(CHAT + more, encoding="utf-8")
    return str(path)


def conversation(**changes: object) -> dict[str, object]:
    return {
        "conversation": "c1",
        "id": "c1",
        "title": "Lamp",
        "branch": "main",
        "branches": 1,
        "turns": 0,
        "tokens": 0,
        "created_at": AT,
        **changes,
    }


def imported(path: str, **changes: object) -> dict[str, object]:
    return {
        "conversation": "c1",
        "branch": 1,
        "turns": 2,
        "summaries": 0,
        "losses": [],
        "title": "lamp",
        "created": True,
        "forked": False,
        "path": path,
        "scene_time": 0.0,
        **changes,
    }


def branch(**changes: object) -> dict[str, object]:
    return {
        "id": 1,
        "name": "main",
        "parent": None,
        "forked_at": None,
        "turns": 4,
        "current": True,
        **changes,
    }


@pytest.mark.parametrize("words", [["new", "Lamp"], ["new", "--title", "Lamp"]])
def test_new_prints_the_conversation(words: list[str]) -> None:
    assert door().json(*words) == conversation()


def test_new_takes_settings() -> None:
    opened = door()
    opened.json("new", "Lamp", "--set", "context=4096", "--set", "system=a=b")
    found = opened.json("settings", "show", "Lamp")
    assert (found["context"], found["system"]) == ("4096", "a=b")


def test_list_prints_every_conversation() -> None:
    opened = door()
    assert opened.json("list") == []
    opened.json("new", "Lamp")
    opened.json("new", "Bell")
    assert opened.json("list") == [
        conversation(),
        conversation(conversation="c2", id="c2", title="Bell"),
    ]


def test_rename_prints_the_conversation() -> None:
    assert story(0).json("rename", "Lamp", "Lantern") == conversation(title="Lantern")


def test_a_deleted_conversation_is_off_the_list_until_it_is_restored() -> None:
    opened = story(0)
    assert opened.json("delete", "Lamp") == conversation()
    assert opened.json("list") == []
    assert opened.json("restore", "c1") == conversation()
    assert opened.json("list") == [conversation()]


def test_import_of_one_file_prints_what_was_added(tmp_path: Path) -> None:
    path = chat_file(tmp_path)
    assert door().json("import", path) == imported(path)


def test_import_of_the_same_file_adds_nothing(tmp_path: Path) -> None:
    opened, path = door(), chat_file(tmp_path)
    opened.json("import", path)
    assert opened.json("import", path) == imported(path, turns=0, created=False)


def test_import_of_a_grown_file_adds_what_is_new(tmp_path: Path) -> None:
    opened = door()
    opened.json("import", chat_file(tmp_path))
    new = json.dumps({"name": "Ann", "is_user": True, "mes": "Well"})
    path = chat_file(tmp_path, more=f"\n{new}")
    assert opened.json("import", path) == imported(path, turns=1, created=False)
    assert [one["text"] for one in opened.json("turn", "list", "c1")] == [
        "Hello there",
        "Good day",
        "Well",
    ]


def test_import_names_what_could_not_be_read(tmp_path: Path) -> None:
    done = door().json("import", chat_file(tmp_path, more='\n{"mes": "cut'))
    assert done["turns"] == 2
    (loss,) = done["losses"]
    assert loss.keys() == {"where", "what", "why"}
    assert "4" in loss["where"]


def test_import_of_several_files_prints_a_list(tmp_path: Path) -> None:
    first = chat_file(tmp_path)
    second = tmp_path / "note.txt"
    second.write_text("Once there was a lamp.\n\nIt went out.", encoding="utf-8")
    done = door().json("import", first, str(second))
    assert [(one["path"], one["conversation"]) for one in done] == [
        (first, "c1"),
        (str(second), "c2"),
    ]


def test_import_of_a_folder_prints_a_list_of_its_files_by_name(tmp_path: Path) -> None:
    inner = tmp_path / "b"
    inner.mkdir()
    (tmp_path / ".hidden.jsonl").write_text(CHAT, encoding="utf-8")
    paths = [chat_file(tmp_path, "a.jsonl"), chat_file(inner, "c.jsonl")]
    done = door().json("import", str(tmp_path))
    assert [one["path"] for one in done] == paths


def test_a_bundle_brings_a_conversation_back_with_everything(tmp_path: Path) -> None:
    opened = story(6)
    opened.json("summary", "make", "c1", "--through", "4")
    opened.json("branch", "new", "c1", "--from", "5", "--name", "other")
    path = str(tmp_path / "out.json")
    done = opened.json("export", "c1", "--output", path)
    assert done == {
        "path": path,
        "bytes": Path(path).stat().st_size,
        "format": "bundle",
        "losses": [],
    }
    again = opened.json("import", path)
    assert again == imported(
        path,
        conversation="c2",
        branch=2,
        turns=5,
        summaries=1,
        title="Lamp",
        scene_time=None,
    )
    for words in (["turn", "list"], ["summary", "list"], ["branch", "list"], ["prompt"]):
        assert opened.json(*words, "c2") == opened.json(*words, "c1")


def test_a_branch_is_exported_as_a_chat_with_what_a_chat_cannot_hold(tmp_path: Path) -> None:
    opened = story(4)
    opened.json("branch", "new", "c1", "--from", "2", "--name", "other")
    path = tmp_path / "chat.jsonl"
    words = ("export", "c1", "-o", str(path), "--format", "SillyTavern")

    done = opened.json(*words, "--branch", "main")
    assert [loss["what"] for loss in done["losses"]] == ["1 other branch"]
    assert len(path.read_text("utf-8").splitlines()) == 5
    opened.json(*words)
    header, *told = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert header["chat_metadata"]["main_chat"] == "Lamp"
    assert [one["mes"] for one in told] == ["t1", "t2"]


def test_a_lorebook_is_added_to_a_story(tmp_path: Path) -> None:
    opened = story(4)
    marks = {"stmemorybooks": True, "STMB_start": 0, "STMB_end": 1}
    entries = {"0": {"content": "It rains."}, "1": {"content": "They met.", **marks}}
    path = tmp_path / "book.json"
    path.write_text(json.dumps({"entries": entries}), "utf-8")

    done = opened.json("import", str(path), "--into", "c1")
    assert (done["conversation"], done["turns"], done["summaries"]) == ("c1", 0, 1)
    assert opened.json("settings", "show", "c1")["system"] == "It rains."
    assert "nothing new for" in opened.says("import", str(path), "--into", "c1")


def test_export_to_standard_output_prints_the_bundle() -> None:
    opened = story(2)
    assert json.loads(opened.says("export", "c1", "--output", "-"))["title"] == "Lamp"


def test_turn_list_prints_all_turns_or_a_stretch() -> None:
    opened = story(4)
    assert opened.json("turn", "list", "c1") == [turn(number) for number in (1, 2, 3, 4)]
    assert opened.json("turn", "list", "c1", "--from", "2", "--to", "3") == [turn(2), turn(3)]
    assert opened.json("turn", "list", "c1", "--from", "9") == []


def test_turn_append_prints_the_turn() -> None:
    opened = story(0)
    words = ("turn", "append", "c1", "--role", "assistant", "--speaker", "Bo", "--text", "t1")
    assert opened.json(*words) == turn(1, role="assistant", speaker="Bo", tokens=2)


def test_turn_show_prints_the_turn_with_its_alternatives() -> None:
    opened = story(2)
    opened.json("turn", "choose", "c1", "2", "--text", "another one")
    first = {"number": 1, "text": "t2", "tokens": 1, "reasoning": "", "sent_at": AT}
    second = {**first, "number": 2, "text": "another one", "tokens": 2}
    assert opened.json("turn", "show", "c1", "2") == turn(
        2,
        text="another one",
        tokens=2,
        alternatives=[1, 2],
        alternative=2,
        versions=[first, second],
    )


def test_turns_are_named_by_order_or_by_id() -> None:
    opened = story(4)
    opened.json("turn", "delete", "c1", "1")
    assert opened.json("turn", "show", "c1", "2") == opened.json("turn", "show", "c1", "id:3")


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        (["edit", "c1", "2", "--text", "new text"], [turn(2, text="new text", tokens=2)]),
        (["delete", "c1", "2"], [turn(2)]),
        (["delete", "c1", "3", "--following"], [turn(3), turn(4)]),
        (["hide", "c1", "id:3", "2"], [turn(2, hidden=True), turn(3, hidden=True)]),
        (["unhide", "c1", "2"], [turn(2)]),
        (["pin", "c1", "1", "2"], [turn(1, pinned=True), turn(2, pinned=True)]),
        (["unpin", "c1", "2"], [turn(2)]),
        (["choose", "c1", "2", "1"], [turn(2)]),
        (
            ["choose", "c1", "2", "--text", "x"],
            [turn(2, text="x", alternatives=[1, 2], alternative=2)],
        ),
    ],
)
def test_what_changes_turns_prints_them_as_they_are_then(
    words: list[str], changed: list[dict[str, object]]
) -> None:
    assert story(4).json("turn", *words) == changed


def test_summary_make_prints_a_list_of_what_it_made() -> None:
    assert story(6).json("summary", "make", "c1", "--through", "4") == [summary()]


def test_summary_make_names_an_earlier_summary_of_the_same_words_and_takes_it_when_told() -> None:
    opened = story(6)
    opened.json("summary", "make", "c1", "--through", "4")
    opened.json("summary", "delete", "c1", "S1")
    result = opened.run("summary", "make", "c1", "--through", "4")
    assert "S1 was made from exactly these words" in result.stderr
    opened.json("summary", "delete", "c1", "2")
    assert opened.json("summary", "make", "c1", "--through", "4", "--reuse")[0]["id"] != 3


def merged() -> Door:
    """Return a story whose S1 and S2 are merged into S3."""
    opened = story(6)
    opened.json("summary", "make", "c1", "--through", "2")
    opened.json("summary", "make", "c1", "--through", "4")
    opened.json("summary", "merge", "c1", "S1", "2")
    return opened


def test_summary_merge_prints_the_meta_summary() -> None:
    meta = summary(
        id=3,
        layer=1,
        generation_depth=2,
        text="mer(t1,t2|t3,t4)",
        replaced=2,
        sources={"summaries": [1, 2]},
    )
    assert merged().json("summary", "list", "c1") == [meta]


def test_summary_list_all_prints_merged_and_replaced_ones_too() -> None:
    states = [(one["id"], one["state"]) for one in merged().json("summary", "list", "c1", "--all")]
    assert states == [(1, "merged"), (2, "replaced"), (3, "in_use")]


def test_summary_unwind_prints_what_is_in_use_again() -> None:
    opened = merged()
    assert [one["id"] for one in opened.json("summary", "unwind", "c1", "S3")] == [1, 2]
    assert [one["id"] for one in opened.json("summary", "list", "c1")] == [1, 2]


def test_summary_delete_of_a_meta_prints_what_is_in_use_again() -> None:
    assert [one["id"] for one in merged().json("summary", "delete", "c1", "S3")] == [1]


def test_summary_edit_and_regenerate_print_the_new_summary() -> None:
    opened = story(6)
    opened.json("summary", "make", "c1", "--through", "4")
    (edited,) = opened.json("summary", "edit", "c1", "S1", "--text", "they met")
    assert edited == summary(id=2, text="they met", tokens=2, maker="user")
    assert opened.json("summary", "regenerate", "c1", "S2") == [summary(id=3)]
    assert opened.json("summary", "show", "c1", "S1")["state"] == "replaced"


def test_summary_repair_prices_and_remakes_what_is_stale() -> None:
    opened = story(6)
    opened.json("summary", "make", "c1", "--through", "4")
    opened.json("turn", "edit", "c1", "2", "--text", "T2")
    step = {"summary": 1, "children": [], "tokens_in": 20, "tokens_out": 1}
    price = {"steps": [step], "calls": 1, "tokens": 21}
    assert opened.json("summary", "repair", "c1", "--dry-run") == price
    assert opened.json("summary", "repair", "c1") == [summary(id=2, text="sum(t1,T2,t3,t4)")]
    assert opened.json("summary", "repair", "c1") == []


STATUS_KEYS = (
    "state reason pile_tokens due_tokens progress worth_tokens forecast_turns reserve_tokens "
    "recaps_tokens context boundary layers"
).split()


def test_status_prints_the_state_and_every_number_behind_it() -> None:
    opened = story(6)
    opened.json("summary", "make", "c1", "--through", "4")
    found = opened.json("status", "c1", "--context", "1024")
    assert {key: found[key] for key in STATUS_KEYS} == {
        "state": "chat_more",
        "reason": "",
        "pile_tokens": 10,
        "due_tokens": found["due_tokens"],
        "progress": 10 / found["due_tokens"],
        "worth_tokens": found["worth_tokens"],
        "forecast_turns": found["forecast_turns"],
        "reserve_tokens": 103,
        "recaps_tokens": 2,
        "context": 1024,
        "boundary": 4,
        "layers": [{"layer": 0, "summaries": 1, "tokens": 1}],
    }
    assert (found["context_source"], found["token_source"]) == ("given", "words")
    assert found["label"] == "chat more first"


def test_status_says_where_the_context_comes_from() -> None:
    opened = story(1)
    assert opened.json("status", "c1")["context_source"] == "default"
    opened.json("settings", "set", "c1", "context", "2048")
    found = opened.json("status", "c1")
    assert (found["context"], found["context_source"]) == (2048, "setting")


def test_the_reason_names_the_turn_that_is_too_large() -> None:
    opened = story(3)
    opened.json("turn", "append", "c1", "--text", "w " * 2000)
    found = opened.json("status", "c1", "--context", "1024")
    assert (found["state"], found["turn"]) == ("overflowing", 4)
    assert found["reason"] == "turn_too_large: turn 4"
    assert "Turn 4" in found["sentence"]


def long_story() -> Door:
    """Return a story that overflows a context of 1 024 tokens."""
    opened = story(40, words=60)
    opened.json("settings", "set", "c1", "context", "1024")
    return opened


def test_recap_prints_what_it_made_and_a_dry_run_what_it_would_make() -> None:
    opened = long_story()
    price = opened.json("recap", "c1", "--dry-run")
    known = {"state", "pieces", "calls", "tokens_in", "tokens_out", "reason", "model", "money"}
    assert price.keys() == known
    assert (price["model"], price["money"]) == ("echo-1", 0)
    assert price["calls"] == len(price["pieces"]) > 1
    assert opened.json("summary", "list", "c1") == []
    made = opened.json("recap", "c1")
    assert [(one["from_order"], one["order"]) for one in made[: price["calls"]]] == [
        (piece["from"], piece["to"]) for piece in price["pieces"]
    ]
    assert opened.json("summary", "list", "c1") == made


def test_recap_with_nothing_to_do_prints_an_empty_list_and_says_why() -> None:
    result = story(2).run("recap", "c1", "--json")
    assert (result.exit_code, json.loads(result.stdout)) == (0, [])
    assert "There isn't enough piled up yet" in result.stderr


def test_recap_anyway_makes_one_piece() -> None:
    opened = story(30, words=20)
    assert opened.json("recap", "c1") == []
    assert len(opened.json("recap", "c1", "--anyway")) == 1


def test_prompt_prints_messages_sections_and_the_proof() -> None:
    opened = story(6)
    opened.json("summary", "make", "c1", "--through", "4")
    opened.json("turn", "hide", "c1", "5")
    found = opened.json("prompt", "c1", "--context", "1024")
    assert found["messages"][0]["role"] == "system"
    assert "sum(t1,t2,t3,t4)" in found["messages"][0]["content"]
    assert found["messages"][1:] == [{"role": "assistant", "content": "t6"}]
    assert found["coverage"] == {
        "verbatim": 1,
        "covered": 4,
        "masked": 0,
        "hidden": 1,
        "dropped": 0,
        "total": 6,
    }
    assert [section["name"] for section in found["sections"]] == ["system", "summaries", "verbatim"]
    assert all(section.keys() == {"name", "tokens", "turns"} for section in found["sections"])
    assert found["tokens"] == sum(section["tokens"] for section in found["sections"])
    assert found["tokens"] <= found["limit"] == found["context"] - found["reserve"]
    assert (found["dropped"], found["outdated"]) == ({"turns": 0, "tokens": 0}, None)


def test_prompt_memory_prints_the_summaries_alone() -> None:
    opened = story(6)
    opened.json("summary", "make", "c1", "--through", "4")
    assert opened.says("prompt", "c1", "--memory") == "sum(t1,t2,t3,t4)\n"
    assert opened.json("prompt", "c1", "--memory") == {"memory": "sum(t1,t2,t3,t4)"}


def test_prompt_asks_about_outdated_summaries_until_they_are_acknowledged() -> None:
    opened = story(6)
    opened.json("summary", "make", "c1", "--through", "4")
    opened.json("turn", "edit", "c1", "2", "--text", "T2")
    question = (
        "Invalidated summaries for messages with IDs: [4]. "
        "Continue generation without those summaries?"
    )
    result = opened.run("prompt", "c1")
    assert (result.exit_code, result.stderr.splitlines()[0]) == (0, question)
    assert opened.json("prompt", "c1", "--acknowledge")["outdated"] == {
        "summaries": [1],
        "turns": [4],
        "question": question,
    }
    assert opened.json("prompt", "c1")["outdated"] is None


def test_branches_are_made_listed_switched_and_renamed() -> None:
    opened = story(4)
    fork = branch(id=2, name="other", parent=1, forked_at=3, turns=3)
    assert opened.json("branch", "new", "c1", "--from", "3", "--name", "other") == fork
    main = branch(current=False)
    assert opened.json("branch", "list", "c1") == [main, fork]
    assert opened.json("branch", "switch", "c1", "main") == branch()
    assert opened.json("branch", "rename", "c1", "2", "side") == {
        **fork,
        "name": "side",
        "current": False,
    }


def test_commands_work_on_the_branch_that_is_named() -> None:
    opened = story(4)
    opened.json("branch", "new", "c1", "--from", "2", "--name", "other")
    opened.json("turn", "append", "c1", "--branch", "main", "--text", "t5")
    assert [one["order"] for one in opened.json("turn", "list", "c1")] == [1, 2]
    assert len(opened.json("turn", "list", "c1", "--branch", "1")) == 5
    assert opened.json("prompt", "c1", "--branch", "main")["coverage"]["total"] == 5
    assert opened.json("undo", "c1", "--branch", "main")["kind"] == "append"
    assert opened.json("history", "c1")[0]["kind"] == "fork"


def test_undo_and_redo_print_what_they_took_back() -> None:
    opened = story(4)
    opened.json("summary", "make", "c1", "--through", "4")
    opened.json("turn", "edit", "c1", "2", "--text", "T2")
    done = {"kind": "edit", "branch": 1}
    assert opened.json("undo", "c1") == {"undone": 6, **done, "stale": [], "back": [1]}
    assert opened.json("redo", "c1") == {"redone": 6, **done, "stale": [1], "back": []}


def test_undo_takes_back_an_older_command_by_its_id() -> None:
    opened = story(2)
    opened.json("turn", "hide", "c1", "1")
    opened.json("turn", "pin", "c1", "2")
    assert opened.json("undo", "c1", "--id", "3")["undone"] == 3
    assert opened.json("turn", "list", "c1") == [turn(1), turn(2, pinned=True)]


def test_history_prints_the_commands_newest_first() -> None:
    opened = story(1)
    opened.json("undo", "c1")
    entry: dict[str, Any] = {"at": AT, "actor": "user", "branch": 1, "ops": 1}
    assert opened.json("history", "c1") == [
        {"id": 2, "kind": "undo", **entry, "undoes": 1, "in_force": False},
        {"id": 1, "kind": "append", **entry, "undoes": None, "in_force": False},
    ]
    assert len(opened.json("history", "c1", "--limit", "1")) == 1


def test_search_prints_hits_best_first() -> None:
    opened = story(4)
    opened.json("turn", "append", "c1", "--text", "a green lamp")
    opened.json("turn", "append", "c1", "--text", "the lamp is out")
    opened.json("turn", "append", "c1", "--text", "a lamp, a lamp")
    hits = opened.json("search", "c1", "Lamp", "Grün", "green")
    scores = [hit.pop("score") for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert min(scores) > 0
    hit = {"role": "user", "speaker": "user"}
    green, twice, out = "a green lamp", "a lamp, a lamp", "the lamp is out"
    assert hits == [
        {
            "turn_id": 5,
            "order": 5,
            **hit,
            "matched": ["lamp", "green"],
            "snippet": green,
            "text": green,
        },
        {"turn_id": 7, "order": 7, **hit, "matched": ["lamp"], "snippet": twice, "text": twice},
        {"turn_id": 6, "order": 6, **hit, "matched": ["lamp"], "snippet": out, "text": out},
    ]
    orders = [one["order"] for one in opened.json("search", "c1", "lamp", "--limit", "2")]
    assert orders == [7, 5]
    (second,) = opened.json("search", "c1", "lamp", "--limit", "1", "--skip", "1")
    assert second["order"] == 5
    assert [one["order"] for one in opened.json("search", "c1", '"lamp is"', "green")] == [6]
    assert opened.json("search", "c1", "…") == []


def test_verify_prints_a_verdict_for_one_or_for_all() -> None:
    opened = story(4)
    assert opened.json("verify", "c1") == {"ok": True, "checked": 4, "problems": []}
    assert opened.json("verify") == {"ok": True, "checked": 4, "problems": []}


def test_settings_are_set_for_a_conversation_or_for_all() -> None:
    opened = story(0)
    assert opened.json("settings", "set", "cadence", "more-often")["cadence"] == "more-often"
    assert opened.json("settings", "show", "c1")["cadence"] == "more-often"
    assert opened.json("settings", "set", "c1", "cadence", "less-often")["cadence"] == "less-often"
    assert opened.json("settings", "show")["cadence"] == "more-often"
    opened.json("settings", "set", "c1", "cadence", "")
    assert opened.json("settings", "show", "c1")["cadence"] == "more-often"


def test_a_setting_comes_from_standard_input_too() -> None:
    opened = story(0)
    found = opened.json("settings", "set", "c1", "system", "--text", "-", text="Be\nkind\n")
    assert found["system"] == "Be\nkind"
    assert opened.json("settings", "set", "style", "--text", "plain")["style"] == "plain"


def test_templates_are_listed_shown_replaced_and_reset() -> None:
    opened = story(0)
    listed = opened.json("templates", "list")
    assert [(one["name"], one["scope"]) for one in listed] == [
        ("master", "builtin"),
        ("summary", "builtin"),
        ("suffix", "builtin"),
        ("meta", "builtin"),
        ("repair", "builtin"),
        ("memory", "builtin"),
    ]
    own = {"name": "master", "scope": "conversation", "text": "{{ summaries }}!"}
    words = ("--conversation", "c1")
    assert opened.json("templates", "set", "master", "--text", own["text"], *words) == own
    assert opened.json("templates", "show", "master", *words) == own
    assert opened.json("templates", "show", "master") == listed[0]
    assert opened.json("templates", "reset", "master", *words) == listed[0]


def test_templates_check_says_whether_a_text_may_be_saved(tmp_path: Path) -> None:
    opened = door()
    path = tmp_path / "master.md"
    path.write_text("{{ summaries }}", encoding="utf-8")
    good = {"name": "master", "ok": True, "warnings": []}
    assert opened.json("templates", "check", "master", str(path)) == good
    assert opened.json("templates", "check", "master") == good
    assert [one["ok"] for one in opened.json("templates", "check")] == [True] * 6
    (warning,) = opened.json("templates", "check", "master", "--text", "plain")["warnings"]
    assert "summaries" in warning
