"""Messages of OpenAI's chat API, written and read again."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import parts, texts

from foreword.domain.conversation import Branch
from foreword.domain.digest import content_digest
from foreword.domain.ids import MAIN_BRANCH, AccountId, BranchId, Pos, TurnId, VersionId, speaker_id
from foreword.domain.interchange import BranchState, Bundle, Chat, ChatText, ChatTurn
from foreword.domain.turn import (
    Alternative,
    Content,
    Entry,
    MediaPart,
    Part,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    Version,
)
from foreword.formats.registry import read_file, write_file
from foreword.formats.snapshot import turns_of
from foreword.ports.format import SourceFile

Json = dict[str, Any]
ACCOUNT = AccountId("a")
FORMS = ["openai", "openai-jsonl"]
CALL = ToolCallPart(call_id="c1", name="tide", arguments='{"at": 9}')
LOW = ToolResultPart(call_id="c1", text="low")
SEEN = TextPart(text="I see.")


def said(*parts: Part, role: Role = Role.ASSISTANT, speaker: str = "", **fields: Any) -> ChatTurn:
    return ChatTurn(
        role=role, speaker=speaker or role.value, texts=(ChatText(parts=parts),), **fields
    )


def bundle_of(*turns: ChatTurn, **settings: str) -> Bundle:
    """Return a conversation of one branch with these turns."""
    versions: list[Version] = []
    entries: list[Entry] = []
    speakers = {speaker_id(ACCOUNT, turn.speaker): turn.speaker for turn in turns}
    for number, turn in enumerate(turns, start=1):
        own = [
            _version(len(versions) + place, TurnId(number), turn, place)
            for place in range(1, len(turn.texts) + 1)
        ]
        versions += own
        shown = own[turn.chosen]
        entries.append(
            Entry(
                pos=Pos(number),
                turn_id=TurnId(number),
                version_id=shown.id,
                role=turn.role,
                speaker=shown.content.speaker,
                tokens=1,
                digest=shown.digest,
                hidden=turn.hidden,
            )
        )
    alternatives = [
        Alternative(turn_id=one.turn_id, alt_no=one.alt_no, version_id=one.id) for one in versions
    ]
    state = BranchState(
        branch=Branch(id=MAIN_BRANCH, name="main", tip_pos=Pos(len(turns))),
        entries=tuple(entries),
        alternatives=tuple(alternatives),
        pins=tuple(TurnId(n) for n, turn in enumerate(turns, start=1) if turn.pinned),
    )
    return Bundle(
        title="Night",
        settings=settings,
        source="",
        created_at="",
        current_branch=MAIN_BRANCH,
        speakers=speakers,
        versions=tuple(versions),
        summaries=(),
        branches=(state,),
    )


def _version(number: int, turn_id: TurnId, turn: ChatTurn, place: int) -> Version:
    text = turn.texts[place - 1]
    content = Content(
        role=turn.role,
        speaker=speaker_id(ACCOUNT, turn.speaker),
        parts=text.parts,
        reasoning=text.reasoning,
        sent_at=text.sent_at,
        extra=text.extra,
    )
    return Version(
        id=VersionId(number),
        turn_id=turn_id,
        alt_no=place,
        content=content,
        tokens=1,
        digest=content_digest(content),
    )


def document(*turns: ChatTurn, form: str = "openai", **settings: str) -> Json:
    found: Json = json.loads(write_file(form, bundle_of(*turns, **settings), MAIN_BRANCH).data)
    return found


def messages(*turns: ChatTurn) -> list[Json]:
    found: list[Json] = document(*turns)["messages"]
    return found


def read(value: object) -> Chat:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    found = read_file(SourceFile(path="x.json", data=data))
    assert isinstance(found, Chat)
    return found


def problems(found: list[Json]) -> list[str]:
    """Return what the API would refuse."""
    wrong: list[str] = []
    waiting: list[str] = []
    for message in found:
        role = message["role"]
        if waiting and role != "tool":
            wrong.append(f"no answer to {waiting}")
        if role == "tool":
            if message["tool_call_id"] not in waiting:
                wrong.append(f"an answer to nothing: {message['tool_call_id']}")
                continue
            waiting.remove(message["tool_call_id"])
        calls = message.get("tool_calls", [])
        waiting = waiting if role == "tool" else [call["id"] for call in calls]
        wrong += [f"id {one!r}" for one in waiting if not 0 < len(one) <= 40]
        wrong += [
            f"name {one!r}"
            for one in [
                *([message["name"]] if "name" in message else []),
                *(call["function"]["name"] for call in calls),
            ]
            if not re.fullmatch("[a-zA-Z0-9_-]{1,64}", one)
        ]
        if len(set(waiting)) < len(waiting):
            wrong.append("an id twice")
        if message["content"] is None and not calls:
            wrong.append("no content")
        if not isinstance(message["content"], str | list | None):
            wrong.append("content of no kind")
        wrong += [f"key {key}" for key in message.keys() - KEYS[role]]
    return wrong + ["no answer at the end"] * bool(waiting)


KEYS = {
    "system": {"role", "content", "name"},
    "user": {"role", "content", "name"},
    "assistant": {"role", "content", "name", "tool_calls"},
    "tool": {"role", "content", "tool_call_id"},
}


TURNS = st.builds(
    lambda said, **fields: ChatTurn(texts=said[0], chosen=said[1], **fields),
    role=st.sampled_from(Role),
    speaker=st.sampled_from(["Anneke", "assistant", "Ночь", "Old Bram", "user"]),
    said=st.lists(
        st.builds(
            ChatText,
            parts=st.lists(parts(), min_size=1, max_size=3).map(tuple),
            reasoning=texts(max_size=5),
            sent_at=texts(max_size=5),
            extra=st.sampled_from(["", '{"openai":{"b":1}}']),
        ),
        min_size=1,
        max_size=3,
    ).flatmap(lambda texts: st.tuples(st.just(tuple(texts)), st.integers(0, len(texts) - 1))),
    hidden=st.booleans(),
    pinned=st.booleans(),
)


@given(st.lists(TURNS, max_size=4), st.sampled_from(FORMS))
def test_what_is_written_is_as_the_api_takes_it_and_reads_as_the_same_turns(
    turns: list[ChatTurn], form: str
) -> None:
    bundle = bundle_of(*turns)
    written = write_file(form, bundle, MAIN_BRANCH)
    found = read(written.data)
    assert problems(json.loads(written.data)["messages"]) == []
    assert found.turns == tuple(turns) == turns_of(bundle, MAIN_BRANCH)
    assert (found.title, found.losses) == ("Night", ())


TOOL_PARTS = st.one_of(
    st.builds(
        ToolCallPart,
        call_id=st.sampled_from(["", "1", "2", "x" * 41, "call_1"]),
        name=st.sampled_from(["look", "шаг", ""]),
        arguments=st.just("{}"),
    ),
    st.builds(
        ToolResultPart,
        call_id=st.sampled_from(["", "1", "2", "x" * 41, "call_1"]),
        text=st.text(max_size=2).filter(lambda text: "\0" not in text),
    ),
    st.sampled_from([TextPart(text=""), SEEN, MediaPart(media_type="image/png", reference="a")]),
)
TOOL_TURNS = st.builds(
    lambda role, parts, hidden: said(*parts, role=role, hidden=hidden),
    role=st.sampled_from(Role),
    parts=st.lists(TOOL_PARTS, min_size=1, max_size=5),
    hidden=st.booleans(),
)


@given(st.lists(TOOL_TURNS, min_size=1, max_size=5))
def test_calls_and_answers_in_any_order_are_written_as_the_api_takes_them(
    turns: list[ChatTurn],
) -> None:
    found = document(*turns)
    assert problems(found["messages"]) == []
    assert read(found).turns == tuple(turns)


def test_our_own_fields_are_under_one_key_and_no_message_has_them() -> None:
    turn = said(SEEN, speaker="Bram", pinned=True)
    found = document(said(TextPart(text="Lamp?"), role=Role.USER), turn, char="Bram")
    assert found == {
        "messages": [
            {"role": "user", "content": "Lamp?"},
            {"role": "assistant", "content": "I see.", "name": "Bram"},
        ],
        "foreword": {
            "version": 1,
            "title": "Night",
            "char": "Bram",
            "settings": [],
            "turns": [{}, {"pinned": True}],
        },
    }


def test_lines_hold_one_record() -> None:
    written = write_file("openai-jsonl", bundle_of(said(SEEN)), MAIN_BRANCH)
    assert written.data.count(b"\n") == 1
    assert json.loads(written.data) == document(said(SEEN))


def test_a_call_and_its_answer_are_messages_of_their_own() -> None:
    found = messages(said(SEEN, CALL), said(LOW, role=Role.TOOL))
    assert found == [
        {
            "role": "assistant",
            "content": "I see.",
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "tide", "arguments": '{"at": 9}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "low"},
    ]


@pytest.mark.parametrize("call_id", ["", "x" * 41])
def test_ids_that_the_api_refuses_are_written_as_others(call_id: str) -> None:
    taken = ToolCallPart(call_id="call_1", name="look", arguments="{}")
    turns = [
        said(replace(CALL, call_id=call_id), taken),
        said(replace(LOW, call_id=call_id), replace(LOW, call_id="call_1"), role=Role.TOOL),
    ]
    found = document(*turns)
    ids = [one["tool_call_id"] for one in found["messages"] if one["role"] == "tool"]
    assert (ids, problems(found["messages"])) == (["call_2", "call_1"], [])
    assert read(found).turns == tuple(turns)


def test_a_call_without_an_answer_and_an_answer_without_a_call_are_told_as_text() -> None:
    assert messages(said(CALL), said(LOW, role=Role.USER)) == [
        {"role": "assistant", "content": 'tide({"at": 9})'},
        {"role": "user", "content": "[Tool result]\nlow"},
    ]


def test_pictures_that_the_api_can_get_are_pictures_and_others_are_named() -> None:
    near = MediaPart(media_type="image/png", reference="https://a/b.png")
    far = MediaPart(media_type="image/png", reference="/user/b.png")
    assert messages(said(SEEN, near, far, role=Role.USER))[0]["content"] == [
        {"type": "text", "text": "I see."},
        {"type": "image_url", "image_url": {"url": "https://a/b.png"}},
        {"type": "text", "text": "[image/png: /user/b.png]"},
    ]


def test_hidden_turns_and_alternatives_are_in_the_note_only() -> None:
    turn = replace(
        said(SEEN),
        texts=(
            ChatText(parts=(TextPart(text="No."),), sent_at="9:40", reasoning="hm"),
            ChatText(parts=(SEEN,), extra="{}"),
        ),
        chosen=1,
    )
    found = document(turn, said(SEEN, hidden=True))
    assert found["messages"] == [{"role": "assistant", "content": "I see."}]
    assert found["foreword"]["turns"] == [
        {
            "extra": "{}",
            "others": [{"parts": ["No."], "reasoning": "hm", "sent_at": "9:40"}],
            "chosen": 1,
        },
        {
            "messages": 0,
            "role": "assistant",
            "speaker": "assistant",
            "parts": ["I see."],
            "hidden": True,
        },
    ]


def test_the_texts_of_the_settings_come_first_and_back_into_their_places() -> None:
    found = document(said(SEEN), system="Stay brief.", personas="Bram is old.", char="Bram")
    assert [one["role"] for one in found["messages"]] == ["system", "system", "assistant"]
    again = read(found)
    assert again.settings == {"system": "Stay brief.", "personas": "Bram is old."}
    assert (again.title, again.char) == ("Night", "Bram")


@pytest.mark.parametrize(
    ("speaker", "name"),
    [
        ("Old Bram", "Old_Bram"),
        ("Zoë", "Zoe"),
        ("Ночь", None),
        ("User", None),
        ("a" * 70, "a" * 64),
    ],
)
def test_names_are_written_in_the_letters_of_the_api(speaker: str, name: str | None) -> None:
    assert messages(said(SEEN, speaker=speaker))[0].get("name") == name


def test_a_message_that_was_changed_counts_as_it_stands() -> None:
    found = document(said(SEEN, CALL, pinned=True))
    found["messages"][0]["content"] = "I saw."
    again = read(found)
    assert again.turns == (said(TextPart(text="I saw."), pinned=True),)
    assert [(one.where, one.what) for one in again.losses] == [
        ("turn 1", "what Foreword had noted")
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"version": None},
        {"turns": [{}]},
        {"turns": [{}, {"messages": -1}]},
        {"turns": [{}, 7]},
        {"turns": [{}, {"chosen": 1}]},
        {"turns": [{}, {"role": "captain"}]},
        {"turns": [{}, {"speaker": 7}]},
        {"turns": [{}, {"others": [{"parts": []}]}]},
        {"turns": [{}, {"others": [{"parts": [{"media": 1}]}]}]},
        {"turns": [{}, {"others": [7]}]},
        {"turns": [{}, {}, {"messages": 0}]},
        {"settings": ["context"], "turns": [{}]},
        {"settings": [7]},
        {"title": 7},
    ],
)
def test_a_note_that_does_not_fit_is_put_aside_and_the_messages_are_read(change: Json) -> None:
    found = document(said(SEEN, speaker="Bram"), said(SEEN))
    found["foreword"] |= change
    again = read(found)
    assert again.turns == (said(SEEN, speaker="Bram"), said(SEEN))
    assert [one.what for one in again.losses] == ["what Foreword had noted"]


def test_a_turn_whose_speaker_was_taken_away_is_spoken_by_its_role() -> None:
    found = document(said(SEEN))
    found["foreword"]["turns"] = [{"speaker": " "}]
    assert read(found).turns == (said(SEEN),)


def test_other_branches_and_summaries_are_named_and_pins_are_not() -> None:
    bundle = bundle_of(said(SEEN, pinned=True))
    other = replace(bundle.branches[0].branch, id=BranchId(2), parent=MAIN_BRANCH)
    both = replace(bundle, branches=(*bundle.branches, BranchState(branch=other, entries=())))
    losses = write_file("openai", both, MAIN_BRANCH).losses
    assert [one.what for one in losses] == ["1 other branch"]
