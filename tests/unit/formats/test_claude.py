"""Claude's data export, read."""

import io
import json
import zipfile
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
from foreword.formats.claude import ClaudeFormat
from foreword.formats.registry import read_file
from foreword.ports.format import SourceFile

Json = dict[str, Any]
ROOT = "00000000-0000-4000-8000-000000000000"


def message(text: str = "", sender: str = "human", **fields: object) -> Json:
    return {
        "text": text,
        "content": [{"type": "text", "text": text}],
        "sender": sender,
        "created_at": "2025-03-01T10:00:00.5Z",
        "updated_at": "2025-03-01T10:00:00.5Z",
        "attachments": [],
        "files": [],
        **fields,
    }


def block(kind: str, **fields: object) -> Json:
    return {"type": kind, "start_timestamp": None, **fields}


def node(key: str, parent: str | None, text: str, sender: str = "human", **fields: object) -> Json:
    return message(text, sender, uuid=key, parent_message_uuid=parent, **fields)


def conversation(*messages: object, **fields: object) -> Json:
    return {
        "uuid": "c-1",
        "name": "Ferry",
        "created_at": "2025-03-01T10:00:00Z",
        "account": {"uuid": "a"},
        "chat_messages": [*messages],
        **fields,
    }


def read_all(value: object, path: str = "conversations.json") -> tuple[Chat, ...]:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    found = read_file(SourceFile(path=path, data=data))
    assert isinstance(found, Chat | tuple)
    return found if isinstance(found, tuple) else (found,)


def read(value: object) -> Chat:
    (found,) = read_all(value)
    return found


def shown(text: ChatText) -> str:
    return "|".join(str(getattr(part, "text", part)) for part in text.parts)


def texts(chat: Chat) -> list[str]:
    return [shown(one.texts[one.chosen]) for one in chat.turns]


def lost(*chats: Chat) -> list[str]:
    return [loss.what for chat in chats for loss in chat.losses]


def parts(**fields: object) -> list[Part]:
    return list(read(conversation(message(**fields))).turns[0].texts[0].parts)  # type: ignore[arg-type]


SIMPLE = conversation(message("Is it in?"), message("Not yet.", "assistant"))


def test_a_conversation_becomes_a_chat_with_its_title_times_and_origin() -> None:
    found = read([SIMPLE])

    assert (found.title, texts(found), found.losses) == ("Ferry", ["Is it in?", "Not yet."], ())
    assert found.turns[1] == ChatTurn(
        role=Role.ASSISTANT,
        speaker="assistant",
        texts=(
            ChatText(
                parts=(TextPart(text="Not yet."),),
                sent_at="2025-03-01T10:00:00.5Z",
                extra='{"claude":{"id":"#2"}}',
            ),
        ),
    )
    assert json.loads(found.source) == {
        "claude": {"created_at": "2025-03-01T10:00:00Z"},
        "foreword": {"format": "claude", "integrity": "claude:c-1"},
    }


def test_one_conversation_alone_is_read_too() -> None:
    assert read(SIMPLE) == read([SIMPLE])


def test_an_archive_is_read_for_its_conversations() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("users.json", "[]")
        packed.writestr("conversations.json", json.dumps([SIMPLE]))
    assert read_all(buffer.getvalue(), "data.zip") == (read([SIMPLE]),)


def test_thoughts_calls_and_results_of_one_message_stay_together() -> None:
    content = [
        block("thinking", thinking="It is nine.", summaries=[]),
        block("text", text="I look.", citations=[]),
        block("tool_use", id="t1", name="tide", input={"at": 9}, message="Looking"),
        block("token_budget"),
        block(
            "tool_result", tool_use_id="t1", name="tide", content=[{"type": "text", "text": "low"}]
        ),
        block("text", text="It is low."),
    ]
    found = read(conversation(message("I look. It is low.", "assistant", content=content)))
    (text,) = found.turns[0].texts
    assert text.reasoning == "It is nine."
    assert text.parts == (
        TextPart(text="I look."),
        ToolCallPart(call_id="t1", name="tide", arguments='{"at":9}'),
        ToolResultPart(call_id="t1", text="low"),
        TextPart(text="It is low."),
    )
    assert found.losses == ()


@pytest.mark.parametrize("content", [None, [], [block("text", text=" ")], "x" * 0])
def test_a_message_without_content_has_its_text(content: object) -> None:
    assert parts(text="Old.", content=content) == [TextPart(text="Old.")]


def test_files_are_carried_with_their_words_or_by_name() -> None:
    found = parts(
        text="See.",
        attachments=[
            {"file_name": "log.txt", "extracted_content": "Low at nine."},
            {"file_name": "", "extracted_content": "Pasted."},
            {"file_name": "map.pdf"},
            {},
        ],
        files=[{"file_name": "a.png", "file_uuid": "f"}],
        files_v2=[{"file_name": "a.png", "file_uuid": "f"}, {"file_uuid": "g"}, 5],
    )
    assert found == [
        TextPart(text="See."),
        TextPart(text="log.txt\nLow at nine."),
        TextPart(text="Pasted."),
        MediaPart(media_type="application/pdf", reference="map.pdf"),
        MediaPart(media_type="image/png", reference="a.png"),
        MediaPart(media_type="file/*", reference="g"),
    ]


def test_messages_that_follow_the_same_one_are_alternatives_or_branches() -> None:
    found = read_all(
        [
            conversation(
                node("u", ROOT, "Is it in?"),
                node("a", "u", "No.", "assistant"),
                node("b", "u", "Yes.", "assistant"),
                node("c", "u", "Perhaps.", "assistant"),
                node("v", "a", "When?"),
                node("w", "b", "Good.", created_at="2025-03-02"),
            )
        ]
    )
    assert [texts(one) for one in found] == [
        ["Is it in?", "Yes.", "Good."],
        ["Is it in?", "No.", "When?"],
    ]
    assert [shown(one) for one in found[0].turns[1].texts] == ["Yes.", "Perhaps."]


def test_the_leaf_that_a_conversation_names_is_the_end() -> None:
    messages = [
        node("u", ROOT, "Hi."),
        node("a", "u", "A", "assistant"),
        node("b", "u", "B", "assistant"),
    ]
    assert texts(read(conversation(*messages))) == ["Hi.", "B"]
    assert texts(read(conversation(*messages, current_leaf_message_uuid="a"))) == ["Hi.", "A"]


def test_messages_in_a_circle_or_after_a_missing_one_are_kept() -> None:
    found = read_all(
        [
            conversation(
                node("a", "b", "one", "assistant"),
                node("b", "a", "two", "assistant"),
                node("c", "gone", "three"),
            )
        ]
    )
    assert sorted(text for one in found for text in texts(one)) == ["one", "three", "two"]
    assert lost(*found)[:2] == ["the place of 1 messages", "the order of 1 messages"]


def test_messages_without_words_are_left_out_and_what_they_have_is_named() -> None:
    thought = message("", "assistant", content=[block("thinking", thinking="Hm.")])
    found = read(
        conversation(message(""), thought, message("Hi.", feedback="good"), 7, summary="S")
    )
    assert texts(found) == ["Hi."]
    assert lost(found) == ["feedback", "it", "its summary", "some thoughts"]


@pytest.mark.parametrize("sender", [None, "pilot", ["human"]])
def test_an_unknown_sender_is_reported(sender: Any) -> None:
    found = read(conversation(message("Hi.", sender)))
    assert (found.turns[0].role, lost(found)) == (Role.ASSISTANT, ["the sender"])


def test_files_without_messages_are_refused_with_the_reason() -> None:
    with pytest.raises(FileUnreadable, match="no message that can be read"):
        read([conversation(), conversation(message(""))])


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[Json], list[str]]:
    """Messages of a valid tree, and the texts that somebody can read in it."""
    keys = [ROOT]
    messages: list[Json] = []
    said: list[str] = []
    for number in range(draw(st.integers(1, 12))):
        text = draw(st.sampled_from(["", f"t{number}."]))
        said += [text] * bool(text)
        sender = draw(st.sampled_from(["human", "assistant"]))
        messages.append(node(f"n{number}", draw(st.sampled_from(keys)), text, sender))
        keys.append(f"n{number}")
    return messages, said


@given(trees())
def test_every_text_of_a_tree_is_once_on_a_path_or_an_alternative_there(
    tree: tuple[list[Json], list[str]],
) -> None:
    messages, said = tree
    try:
        found = read_all([conversation(*messages)])
    except FileUnreadable:
        assert not said
        return
    seen: set[tuple[int, ...]] = set()
    told: list[str] = []
    for chat in found:
        for end in range(1, len(chat.turns) + 1):
            key = tuple(id(one) for one in chat.turns[:end])
            if key not in seen:
                told += [shown(text) for text in chat.turns[end - 1].texts]
            seen.add(key)
    assert sorted(told) == sorted(said)


ODD = st.recursive(
    st.none() | st.booleans() | st.floats() | st.sampled_from(["a", "b", ROOT, "x\0", 10**30]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from("type text content thinking input name id file_name source".split()),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)
MESSAGES = st.fixed_dictionaries(
    {"uuid": st.sampled_from(["a", "b", "c"]) | ODD},
    optional={
        "parent_message_uuid": st.sampled_from(["a", "b", "c"]) | ODD,
        "text": ODD,
        "sender": ODD,
        "created_at": ODD,
        "attachments": ODD,
        "files": ODD,
        "content": ODD
        | st.lists(
            st.fixed_dictionaries(
                {"type": st.sampled_from("text thinking tool_use tool_result flag image".split())},
                optional={"text": ODD, "content": ODD, "input": ODD, "name": ODD},
            ),
            max_size=3,
        ),
    },
)
CONVERSATIONS = st.fixed_dictionaries(
    {"chat_messages": st.lists(ODD | MESSAGES, max_size=4)},
    optional={"name": ODD, "uuid": ODD, "summary": ODD, "current_leaf_message_uuid": ODD},
)


@given(st.lists(CONVERSATIONS | ODD, min_size=1, max_size=3))
def test_json_of_any_shape_is_read_or_refused(values: list[object]) -> None:
    try:
        found = ClaudeFormat().read(SourceFile(path="x", data=json.dumps(values).encode()))
    except ForewordError:
        return
    repr(found).encode()
    assert "\\x00" not in repr(found)
