"""The share of replies with a date, and the prompt that asks for one."""

from __future__ import annotations

from tests.integration.cli.door import Door, story

from foreword.engine.header_prompt import HEADER_PROMPT

HEADER = "[ Time: 09:40 PM | Date: Monday, March 03, 1873 AD | Place: Mill ]"


def told(replies: int, dated: int) -> Door:
    opened = story(0)
    for number in range(replies):
        head = HEADER if number < dated else "Mara nods."
        opened.says("turn", "append", "c1", "--role", "user", "--text", HEADER)
        opened.says("turn", "append", "c1", "--role", "assistant", "--text", f"{head}\nAnd on.")
    opened.json("settings", "set", "c1", "mode", "balanced")
    return opened


def test_the_status_says_how_many_replies_carry_a_date() -> None:
    assert told(10, 10).json("memory", "status", "c1")["scene_time"] == 1.0
    assert told(10, 1).json("memory", "status", "c1")["scene_time"] == 0.1
    assert story(0).json("memory", "status", "c1")["scene_time"] is None


def test_too_few_dates_are_said_with_what_to_do() -> None:
    assert "10% of the newest replies carry a date" in told(10, 1).says("memory", "status", "c1")
    assert "carry a date" not in told(10, 2).says("memory", "status", "c1")
    manual = told(10, 1)
    manual.json("settings", "set", "c1", "mode", "manual")
    assert "carry a date" not in manual.says("memory", "status", "c1")


def test_the_header_prompt_is_put_in_once_and_taken_out_again() -> None:
    opened = story(0)
    opened.json("settings", "set", "c1", "system", "You tell a story.")
    assert opened.json("settings", "header", "c1") == {"changed": True, "on": True}
    with_header = opened.json("settings", "show", "c1")["system"]
    assert with_header == f"You tell a story.\n\n{HEADER_PROMPT}"
    assert opened.json("settings", "header", "c1") == {"changed": False, "on": True}
    assert opened.says("settings", "header", "c1").startswith("The header prompt is already in")
    more = f"{with_header}\n\nBe brief."
    opened.json("settings", "set", "c1", "system", more)
    assert opened.says("settings", "header", "c1", "--off").startswith(
        "The header prompt was taken"
    )
    system = opened.json("settings", "show", "c1")["system"]
    assert system == "You tell a story.\n\nBe brief."
    assert opened.json("settings", "header", "c1", "--off") == {"changed": False, "on": False}


def test_an_empty_system_text_gets_the_prompt_alone() -> None:
    opened = story(0)
    opened.json("settings", "header", "c1")
    assert opened.json("settings", "show", "c1")["system"] == HEADER_PROMPT
    opened.json("settings", "header", "c1", "--off")
    assert opened.json("settings", "show", "c1")["system"] == ""
