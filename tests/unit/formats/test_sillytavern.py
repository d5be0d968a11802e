import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.strategies import chat_lines

from foreword.domain.interchange import Chat, ChatText, ChatTurn, Loss
from foreword.domain.storable import storable_text
from foreword.domain.turn import MediaPart, Role, TextPart, ToolCallPart, ToolResultPart
from foreword.errors import FileUnreadable, FormatUnknown
from foreword.formats.registry import read_file
from foreword.formats.sillytavern import SillyTavernFormat
from foreword.ports.format import SourceFile

SAMPLES = Path(__file__).parents[2] / "data" / "sillytavern"
STORY = Path(__file__).parents[3] / "src/foreword/data/lantern_road/lantern-road.jsonl"
FILES = [STORY, *sorted(SAMPLES.glob("*.jsonl"))]
SAMPLE_LINES = [json.loads(line) for line in FILES[-1].read_text("utf-8").split("\n")[1:]]
HEADER = {"user_name": "Odile", "character_name": "Bram", "chat_metadata": {}}

REASONED = (
    '{"mes":"r","extra":{"reasoning":"why"},"swipes":["q","r"],"swipe_id":1,'
    '"swipe_info":[{"extra":{"reasoning":"because"}},{"extra":{"reasoning":"why"}}]}'
)

Json = dict[str, Any]


def message(mes: object = "The ferry is late.", **fields: object) -> Json:
    return {"name": "Bram", "is_user": False, "is_system": False, "mes": mes, **fields}


def read(*lines: Json | str, path: str = "night.jsonl") -> Chat:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    found = read_file(SourceFile(path=path, data="\n".join(texts).encode()))
    assert isinstance(found, Chat)
    return found


def turn(*lines: Json) -> ChatTurn:
    (found,) = read(*lines).turns
    return found


def texts(found: ChatTurn) -> list[str]:
    return [prose(text) for text in found.texts]


def prose(text: ChatText) -> str:
    return "".join(part.text for part in text.parts if isinstance(part, TextPart))


def losses(*lines: Json | str) -> list[tuple[str, str]]:
    return [(loss.where, loss.what) for loss in read(*lines).losses]


# --- putting a file back together from what was kept: proves that nothing is lost ----------------


def written_again(chat: Chat) -> bytes:
    source = json.loads(chat.source)
    note = source.pop("foreword")
    lines = [restored(found, note) for found in chat.turns]
    if note["header"]:
        lines.insert(0, note["raw"] if "raw" in note else dumped(source, note))
    text: str = note["ending"].join([*lines, *([""] if note["final"] else [])])
    return text.encode()


def restored(found: ChatTurn, note: Json) -> str:
    kept = [json.loads(text.extra) if text.extra else {} for text in found.texts]
    shown = kept[found.chosen]
    if "raw" in shown:
        return str(shown["raw"])
    line = with_reasoning(shown["line"], found.texts[found.chosen])
    if line.get("mes") == {"$": "text"}:
        line["mes"] = prose(found.texts[found.chosen])
    for number, item in enumerate(listed(line, "swipes")):
        if item == {"$": "text"}:
            line["swipes"][number] = prose(found.texts[number])
    for number, item in enumerate(listed(line, "swipe_info")):
        if item == {"$": "swipe"}:
            swipe = with_reasoning(kept[number]["swipe"], found.texts[number])
            line["swipe_info"][number] = swipe
    return dumped(line, note)


def listed(line: Json, key: str) -> list[Any]:
    return line[key] if isinstance(line.get(key), list) else []


def with_reasoning(line: Json, text: ChatText) -> Json:
    extra = line.get("extra")
    if isinstance(extra, dict) and extra.get("reasoning") == {"$": "reasoning"}:
        return {**line, "extra": {**extra, "reasoning": text.reasoning}}
    return line


def dumped(value: Json, note: Json) -> str:
    separators = (", ", ": ") if note["spaced"] else (",", ":")
    return json.dumps(value, ensure_ascii=note["ascii"], separators=separators)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_is_kept_gives_a_real_file_back_byte_for_byte(path: Path) -> None:
    chat = SillyTavernFormat().read(SourceFile(path=path.name, data=path.read_bytes()))
    assert written_again(chat) == path.read_bytes()


@pytest.mark.parametrize(
    "line",
    [
        '{"name": "A",  "mes": "odd spacing", "is_user": false}',
        '{"name":"A","mes":"cut surrogate \\ud83d","is_user":false,"extra":{"x":"\\udc00"}}',
        '{"name":"A","mes":"a NUL \\u0000","is_user":false}',
        '{"name":"A","mes":"numbers","is_user":false,"extra":{"a":1.0,"b":1e3,"c":1E400,"d":0.10}}',
        '{"name":"A","mes":"no number","is_user":false,"extra":{"a":NaN,"b":-Infinity}}',
        '{"name":"A","mes":"huge","is_user":false,"extra":{"a":' + "9" * 5000 + "}}",
        '{"name":"A","mes":"twice","mes":"again","is_user":false}',
        '{"name":"A","mes":"calls","extra":{"tool_invocations":[{"name":"f"}]}}',
        '{"name":"A","mes":null,"swipes":["a",null,3],"swipe_info":[{},null,7,{"x":1}]}',
        '{"name":"A","mes":7,"swipes":{"a":1},"swipe_info":"x","extra":null}',
        '{"name":"A","mes":"third","swipes":["a","b"],"swipe_id":0,"swipe_info":[{"x":1},{}]}',
        REASONED,
        '{"name":"A","mes":"\\u00e9\\u2028"}',
        '{"name":"A","mes":"","extra":{"image":"a.png"},"swipes":[""],"swipe_id":0}',
    ],
)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_what_is_kept_gives_any_line_back(line: str, ending: str) -> None:
    data = ending.join([json.dumps(HEADER), line, line, json.dumps(message()), ""]).encode()
    chat = SillyTavernFormat().read(SourceFile(path="x.jsonl", data=data))
    assert written_again(chat) == data


@given(chat_lines(SAMPLE_LINES), st.booleans())
def test_what_is_kept_gives_a_line_with_any_field_back(line: Json, ascii_only: bool) -> None:
    texts = [json.dumps(one, ensure_ascii=ascii_only) for one in (HEADER, line, message())]
    data = "\n".join(texts).encode("utf-8", "replace")
    chat = SillyTavernFormat().read(SourceFile(path="x.jsonl", data=data))
    assume(len(chat.turns) == 2)
    assert written_again(chat) == data


def test_what_is_kept_can_be_stored_by_any_database() -> None:
    line = r'{"name":"\u0000\ud800","mes":"\ud800","extra":{"reasoning":"\udfff","b":"\ud800"}}'
    (found,) = read(line).turns
    (text,) = found.texts
    held = [found.speaker, text.extra, text.reasoning, prose(text)]
    assert [storable_text(one) for one in held] == held


# --- what a message becomes ----------------------------------------------------------------------


def test_a_message_becomes_a_turn_with_its_speaker_time_and_reasoning() -> None:
    line = message(send_date="June 19, 2023 2:20pm", extra={"reasoning": "Hm.", "model": "tiny"})
    expected = ChatText(
        parts=(TextPart(text="The ferry is late."),),
        reasoning="Hm.",
        sent_at="June 19, 2023 2:20pm",
        extra='{"line":{"name":"Bram","is_user":false,"is_system":false,"mes":{"$":"text"},'
        '"send_date":"June 19, 2023 2:20pm",'
        '"extra":{"reasoning":{"$":"reasoning"},"model":"tiny"}}}',
    )
    assert turn(line) == ChatTurn(role=Role.ASSISTANT, speaker="Bram", texts=(expected,))


@pytest.mark.parametrize(
    ("fields", "role", "hidden"),
    [
        ({}, Role.ASSISTANT, False),
        ({"is_user": True}, Role.USER, False),
        ({"is_system": True}, Role.ASSISTANT, True),
        ({"is_user": True, "is_system": True, "extra": {"isSmallSys": False}}, Role.USER, True),
        ({"is_system": True, "extra": {"type": "comment"}}, Role.SYSTEM, True),
        ({"is_system": True, "extra": {"isSmallSys": True}}, Role.SYSTEM, True),
        ({"extra": {"type": "narrator"}}, Role.SYSTEM, False),
        ({"extra": {"type": "assistant_message"}}, Role.ASSISTANT, False),
        ({"is_system": True, "extra": {"tool_invocations": [{"name": "f"}]}}, Role.TOOL, False),
        ({"is_system": "true"}, Role.ASSISTANT, True),
        ({"is_system": "false", "is_user": 1}, Role.USER, False),
    ],
)
def test_hidden_messages_and_system_messages_are_told_apart(
    fields: Json, role: Role, hidden: bool
) -> None:
    found = turn(message(**fields))
    assert (found.role, found.hidden) == (role, hidden)


def test_swipes_become_alternatives_with_their_own_times_and_reasoning() -> None:
    line = message(
        "Two.",
        send_date="d9",
        swipe_id=1,
        swipes=["One.", "Two."],
        swipe_info=[{"send_date": "d1", "extra": {"reasoning": "r1"}}, {"send_date": "d2"}],
        gen_started="g",
        extra={"reasoning": "r2"},
    )
    found = turn(line)
    assert [(prose(text), text.sent_at, text.reasoning) for text in found.texts] == [
        ("One.", "d1", "r1"),
        ("Two.", "d9", "r2"),
    ]
    assert found.chosen == 1


def test_a_text_that_differs_from_its_swipe_is_shown_and_both_are_kept() -> None:
    line = message("Edited.", swipes=["One.", "Two."], swipe_id=0)
    found = turn(line)
    assert (texts(found), found.chosen) == (["One.", "Two.", "Edited."], 2)
    assert losses(line) == [("line 1", "agreement about the shown text")]


def test_a_swipe_with_macros_is_the_text_that_the_client_made_of_it() -> None:
    line = message(
        "Bram greets Odile at 9.\n",
        swipes=["{{char}} greets {{user}} at {{time}}.\r\n", "{{CHAR}} waits for {{user}}."],
        swipe_id=0,
    )
    chat = read(HEADER, line)
    assert texts(chat.turns[0]) == ["Bram greets Odile at 9.\n", "Bram waits for Odile."]
    assert chat.losses == ()


def test_macros_in_a_generated_swipe_are_left_alone() -> None:
    line = message("a", swipes=["a", "{{user}}"], swipe_id=0, gen_started="2026-11-30")
    assert texts(read(HEADER, line).turns[0]) == ["a", "{{user}}"]


@pytest.mark.parametrize(
    ("swipe", "mes"),
    [("{{a}} b {{c}} d", "x b y"), ("a {{b}}", "b"), ("{{a}} q {{b}}", "no"), ("{{a}}b", "")],
)
def test_a_text_that_no_macro_gives_is_another_alternative(swipe: str, mes: str) -> None:
    assert texts(turn(message(mes, swipes=[swipe], swipe_id=0))) == [swipe, mes]


@pytest.mark.parametrize("swipe_id", [5, -1, "x", "7", None, True, 1.0, 10**30, [1]])
def test_a_wrong_swipe_number_is_found_by_the_text(swipe_id: object) -> None:
    line = message("Two.", swipes=["One.", "Two."], swipe_id=swipe_id)
    assert (texts(turn(line)), turn(line).chosen) == (["One.", "Two."], 1)
    assert losses(line) == [("line 1", "the number of the shown swipe")]


def test_a_swipe_number_written_as_text_is_read() -> None:
    line = message("Two.", swipes=["One.", "Two."], swipe_id="1")
    assert (turn(line).chosen, losses(line)) == (1, [])


@pytest.mark.parametrize(("swipe_id", "chosen"), [(0, 0), (9, 1)])
def test_without_a_text_the_chosen_swipe_is_shown(swipe_id: int, chosen: int) -> None:
    line = message(None, swipes=["One.", "Two."], swipe_id=swipe_id)
    assert (texts(turn(line)), turn(line).chosen) == (["One.", "Two."], chosen)
    assert losses(line) == [("line 1", "certainty about the shown text")]


@pytest.mark.parametrize("mes", [None, ["a"], {"a": 1}, True])
def test_a_message_without_a_text_stays_in_its_place(mes: object) -> None:
    assert texts(turn(message(mes))) == [""]
    assert losses(message(mes)) == [("line 1", "the text")]


def test_a_number_as_text_is_read_and_reported() -> None:
    assert texts(turn(message(12))) == ["12"]
    assert losses(message(12)) == [("line 1", "certainty about the text")]


@pytest.mark.parametrize("swipes", [{"0": "One."}, "One.", 3])
def test_swipes_that_are_no_list_are_reported(swipes: object) -> None:
    line = message("One.", swipes=swipes)
    assert (texts(turn(line)), losses(line)) == (["One."], [("line 1", "the swipes")])


def test_a_swipe_that_is_no_text_is_reported_with_its_number() -> None:
    line = message("One.", swipes=["One.", None], swipe_id=0)
    assert losses(line) == [("line 1, swipe 2", "the text")]


@pytest.mark.parametrize(
    ("name", "speaker"), [(7, "7"), (None, "Bram"), ("  ", "Bram"), ([], "Bram")]
)
def test_a_missing_name_is_filled_in_and_reported(name: object, speaker: str) -> None:
    chat = read(HEADER, message(name=name))
    assert chat.turns[0].speaker == speaker
    assert [loss.what for loss in chat.losses] == ["the speaker's name"]


def test_without_any_name_the_role_stands_for_it() -> None:
    lines = [message(name=None), message(name=None, is_user=True)]
    assert [found.speaker for found in read(*lines).turns] == ["Assistant", "User"]


def test_a_flag_of_a_wrong_type_is_reported() -> None:
    assert losses(message(is_user="yes")) == [("line 1", "certainty about is_user")]


def test_half_a_surrogate_pair_and_nul_are_replaced_and_reported() -> None:
    line = r'{"name":"Bram","mes":"a\ud800b\u0000c","is_user":false}'
    (found,) = read(line).turns
    assert texts(found) == ["a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c"]
    assert losses(line) == [("line 1", "characters that are none")]


def test_a_time_in_milliseconds_is_kept_as_it_is() -> None:
    assert turn(message(send_date=1700000000123)).texts[0].sent_at == "1700000000123"


def test_pictures_and_files_are_carried_by_reference_and_reported() -> None:
    extra = {
        "image": "/user/images/map.PNG?x=1",
        "media": [{"url": "a.mp4", "type": "video"}, {"url": "b", "type": "image"}, {"x": 1}],
        "file": {"url": "notes.txt", "name": "notes"},
        "video": "data:video/webm;base64,AAAA",
    }
    line = message("", extra=extra)
    assert turn(line).texts[0].parts == (
        MediaPart(media_type="image/png", reference="/user/images/map.PNG?x=1"),
        MediaPart(media_type="video/webm", reference="blake2b:d7cb2ce168973286fdb0753ee9f894ab"),
        MediaPart(media_type="video/mp4", reference="a.mp4"),
        MediaPart(media_type="image/*", reference="b"),
        MediaPart(media_type="text/plain", reference="notes.txt"),
    )
    assert losses(line) == [("line 1", "pictures and attachments")]


def test_tool_calls_become_calls_with_results() -> None:
    call = {"id": "c1", "name": "roll", "parameters": {"d": 6}, "result": "4"}
    found = turn(message("[machine text]", extra={"tool_invocations": [call, {"result": None}]}))
    assert found.texts[0].parts == (
        ToolCallPart(call_id="c1", name="roll", arguments='{"d":6}'),
        ToolResultPart(call_id="c1", text="4"),
        ToolCallPart(call_id="2", name="tool", arguments=""),
        ToolResultPart(call_id="2", text=""),
    )


# --- the chat as a whole -------------------------------------------------------------------------


def test_the_header_names_both_sides_and_is_kept_whole() -> None:
    chat = read(HEADER, message(), path="C:\\chats\\Night ferry.jsonl")
    assert (chat.title, chat.char, chat.user) == ("Night ferry", "Bram", "Odile")
    kept = json.loads(chat.source)
    note = kept.pop("foreword")
    assert list(kept.items()) == list(HEADER.items())
    assert note == {
        "format": "sillytavern",
        "encoding": "utf-8",
        "mark": False,
        "ending": "\n",
        "final": False,
        "spaced": True,
        "ascii": False,
        "header": True,
        "array": False,
        "char": "Bram",
        "user": "Odile",
    }


def test_unused_names_in_the_header_give_way_to_the_most_frequent_speakers() -> None:
    header = {"user_name": "unused", "character_name": "unused", "chat_metadata": {}}
    lines = [message(name=name) for name in ("Tobin", "Mira", "Mira")]
    note = message(name="Voice", extra={"type": "narrator"})
    chat = read(header, *lines, note, note, note, message(name="Wren", is_user=True))
    assert (chat.char, chat.user) == ("Mira", "Wren")


def test_a_file_without_a_name_takes_the_characters() -> None:
    assert read(HEADER, message(), path="-").title == "Bram"
    assert read(message(name=3), path="-").title == "Untitled"


def test_a_group_chat_needs_no_header() -> None:
    chat = read(message(name="Mira"), message(name="Tobin"))
    assert [found.speaker for found in chat.turns] == ["Mira", "Tobin"]


def test_a_header_alone_is_an_empty_chat() -> None:
    chat = read(HEADER)
    assert (chat.turns, chat.char) == ((), "Bram")
    assert chat.losses == (
        Loss(where="the whole file", what="messages", why="it holds a header only"),
    )


def test_broken_lines_are_skipped_and_numbered_and_the_rest_is_kept() -> None:
    chat = read(
        HEADER, message("a"), "{oops", "", message("b"), "[1]", HEADER, {"x": 1}, '{"mes":"c'
    )
    assert [texts(found)[0] for found in chat.turns] == ["a", "b"]
    assert [(loss.where, loss.why.split(" (")[0]) for loss in chat.losses] == [
        ("line 3", "it is not valid JSON"),
        ("line 6", "it holds no JSON object"),
        ("line 9", "it is cut off"),
        ("line 7", "it is a second header"),
        ("line 8", "it is no message"),
    ]


def test_nesting_without_end_costs_only_its_line() -> None:
    deep = '{"mes":"x","extra":' + "[" * 100_000 + "]" * 100_000 + "}"
    deeper_than_allowed = '{"mes":"x","extra":' + "[" * 200 + "]" * 200 + "}"
    chat = read(message("a"), deep, deeper_than_allowed, message("b"))
    assert [texts(found)[0] for found in chat.turns] == ["a", "b"]
    assert {loss.why for loss in chat.losses} == {"it is nested more than 100 levels deep"}


def test_many_brackets_side_by_side_are_not_deep() -> None:
    assert losses(message(extra={"list": [[]] * 300})) == []


def test_equal_lines_are_all_kept() -> None:
    assert len(read(message(), message(), message()).turns) == 3


def test_a_list_of_messages_is_read_like_lines() -> None:
    chat = read(json.dumps([HEADER, message("a"), 7, message("b")], indent=2))
    assert [texts(found)[0] for found in chat.turns] == ["a", "b"]
    assert [loss.where for loss in chat.losses] == ["line 3"]
    assert json.loads(chat.source)["foreword"]["array"]


@pytest.mark.parametrize("text", ['[{"a": 1}]', "[{", '{"a": 1}', '{"a":\n1}'])
def test_other_json_is_no_chat(text: str) -> None:
    with pytest.raises(FormatUnknown):
        read(text)


def test_a_chat_without_one_readable_message_is_refused() -> None:
    with pytest.raises(FileUnreadable, match="no message that can be read"):
        SillyTavernFormat().read(SourceFile(path="x", data=b'{"mes'))


def test_what_is_kept_but_not_used_is_reported_once_for_each_kind() -> None:
    header: Json = {
        "chat_metadata": {"note_prompt": "Be brief.", "world_info": "Salt", "tainted": True}
    }
    lines = [message(extra={"summaryception_continuity": {"a": 1}}) for _ in range(7)]
    assert losses(header, *lines) == [
        ("the header", "the author's note"),
        ("the header", "the lorebook 'Salt'"),
        ("lines 2, 3, 4, 5, 6 and 2 more", "the continuity of Summaryception"),
    ]
    assert losses({"chat_metadata": {"world_info": 3}}, message()) == [
        ("the header", "the lorebook '3'")
    ]


def test_the_bundled_story_has_its_swipes_and_hidden_messages() -> None:
    chat = SillyTavernFormat().read(SourceFile(path=str(STORY), data=STORY.read_bytes()))
    assert (len(chat.turns), chat.char, chat.user) == (266, "Lantern Road", "Anneke")
    assert [number for number, found in enumerate(chat.turns) if found.hidden] == [41, 152, 235]
    assert [number for number, found in enumerate(chat.turns) if len(found.texts) > 1] == [
        10,
        79,
        121,
        170,
        243,
        253,
    ]


def test_a_branch_file_shares_its_first_turns_with_its_parent() -> None:
    parent, branch = (
        SillyTavernFormat().read(SourceFile(path=name, data=(SAMPLES / name).read_bytes()))
        for name in ("parent.jsonl", "branch.jsonl")
    )
    shared = [
        texts(one)[one.chosen] == texts(other)[other.chosen]
        for one, other in zip(parent.turns, branch.turns, strict=False)
    ]
    assert shared.index(False) > 5
    assert json.loads(branch.source)["chat_metadata"]["main_chat"].startswith("Tobin Ash")
