"""maintain, worker and jobs: what they do and say."""

import pytest
from tests.integration.cli.door import Door, story

from foreword.cli.exits import ExitCode
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore
from foreword.testing.models import FakeModel, FakeModels


def due_story() -> Door:
    opened = story(32, words=36)
    for name, value in {"context": "2000", "reply": "200", "mode": "balanced"}.items():
        opened.json("settings", "set", "c1", name, value)
    return opened


@pytest.mark.parametrize("which", ["c1", "--all"])
def test_maintain_does_what_is_due(which: str) -> None:
    opened = due_story()
    assert opened.json("maintain", which) == [
        {
            "job": 1,
            "conversation": "c1",
            "branch": 1,
            "state": "done",
            "made": 1,
            "repaired": 0,
            "reason": "below",
            "sentence": "Nothing is due: 193 more tokens of story until then.",
            "error": None,
        }
    ]
    assert opened.json("maintain", which) == []
    assert opened.says("maintain", which).startswith("Nothing is due.")


def test_maintain_tells_people_how_far_it_is() -> None:
    result = due_story().run("maintain", "c1")
    assert result.stderr.splitlines() == [
        "c1: summarising turns 1 to 6 (240 tokens), 290 tokens to go",
        "c1, branch 1: done, 1 summary made. Nothing is due: 193 more tokens of story until then.",
    ]
    assert result.stdout == "1 summary made in 1 job.\n"


def test_a_dry_run_prices_what_would_be_made_and_changes_nothing() -> None:
    opened = due_story()
    found = opened.json("maintain", "c1", "--dry-run")
    assert found == {
        "due": True,
        "calls": 1,
        "summaries": 1,
        "merges": [],
        "turns": 6,
        "tokens_in": found["tokens_in"],
        "tokens_out": 67,
        "memory_tokens": 67,
        "model": "echo-1",
        "money": 0,
        "capped": False,
        "sentence": "",
    }
    assert found["tokens_in"] > 240
    shown = opened.says("maintain", "c1", "--dry-run")
    assert shown.startswith("1 summary of 6 turns; 1 call, ")
    assert shown.splitlines()[-1] == "The summaries in use then take about 67 tokens."
    assert opened.json("summary", "list", "c1") == []


def test_a_dry_run_of_nothing_says_why_and_one_of_all_is_refused() -> None:
    assert story(2).says("maintain", "c1", "--dry-run") == (
        "Memory does not run by itself in mode advised.\n"
    )
    code, _ = story(2).error("maintain", "--all", "--dry-run")
    assert code == ExitCode.USAGE


def test_a_dry_run_with_a_cap_ends_at_it() -> None:
    model = FakeModel(price_in=1.0, price_out=1.0)
    opened = Door(engine_on(MemoryStore(), models=FakeModels(model)))
    opened.says("new", "Lamp")
    for number in range(1, 121):
        role = "user" if number % 2 else "assistant"
        text = " ".join([f"t{number}", *["w"] * 35])
        opened.says("turn", "append", "c1", "--role", role, "--text", text)
    opened.json("routes", "set", "summarise", "--url", "http://model/v1", "--model", "m")
    settings = {"context": "2000", "reply": "200", "mode": "balanced", "layer_count": "3"}
    for name, value in {**settings, "batch_target": "200", "batch_cap": "200"}.items():
        opened.json("settings", "set", "c1", name, value)
    whole = opened.json("maintain", "c1", "--dry-run")
    assert (whole["capped"], whole["merges"] != []) == (False, True)
    assert "and merges: " in opened.says("maintain", "c1", "--dry-run")
    some = opened.json("maintain", "c1", "--dry-run", "--spend", "0.001")
    assert some["capped"]
    assert 1_000 <= some["money"] < whole["money"]
    shown = opened.says("maintain", "c1", "--dry-run", "--spend", "0.001")
    assert shown.endswith("The cap of --spend ends it there; the rest stays due.\n")


def test_jobs_are_listed_newest_first() -> None:
    opened = due_story()
    assert "waiting" in opened.says("jobs", "--all")
    opened.json("maintain", "c1")
    (job,) = opened.json("jobs", "c1")
    assert (job["state"], job["made"], job["attempt"], job["detail"]) == ("done", 1, 1, "")
    assert "done" in opened.says("jobs", "--all")
    assert story(1).says("jobs", "--all") == "There were no background jobs.\n"


def test_one_conversation_or_all_must_be_said() -> None:
    for words in (["maintain"], ["maintain", "c1", "--all"], ["jobs"]):
        code, error = due_story().error(*words)
        assert (code, error["message"]) == (
            ExitCode.USAGE,
            "Invalid value: give a conversation, or --all",
        )


def test_a_failed_job_says_why_and_what_is_kept() -> None:
    model = FakeModel(["I'm sorry, but I can't help with that request."])
    opened = Door(engine_on(MemoryStore(), models=FakeModels(model)))
    opened.engine.store.set_default(opened.engine.account, "context", "2000")
    opened.says("new", "Lamp")
    for number in range(1, 33):
        role = "user" if number % 2 else "assistant"
        text = " ".join([f"t{number}", *["w"] * 35])
        opened.says("turn", "append", "c1", "--role", role, "--text", text)
    opened.json("routes", "set", "summarise", "--url", "http://model/v1", "--model", "m")
    opened.json("settings", "set", "c1", "reply", "200")
    opened.json("settings", "set", "c1", "mode", "balanced")
    (ended,) = opened.json("maintain", "c1")
    assert (ended["state"], ended["made"], ended["error"]) == ("failed", 0, "SummaryUnusable")
    assert opened.json("jobs", "c1")[0]["detail"] == ended["sentence"]
    assert opened.json("summary", "list", "c1") == []
