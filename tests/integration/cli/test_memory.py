"""The memory commands: what they say, and that they do it."""

import re

import pytest
from tests.integration.cli.door import Door, story, summary

AUTOMATIC = {"context": "2000", "reply": "200", "mode": "balanced"}


def long_story(turns: int = 32, **settings: str) -> Door:
    opened = story(turns, words=36)
    for name, value in {**AUTOMATIC, **settings}.items():
        opened.json("settings", "set", "c1", name, value)
    return opened


def test_status_says_what_is_due_and_with_which_numbers() -> None:
    opened = long_story()
    found = opened.json("memory", "status", "c1")
    job = {
        "id": 1,
        "conversation": "c1",
        "branch": 1,
        "kind": "upkeep",
        "state": "waiting",
        "attempt": 0,
        "made_at": "2026-01-01T00:00:00.000+00:00",
        "changed_at": "2026-01-01T00:00:00.000+00:00",
        "made": 0,
        "left_tokens": 0,
        "doing": "",
        "detail": "",
    }
    assert found == {
        "mode": "balanced",
        "strategy": "layers",
        "on": True,
        "paused": False,
        "due": True,
        "sentence": "Turns of 240 tokens are to be summarised.",
        "live_tokens": 1280,
        "live_turns": 32,
        "verbatim_budget": 990,
        "queue_budget": 270,
        "memory_budget": 450,
        "memory_tokens": 0,
        "summary_target": 67,
        "boundary": 0,
        "stale": 0,
        "layers": [],
        "jobs": [job],
        "cache": {
            "suggested": False,
            "reason": "wrong_mode",
            "idle_minutes": 0,
            "ttl_minutes": 30,
            "queued_tokens": 240,
            "act_tokens": 1431,
            "wait_tokens": 128,
            "rate": 1.0,
            "pays_after": 2,
        },
        "scene_time": 0.0,
        "token_source": "words",
    }
    shown = opened.says("memory", "status", "c1")
    assert shown.startswith("Turns of 240 tokens are to be summarised.")
    assert "summarised from 1,260 uncovered on" in shown
    assert "job 1 waiting" in shown


def test_status_shows_layers_with_their_share() -> None:
    opened = long_story(memory="off")
    opened.json("memory", "recap", "c1")
    shown = opened.says("memory", "status", "c1")
    assert "Memory is switched off" in shown
    assert "balanced, strategy layers, switched off" in shown
    assert "tokens, 1 in use" in shown
    assert "turn 6" in shown


@pytest.mark.parametrize("word", ["recap", "force"])
def test_a_recap_by_hand_summarises_before_it_is_due(word: str) -> None:
    opened = long_story(30)
    done = opened.json("memory", word, "c1")
    assert done == {
        "made": [summary(source_tokens=160, text="sum(t1,t2,t3,t4)")],
        "repaired": 0,
        "reason": "done",
        "sentence": "Everything that may be summarised is.",
    }
    again = opened.run("memory", word, "c1")
    assert (again.exit_code, again.stdout) == (0, "Everything that may be summarised is.\n")


def test_progress_is_told_while_it_works() -> None:
    told = long_story(40, batch_target="200", batch_cap="200").run("memory", "recap", "c1").stderr
    first, second, *_ = told.splitlines()
    assert first == "1: summarising turns 1 to 4 (160 tokens), 610 tokens to go"
    assert second.startswith("2: summarising turns 5 to ")


def test_the_breaker_takes_the_newest_turns_too() -> None:
    opened = long_story(9)
    (made,) = opened.json("memory", "breaker", "c1")["made"]
    assert made["order"] == 8
    assert "S1" in opened.says("summary", "list", "c1")


def test_stop_and_resume_are_remembered() -> None:
    opened = long_story()
    assert opened.json("memory", "stop", "c1") == {"paused": True, "stopped": [1]}
    assert opened.json("memory", "status", "c1")["paused"] is True
    assert opened.json("settings", "show", "c1")["paused"] == "on"
    assert "told to stop" in opened.says("memory", "stop", "c1")
    assert opened.json("memory", "resume", "c1") == {"paused": False, "due": True}
    assert [job["state"] for job in opened.json("memory", "status", "c1")["jobs"]] == ["waiting"]
    assert "there is something to do" in opened.says("memory", "resume", "c1")
    assert "nothing is due now" in long_story(2).says("memory", "resume", "c1")


def test_a_pause_by_default_is_lifted_for_the_conversation() -> None:
    opened = long_story()
    opened.json("settings", "set", "paused", "on")
    assert opened.json("memory", "resume", "c1") == {"paused": False, "due": True}
    assert opened.json("settings", "show", "c1")["paused"] == "off"


def test_clear_takes_every_summary_away_and_undo_brings_them_back() -> None:
    opened = long_story(80)
    opened.json("memory", "recap", "c1")
    before = opened.json("summary", "list", "c1")
    cleared = opened.json("memory", "clear", "c1")
    assert cleared["summaries"] >= len(before)
    assert opened.json("summary", "list", "c1") == []
    assert [turn["text"][:2] for turn in opened.json("turn", "list", "c1")][:2] == ["t1", "t2"]
    undone = opened.json("undo", "c1")
    assert (undone["undone"], undone["kind"]) == (cleared["rev"], "clear")
    assert opened.json("summary", "list", "c1") == before
    assert "taken out of use" in opened.says("memory", "clear", "c1")


def test_preview_prints_the_memory_alone() -> None:
    opened = long_story()
    assert opened.run("memory", "preview", "c1").stdout == ""
    opened.json("memory", "recap", "c1")
    found = opened.json("memory", "preview", "c1")
    assert found["summaries"] == 1
    assert "sum(t1,t2,t3,t4,t5,t6)" in found["text"]
    assert opened.says("memory", "preview", "c1").strip() == found["text"]


def test_the_log_tells_what_memory_did() -> None:
    opened = long_story()
    assert opened.says("memory", "log", "c1") == "Memory did nothing here yet.\n"
    opened.json("maintain", "c1")
    (event,) = opened.json("memory", "log", "c1")
    assert event["text"].startswith("S1 of layer 0 stands for turns 1 to 6 (240 tokens)")
    assert (event["level"], event["kind"], event["branch"]) == ("normal", "made", 1)
    assert event["data"] == {"summary": "1", "layer": "0", "depth": "1"}
    (line,) = opened.says("memory", "log", "c1").splitlines()
    assert re.match(r"2026-01-01 00:00:0\d made: S1 of layer 0", line)


def test_the_log_shows_prompts_where_it_holds_them() -> None:
    opened = long_story(memory_log="prompts")
    opened.json("routes", "set", "summarise", "--url", "http://model/v1", "--model", "m")
    opened.json("maintain", "c1")
    shown = opened.says("memory", "log", "c1")
    assert "  prompt: " in shown
    assert "  prompt: " not in opened.says("memory", "log", "c1", "--level", "trace")
    assert len(opened.says("memory", "log", "c1", "--limit", "1").splitlines()) >= 1
