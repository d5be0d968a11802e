"""Files of chat services through the command line: OpenAI's messages, two services' exports."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.integration.cli.door import Door, door, story

Json = dict[str, Any]


def save(path: Path, value: object) -> str:
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)


def told(opened: Door, *words: str) -> list[str]:
    return [one["text"] for one in opened.json("turn", "list", *words)]


def chatgpt(text: str, role: str = "user") -> Json:
    return {
        "author": {"role": role},
        "content": {"content_type": "text", "parts": [text]},
        "create_time": 1_700_000_000.0,
    }


def branching(title: str, key: str) -> Json:
    """Return a conversation whose question was answered three times, twice with more after it."""
    nodes = {
        "q": (None, chatgpt("Is it in?")),
        "no": ("q", chatgpt("No.", "assistant")),
        "yes": ("q", chatgpt("Yes.", "assistant")),
        "hm": ("q", chatgpt("Perhaps.", "assistant")),
        "why": ("no", chatgpt("Why?")),
        "good": ("yes", chatgpt("Good.")),
    }
    mapping = {name: {"message": said, "parent": parent} for name, (parent, said) in nodes.items()}
    return {"title": title, "id": key, "mapping": mapping, "current_node": "why"}


def claude(name: str, key: str) -> Json:
    said = [("a", "Is it in?", "human"), ("b", "Not yet.", "assistant")]
    messages = [{"uuid": one, "text": text, "sender": by} for one, text, by in said]
    return {"uuid": key, "name": name, "chat_messages": messages}


def test_every_conversation_and_branch_of_an_export_is_taken_in_once(tmp_path: Path) -> None:
    opened = door()
    path = save(tmp_path / "c.json", [branching("Ferry", "1"), branching("Ferry", "2")])

    done = opened.json("import", path)

    fields = ("conversation", "branch", "turns", "created", "forked")
    assert [tuple(one[field] for field in fields) for one in done] == [
        ("c1", 1, 3, True, False),
        ("c1", 2, 2, False, True),
        ("c2", 1, 3, True, False),
        ("c2", 2, 2, False, True),
    ]
    assert told(opened, "c1") == ["Is it in?", "No.", "Why?"]
    assert told(opened, "c1", "--branch", "2") == ["Is it in?", "Yes.", "Good."]
    assert [one["text"] for one in opened.json("turn", "show", "c1", "2")["versions"]] == [
        "No.",
        "Perhaps.",
    ]
    assert [one["turns"] for one in opened.json("import", path)] == [0, 0, 0, 0]


def test_an_export_that_grew_adds_what_is_new(tmp_path: Path) -> None:
    opened = door()
    first = claude("Ferry", "1")
    opened.json("import", save(tmp_path / "c.json", [first]))
    more = {"uuid": "c", "text": "When?", "sender": "human"}
    grown = {**first, "name": "Renamed", "chat_messages": [*first["chat_messages"], more]}

    done = opened.json("import", save(tmp_path / "c.json", [grown, claude("Bell", "2")]))

    assert [(one["conversation"], one["turns"], one["created"]) for one in done] == [
        ("c1", 1, False),
        ("c2", 2, True),
    ]
    assert told(opened, "c1") == ["Is it in?", "Not yet.", "When?"]


def test_the_archive_of_a_service_is_read_as_it_comes(tmp_path: Path) -> None:
    path = tmp_path / "data.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("conversations.json", json.dumps([claude("Ferry", "1")]))
        packed.writestr("users.json", "[]")
    opened = door()

    assert opened.json("import", str(path))["title"] == "Ferry"
    assert told(opened, "c1") == ["Is it in?", "Not yet."]


def test_people_see_the_losses_of_a_file_by_conversation(tmp_path: Path) -> None:
    odd = {**claude("Bell", "2"), "summary": "They waited."}
    path = save(tmp_path / "c.json", [claude("Ferry", "1"), odd])
    result = door().run("import", path)
    assert result.stdout == (
        f"{path}: imported as 'Ferry' (c1), 2 turns\n{path}: imported as 'Bell' (c2), 2 turns\n"
    )
    assert result.stderr == (
        "  'Bell', the conversation: its summary (it is kept with the conversation and not used)\n"
    )


def test_exports_are_not_added_to_a_story(tmp_path: Path) -> None:
    path = save(tmp_path / "c.json", [claude("Ferry", "1"), claude("Bell", "2")])
    code, error = story(2).error("import", path, "--into", "c1")
    assert (code, error["type"]) == (4, "FileUnreadable")
    request = [{"role": "system", "content": "S"}, {"role": "user", "content": "Hi."}]
    code, error = story(2).error("import", save(tmp_path / "r.json", request), "--into", "c1")
    assert (code, error["type"]) == (4, "FileUnreadable")


@pytest.mark.parametrize("form", ["openai", "openai-jsonl"])
def test_a_story_goes_out_as_messages_and_comes_back_as_it_was(tmp_path: Path, form: str) -> None:
    opened = story(4)
    opened.json("settings", "set", "c1", "system", "Stay brief.")
    opened.json("turn", "pin", "c1", "1")
    opened.json("turn", "hide", "c1", "2")
    path = tmp_path / "out"

    done = opened.json("export", "c1", "--format", form, "-o", str(path))

    assert done["losses"] == []
    assert json.loads(path.read_bytes())["messages"] == [
        {"role": "system", "content": "Stay brief."},
        {"role": "user", "content": "t1"},
        {"role": "user", "content": "t3"},
        {"role": "assistant", "content": "t4"},
    ]
    again = door()
    again.json("import", str(path))
    assert again.json("turn", "list", "c1") == opened.json("turn", "list", "c1")
    assert again.json("list")[0]["title"] == "Lamp"
    assert again.json("prompt", "c1")["messages"] == opened.json("prompt", "c1")["messages"]


def test_summaries_and_other_branches_are_named_when_a_story_goes_out(tmp_path: Path) -> None:
    opened = story(6)
    opened.json("summary", "make", "c1", "--through", "4")
    opened.json("branch", "new", "c1", "--from", "5", "--name", "other")
    done = opened.json("export", "c1", "--format", "openai", "-o", str(tmp_path / "out.json"))
    assert [loss["what"] for loss in done["losses"]] == ["1 summary", "1 other branch"]
