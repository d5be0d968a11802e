"""`prompt` keeps what it prints: lists, one of them, what changed, and forgetting them."""

import sqlite3
from pathlib import Path

import pytest
from tests.e2e.program import run
from tests.integration.cli.door import AT, Door, door, story


def changed() -> Door:
    """A story whose prompt was printed before and after a summary of its first four turns."""
    opened = story(6, words=20)
    opened.json("prompt", "c1")
    opened.json("summary", "make", "c1", "--through", "4")
    return opened


def test_printed_prompts_are_listed_newest_first() -> None:
    opened = changed()
    first = opened.json("prompt", "c1", "--plan", "1")
    assert opened.json("prompt", "c1")["number"] == 2
    assert opened.json("prompt", "c1")["number"] == 2
    newest, oldest = opened.json("prompt", "c1", "--list")
    assert oldest == {
        "number": 1,
        "at": AT,
        "branch": 1,
        "revision": 6,
        "tokens": first["tokens"],
        "message_count": 6,
        "replies": [],
    }
    assert newest["number"] == 2
    said = opened.says("prompt", "c1", "--list")
    assert [line.split()[0] for line in said.split("\n") if line[:3].strip().isdigit()] == [
        "2",
        "1",
    ]


def test_a_kept_prompt_is_shown_as_it_was_printed() -> None:
    opened = changed()
    printed = opened.json("prompt", "c1")
    shown = opened.json("prompt", "c1", "--plan", "2")
    alike = ("messages", "sections", "coverage", "tokens", "limit", "reserve", "context", "dropped")
    assert {key: shown[key] for key in alike} == {key: printed[key] for key in alike}
    said = opened.says("prompt", "c1", "--plan", "2")
    assert said.startswith("--- system\n")
    assert f"Prompt 2, made at {AT}." in said


def test_a_difference_names_what_came_and_went() -> None:
    opened = changed()
    found = opened.json("prompt", "c1", "--diff")
    assert (found["before"], found["after"], found["same"]) == (1, 2, False)
    assert found["turns"]["left"] == [{"id": number, "order": number} for number in range(1, 5)]
    assert (found["turns"]["entered"], found["turns"]["changed"]) == ([], [])
    assert found["summaries"] == {"entered": [1], "left": []}
    assert [one["name"] for one in found["sections"]] == ["system", "summaries", "verbatim"]
    assert found["prefix"] == {"messages": 0, "tokens": 0, "share": 0.0}
    assert found == opened.json("prompt", "c1", "--diff")
    full = opened.json("prompt", "c1", "--plan", "2", "--diff", "--full")
    assert full["text"].startswith("@@ -1,11 +1,10 @@\n-[user]\n-t1 w")
    assert full == {**found, "text": full["text"]}


def test_a_difference_is_readable() -> None:
    opened = changed()
    said = opened.says("prompt", "c1", "--diff")
    assert said.startswith("From prompt 1 to prompt 2: ")
    assert "Turns that went out: 1, 2, 3, 4.\nSummaries that came in: S1.\n" in said
    assert "The same from the beginning: 0 tokens (0% of the prompt, 0 whole messages)." in said
    assert "\n-t1 w" not in said
    opened.says("turn", "edit", "c1", "6", "--text", "Other words.")
    said = opened.says("prompt", "c1", "--diff", "--full")
    assert "Turns with another text: 6.\n" in said
    assert ", 2 whole messages)" in said
    assert said.endswith("+Other words.\n")


def test_a_first_prompt_has_nothing_to_be_compared_with() -> None:
    opened = story(20)
    done = opened.run("prompt", "c1", "--diff")
    assert "No older prompt of this branch is kept" in done.stderr
    assert "From nothing to prompt 1: 0 → " in done.stdout
    assert "Turns that came in: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, … 20 (20).\n" in done.stdout
    assert opened.json("prompt", "c1", "--diff")["before"] is None
    opened.says("turn", "delete", "c1", "20")
    assert "Turns that went out: id:20.\n" in opened.says("prompt", "c1", "--diff")


def test_a_prompt_like_the_one_before_it_differs_in_nothing() -> None:
    opened = story(4)
    opened.says("prompt", "c1")
    opened.says("turn", "append", "c1", "--text", "more")
    opened.says("prompt", "c1")
    opened.says("undo", "c1")
    assert opened.json("prompt", "c1", "--diff")["turns"]["left"] == [{"id": 5, "order": None}]
    opened.says("branch", "new", "c1", "--from", "4")
    assert "No prompt of this branch is kept yet" in opened.says("prompt", "c1", "--list")


def test_only_what_differs_in_sections_or_texts_is_told() -> None:
    opened = story(2)
    opened.says("prompt", "c1", "--context", "5000")
    said = opened.says("prompt", "c1", "--context", "6000", "--diff")
    assert said == "From prompt 1 to prompt 2: nothing changed.\n"


def test_prompts_are_forgotten_when_asked() -> None:
    opened = changed()
    assert opened.json("prompt", "c1", "--forget") == {"forgotten": 1}
    assert opened.says("prompt", "c1", "--forget") == "Forgotten: 0 prompts.\n"
    assert opened.json("prompt", "c1", "--list") == []


@pytest.mark.parametrize(
    ("words", "code", "kind"),
    [
        (["--plan", "9"], 3, "PromptNotFound"),
        (["--plan", "9", "--diff"], 3, "PromptNotFound"),
        (["--reply", "2"], 3, "PromptNotFound"),
        (["--reply", "99"], 3, "TurnNotFound"),
        (["--plan", "0"], 2, "UsageError"),
        (["--full"], 2, "UsageError"),
        (["--list", "--plan", "1"], 2, "UsageError"),
        (["--diff", "--memory"], 2, "UsageError"),
    ],
)
def test_what_cannot_be_shown_is_refused(words: list[str], code: int, kind: str) -> None:
    found, error = story(2).error("prompt", "c1", *words)
    assert (found, error["type"]) == (code, kind)


def test_a_prompt_is_printed_while_the_database_cannot_be_written(tmp_path: Path) -> None:
    assert run(tmp_path, "new", "Lamp").returncode == 0
    assert run(tmp_path, "turn", "append", "Lamp", "--text", "One.").returncode == 0
    path = tmp_path / "foreword.db"
    with sqlite3.connect(path) as connection:
        connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON plan BEGIN SELECT RAISE(FAIL, 'no'); END"
        )
    done = run(tmp_path, "prompt", "Lamp")
    assert b"This prompt is not kept" in done.stderr
    assert done.stdout.startswith(b"--- user\nOne.\n") or b"--- user\nOne.\n" in done.stdout


def test_the_prompt_of_a_reply_is_found_by_its_turn() -> None:
    opened = door()
    opened.says("new", "Lamp")
    opened.says("routes", "set", "chat", "--url", "http://model/v1", "--model", "m")
    opened.says("write", "c1", "And Mara?")
    shown = opened.json("prompt", "c1", "--reply", "2")
    assert (shown["number"], shown["replies"]) == (1, [2])
    assert shown["messages"][-1] == {"role": "user", "content": "And Mara?"}
    assert "Turns written from it: id:2." in opened.says("prompt", "c1", "--plan", "1")
    assert opened.says("prompt", "c1", "--list").rstrip().endswith("id:2")
