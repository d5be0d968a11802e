import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.interchange import ForeignSettings
from foreword.domain.policy import policy_from, setting_names
from foreword.errors import FileUnreadable
from foreword.formats.memory_settings import read_memory_settings
from foreword.ports.format import SourceFile
from foreword.quality.cleanup import rules_of

SAMPLE = Path(__file__).parents[2] / "data" / "summaryception" / "settings.json"
FIELDS: list[str] = [*json.loads(SAMPLE.read_text(encoding="utf-8")), "maxLayers", "verbatimTurns"]


def read(value: object) -> ForeignSettings:
    return read_memory_settings(SourceFile(path="s.json", data=json.dumps(value).encode()))


def taken(value: object) -> dict[str, str]:
    return {one.name: one.value for one in read(value).taken}


def test_every_field_of_a_settings_file_is_taken_or_named_with_its_reason() -> None:
    found = read(json.loads(SAMPLE.read_text(encoding="utf-8")))
    assert {one.name: one.value for one in found.taken} == {
        "memory": "on",
        "paused": "off",
        "mode": "prefix-cache",
        "cache_ttl": "60",
        "placement": "in-chat",
        "memory_role": "assistant",
        "placement_depth": "2",
        "summary_target": "320",
        "batch_cap": "20000",
        "batch_target": "12000",
        "verbatim": "18000",
        "queue": "14000",
        "memory_budget": "9000",
        "layer_count": "22",
        "merge_count": "4",
        "memory_repeat": "on",
        "strip_ideographs": "on",
        "cleanup": r"/\[OOC\]\ a\/b/g =>",
        "memory_log": "trace",
    }
    assert {loss.where: loss.why for loss in found.losses} == {
        "continuityEnabled": "Foreword has no auditor of continuity yet",
        "configMode": "it is about the page of the extension",
        "minSummaryTurns": "Foreword counts tokens, not turns",
        "maxSummaryTurns": "Foreword counts tokens, not turns",
        "advancedModelContext": "it is the summariser's context: see `foreword routes set`",
        "summarizerUserPrompt": "prompts are templates here: `foreword templates edit`",
        "promptPreset": "prompts are templates here: `foreword templates edit`",
        "applyRegexScripts": "it belongs to SillyTavern's prompts",
        "connectionSource": "models are set with `foreword routes set`",
        "connectionProfileId": "models are set with `foreword routes set`",
        "requestTimeoutSeconds": "models are set with `foreword routes set`",
    }


def test_they_are_found_inside_the_settings_of_sillytavern() -> None:
    inner = {"verbatimTokenBudget": 9000}
    assert taken({"extension_settings": {"summaryception": inner}}) == {"verbatim": "9000"}
    assert taken({"summaryception": inner, "enabled": True}) == {"verbatim": "9000"}


def test_a_rule_for_a_text_to_strip_takes_that_text_and_no_other() -> None:
    (rule,) = rules_of(taken({"stripPatterns": ["(a.b)/c"]})["cleanup"])
    assert rule.pattern.sub(rule.replacement, "x(a.b)/cy (axb)/c") == "xy (axb)/c"


def test_texts_that_make_no_rule_are_named() -> None:
    found = read({"stripPatterns": ["a\nb", "ok", "x" * 500, 3]})
    assert [one.value for one in found.taken] == ["/ok/g =>"]
    assert [loss.why for loss in found.losses] == ["2 of several lines, or too long for a rule"]
    assert read({"stripPatterns": ["<output>"]}).losses[0].where == "stripPatterns"


@pytest.mark.parametrize(
    ("value", "kept", "note"),
    [
        (7, "80", "7 in the file; summary_target goes from 80 to 700"),
        (10**9, "700", "1000000000 in the file; summary_target goes from 80 to 700"),
        ("300", "300", ""),
        (299.6, "300", ""),
    ],
)
def test_a_number_beyond_the_range_becomes_the_nearest_one(
    value: object, kept: str, note: str
) -> None:
    (one,) = read({"layer0SummaryTokenTarget": value}).taken
    assert (one.value, one.note) == (kept, note)


@pytest.mark.parametrize("value", [True, None, "many", [], {}, float("inf"), float("nan")])
def test_what_is_no_number_is_named(value: object) -> None:
    found = read({"verbatimTokenBudget": value})
    assert found.taken == ()
    assert [(loss.where, loss.why) for loss in found.losses] == [
        ("verbatimTokenBudget", "it is no number")
    ]


@pytest.mark.parametrize("off", [{"enabled": False}, {"uiMode": "off"}])
def test_an_extension_that_is_off_is_memory_off(off: dict[str, object]) -> None:
    assert taken({"maxLayers": 5, **off}) == {"most_layers": "5", "memory": "off"}


def test_modes_of_all_generations_are_known_and_others_named() -> None:
    assert taken({"memoryMode": "standard"}) == {"mode": "balanced"}
    (custom,) = read({"memoryMode": "custom"}).taken
    assert (custom.value, custom.note) == ("balanced", "custom in the file, with its own budgets")
    (loss,) = read({"memoryMode": "dreaming"}).losses
    assert loss.what == "dreaming"


def test_the_log_is_the_most_that_is_on_and_normal_when_none_is() -> None:
    assert taken({"debugMode": False, "traceMode": False}) == {"memory_log": "normal"}
    assert taken({"promptOutputLogMode": True, "debugMode": True}) == {"memory_log": "prompts"}


@pytest.mark.parametrize("value", [[], 3, {}, {"enabled": True}, {"entries": {}}])
def test_a_file_without_such_settings_is_refused(value: object) -> None:
    with pytest.raises(FileUnreadable, match="no settings of Summaryception"):
        read(value)


def test_a_file_that_is_no_json_is_refused_with_the_place() -> None:
    with pytest.raises(FileUnreadable, match="it is no JSON"):
        read_memory_settings(SourceFile(path="s.json", data=b'{"enabled": '))


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
NAMES = st.sampled_from(FIELDS) | st.text(max_size=12)


@given(st.dictionaries(NAMES, ANY, max_size=12))
def test_whatever_stands_in_the_fields_valid_settings_come_out(value: dict[str, Any]) -> None:
    found = read({**value, "maxLayers": 3})
    values = {one.name: one.value for one in found.taken}
    policy_from(values)
    rules_of(values.get("cleanup", ""))
    assert len(values) == len(found.taken)
    assert values.keys() <= set(setting_names())
