"""ChatGPT's data export, read."""

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
from foreword.formats.chatgpt import ChatGPTFormat
from foreword.formats.registry import read_file
from foreword.ports.format import SourceFile

Json = dict[str, Any]


def message(text: str = "", role: str = "user", **fields: object) -> Json:
    return {
        "id": "m",
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": 1_700_000_000.25,
        "content": {"content_type": "text", "parts": [text]},
        "weight": 1.0,
        "metadata": {},
        "recipient": "all",
        **fields,
    }


def content(kind: str, **fields: object) -> Json:
    return {"content_type": kind, **fields}


def mapping(*nodes: tuple[str, str | None, Json | None]) -> Json:
    """Return a mapping of nodes, each with its key, its parent's key and its message."""
    return {
        key: {
            "id": key,
            "message": said,
            "parent": parent,
            "children": [other for other, above, _ in nodes if above == key],
        }
        for key, parent, said in nodes
    }


def line(*messages: Json | None) -> Json:
    """Return a mapping without branches."""
    keys = [f"n{number}" for number in range(len(messages))]
    return mapping(*zip(keys, [None, *keys], messages, strict=False))


def conversation(tree: Json, current: object = None, **fields: object) -> Json:
    last = [*tree][-1] if tree else None
    return {
        "title": "Ferry",
        "create_time": 1_700_000_000.0,
        "mapping": tree,
        "current_node": last if current is None else current,
        "conversation_id": "c-1",
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


def turn(*messages: Json) -> ChatTurn:
    """Return the last turn of a conversation of these messages after a user's."""
    return read([conversation(line(message("Hi."), *messages))]).turns[-1]


def shown(one: ChatTurn) -> str:
    return "|".join(str(getattr(part, "text", part)) for part in one.texts[one.chosen].parts)


def texts(chat: Chat) -> list[str]:
    return [shown(one) for one in chat.turns]


def lost(*chats: Chat) -> list[str]:
    return [loss.what for chat in chats for loss in chat.losses]


def archive(**files: object) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, value in files.items():
            data = value if isinstance(value, bytes) else json.dumps(value).encode()
            packed.writestr(name.replace("__", "/") + ".json", data)
    return buffer.getvalue()


SIMPLE = conversation(line(None, message("Is it in?"), message("Not yet.", "assistant")))


def test_a_conversation_becomes_a_chat_with_its_title_times_and_origin() -> None:
    found = read([SIMPLE])

    assert (found.title, texts(found), found.losses) == ("Ferry", ["Is it in?", "Not yet."], ())
    assert found.turns[1] == ChatTurn(
        role=Role.ASSISTANT,
        speaker="assistant",
        texts=(
            ChatText(
                parts=(TextPart(text="Not yet."),),
                sent_at="2023-11-14T22:13:20.250+00:00",
                extra='{"chatgpt":{"id":"n2"}}',
            ),
        ),
    )
    assert json.loads(found.source) == {
        "chatgpt": {"created_at": "2023-11-14T22:13:20.000+00:00"},
        "foreword": {"format": "chatgpt", "integrity": "chatgpt:c-1"},
    }


def test_one_conversation_alone_is_read_too() -> None:
    assert read(SIMPLE) == read([SIMPLE])


def test_every_conversation_of_a_file_is_read_and_empty_ones_are_counted() -> None:
    empty = conversation(line(None, message("", "system")))
    found = read_all([SIMPLE, empty, 7, {**SIMPLE, "title": None, "conversation_id": 5}])

    assert [one.title for one in found] == ["Ferry", "Untitled"]
    assert lost(*found) == ["the whole value", "1 conversation"]


def test_an_answer_that_did_not_go_on_is_an_alternative() -> None:
    tree = mapping(
        ("u", None, message("Is it in?")),
        ("a", "u", message("No.", "assistant")),
        ("b", "u", message("Not yet.", "assistant")),
        ("c", "u", message("Yes.", "assistant")),
        ("v", "b", message("Why?")),
    )
    found = read([conversation(tree, "v")])

    assert texts(found) == ["Is it in?", "Not yet.", "Why?"]
    answer = found.turns[1]
    assert ([shown_in(one) for one in answer.texts], answer.chosen) == (
        ["No.", "Not yet.", "Yes."],
        1,
    )


def shown_in(text: ChatText) -> str:
    return "|".join(str(getattr(part, "text", part)) for part in text.parts)


def test_an_answer_that_went_on_is_a_branch_that_begins_as_the_main_path_does() -> None:
    tree = mapping(
        ("u", None, message("Is it in?")),
        ("a", "u", message("No.", "assistant")),
        ("b", "u", message("Yes.", "assistant")),
        ("v", "a", message("When?")),
        ("w", "b", message("Good.")),
        ("x", "w", message("Is it?", "assistant")),
    )
    found = read_all([conversation(tree, "v")])

    assert [texts(one) for one in found] == [
        ["Is it in?", "No.", "When?"],
        ["Is it in?", "Yes.", "Good.", "Is it?"],
    ]
    assert found[0].turns[0] is found[1].turns[0]
    assert {json.loads(one.source)["foreword"]["integrity"] for one in found} == {"chatgpt:c-1"}
    assert {one.title for one in found} == {"Ferry"}


def test_a_first_message_that_was_edited_begins_a_conversation_of_its_own() -> None:
    tree = mapping(
        ("r", None, None),
        ("u", "r", message("Is it in?")),
        ("a", "u", message("No.", "assistant")),
        ("v", "r", message("Is it late?")),
        ("b", "v", message("Yes.", "assistant")),
    )
    found = read_all([conversation(tree, "b")])

    assert [(one.title, texts(one)) for one in found] == [
        ("Ferry", ["Is it late?", "Yes."]),
        ("Ferry (2)", ["Is it in?", "No."]),
    ]
    assert json.loads(found[1].source)["foreword"]["integrity"] == "chatgpt:c-1#2"
    assert lost(*found) == ["its place"]


def test_thoughts_belong_to_the_answer_after_them() -> None:
    thoughts = [{"summary": "Tides", "content": "It is nine."}, {"content": "Late."}]
    found = turn(
        message(role="assistant", content=content("thoughts", thoughts=thoughts)),
        message(role="assistant", content=content("reasoning_recap", content="Thought for 4s")),
        message("Not yet.", "assistant"),
    )
    assert (shown(found), found.texts[0].reasoning) == ("Not yet.", "Tides\nIt is nine.\n\nLate.")


def test_thoughts_without_an_answer_are_reported() -> None:
    thought = message(role="assistant", content=content("thoughts", thoughts=[{"content": "Hm"}]))
    ends = read([conversation(line(message("Hi."), thought))])
    asked = read([conversation(line(message("Hi."), thought, message("Well?")))])
    assert [lost(ends), lost(asked)] == [["some thoughts"], ["some thoughts"]]
    assert texts(asked) == ["Hi.", "Well?"]


def test_calls_of_tools_and_their_results_are_parts() -> None:
    found = read(
        [
            conversation(
                line(
                    message("Plot it."),
                    message(
                        role="assistant",
                        recipient="python",
                        content=content("code", language="python", text="plot()"),
                    ),
                    message(
                        role="tool",
                        author={"role": "tool", "name": "python"},
                        content=content("execution_output", text="done"),
                    ),
                )
            )
        ]
    )
    assert [one.texts[0].parts for one in found.turns[1:]] == [
        (ToolCallPart(call_id="n1", name="python", arguments="plot()"),),
        (ToolResultPart(call_id="n1", text="done"),),
    ]
    assert (found.turns[2].role, found.turns[2].speaker) == (Role.TOOL, "python")


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        (content("code", text="x = 1"), [TextPart(text="x = 1")]),
        (content("system_error", name="E", text="failed"), [TextPart(text="failed")]),
        (
            content("tether_quote", url="http://a", title="A", text="quoted"),
            [TextPart(text="A\nhttp://a\nquoted")],
        ),
        (
            content("tether_browsing_display", result="L0: x", summary="short"),
            [TextPart(text="L0: x\nshort")],
        ),
        (content("something_new", text="words"), [TextPart(text="words")]),
        (
            content(
                "multimodal_text",
                parts=[
                    {"content_type": "image_asset_pointer", "asset_pointer": "file-service://f1"},
                    "Look.",
                    {"content_type": "audio_transcription", "text": "Heard."},
                ],
            ),
            [
                MediaPart(media_type="image/*", reference="file-service://f1"),
                TextPart(text="Look."),
                TextPart(text="Heard."),
            ],
        ),
        (
            content(
                "multimodal_text",
                parts=[
                    {
                        "audio_asset_pointer": {
                            "asset_pointer": "s://a.wav",
                            "content_type": "audio_x",
                        }
                    }
                ],
            ),
            [MediaPart(media_type="audio/wav", reference="s://a.wav")],
        ),
        (
            content(
                "computer_output", screenshot={"asset_pointer": "s://b", "content_type": "image_x"}
            ),
            [MediaPart(media_type="image/*", reference="s://b")],
        ),
    ],
)
def test_content_of_every_kind_becomes_parts(said: Json, parts: list[Part]) -> None:
    assert list(turn(message(role="assistant", content=said)).texts[0].parts) == parts


def test_attached_files_are_carried_by_name_unless_the_message_shows_them() -> None:
    files = [
        {"id": "file-1", "name": "map.pdf", "mime_type": "application/pdf"},
        {"id": "file-2", "name": "b.png"},
        {"id": "file-3", "name": "c.txt"},
        {"size": 3},
    ]
    said = content(
        "multimodal_text",
        parts=[
            {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file-2"},
            "Look.",
        ],
    )
    found = turn(message(content=said, metadata={"attachments": files}))
    assert [part for part in found.texts[0].parts if isinstance(part, MediaPart)] == [
        MediaPart(media_type="image/*", reference="sediment://file-2"),
        MediaPart(media_type="application/pdf", reference="map.pdf"),
        MediaPart(media_type="text/plain", reference="c.txt"),
    ]


@pytest.mark.parametrize(
    "fields", [{"metadata": {"is_visually_hidden_from_conversation": True}}, {"weight": 0.0}]
)
def test_messages_that_are_not_shown_are_hidden(fields: Json) -> None:
    assert turn(message("Psst.", "system", **fields)).hidden


def test_instructions_before_the_conversation_become_the_system_setting() -> None:
    about = {"about_user_message": "I sail.", "about_model_message": "Be brief."}
    found = read(
        [
            conversation(
                line(
                    message("You are a pilot.", "system"),
                    message(
                        content=content(
                            "user_editable_context", user_profile="Odile", user_instructions=""
                        )
                    ),
                    message(
                        role="system",
                        metadata={
                            "is_user_system_message": True,
                            "user_context_message_data": about,
                        },
                    ),
                    message("Hi."),
                )
            )
        ]
    )
    assert found.settings == {"system": "You are a pilot.\n\nOdile\n\nI sail.\n\nBe brief."}
    assert texts(found) == ["Hi."]


def test_instructions_of_another_branch_are_reported() -> None:
    tree = mapping(
        ("s", None, message("Be brief.", "system")),
        ("u", "s", message("Hi.")),
        ("t", None, message("Be long.", "system")),
        ("v", "t", message("Hello.")),
    )
    found = read_all([conversation(tree, "u")])
    assert found[0].settings == {"system": "Be brief."}
    assert lost(*found) == ["a system text"]


def test_what_messages_have_besides_is_named_once() -> None:
    odd = message(
        "x", content=content("multimodal_text", parts=["x", {"content_type": "hologram"}, 5, None])
    )
    odd["metadata"] = {"citations": [], "model_slug": "m-1"}
    found = read([conversation(line(odd, message(role="assistant", content=content("canvas"))))])
    assert lost(found) == [
        "1 of the kind 'canvas'",
        "1 of the kind 'hologram'",
        "1 of the kind 'int'",
        "metadata: citations",
    ]
    assert found.turns[0].texts[0].extra == '{"chatgpt":{"id":"n0","model":"m-1"}}'


def test_without_a_current_node_the_newest_answer_is_the_end() -> None:
    tree = mapping(
        ("u", None, message("Hi.")),
        ("b", "u", message("New.", "assistant", create_time=9.0)),
        ("a", "u", message("Old.", "assistant", create_time=5.0)),
    )
    for current in ("gone", 5):
        found = read([conversation(tree, current)])
        assert texts(found) == ["Hi.", "New."]
        assert lost(found) == ["certainty about its end"]


def test_a_current_node_that_went_on_is_followed_to_its_end() -> None:
    assert texts(read([conversation(line(message("a"), message("b"), message("c")), "n0")])) == [
        "a",
        "b",
        "c",
    ]


def test_a_node_whose_parent_is_missing_begins_a_conversation_of_its_own() -> None:
    tree = mapping(("u", None, message("Hi.")), ("a", "gone", message("Lost.", "assistant")))
    found = read_all([conversation(tree, "u")])
    assert [texts(one) for one in found] == [["Hi."], ["Lost."]]
    assert lost(*found) == ["the place of 1 messages", "its place"]


def test_children_give_the_parent_where_a_node_names_none() -> None:
    tree = line(message("a"), message("b"))
    tree["n1"]["parent"] = None
    assert texts(read([conversation(tree)])) == ["a", "b"]


def test_a_circle_is_cut_and_keeps_its_messages() -> None:
    tree = mapping(
        ("u", None, message("Hi.")), ("a", "b", message("one")), ("b", "a", message("two"))
    )
    tree["me"] = {"message": message("self"), "parent": "me", "children": ["me"]}
    found = read_all([conversation(tree, "u")])
    assert sorted(new_texts(found)) == ["Hi.", "one", "self", "two"]
    assert "the order of 1 messages" in lost(*found)


def test_nodes_and_messages_that_are_none_are_reported() -> None:
    tree = {"x": 7, "y": {"message": "no", "parent": None}, **line(message("Hi."))}
    assert lost(read([conversation(tree)])) == ["it", "its message"]


def test_a_long_conversation_is_read_whole() -> None:
    tree = line(*(message(str(number)) for number in range(3000)))
    assert len(read([conversation(tree)]).turns) == 3000


# --- archives ------------------------------------------------------------------------------------


def test_an_archive_is_read_for_its_conversations_only() -> None:
    data = archive(
        **{
            "user": {"email": "x"},
            "export__conversations-002": [{**SIMPLE, "title": "B"}],
            "export__conversations-001": [SIMPLE],
            "shared_conversations": [{**SIMPLE, "title": "C"}],
        }
    )
    assert [one.title for one in read_all(data, "export.zip")] == ["Ferry", "B"]


def test_an_archive_without_conversations_is_none() -> None:
    assert not ChatGPTFormat().recognises(SourceFile(path="x", data=archive(user={"a": 1})))
    assert not ChatGPTFormat().recognises(SourceFile(path="x", data=b"PK\x03\x04broken"))


def test_an_archive_that_is_cut_off_says_so() -> None:
    with pytest.raises(FileUnreadable, match="the archive is damaged"):
        read_all(archive(conversations=[SIMPLE])[:-30], "x.zip")


def test_a_member_that_claims_to_be_too_large_is_refused_unread() -> None:
    data = archive(conversations=[SIMPLE])
    size = len(json.dumps([SIMPLE])).to_bytes(4, "little")
    bomb = data.replace(size, (1 << 31).to_bytes(4, "little"))
    with pytest.raises(FileUnreadable, match="more than 1024 MiB"):
        ChatGPTFormat().read(SourceFile(path="x.zip", data=bomb))


def test_a_member_packed_in_an_unusual_way_is_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_LZMA) as packed:
        packed.writestr("conversations.json", json.dumps([SIMPLE]))
    with pytest.raises(FileUnreadable, match="unusual way"):
        ChatGPTFormat().read(SourceFile(path="x.zip", data=buffer.getvalue()))


@given(st.data())
def test_a_damaged_archive_is_read_or_refused(data: st.DataObject) -> None:
    whole = bytearray(archive(conversations=[SIMPLE]))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(4, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        ChatGPTFormat().read(SourceFile(path="x.zip", data=bytes(whole)))
    except ForewordError:
        return


def test_an_export_without_messages_says_what_was_seen_and_what_to_do() -> None:
    with pytest.raises(FileUnreadable) as refused:
        read_file(SourceFile(path="x.json", data=json.dumps([{"mapping": {}}] * 2).encode()))
    assert str(refused.value).endswith(
        "it looks like an export of ChatGPT with 2 conversations in it, but it holds no message "
        "that can be read. Export it again, or import its messages in another format."
    )


def test_a_list_of_messages_beside_an_empty_mapping_is_read_as_messages() -> None:
    value = {"messages": [{"role": "user", "content": "Late?"}], "mapping": {}}
    found = read_file(SourceFile(path="x.json", data=json.dumps(value).encode()))
    assert isinstance(found, Chat)
    assert [turn.texts[0].parts for turn in found.turns] == [(TextPart(text="Late?"),)]


def test_a_file_that_is_cut_off_keeps_its_whole_conversations() -> None:
    whole = json.dumps([SIMPLE, SIMPLE]).encode()
    assert lost(read(whole[:-40])) == ["it and all after it"]
    with pytest.raises(FileUnreadable, match="cut off"):
        read(json.dumps([SIMPLE]).encode()[:-40])


# --- properties ----------------------------------------------------------------------------------


@st.composite
def trees(draw: st.DrawFn) -> tuple[Json, str, list[str]]:
    """A valid tree, the key of the current node, and the texts that somebody can read in it."""
    nodes: list[tuple[str, str | None, Json | None]] = [("root", None, None)]
    said: list[str] = []
    for number in range(draw(st.integers(1, 12))):
        key, parent = f"n{number}", draw(st.sampled_from([key for key, _, _ in nodes]))
        kind = draw(st.sampled_from(["user", "assistant", "assistant", "tool", "empty", "hidden"]))
        if kind == "empty":
            nodes.append((key, parent, draw(st.sampled_from([None, message("", "system")]))))
            continue
        said.append(f"t{number}.")
        hidden = {"is_visually_hidden_from_conversation": kind == "hidden"}
        role = "user" if kind == "hidden" else kind
        nodes.append((key, parent, message(said[-1], role, metadata=hidden)))
    return mapping(*nodes), draw(st.sampled_from([key for key, _, _ in nodes])), said


@given(trees())
def test_every_text_of_a_tree_is_once_on_a_path_or_an_alternative_there(
    tree: tuple[Json, str, list[str]],
) -> None:
    nodes, current, said = tree
    try:
        found = read_all([conversation(nodes, current)])
    except FileUnreadable:
        assert not said
        return
    assert sorted(new_texts(found)) == sorted(said)
    assert texts(found[0])[: len(path_to(nodes, current))] == path_to(nodes, current)


def new_texts(chats: tuple[Chat, ...]) -> list[str]:
    """Return the texts of every turn that no chat before had in the same place after the same."""
    seen: set[tuple[int, ...]] = set()
    found: list[str] = []
    for chat in chats:
        for end in range(1, len(chat.turns) + 1):
            key = tuple(id(one) for one in chat.turns[:end])
            if key not in seen:
                seen.add(key)
                found += [shown_in(text) for text in chat.turns[end - 1].texts]
    return found


def path_to(nodes: Json, key: str | None) -> list[str]:
    found: list[str] = []
    while key is not None:
        said = nodes[key]["message"]
        if said and said["content"]["parts"][0]:
            found.insert(0, said["content"]["parts"][0])
        key = nodes[key]["parent"]
    return found


ODD = st.recursive(
    st.none() | st.booleans() | st.floats() | st.sampled_from(["n0", "n1", "user", "x\0", 10**30]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "id message author role content content_type parts text parent children name "
                "metadata attachments create_time weight recipient thoughts n0 n1".split()
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "author": ODD,
        "content": ODD
        | st.fixed_dictionaries(
            {"content_type": st.sampled_from("text thoughts code user_editable_context".split())},
            optional={"parts": st.lists(ODD, max_size=2), "text": ODD, "thoughts": ODD},
        ),
        "metadata": ODD,
        "create_time": ODD,
        "weight": ODD,
        "recipient": ODD,
    },
)
NODES = st.fixed_dictionaries(
    {}, optional={"message": ODD | MESSAGES, "parent": ODD, "children": ODD}
)
CONVERSATIONS = st.fixed_dictionaries(
    {"mapping": st.dictionaries(st.sampled_from(["n0", "n1", "n2"]), ODD | NODES)},
    optional={"title": ODD, "current_node": ODD, "id": ODD, "create_time": ODD},
)


@given(st.lists(CONVERSATIONS | ODD, min_size=1, max_size=3))
def test_json_of_any_shape_is_read_or_refused(values: list[object]) -> None:
    try:
        found = ChatGPTFormat().read(SourceFile(path="x", data=json.dumps(values).encode()))
    except ForewordError:
        return
    repr(found).encode()
    assert "\\x00" not in repr(found)
