"""SillyTavern chats in and out again: nothing changes but what was changed."""

from __future__ import annotations

import json
import re
from itertools import compress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.integration.engine.play import Play

from foreword.domain.ids import BranchId
from foreword.domain.interchange import Chat, ChatText, ChatTurn
from foreword.domain.turn import (
    MediaPart,
    Part,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from foreword.engine import conversations, turns
from foreword.engine.context import Engine, Place
from foreword.engine.exporting import export
from foreword.engine.importing import import_chat, import_file
from foreword.ports.format import SourceFile, Written
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore

FILES = sorted((Path(__file__).parents[2] / "data" / "sillytavern").glob("*.jsonl"))
HEADER = {
    "user_name": "Odile",
    "character_name": "Bram",
    "create_date": "2026-02-03@19h05m10s",
    "chat_metadata": {"integrity": "7c0e", "world_info": "Saltmarsh", "unknown": {"b": 1, "a": 2}},
}
DATES: list[Any] = [
    "2026-02-03T19:05:12.000Z",
    "June 19, 2023 2:20pm",
    "2024-05-01@13h02m55s",
    1_706_987_112_000,
]
Json = dict[str, Any]


def take(engine: Engine, data: bytes, path: str = "night.jsonl") -> Play:
    done = import_file(engine, SourceFile(path=path, data=data))
    return Play(engine, Place(conversation=done.conversation, branch=done.branch))


def written(play: Play) -> Written:
    return export(play.engine, play.place, "sillytavern")


def lines(play: Play) -> list[Json]:
    return [json.loads(line) for line in written(play).data.decode().splitlines()]


def story(*messages: Json) -> bytes:
    return "\n".join(json.dumps(one, separators=(",", ":")) for one in (HEADER, *messages)).encode()


def message(mes: str = "The ferry is late.", **fields: object) -> Json:
    return {
        "name": "Bram",
        "is_user": False,
        "is_system": False,
        "send_date": DATES[0],
        "mes": mes,
        "extra": {"model": "tiny", "unknown": [1, None]},
        **fields,
    }


SWIPED = message(
    "Two.",
    gen_started="g2",
    gen_finished="f2",
    swipe_id=1,
    swipes=["One.", "Two."],
    swipe_info=[
        {"send_date": "d1", "gen_started": "g1", "extra": {"reasoning": "first", "model": "a"}},
        {"send_date": DATES[0], "gen_started": "g2", "gen_finished": "f2", "extra": {}},
    ],
    sc_id="x",
)


# --- nothing changed -----------------------------------------------------------------------------


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_real_file_comes_out_byte_for_byte(engine: Engine, path: Path) -> None:
    play = take(engine, path.read_bytes(), path.name)

    assert written(play).data == path.read_bytes()


def test_a_branch_file_comes_out_with_its_own_header(engine: Engine) -> None:
    parent, branch = (FILES[0].parent / name for name in ("parent.jsonl", "branch.jsonl"))
    title = "Tobin Ash - 2026-11-30@20h41m15s394ms"
    main = take(engine, parent.read_bytes(), f"{title}.jsonl")
    fork = take(engine, branch.read_bytes(), f"{title} - Branch #2.jsonl")

    assert main.place.conversation == fork.place.conversation
    found, wanted = written(fork).data.splitlines(), branch.read_bytes().splitlines()
    assert found[0] == wanted[0]
    assert [shown(line) for line in found[1:]] == [shown(line) for line in wanted[1:]]
    assert written(main).data == parent.read_bytes()


def shown(line: bytes) -> tuple[str, str, bool]:
    value = json.loads(line)
    return value["name"], value["mes"], value.get("is_system", False)


ENDS = ["\n", "\r\n", "\n\n", "\n  \n", "\n{broken\n", '\r\n{"chat_metadata":{}}\n']


@st.composite
def messages(draw: st.DrawFn) -> str:
    """One line of every shape that clients have written, in one of the ways they wrote it."""
    texts = st.sampled_from(
        ["", "One.", "Zwei – ‘drei’", "{{char}} nods.\n{{user}}?", "\U0001f58b"]
    )
    extra = {
        key: draw(values)
        for key, values in {
            "type": st.sampled_from(["narrator", "comment", "assistant_message"]),
            "isSmallSys": st.booleans(),
            "reasoning": texts,
            "memory": texts,
            "tool_invocations": st.sampled_from(
                [[], [{"id": "1", "name": "dice", "parameters": "{}", "result": "6"}]]
            ),
            "image": st.sampled_from(["/user/images/a.png", "data:image/png;base64,AAAA"]),
            "media": st.sampled_from([[{"url": "a.png", "type": "image"}], []]),
            "branches": st.just(["other"]),
            "qvink_memory": st.just({"memory": "He left.", "include": "short"}),
        }.items()
        if draw(st.integers(0, 5)) == 0
    }
    value: Json = {
        "name": draw(st.sampled_from(["Bram", "Odile", "", " Tobin "])),
        "is_user": draw(st.booleans()),
        "is_system": draw(st.booleans()),
        "send_date": draw(st.sampled_from(DATES)),
        "mes": draw(texts),
        "extra": extra,
    }
    if draw(st.booleans()):
        swipes = draw(st.lists(texts, min_size=1, max_size=3))
        value |= {"swipes": swipes, "swipe_id": draw(st.integers(0, 3))}
        infos = st.sampled_from([{}, {"send_date": "d", "extra": {"reasoning": "r"}}, None])
        value["swipe_info"] = draw(st.lists(infos, max_size=3))
        value["mes"] = draw(st.sampled_from([*swipes, "else"]))
    if draw(st.booleans()):
        value["number"] = draw(st.sampled_from([1, 1.0, 1e22, 0.1, -0.0]))
    keys = draw(st.permutations(list(value)))
    text = json.dumps({key: value[key] for key in keys}, ensure_ascii=draw(st.booleans()))
    return text.replace("1e+22", "1E22") if draw(st.booleans()) else text


@given(
    st.lists(messages(), min_size=1, max_size=5),
    st.lists(st.sampled_from(ENDS), min_size=6, max_size=6),
    st.sampled_from(["", "\n", "\r\n", "\n\n", " "]),
    st.booleans(),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_any_chat_comes_out_byte_for_byte(
    told: list[str], ends: list[str], last: str, headed: bool, encoding: str
) -> None:
    texts = [json.dumps(HEADER), *told] if headed else told
    text = "".join(line + end for line, end in zip(texts, ends, strict=False))
    text = text[: len(text) - len(ends[len(texts) - 1])] + last
    data = text.encode(encoding)

    found = written(take(engine_on(MemoryStore()), data))

    assert found.data.decode(encoding) == text
    assert found.data == data


# --- what was changed ----------------------------------------------------------------------------


def test_an_edited_text_changes_its_text_and_nothing_else(engine: Engine) -> None:
    play = take(engine, story(message(), SWIPED))
    play.edit(2, "Two, rewritten.")

    expected = {**SWIPED, "mes": "Two, rewritten.", "swipes": ["One.", "Two, rewritten."]}
    found = lines(play)
    assert found == [HEADER, message(), expected]
    assert list(found[2]) == list(SWIPED)


def test_another_swipe_goes_out_with_what_belongs_to_it(engine: Engine) -> None:
    play = take(engine, story(message("x", extra={}), {**SWIPED, "extra": {"branches": ["b"]}}))
    turns.choose(engine, play.place, "2", 1)

    found = lines(play)[2]
    assert (found["mes"], found["swipe_id"], found["swipes"]) == ("One.", 0, ["One.", "Two."])
    assert (found["send_date"], found["gen_started"]) == ("d1", "g1")
    assert "gen_finished" not in found
    assert found["extra"] == {"reasoning": "first", "model": "a", "branches": ["b"]}
    assert found["swipe_info"][1]["extra"] == {"branches": ["b"]}


def test_a_hidden_message_is_a_system_message_and_back(engine: Engine) -> None:
    play = take(engine, story(message(), message("b", is_system=True)))
    play.hide(1)
    play.unhide(2)

    flags = [one["is_system"] for one in lines(play)[1:]]
    assert flags == [True, False]


@pytest.mark.parametrize(
    ("date", "form"),
    [
        (DATES[0], r"2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z"),
        (DATES[1], r"[A-Z][a-z]+ \d+, 2\d{3} \d+:\d\d[ap]m"),
        (DATES[2], r"2\d{3}-\d\d-\d\d@\d\dh\d\dm\d\ds"),
        (DATES[3], r"\d{13}"),
    ],
)
def test_a_new_turn_goes_out_as_a_message_dated_like_its_neighbour(
    engine: Engine, date: object, form: str
) -> None:
    play = take(engine, story(message(send_date=date)))
    turns.append(engine, play.place, "Eleven coins.", role=Role.USER, speaker="Odile")

    new = lines(play)[2]
    assert (new["name"], new["is_user"], new["mes"]) == ("Odile", True, "Eleven coins.")
    assert type(new["send_date"]) is type(date)
    assert re.fullmatch(form, str(new["send_date"]))


def test_a_new_turn_in_a_group_has_the_face_of_its_speaker(engine: Engine) -> None:
    path = FILES[0].parent / "group.jsonl"
    play = take(engine, path.read_bytes(), path.name)
    turns.append(engine, play.place, "Again.", role=Role.ASSISTANT, speaker="Mira Voss")

    found = written(play).data
    *_, new = found.splitlines()
    assert found.startswith(path.read_bytes().rstrip(b"\n"))
    assert json.loads(new)["original_avatar"] == "Mira Voss.png"


def test_an_alternative_written_here_becomes_a_swipe(engine: Engine) -> None:
    play = take(engine, story(message("One.")))
    turns.add_alternative(engine, play.place, "1", "Two.")

    found = lines(play)[1]
    assert (found["mes"], found["swipe_id"], found["swipes"]) == ("Two.", 1, ["One.", "Two."])
    assert found["swipe_info"][0]["extra"] == message()["extra"]


def test_a_deleted_message_is_gone_and_the_others_stay_as_they_were(engine: Engine) -> None:
    data = story(message("a"), message("b"), message("c"))
    play = take(engine, data)
    play.delete(2)

    assert written(play).data.split(b"\n") == [data.split(b"\n")[place] for place in (0, 1, 3)]


def test_a_fork_made_here_is_a_branch_file_of_its_parent(engine: Engine) -> None:
    play = take(engine, story(message("a"), message("b")))
    fork = play.fork(1).say("c")

    header, *told = lines(fork)
    assert header["chat_metadata"]["main_chat"] == "night"
    assert header["chat_metadata"]["integrity"] != HEADER["chat_metadata"]["integrity"]  # type: ignore[index]
    assert [one["mes"] for one in told] == ["a", "c"]

    again = import_file(engine, SourceFile(path="b.jsonl", data=written(fork).data))
    assert (again.conversation, again.branch) == (play.place.conversation, fork.place.branch)
    assert again.turns == 0


@given(st.data())
def test_any_change_is_read_again_as_it_was_written(data: st.DataObject) -> None:
    engine = engine_on(MemoryStore())
    told = data.draw(st.lists(messages(), min_size=2, max_size=4))
    play = take(engine, "\n".join([json.dumps(HEADER), *told]).encode())
    count = len(turns.list_turns(engine, play.place))
    for _ in range(data.draw(st.integers(1, 4))):
        number = data.draw(st.integers(1, count))
        match data.draw(st.sampled_from(["edit", "hide", "unhide", "choose", "add", "say"])):
            case "edit":
                play.edit(number, data.draw(st.sampled_from(["New.", "{{user}} ä"])))
            case "hide":
                play.hide(number)
            case "unhide":
                play.unhide(number)
            case "choose":
                known = turns.show_turn(engine, play.place, str(number))[0].alternatives
                turns.choose(engine, play.place, str(number), known[0].alt_no if known else 1)
            case "add":
                turns.add_alternative(engine, play.place, str(number), "Another.")
            case _:
                play.say("Said here.")

    found = written(play)
    copy = take(engine_on(MemoryStore()), found.data)
    lossy = {loss.where for loss in found.losses}
    kept = [f"turn {order}" not in lossy for order in range(1, len(seen(play)) + 1)]
    assert list(compress(seen(copy), kept)) == list(compress(seen(play), kept))


def seen(play: Play) -> list[tuple[object, ...]]:
    return [
        (one.order, one.content.role, one.speaker_name, one.content.parts, one.entry.hidden)
        for one in turns.list_turns(play.engine, play.place)
    ]


def test_a_story_begun_here_gets_a_header_of_its_own(engine: Engine) -> None:
    made = conversations.create(engine, title="Lamp")
    play = Play(engine, Place(conversation=made.id, branch=BranchId(1))).say("a", "b")

    header, *told = lines(play)
    assert len(header["chat_metadata"]["integrity"]) == 36
    assert [one["mes"] for one in told] == ["a", "b"]


def test_a_file_that_is_one_list_comes_out_as_one(engine: Engine) -> None:
    data = json.dumps([HEADER, message("a"), message("b")]).encode()
    play = take(engine, data)
    play.edit(2, "B")

    found = json.loads(written(play).data)
    assert found == [HEADER, message("a"), message("B")]


def test_text_that_the_files_encoding_lacks_makes_it_utf_8(engine: Engine) -> None:
    data = story(message("caf\xe9")).decode().encode().replace(b"\\u00e9", b"\xe9")
    play = take(engine, data)
    assert written(play).data == data

    turns.append(engine, play.place, "十一", role=Role.USER, speaker="Odile")
    assert [one["mes"] for one in lines(play)[1:]] == ["café", "十一"]


def test_a_comment_that_is_shown_becomes_a_narrators_and_stays_the_systems(engine: Engine) -> None:
    play = take(engine, story(message(is_system=True, extra={"type": "comment"}), message("b")))
    play.unhide(1)

    found = lines(play)[1]
    assert (found["is_system"], found["extra"]["type"]) == (False, "narrator")
    assert seen(take(engine_on(MemoryStore()), written(play).data)) == seen(play)


def test_a_typed_message_that_is_hidden_stays_its_speakers(engine: Engine) -> None:
    play = take(engine, story(message(extra={"type": "assistant_message"}), message("b")))
    play.hide(1)

    assert lines(play)[1]["extra"] == {}
    assert seen(take(engine_on(MemoryStore()), written(play).data)) == seen(play)


def test_reasoning_of_a_new_alternative_goes_out_with_its_swipe(engine: Engine) -> None:
    play = take(engine, story(message("a")))
    turns.append_reply(engine, play.place, "b", reasoning="Because.", answers=None)
    turns.add_alternative(engine, play.place, "2", "c")

    new = lines(play)[2]
    assert new["swipes"] == ["b", "c"]
    assert [one["extra"] for one in new["swipe_info"]] == [{"reasoning": "Because."}, {}]


def test_a_tools_result_keeps_its_words_where_its_call_is_in_another_turn(engine: Engine) -> None:
    call = ToolCallPart(call_id="7", name="dice", arguments="{}")
    answer = ToolResultPart(call_id="7", text="4")
    told = (
        ChatTurn(role=Role.ASSISTANT, speaker="Mira", texts=(ChatText(parts=(call,)),)),
        ChatTurn(role=Role.TOOL, speaker="dice", texts=(ChatText(parts=(answer,)),)),
    )
    done = import_chat(engine, Chat(title="Lamp", turns=told))

    found = written(Play(engine, Place(conversation=done.conversation, branch=done.branch)))

    result = json.loads(found.data.splitlines()[2])["extra"]["tool_invocations"]
    assert result == [{"id": "7", "name": "dice", "parameters": "", "result": "4"}]
    assert [loss.where for loss in found.losses] == ["turn 1", "turn 2"]


def test_turns_of_other_formats_keep_their_tools_pictures_and_roles(engine: Engine) -> None:
    def turn(role: Role, *parts: Part) -> ChatTurn:
        return ChatTurn(role=role, speaker=role.value, texts=(ChatText(parts=parts),))

    call = ToolCallPart(call_id="7", name="dice", arguments='{"sides":6}')
    answer = ToolResultPart(call_id="7", text="4")
    picture = MediaPart(media_type="image/png", reference="/a.png")
    paper = MediaPart(media_type="text/plain", reference="/a.txt")
    told = (
        turn(Role.SYSTEM, TextPart(text="Night.")),
        turn(Role.USER, TextPart(text="Look."), picture, paper),
        turn(Role.TOOL, call, answer),
        turn(Role.ASSISTANT, TextPart(text="Rolling."), call),
    )
    done = import_chat(engine, Chat(title="Lamp", turns=told))
    play = Play(engine, Place(conversation=done.conversation, branch=done.branch))

    found = written(play)
    copy = take(engine_on(MemoryStore()), found.data)
    assert seen(copy)[:3] == seen(play)[:3]
    assert [loss.where for loss in found.losses] == ["turn 4"]
