from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.policy import (
    DEFAULT_CONTEXT,
    LARGEST_CONTEXT,
    SMALLEST_CONTEXT,
    Cadence,
    LastResort,
    MemoryLog,
    MemoryRole,
    Mode,
    Placement,
    Policy,
    Resolution,
    Strategy,
    policy_from,
    setting_help,
    setting_names,
    written,
)
from foreword.errors import InvalidSetting, UnknownSetting

TEXTS = ("system", "personas", "char", "user", "narrative_pov", "narrative_tense", "style")
CAPS = ("spend_per_day", "spend_per_conversation")


def test_without_settings_the_policy_is_the_default() -> None:
    assert policy_from({}) == Policy()
    assert Policy().context == DEFAULT_CONTEXT == 32_768
    assert Policy().mode is Mode.ADVISED


def test_every_setting_reaches_the_policy() -> None:
    settings = {name: f"the {name}" for name in TEXTS} | {
        "context": "8192",
        "reply": "300",
        "mode": "manual",
        "cadence": "less-often",
        "resolution": "more-detail",
        "last_resort": "builtin",
        "spend_per_day": "2.50",
        "spend_per_conversation": "0.000001",
        "memory": "off",
        "paused": "on",
        "strategy": "two-level",
        "depth_limit": "3",
        "verbatim": "5 000",
        "queue": "1500",
        "memory_budget": "2000",
        "summary_target": "300",
        "batch_target": "4000",
        "batch_cap": "6000",
        "layer_count": "12",
        "merge_count": "4",
        "most_layers": "5",
        "share_layer0": "61",
        "share_layer0_deep": "51",
        "share_layer1": "31",
        "share_deeper": "21",
        "placement": "in-chat",
        "placement_depth": "6",
        "memory_role": "user",
        "memory_repeat": "yes",
        "cache_ttl": "60",
        "ask_missing": "on",
        "strip_ideographs": "true",
        "cleanup": "/a/ => b",
        "memory_log": "trace",
    }
    assert set(settings) == set(setting_names())
    assert policy_from(settings) == Policy(
        system="the system",
        personas="the personas",
        context=8192,
        reply=300,
        mode=Mode.MANUAL,
        cadence=Cadence.LESS_OFTEN,
        resolution=Resolution.MORE_DETAIL,
        char="the char",
        user="the user",
        narrative_pov="the narrative_pov",
        narrative_tense="the narrative_tense",
        style="the style",
        last_resort=LastResort.BUILTIN,
        spend_per_day=2.5,
        spend_per_conversation=0.000001,
        memory=False,
        paused=True,
        strategy=Strategy.TWO_LEVEL,
        depth_limit=3,
        verbatim=5000,
        queue=1500,
        memory_budget=2000,
        summary_target=300,
        batch_target=4000,
        batch_cap=6000,
        layer_count=12,
        merge_count=4,
        most_layers=5,
        share_layer0=61,
        share_layer0_deep=51,
        share_layer1=31,
        share_deeper=21,
        placement=Placement.IN_CHAT,
        placement_depth=6,
        memory_role=MemoryRole.USER,
        memory_repeat=True,
        cache_ttl=60,
        ask_missing=True,
        strip_ideographs=True,
        cleanup="/a/ => b",
        memory_log=MemoryLog.TRACE,
    )


@pytest.mark.parametrize("name", setting_names())
def test_an_empty_value_means_the_default(name: str) -> None:
    assert policy_from({name: ""}) == Policy()


@pytest.mark.parametrize("name", setting_names())
def test_every_setting_has_a_sentence_of_help(name: str) -> None:
    sentence = setting_help(name)
    assert sentence[0].isalpha()
    assert sentence.endswith(".")


def test_names_of_settings_are_the_fields_in_order() -> None:
    assert setting_names() == tuple(field.name for field in fields(Policy))


@pytest.mark.parametrize("name", ["", "Context", "contxt", "context "])
def test_an_unknown_name_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(UnknownSetting) as raised:
        policy_from({"reply": "5", name: "1"})
    assert (raised.value.name, raised.value.known) == (name, setting_names())
    with pytest.raises(UnknownSetting):
        setting_help(name)


@pytest.mark.parametrize("name", TEXTS)
@given(text=st.text(min_size=1))
def test_a_text_is_kept_as_it_stands(name: str, text: str) -> None:
    assert written(policy_from({name: text}), name) == text


@pytest.mark.parametrize(
    "value", ["32768", "32,768", "32_768", " 32768\n", "32 768", "32\u202f768", "32'768", "32’768"]
)
def test_thousands_may_be_separated(value: str) -> None:
    assert policy_from({"context": value}).context == 32_768


@pytest.mark.parametrize(
    "value",
    [
        *"32k 32.768 -512 +512 0x400 1e5 ٣٢٧٦٨ ²²²² , 511 0 100000001 none".split(),
        *(" ", "32 76", "4096 0", "4096\x00", "9" * 5000),
    ],
)
def test_a_context_that_is_no_number_in_range_is_refused(value: str) -> None:
    with pytest.raises(InvalidSetting) as raised:
        policy_from({"context": value})
    assert raised.value.name == "context"
    assert raised.value.value == value
    assert raised.value.wanted == "a whole number of tokens from 512 to 100000000"
    assert len(str(raised.value)) < 500


@given(st.integers(SMALLEST_CONTEXT, LARGEST_CONTEXT))
def test_every_context_in_range_is_taken_with_and_without_separators(context: int) -> None:
    assert policy_from({"context": f"{context}"}).context == context
    assert policy_from({"context": f"{context:,}"}).context == context


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("mode", "auto", "one of manual, advised, balanced, prefix-cache"),
        ("cadence", "often", "one of less-often, recommended, more-often"),
        ("resolution", "detail", "one of less-detail, recommended, more-detail"),
        ("last_resort", "fallback", "one of nothing, builtin"),
        ("memory", "maybe", "on or off"),
    ],
)
def test_a_word_that_is_no_choice_is_refused_with_the_choices(
    name: str, value: str, wanted: str
) -> None:
    with pytest.raises(InvalidSetting) as raised:
        policy_from({name: value})
    assert (raised.value.name, raised.value.value) == (name, value)
    assert raised.value.wanted == wanted


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("mode", Mode),
        ("cadence", Cadence),
        ("resolution", Resolution),
        ("last_resort", LastResort),
    ],
)
def test_every_choice_can_be_set(
    name: str, kind: type[Mode] | type[Cadence] | type[Resolution] | type[LastResort]
) -> None:
    for choice in kind:
        assert getattr(policy_from({name: choice.value}), name) is choice


@pytest.mark.parametrize(
    ("settings", "policy"),
    [
        ({"cadence": "More often, faster"}, Policy(cadence=Cadence.MORE_OFTEN)),
        ({"cadence": "more_often"}, Policy(cadence=Cadence.MORE_OFTEN)),
        ({"cadence": " LESS  OFTEN "}, Policy(cadence=Cadence.LESS_OFTEN)),
        ({"resolution": "Recommended"}, Policy()),
        ({"mode": "Manual"}, Policy(mode=Mode.MANUAL)),
        ({"last_resort": "Builtin"}, Policy(last_resort=LastResort.BUILTIN)),
    ],
)
def test_the_label_of_a_choice_means_the_choice(settings: dict[str, str], policy: Policy) -> None:
    assert policy_from(settings) == policy


def test_a_policy_written_out_reads_as_itself() -> None:
    policy = Policy(
        system="Be brief.",
        context=8192,
        reply=300,
        mode=Mode.MANUAL,
        cadence=Cadence.LESS_OFTEN,
        resolution=Resolution.MORE_DETAIL,
        char="Anneke",
        last_resort=LastResort.BUILTIN,
        spend_per_day=10.0,
        spend_per_conversation=0.25,
    )
    assert policy_from({name: written(policy, name) for name in setting_names()}) == policy


@pytest.mark.parametrize("name", CAPS)
@pytest.mark.parametrize(
    ("value", "dollars", "stored"),
    [
        ("0", 0.0, "0"),
        ("5", 5.0, "5"),
        ("100", 100.0, "100"),
        (" $2.50 ", 2.5, "2.5"),
        ("$ 3", 3.0, "3"),
        ("0.000001", 0.000001, "0.000001"),
        ("999999999.999999", 999_999_999.999999, "999999999.999999"),
    ],
)
def test_a_cap_is_read_and_written_in_dollars(
    name: str, value: str, dollars: float, stored: str
) -> None:
    policy = policy_from({name: value})
    assert getattr(policy, name) == dollars
    assert written(policy, name) == stored


@pytest.mark.parametrize("name", CAPS)
@pytest.mark.parametrize(
    "value",
    [*"-1 +1 1e3 inf nan 1,50 1.0000001 1000000000 .5 5. ٥ 5€ $ $$5 none".split(), " ", "5\x00"],
)
def test_a_cap_that_is_no_sum_of_dollars_is_refused(name: str, value: str) -> None:
    with pytest.raises(InvalidSetting) as raised:
        policy_from({name: value})
    assert (raised.value.name, raised.value.value) == (name, value)
    assert raised.value.wanted == "US dollars from 0 to 999999999, such as 2.50"


@given(st.integers(0, 999_999_999_999_999))
def test_every_cap_reads_back_to_the_last_micro_dollar(micros: int) -> None:
    whole, decimals = divmod(micros, 1_000_000)
    policy = policy_from({"spend_per_day": f"{whole}.{decimals:06d}"})
    assert round((policy.spend_per_day or 0) * 1_000_000) == micros
    assert policy_from({"spend_per_day": written(policy, "spend_per_day")}) == policy


@pytest.mark.parametrize("name", CAPS)
def test_without_a_cap_nothing_is_written(name: str) -> None:
    assert written(Policy(), name) == ""


def test_an_unset_reply_is_written_as_what_is_kept() -> None:
    assert written(Policy(context=2048), "reply") == "512"


@pytest.mark.parametrize(
    ("context", "reply", "reserve"),
    [
        (512, None, 128),
        (4095, None, 1023),
        (4096, None, 1024),
        (32_768, None, 1024),
        (4096, 0, 0),
        (4096, 300, 300),
        (4096, 2048, 2048),
        (4096, 4000, 2048),
        (32_768, 8000, 8000),
    ],
)
def test_the_reply_reserve_is_what_was_set_or_a_quarter_up_to_1024(
    context: int, reply: int | None, reserve: int
) -> None:
    assert Policy(context=context, reply=reply).reply_reserve == reserve


@given(st.integers(SMALLEST_CONTEXT, 10**6), st.none() | st.integers(0, 10**6))
def test_the_reply_reserve_leaves_at_least_half_the_context(
    context: int, reply: int | None
) -> None:
    assert 0 <= Policy(context=context, reply=reply).reply_reserve <= context / 2
