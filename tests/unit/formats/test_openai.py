"""Messages of OpenAI's chat API, read."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.interchange import Chat, ChatText, ChatTurn
from foreword.domain.turn import (
    MediaPart,
    Part,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from foreword.errors import FileUnreadable, ForewordError
from foreword.formats.openai import OpenAIFormat
from foreword.formats.registry import read_file
from foreword.ports.format import SourceFile

Json = dict[str, Any]
HI = {"role": "user", "content": "Is the ferry in?"}
NO = {"role": "assistant", "content": "Not yet."}
CALL = {"id": "c1", "type": "function", "function": {"name": "tide", "arguments": '{"at": 9}'}}


def lines(*values: object) -> bytes:
    return "\n".join(json.dumps(value) for value in values).encode()


def read_all(data: object, path: str = "logs/night.json") -> tuple[Chat, ...]:
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    found = read_file(SourceFile(path=path, data=raw))
    assert not isinstance(found, Chat) or found.title
    assert isinstance(found, Chat | tuple)
    return found if isinstance(found, tuple) else (found,)


def read(data: object) -> Chat:
    (found,) = read_all(data)
    return found


def turn(**fields: object) -> ChatTurn:
    """Return the turn of a message behind a plain one, which keeps it from being a setting."""
    return read([HI, {"role": "assistant", **fields}]).turns[1]


def said(*parts: Part, role: Role = Role.ASSISTANT, speaker: str = "", **beside: str) -> ChatTurn:
    text = ChatText(parts=parts, **beside)
    return ChatTurn(role=role, speaker=speaker or role.value, texts=(text,))


def texts(chat: Chat) -> list[str]:
    return [getattr(part, "text", "") for one in chat.turns for part in one.texts[one.chosen].parts]


def lost(chat: Chat) -> list[tuple[str, str]]:
    return [(loss.where, loss.what) for loss in chat.losses]


@pytest.mark.parametrize(
    "data",
    [[HI, NO], {"messages": [HI, NO]}, lines(HI, NO), lines({"messages": [HI, NO]})],
    ids=["list", "object", "message lines", "record line"],
)
def test_every_shape_of_file_gives_the_same_turns(data: object) -> None:
    assert read(data) == Chat(
        title="night",
        turns=(
            said(TextPart(text="Is the ferry in?"), role=Role.USER),
            said(TextPart(text="Not yet.")),
        ),
        source='{"foreword":{"format":"openai"}}',
    )


def test_a_recorded_request_keeps_what_stands_beside_its_messages() -> None:
    found = read({"model": "m-1", "temperature": 0.5, "tools": [{"a": 1}], "messages": [HI]})

    assert json.loads(found.source)["request"] == {
        "model": "m-1",
        "temperature": 0.5,
        "tools": [{"a": 1}],
    }
    assert lost(found) == [("the request", "model, temperature, tools")]


def test_leading_system_messages_become_the_system_setting_and_later_ones_turns() -> None:
    found = read(
        [
            {"role": "system", "content": "Stay brief."},
            {"role": "developer", "content": [{"type": "text", "text": "No lists."}]},
            HI,
            {"role": "system", "content": "It is night now."},
        ]
    )

    assert found.settings == {"system": "Stay brief.\n\nNo lists."}
    assert [one.role for one in found.turns] == [Role.USER, Role.SYSTEM]


def test_names_become_speakers_and_the_most_frequent_ones_the_sides() -> None:
    found = read([{**HI, "name": "Odile"}, {**NO, "name": "Bram"}, NO])

    assert [one.speaker for one in found.turns] == ["Odile", "Bram", "assistant"]
    assert (found.char, found.user) == ("Bram", "Odile")


def test_calls_of_tools_and_their_answers_are_parts() -> None:
    found = read(
        [
            HI,
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "c1", "content": "low at 9:40"},
        ]
    )

    assert found.turns[1:] == (
        said(ToolCallPart(call_id="c1", name="tide", arguments='{"at": 9}')),
        said(ToolResultPart(call_id="c1", text="low at 9:40"), role=Role.TOOL, speaker="tide"),
    )


def test_calls_of_the_older_form_are_answered_by_name() -> None:
    found = read(
        [
            {"role": "assistant", "function_call": {"name": "tide", "arguments": "{}"}},
            {"role": "function", "name": "tide", "content": "low"},
        ]
    )

    assert [one.texts[0].parts[0] for one in found.turns] == [
        ToolCallPart(call_id="tide", name="tide", arguments="{}"),
        ToolResultPart(call_id="tide", text="low"),
    ]


def test_thoughts_and_unknown_fields_are_kept_beside_the_text() -> None:
    found = turn(content="Yes.", reasoning_content="It is nine.", audio=None, cost=3)

    assert found == said(
        TextPart(text="Yes."),
        reasoning="It is nine.",
        extra='{"openai":{"audio":null,"cost":3}}',
    )


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        (None, [TextPart(text="")]),
        ("", [TextPart(text="")]),
        (
            ["One.", {"type": "text", "text": "Two."}],
            [TextPart(text="One."), TextPart(text="Two.")],
        ),
        ({"type": "output_text", "text": "One."}, [TextPart(text="One.")]),
        ([{"type": "refusal", "refusal": "No."}], [TextPart(text="No.")]),
        (
            [{"type": "image_url", "image_url": {"url": "http://a/b.png"}}],
            [MediaPart(media_type="image/png", reference="http://a/b.png")],
        ),
        (
            [{"type": "input_image", "image_url": "http://a/b.webp"}],
            [MediaPart(media_type="image/webp", reference="http://a/b.webp")],
        ),
        (
            [{"type": "file", "file": {"file_id": "file-7", "filename": "map.pdf"}}],
            [MediaPart(media_type="application/pdf", reference="file-7")],
        ),
        (
            [{"type": "image", "source": {"type": "url", "url": "http://a/b.gif"}}],
            [MediaPart(media_type="image/gif", reference="http://a/b.gif")],
        ),
        (
            [{"type": "tool_use", "id": "t", "name": "look", "input": {"at": 1}}],
            [ToolCallPart(call_id="t", name="look", arguments='{"at":1}')],
        ),
        (
            [{"type": "document", "source": {"type": "text", "data": "Log."}}],
            [TextPart(text="Log.")],
        ),
    ],
)
def test_content_of_every_kind_becomes_parts(content: object, parts: list[Part]) -> None:
    found = read([HI, {"role": "assistant", "content": content}])
    assert (list(found.turns[1].texts[0].parts), found.losses) == (parts, ())


@pytest.mark.parametrize(
    ("part", "media_type"),
    [
        ({"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}, "image/png"),
        ({"type": "input_audio", "input_audio": {"data": "AA", "format": "wav"}}, "audio/wav"),
        ({"type": "file", "file": {"file_data": "data:text/plain,AA"}}, "text/plain"),
        (
            {
                "type": "image",
                "source": {"type": "base64", "media_type": "image/gif", "data": "AA"},
            },
            "image/gif",
        ),
    ],
)
def test_a_file_in_a_message_leaves_its_digest_and_is_reported(part: Json, media_type: str) -> None:
    found = read({"messages": [{"role": "user", "content": [part]}]})
    (media,) = found.turns[0].texts[0].parts
    assert isinstance(media, MediaPart)
    assert media.media_type == media_type
    assert media.reference.startswith("blake2b:")
    assert lost(found) == [("message 1", "a file")]


@pytest.mark.parametrize(
    ("message", "where", "what"),
    [
        (7, "message 2", "the whole message"),
        ({"role": "assistant"}, "message 2", ""),
        ({"content": None}, "message 2", "the whole message"),
        ({"role": "critic", "content": "Bad."}, "message 2", "the role"),
        ({"role": "assistant", "content": True}, "message 2", "the content"),
        ({"role": "assistant", "content": 12}, "message 2", "certainty about the text"),
        ({"role": "assistant", "content": [{"type": "hologram"}]}, "message 2, part 1", "a part"),
        ({"role": "assistant", "content": [5]}, "message 2, part 1", "a part"),
        (
            {"role": "assistant", "content": [{"type": ["x"], "text": "hm"}]},
            "message 2, part 1",
            "certainty about a part",
        ),
        ({"role": "assistant", "tool_calls": 5}, "message 2", "the calls of tools"),
        ({"role": "assistant", "tool_calls": [5]}, "message 2, call 1", "a call of a tool"),
        ({"role": "assistant", "content": "\ud800"}, "message 2", "characters that are none"),
        (
            {
                "role": "user",
                "content": [{"type": "image_url", "image_url": {"url": "u", "detail": "low"}}],
            },
            "message 2",
            "the detail of a picture",
        ),
    ],
)
def test_what_a_message_cannot_say_here_is_named(message: object, where: str, what: str) -> None:
    found = read({"messages": [HI, message]})
    assert lost(found) == ([(where, what)] if what else [])


def test_an_unknown_role_keeps_its_words_and_its_name() -> None:
    found = read([HI, {"role": "critic", "content": "Bad."}]).turns[1]
    assert (found.role, found.speaker) == (Role.ASSISTANT, "critic")
    assert found.texts[0].extra == '{"openai":{"role":"critic"}}'


def test_records_of_a_training_file_are_conversations_of_their_own() -> None:
    found = read_all(lines({"messages": [HI]}, {"messages": [NO]}, {"other": 1}))

    assert [(one.title, texts(one)) for one in found] == [
        ("night 1", ["Is the ferry in?"]),
        ("night 2", ["Not yet."]),
    ]
    assert lost(found[0]) == [("line 3", "the whole value")]


def test_requests_that_a_later_one_begins_with_are_one_conversation() -> None:
    found = read(lines({"messages": [HI]}, {"messages": [HI, NO]}, {"messages": [HI, NO, HI]}))
    assert texts(found) == ["Is the ferry in?", "Not yet.", "Is the ferry in?"]


def test_a_list_that_is_cut_off_keeps_what_stands_before_the_cut() -> None:
    whole = json.dumps([HI, NO, HI])
    found = read(whole[: whole.rindex("role")].encode())
    assert texts(found) == ["Is the ferry in?", "Not yet."]
    assert lost(found) == [("item 3", "it and all after it")]


@pytest.mark.parametrize("value", [{"model": "m", "messages": [HI]}, [HI], HI])
def test_a_file_that_is_cut_off_in_its_first_value_says_so(value: object) -> None:
    with pytest.raises(FileUnreadable, match="cut off"):
        read(json.dumps(value)[:-3].encode())


def test_a_broken_line_costs_that_line() -> None:
    found = read(lines(HI) + b'\n{"role": "us\n' + lines(NO))
    assert texts(found) == ["Is the ferry in?", "Not yet."]
    assert lost(found) == [("line 2", "the whole line")]


def test_a_system_text_of_the_other_service_is_the_setting_too() -> None:
    found = read({"system": [{"type": "text", "text": "Stay brief."}], "messages": [HI]})
    assert (found.settings, found.losses) == ({"system": "Stay brief."}, ())


def test_nesting_without_end_costs_only_its_message() -> None:
    deep: object = "x"
    for _ in range(300):
        deep = [deep]
    call = {"role": "assistant", "tool_calls": [{"function": {"arguments": deep}}]}
    found = read({"messages": [HI, call, NO]})
    assert texts(found) == ["Is the ferry in?", "Not yet."]
    assert lost(found) == [("message 2", "the whole message")]


@pytest.mark.parametrize(
    "data", [{"messages": "none"}, {"role": "user"}, [{"role": "captain", "content": "x"}], [[HI]]]
)
def test_other_json_is_no_list_of_messages(data: object) -> None:
    assert not OpenAIFormat().recognises(SourceFile(path="x", data=json.dumps(data).encode()))


def test_a_file_without_one_readable_message_is_refused() -> None:
    with pytest.raises(FileUnreadable, match="no message that can be read"):
        OpenAIFormat().read(SourceFile(path="x", data=b'{"messages": [7]}'))


ODD = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=4) | st.sampled_from([10**30]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from("type text content role url id function source name data".split()),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)
MESSAGES = st.dictionaries(
    st.sampled_from(
        "role content name tool_calls tool_call_id function_call refusal reasoning x".split()
    ),
    ODD
    | st.sampled_from(["user", "assistant", "tool", "system"])
    | st.lists(
        st.fixed_dictionaries(
            {
                "type": st.sampled_from(
                    "text image_url input_audio file tool_use tool_result thinking image".split()
                )
            },
            optional={"text": ODD, "image_url": ODD, "source": ODD, "content": ODD, "file": ODD},
        ),
        max_size=2,
    ),
    max_size=5,
)


@given(st.lists(MESSAGES, min_size=1, max_size=4), st.booleans())
def test_messages_of_any_shape_are_read_or_refused(messages: list[Json], wrapped: bool) -> None:
    data = json.dumps({"messages": messages, "x": 1} if wrapped else messages).encode()
    try:
        found = OpenAIFormat().read(SourceFile(path="x", data=data))
    except ForewordError:
        return
    chats = found if isinstance(found, tuple) else (found,)
    repr(chats).encode()
    assert "\\x00" not in repr(chats)


@given(st.lists(st.text(min_size=1, max_size=9), min_size=1, max_size=6))
def test_every_text_is_in_the_chat_once_and_in_order(found: list[str]) -> None:
    messages = [{"role": "user", "content": text} for text in found]
    kept = [text.replace("\0", "\ufffd") for text in found]
    assert texts(read(messages)) == kept


def test_what_stands_beside_messages_and_is_too_deep_is_reported() -> None:
    deep: object = "x"
    for _ in range(200):
        deep = {"type": "tool_result", "content": [deep]}
    found = read({"messages": [HI, {**NO, "odd": deep}], "tools": deep, "system": [deep]})
    assert lost(found) == [
        ("the request", "tools"),
        ("message 2", "unknown fields"),
        ("system", "the system text"),
    ]
    assert (texts(found), found.source) == (["Is the ferry in?", "Not yet."], "")


def test_a_refusal_is_what_was_said() -> None:
    found = turn(content=None, refusal="I will not.")
    assert found.texts[0].parts == (TextPart(text="I will not."),)
    assert found.texts[0].extra == '{"openai":{"refusal":"I will not."}}'


def test_results_that_a_user_message_brings_are_a_tool_turn() -> None:
    result = {"type": "tool_result", "tool_use_id": "t", "content": "low"}
    found = read([{"role": "user", "content": [result]}]).turns[0]
    assert (found.role, found.texts[0].parts) == (
        Role.TOOL,
        (ToolResultPart(call_id="t", text="low"),),
    )
