"""Messages: roles, names in front of texts, and the parts of the system message."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.ids import SpeakerId
from foreword.domain.message import Message
from foreword.domain.turn import (
    Content,
    MediaPart,
    Part,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from foreword.prompts.messages import (
    SystemPart,
    SystemSection,
    needs_name,
    parts_of_system,
    sent_role,
    system_message,
    turn_message,
    turn_prefix,
)
from foreword.prompts.rendering import compile_template
from foreword.prompts.variables import TemplateValues

MASTER = compile_template(
    "master", "{{ system }}\n{{ summaries }}\n{{ background_lore }}\n{{ facts }}"
)


def content(
    *parts: Part, role: Role = Role.ASSISTANT, reasoning: str = "", named: bool = False
) -> Content:
    return Content(role=role, speaker=SpeakerId("s"), parts=parts, reasoning=reasoning, named=named)


def spoken(text: str, speaker: str, *, role: Role = Role.ASSISTANT) -> Message:
    named = needs_name(role, speaker, char="Mira", user="Ben")
    turn = content(TextPart(text=text), role=role, named=named)
    return turn_message(turn, speaker_name=speaker)


@pytest.mark.parametrize(
    ("speaker", "role", "sent"),
    [
        ("Mira", Role.ASSISTANT, "Hello."),
        ("mira ", Role.ASSISTANT, "Hello."),
        ("Ben", Role.USER, "Hello."),
        ("", Role.ASSISTANT, "Hello."),
        ("Narrator", Role.ASSISTANT, "Hello."),
        ("You", Role.USER, "Hello."),
        ("Old Tam", Role.ASSISTANT, "Old Tam: Hello."),
        (" Old Tam ", Role.USER, "Old Tam: Hello."),
        ("Old Tam", Role.SYSTEM, "Hello."),
        ("小明", Role.ASSISTANT, "小明: Hello."),
    ],
)
def test_a_name_is_given_only_where_the_role_does_not_say_it(
    speaker: str, role: Role, sent: str
) -> None:
    assert spoken("Hello.", speaker, role=role) == Message(role=role, content=sent)


def test_without_names_in_the_settings_every_speaker_is_named() -> None:
    assert needs_name(Role.ASSISTANT, "Mira", char="", user="")
    assert not needs_name(Role.TOOL, "Mira", char="", user="")


def test_a_text_that_begins_with_its_speaker_is_not_named_twice() -> None:
    assert spoken("Old Tam: Hello.", "Old Tam").content == "Old Tam: Hello."


def test_reasoning_is_never_sent() -> None:
    turn = content(TextPart(text="Hello."), reasoning="a secret plan")
    sent = turn_message(turn, speaker_name="Mira")
    assert sent == Message(role=Role.ASSISTANT, content="Hello.")


def test_tool_calls_and_media_are_sent_as_text() -> None:
    turn = content(
        TextPart(text="I look."),
        ToolCallPart(call_id="1", name="look", arguments='{"at": "map"}'),
        MediaPart(media_type="image/png", reference="map.png"),
    )
    sent = turn_message(turn, speaker_name="Mira")
    assert sent.content == 'I look.\n\nlook({"at": "map"})\n\n[image/png: map.png]'


def test_the_result_of_a_tool_is_sent_as_marked_text_of_the_user() -> None:
    turn = content(ToolResultPart(call_id="1", text="A toll road."), role=Role.TOOL)
    sent = turn_message(turn, speaker_name="Map")
    assert sent == Message(role=Role.USER, content="[Tool result]\nA toll road.")


@given(
    text=st.text(st.characters(), max_size=40),
    speaker=st.text(max_size=8),
    role=st.sampled_from(Role),
    named=st.booleans(),
)
def test_a_turn_is_sent_word_for_word_behind_its_prefix(
    text: str, speaker: str, role: Role, named: bool
) -> None:
    turn = content(TextPart(text=text), role=role, named=named)
    sent = turn_message(turn, speaker_name=speaker)
    prefix = turn_prefix(turn, speaker)
    assert sent.role is sent_role(role)
    assert sent.content in {text, prefix + text}
    assert sent.content.startswith(prefix)


def test_the_system_message_is_the_rendered_template() -> None:
    values = TemplateValues(system="S", summaries="M")
    assert system_message(MASTER, values) == Message(role=Role.SYSTEM, content="S\nM")


def test_the_system_message_grows_by_one_section_at_a_time() -> None:
    values = TemplateValues(system="S", background_lore="L", facts="F", summaries="M")
    assert parts_of_system(MASTER, values) == (
        SystemPart(section=SystemSection.SYSTEM, text_so_far="S"),
        SystemPart(section=SystemSection.LORE, text_so_far="S\n\nL"),
        SystemPart(section=SystemSection.FACTS, text_so_far="S\n\nL\nF"),
        SystemPart(section=SystemSection.SUMMARIES, text_so_far="S\nM\nL\nF"),
    )


@given(values=st.builds(TemplateValues, system=st.text(), facts=st.text(), summaries=st.text()))
def test_the_last_part_is_the_whole_system_message(values: TemplateValues) -> None:
    assert parts_of_system(MASTER, values)[-1].text_so_far == system_message(MASTER, values).content
