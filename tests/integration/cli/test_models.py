"""Routes, replies and costs through the door, with models that a test scripts."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from tests.integration.cli.door import Door, door
from tests.integration.cli.test_reference import FOLDER, keys_of
from tests.integration.engine.stage import GOOD, REFUSAL, STORY

from foreword.domain.calls import Finish, ModelAnswer, Usage
from foreword.errors import ForewordError, KeyUnavailable, ModelUnreachable
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore
from foreword.testing.models import FakeModel, FakeModels

URL = "http://localhost:8080/v1"
ANSWER = "Mara runs to the water before he has finished."
QUESTION = (
    "Invalidated summaries for messages with IDs: [4]. Continue generation without those summaries?"
)
FIRST_FOUR = GOOD[: GOOD.index(" The lantern")]
"""What a careful model makes of the first four turns."""
UNREACHABLE = ModelUnreachable(route="chat", detail="connection refused")

Answer = str | ModelAnswer | ForewordError


def modelled(*answers: Answer, route: str | None = "chat", **values: str) -> Door:
    """Return a door to a story, `c1`, whose route leads to a model with these answers."""
    model = FakeModel(list(answers) or None, chunk=10, price_in=1, price_out=2)
    opened = Door(engine_on(MemoryStore(), models=FakeModels(model)))
    opened.says("new", "Ferry")
    for number, text in enumerate(STORY):
        role = "assistant" if number % 2 else "user"
        opened.says("turn", "append", "c1", "--role", role, "--text", text)
    if route is not None:
        options = [word for key, value in values.items() for word in (f"--{key}", value)]
        opened.says("routes", "set", route, "--url", URL, "--model", "m-1", *options)
    return opened


def stale(*answers: Answer) -> Door:
    """Return a door to the story with a summary that an edit took out of force."""
    opened = modelled(*answers)
    opened.says("summary", "make", "c1", "--through", "4")
    opened.says("turn", "edit", "c1", "2", "--text", "Tobin says no.")
    return opened


def texts(opened: Door) -> list[str]:
    return [turn["text"] for turn in opened.json("turn", "list", "c1")]


def route(**changes: object) -> dict[str, object]:
    return {
        "name": "chat",
        "kind": "openai",
        "url": URL,
        "model": "m-1",
        "key": "none",
        "key_env": "",
        "key_file": "",
        "context": None,
        "told_context": None,
        "output": None,
        "temperature": None,
        "timeout": 120.0,
        "retries": 3,
        "rpm": None,
        "concurrency": 1,
        "suffix": False,
        "price_in": None,
        "price_cached": None,
        "price_out": None,
        **changes,
    }


def job(name: str = "chat", **changes: object) -> dict[str, object]:
    return {"job": name, "inherited_from": None, "route": route(), "ratio": 1.0, **changes}


def test_without_routes_every_job_says_who_does_it() -> None:
    opened = door()
    assert opened.json("routes", "list") == [
        job(name, route=None) for name in ("chat", "summarise", "merge", "fallback")
    ]
    shown = opened.says("routes", "list")
    assert "no model: `write` needs one" in shown
    assert shown.count("the built-in summariser") == 2
    assert "nothing takes over" in shown


def test_a_route_is_set_inherited_changed_and_removed() -> None:
    opened = door()
    assert opened.json("routes", "set", "chat", "--url", URL, "--model", "m-1") == job()
    assert opened.json("routes", "list") == [
        job(),
        job("summarise", inherited_from="chat"),
        job("merge", inherited_from="chat"),
        job("fallback", route=None),
    ]
    changed = route(context=8192, price_in=0.25, price_out=2.0, temperature=0.5)
    words = ("--context", "8192", "--price-in", "0.25", "--price-out", "2", "--temperature", "0.5")
    assert opened.json("routes", "set", "chat", *words) == job(route=changed)
    shown = opened.says("routes", "list", width=140)
    assert "8,192 (set)" in shown
    assert "$0.25 / $2" in shown
    assert "as chat" in shown
    plain = opened.json("routes", "set", "chat", "--context", "", "--temperature", "")["route"]
    assert (plain["context"], plain["temperature"], plain["price_in"]) == (None, None, 0.25)
    assert opened.json("routes", "remove", "chat") == job(route=None)
    assert opened.error("routes", "remove", "chat")[0] == 3


def test_setting_a_route_says_how_to_try_it() -> None:
    result = door().run("routes", "set", "chat", "--url", URL, "--model", "m-1")
    assert result.stderr == "`foreword routes test chat` tries it.\n"


@pytest.mark.parametrize(
    ("words", "code", "kind"),
    [
        (["routes", "set", "singing", "--model", "m"], 3, "RouteNotFound"),
        (["routes", "set", "chat", "--url", URL], 4, "InvalidSetting"),
        (["routes", "set", "chat", "--model", "m", "--url", "ftp://x"], 4, "InvalidSetting"),
        (["routes", "set", "chat", "--model", "m", "--context", "many"], 4, "InvalidSetting"),
        (["routes", "set", "chat", "--model", "builtin"], 4, "InvalidSetting"),
        (["routes", "set", "chat"], 2, "UsageError"),
        (["routes", "set", "chat", "--ask-key", "--key-env", "KEY"], 2, "UsageError"),
        (["routes", "test", "chat"], 4, "RouteMissing"),
        (["routes", "test", "singing"], 3, "RouteNotFound"),
    ],
)
def test_a_route_that_cannot_be_is_refused(words: list[str], code: int, kind: str) -> None:
    opened = door()
    found = opened.error(*words)
    assert (found[0], found[1]["type"]) == (code, kind)
    assert opened.json("routes", "list")[0]["route"] is None


def test_a_key_that_is_given_for_a_variable_is_not_repeated() -> None:
    opened = door()
    words = ("routes", "set", "chat", "--url", URL, "--model", "m", "--key-env", "sk-secret-1")
    result = opened.run(*words)
    assert result.exit_code == 4
    assert "sk-secret-1" not in result.output


def test_an_address_with_a_key_in_it_is_refused_and_not_repeated() -> None:
    opened = door()
    words = ("routes", "set", "chat", "--url", f"{URL}?api_key=sk-secret-1", "--model", "m")
    shown = opened.run(*words)
    assert shown.exit_code == 4
    assert "sk-secret-1" not in shown.output + opened.says("routes", "list", "--json")


def test_a_query_of_an_address_is_not_shown() -> None:
    opened = door()
    words = ("routes", "set", "chat", "--url", f"{URL}?api-version=2026-1", "--model", "m")
    shown = opened.run(*words)
    assert shown.exit_code == 0
    assert "2026-1" not in shown.output + opened.says("routes", "list", "--json")


def test_a_key_is_read_from_standard_input_and_kept_in_a_file_of_its_own(tmp_path: Path) -> None:
    opened = door()
    words = ("routes", "set", "chat", "--url", URL, "--model", "m", "--ask-key")
    result = opened.run(*words, "--data-dir", str(tmp_path), "--json", text="sk-secret-1\nmore\n")
    assert result.exit_code == 0, result.output
    assert "sk-secret-1" not in result.output
    found = json.loads(result.stdout)["route"]
    path = Path(found["key_file"])
    assert (found["key"], path.is_relative_to(tmp_path)) == ("file", True)
    assert path.read_text("utf-8").strip() == "sk-secret-1"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "from a file" in opened.says("routes", "list", width=140)

    changed = opened.json("routes", "set", "chat", "--key-env", "MY_KEY")["route"]
    assert (changed["key"], changed["key_env"], changed["key_file"]) == ("env", "MY_KEY", "")
    assert "from $MY_KEY" in opened.says("routes", "list", width=140)


def test_an_empty_key_is_refused(tmp_path: Path) -> None:
    words = ("routes", "set", "chat", "--url", URL, "--model", "m", "--ask-key")
    opened = door()
    code, failure = opened.error(*words, "--data-dir", str(tmp_path), text="\n")
    assert (code, failure["type"]) == (4, "KeyUnavailable")


def test_a_file_named_for_a_model_or_key_is_stored_with_its_whole_path(tmp_path: Path) -> None:
    opened = door()
    made = opened.json("routes", "set", "summarise", "--model", "models/tiny.gguf")["route"]
    assert (made["kind"], made["model"]) == ("local", str(Path("models/tiny.gguf").absolute()))
    words = ("routes", "set", "chat", "--url", URL, "--model", "tiny.gguf", "--key-file", "key")
    other = opened.json(*words)["route"]
    assert (other["kind"], other["model"]) == ("openai", "tiny.gguf")
    assert other["key_file"] == str(Path("key").absolute())
    result = opened.run("routes", "remove", "chat")
    assert result.stderr == f"The file with its key stays: {Path('key').absolute()}\n"


def test_a_test_of_a_route_says_what_the_model_can_do() -> None:
    usage = Usage(tokens_in=20, tokens_out=9)
    answer = ModelAnswer(text="one, two", reasoning="Count.", raw="one, two", usage=usage)
    opened = modelled(answer)
    shown = opened.says("routes", "test", "chat")
    assert shown.startswith(f"chat: m-1 (openai {URL})\n")
    for line in (
        "reasoning: yes, told apart from the answer",
        "usage reported: yes",
        "price: $1 in, $2 out for a million tokens",
        "it wrote: one, two",
    ):
        assert f"\n{line}\n" in shown
    found = opened.json("routes", "test", "chat")
    assert (found["ok"], found["problem"], found["answer"]) == (True, None, "one, two")
    assert (found["reasoning"], found["usage_reported"]) == (True, True)


@pytest.mark.parametrize(
    "problem", [UNREACHABLE, KeyUnavailable(route="chat", reason="$KEY is not set.")]
)
def test_a_test_of_a_route_says_what_is_wrong_and_ends_with_8(problem: ForewordError) -> None:
    opened = modelled(problem)
    people = opened.run("routes", "test", "chat")
    assert people.exit_code == 8
    assert f"It does not work. {problem}" in people.stdout
    programs = opened.run("routes", "test", "chat", "--json")
    assert programs.exit_code == 8
    found = json.loads(programs.stdout)
    assert found["ok"] is False
    assert found["problem"] == {"type": type(problem).__name__, "message": str(problem)}


def test_a_reply_is_shown_as_it_is_and_becomes_the_next_turn() -> None:
    answer = ModelAnswer(text=ANSWER, reasoning="She would run.", raw=ANSWER)
    opened = modelled(answer)
    result = opened.run("write", "c1", "And Mara?")
    assert (result.exit_code, result.stdout) == (0, f"{ANSWER}\n")
    assert "She would run." in result.stderr
    assert texts(opened)[-2:] == ["And Mara?", ANSWER]


def test_write_takes_its_text_from_standard_input_and_goes_on_without_one() -> None:
    opened = modelled(ANSWER)
    assert opened.says("write", "c1", "--text", "-", text="And Mara?\n") == f"{ANSWER}\n"
    assert opened.says("write", "c1") == f"{ANSWER}\n"
    assert texts(opened)[-3:] == ["And Mara?", ANSWER, ANSWER]
    assert opened.run("write", "c1", "one", "--text", "two").exit_code == 2


def test_write_as_json_is_one_document() -> None:
    usage = Usage(tokens_in=100, tokens_cached=40, tokens_out=10)
    answer = ModelAnswer(text=ANSWER, raw=ANSWER, usage=usage, model="m-1-2026")
    opened = modelled(answer)
    result = opened.run("write", "c1", "And Mara?", "--json")
    assert result.stderr == ""
    found = json.loads(result.stdout)
    assert (found["said"]["text"], found["reply"]["text"]) == ("And Mara?", ANSWER)
    assert (found["reply"]["order"], found["reply"]["role"]) == (8, "assistant")
    assert found["usage"] == {
        "tokens_in": 100,
        "tokens_cached": 40,
        "tokens_out": 10,
        "tokens_reasoning": 0,
        "reported": True,
    }
    assert (found["route"], found["model"], found["reused"]) == ("chat", "m-1-2026", False)
    assert found["finish"] == "stop"
    assert found["call"] == opened.json("cost", "c1", "--calls")[0]["id"]


def test_a_reply_that_ran_into_its_limit_says_so() -> None:
    opened = modelled(ModelAnswer(text=ANSWER, raw=ANSWER, finish=Finish.LENGTH))
    assert "ran into the limit" in opened.run("write", "c1").stderr


def test_when_the_model_fails_what_was_said_is_kept_and_the_user_told() -> None:
    opened = modelled(UNREACHABLE)
    result = opened.run("write", "c1", "And Mara?")
    assert (result.exit_code, result.stdout) == (8, "")
    assert "What you said is kept; `foreword write CONV` asks the model again." in result.stderr
    assert texts(opened)[-1] == "And Mara?"
    again = opened.run("write", "c1")
    assert "What you said is kept" not in again.stderr


def test_without_a_model_nothing_is_said() -> None:
    opened = modelled(ANSWER, route=None)
    code, failure = opened.error("write", "c1", "And Mara?")
    assert (code, failure["type"], len(texts(opened))) == (4, "RouteMissing", 6)


def test_outdated_summaries_stop_a_reply_until_somebody_says_yes() -> None:
    opened = stale(FIRST_FOUR, ANSWER)
    for words in (("write", "c1", "And Mara?"), ("write", "c1", "And Mara?", "--no")):
        code, failure = opened.error(*words)
        assert (code, failure["type"]) == (4, "OutdatedSummaries")
        assert (failure["question"], failure["turn_ids"]) == (QUESTION, [4])
    assert len(texts(opened)) == 6
    assert opened.says("write", "c1", "And Mara?", "--yes") == f"{ANSWER}\n"
    assert opened.says("write", "c1", "And then?", "--no") == f"{ANSWER}\n"


def test_prompt_asks_goes_on_or_stops() -> None:
    opened = stale(FIRST_FOUR)
    stopped = opened.run("prompt", "c1", "--no")
    assert (stopped.exit_code, stopped.stdout) == (4, "")
    assert QUESTION in stopped.stderr
    bare = opened.run("prompt", "c1")
    assert bare.exit_code == 0
    assert bare.stderr.splitlines() == [
        QUESTION,
        "--yes goes on without them; `foreword summary repair` remakes them.",
    ]
    assert opened.run("prompt", "c1", "--yes").stderr == f"{QUESTION}\n"
    assert opened.run("prompt", "c1", "--no").exit_code == 0


def test_a_summary_is_shown_as_it_is_written() -> None:
    opened = modelled(GOOD)
    result = opened.run("summary", "make", "c1", "--through", "6")
    assert result.exit_code == 0
    assert GOOD in result.stderr
    assert f"by m-1\n{GOOD}" in result.stdout
    assert opened.run("summary", "regenerate", "c1", "S1", "--json").stderr == ""


def test_a_draft_that_is_refused_is_said_to_be_asked_for_again() -> None:
    opened = modelled(REFUSAL, GOOD)
    result = opened.run("summary", "make", "c1", "--through", "6")
    assert result.exit_code == 0
    first, asked, second, *_ = result.stderr.splitlines()
    assert (first, second) == (REFUSAL, GOOD)
    assert asked.startswith("Begun anew: the draft was refused: ")


def test_what_a_model_wrote_and_why_it_was_refused_is_kept_and_shown() -> None:
    opened = modelled(REFUSAL)
    code, failure = opened.error("summary", "make", "c1", "--through", "6")
    assert (code, failure["type"], failure["raw"]) == (8, "SummaryUnusable", REFUSAL)
    assert "refusal" in failure["gates"]
    number = str(failure["call"])
    kept = opened.json("cost", "c1", "--call", number)
    assert (kept["raw"], kept["outcome"], kept["purpose"]) == (REFUSAL, "rejected", "repair")
    assert kept["detail"]
    shown = opened.says("cost", "c1", "--call", number)
    assert f"Refused: {kept['detail']}" in shown
    assert shown.endswith(f"[what the model wrote]\n{REFUSAL}\n")
    assert opened.json("summary", "list", "c1") == []


def test_a_span_that_the_model_cannot_read_at_once_is_refused_or_split() -> None:
    opened = modelled(GOOD, route="summarise", context="400")
    code, failure = opened.error("summary", "make", "c1", "--through", "6")
    assert (code, failure["type"]) == (6, "SpanTooLong")
    assert failure["needed"] > failure["limit"]
    assert isinstance(failure["last_order_that_fits"], int)


def test_a_split_makes_as_many_as_it_takes_and_one_undo_takes_them_back() -> None:
    opened = modelled(route="summarise", context="2000")
    for number in range(40):
        text = " ".join(f"{word}{number}" for word in STORY[0].lower().split())
        opened.says("turn", "append", "c1", "--text", text)
    assert opened.error("summary", "make", "c1", "--through", "46")[0] == 6
    made = opened.json("summary", "make", "c1", "--through", "46", "--split")
    assert len(made) > 1
    assert made[0]["from_order"] == 1
    assert made[-1]["order"] == 46
    opened.says("undo", "c1")
    assert opened.json("summary", "list", "c1") == []


def test_reuse_and_split_are_not_one_wish() -> None:
    words = ("summary", "make", "c1", "--through", "2", "--reuse", "--split")
    assert modelled(GOOD).run(*words).exit_code == 2


def test_costs_tell_chat_and_memory_apart() -> None:
    usage = Usage(tokens_in=1000, tokens_cached=200, tokens_out=100)
    reply = ModelAnswer(text=ANSWER, raw=ANSWER, usage=usage)
    summary = ModelAnswer(text=FIRST_FOUR, raw=FIRST_FOUR, usage=usage)
    opened = modelled(summary, reply)
    assert opened.json("summary", "make", "c1", "--through", "4")
    opened.says("write", "c1")
    found = opened.json("cost", "c1")
    spent = {
        "calls": 1,
        "tokens_in": 1000,
        "tokens_cached": 200,
        "tokens_out": 100,
    }
    for name in ("chat", "memory"):
        assert {key: found[name][key] for key in spent} == spent
    assert found["total"]["calls"] == 2
    assert found["caps"] == {"spend_per_day": None, "spend_per_conversation": None}
    shown = opened.says("cost", "c1")
    named = [line.split()[0] for line in shown.splitlines() if line.strip()]
    assert [name for name in named if name in {"chat", "memory", "total"}] == [
        "chat",
        "memory",
        "total",
    ]
    assert opened.json("cost") == found


def test_a_cap_is_shown_where_one_is_in_force() -> None:
    opened = modelled(ANSWER)
    assert "No cap is set" in opened.run("cost").stderr
    opened.says("settings", "set", "c1", "spend_per_conversation", "5")
    assert "At most $5.00 for a conversation: setting spend_per_conversation." in opened.says(
        "cost", "c1"
    )


def test_calls_are_listed_newest_first_and_shown_one_by_one() -> None:
    opened = modelled(FIRST_FOUR, ANSWER)
    assert opened.json("cost", "--calls") == []
    assert opened.says("cost", "--calls") == "No model was called yet.\n"
    opened.says("summary", "make", "c1", "--through", "4")
    opened.says("write", "c1")
    rows: list[dict[str, Any]] = opened.json("cost", "c1", "--calls")
    assert [(row["purpose"], row["outcome"]) for row in rows] == [
        ("reply", "used"),
        ("summary", "used"),
    ]
    assert opened.json("cost", "c1", "--calls", "--limit", "1") == rows[:1]
    assert rows[1]["summary"] == 1
    assert "It became S1." in opened.says("cost", "--call", str(rows[1]["id"]))
    assert "m-1" in opened.says("cost", "--calls", width=160)
    code, failure = opened.error("cost", "c1", "--call", "99")
    assert (code, failure["type"]) == (3, "CallNotFound")


def test_the_context_is_that_of_the_chat_route_where_no_other_is_set() -> None:
    opened = modelled(ANSWER, context="8192")
    assert "8,192 tokens (of the chat route), counted by" in opened.says("status", "c1")
    found = opened.json("status", "c1")
    assert (found["context"], found["usable_context"], found["context_source"]) == (
        8192,
        8192,
        "route",
    )


def test_a_context_in_tokens_of_another_kind_is_said_in_words() -> None:
    usage = Usage(tokens_in=600, tokens_out=10)
    opened = modelled(ModelAnswer(text=ANSWER, raw=ANSWER, usage=usage), context="8192")
    opened.says("write", "c1")
    usable = opened.json("prompt", "c1")["usable_context"]
    assert usable < 8192
    words = f"8,192 tokens (of the chat route), {usable:,} of them as counted here by"
    assert words in opened.says("status", "c1")
    assert words in opened.says("prompt", "c1")


def test_a_dry_run_names_the_model_and_what_it_would_cost() -> None:
    opened = modelled(GOOD)
    opened.says("settings", "set", "c1", "context", "512")
    found = opened.json("recap", "c1", "--dry-run")
    assert found["model"] == "m-1"
    assert "by m-1: " in opened.says("recap", "c1", "--dry-run")


def test_the_page_of_json_names_every_key_of_what_models_do() -> None:
    opened = modelled(REFUSAL, FIRST_FOUR, ANSWER)
    printed = [
        opened.json("summary", "make", "c1", "--through", "4"),
        opened.json("write", "c1", "And Mara?"),
        opened.json("routes", "test", "chat"),
        opened.json("routes", "list"),
        opened.json("cost", "c1"),
        opened.json("cost", "c1", "--calls"),
        opened.json("cost", "c1", "--call", "1"),
        opened.json("recap", "c1", "--dry-run"),
    ]
    page = (FOLDER / "json.md").read_text("utf-8")
    assert {key for key in keys_of(printed) if f"`{key}`" not in page} == set()


def test_merges_and_repairs_can_be_split_too() -> None:
    opened = modelled(route=None)
    for through in ("2", "4"):
        opened.says("summary", "make", "c1", "--through", through)
    result = opened.run("summary", "merge", "c1", "S1", "S2", "--split")
    assert (result.exit_code, result.stderr) == (0, "S3 is made.\n")
    opened.says("turn", "edit", "c1", "2", "--text", "Tobin says no.")
    assert opened.json("summary", "repair", "c1", "--split")


def test_when_the_fallback_takes_over_it_is_said_and_why() -> None:
    opened = modelled(REFUSAL, REFUSAL, GOOD)
    opened.says("routes", "set", "fallback", "--url", URL, "--model", "m-2")
    result = opened.run("summary", "make", "c1", "--through", "6")
    assert result.exit_code == 0
    assert "Begun anew: route 'fallback' takes over: the draft" in result.stderr
    assert "by m-2\n" in result.stdout
