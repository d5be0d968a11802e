"""Summaries of other programs: their spans become covered turns, and nothing else does."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from tests.integration.engine.play import Play

from foreword.domain.summary import CoverState
from foreword.engine import turns
from foreword.engine.context import Engine, Place
from foreword.engine.exporting import export
from foreword.engine.importing import Imported, import_file
from foreword.ports.format import SourceFile

Json = dict[str, Any]


def identity(number: int) -> str:
    return str(UUID(int=number + 1, version=4))


def message(number: int, *, hidden: bool = False, **extra: object) -> Json:
    return {
        "name": "Odile" if number % 2 else "Bram",
        "is_user": bool(number % 2),
        "is_system": hidden,
        "mes": f"Message {number}.",
        "sc_id": identity(number),
        "extra": extra,
    }


def snippet(*of: int, text: str = "They waited.", **more: object) -> Json:
    wrapped = f"<narrative>{text}</narrative>\ncurrent_date_time: 1874-03-02 21 Mon"
    return {"text": wrapped, "sourceMessageIds": [identity(one) for one in of], **more}


def older(first: int, last: int, text: str = "They waited.") -> Json:
    return {"text": text, "turnRange": [first, last]}


def chat(messages: list[Json], **metadata: object) -> bytes:
    header = {"user_name": "Odile", "character_name": "Bram", "chat_metadata": metadata}
    return "\n".join(json.dumps(one, separators=(",", ":")) for one in [header, *messages]).encode()


def take(engine: Engine, data: bytes, path: str = "night.jsonl") -> tuple[Play, Imported]:
    done = import_file(engine, SourceFile(path=path, data=data))
    return Play(engine, Place(conversation=done.conversation, branch=done.branch)), done


def spans(play: Play) -> list[tuple[str, int, int]]:
    """The summaries in use with their first and last turn."""
    order = {one.entry.pos: one.order for one in turns.list_turns(play.engine, play.place)}
    state = play.state()
    with play.engine.store.read(play.engine.account, play.place.conversation) as session:
        texts = session.summary_texts([row.summary_id for row in state.cover])
    return [
        (texts[row.summary_id], order[row.from_pos], order[row.to_pos])
        for row in state.cover
        if row.state is CoverState.USED
    ]


def hidden(play: Play) -> list[int]:
    return [one.order for one in turns.list_turns(play.engine, play.place) if one.entry.hidden]


WAITED = "They waited.\ncurrent_date_time: 1874-03-02 21 Mon"


def test_owned_ghosts_become_covered_turns_and_others_stay_hidden(engine: Engine) -> None:
    store = {
        "layers": [[snippet(2, 3)], [snippet(0, 1, text="They met.")]],
        "ghostedMessageIds": [identity(one) for one in (0, 2, 3)],
        "mutationEpoch": 4,
    }
    told = [message(one, hidden=one < 4) for one in range(6)]
    data = chat(told, summaryception=store)
    play, done = take(engine, data)

    assert len(done.summaries) == 2
    assert hidden(play) == [2]
    first = "They met.\ncurrent_date_time: 1874-03-02 21 Mon"
    assert spans(play) == [(first, 1, 1), (WAITED, 3, 4)]
    assert play.problems() == ()
    assert export(play.engine, play.place, "sillytavern").data == data
    play.undo()
    assert spans(play) == []


def test_a_branch_that_inherited_later_memory_covers_nothing_with_it(engine: Engine) -> None:
    store = {
        "layers": [[snippet(0, 1), snippet(2, 3)]],
        "ghostedMessageIds": [identity(one) for one in range(4)],
    }
    told = [message(one, hidden=True) for one in range(3)]
    play, done = take(engine, chat(told, summaryception=store))

    assert spans(play) == [(WAITED, 1, 2)]
    assert hidden(play) == []
    assert [loss.why for loss in done.losses] == [
        "1 of its messages are not in this chat; the others stay as they are"
    ]


def test_a_summary_with_a_gap_or_over_another_one_is_refused(engine: Engine) -> None:
    store = {"layers": [[snippet(0, 2), snippet(3, 4), snippet(4, 5), snippet(5), {"text": "x"}]]}
    play, done = take(engine, chat([message(one) for one in range(6)], summaryception=store))

    assert spans(play) == [(WAITED, 4, 5), (WAITED, 6, 6)]
    assert [loss.where for loss in done.losses] == [
        "Summaryception, layer 0, summary 5",
        "Summaryception, layer 0, summary 1",
        "Summaryception, layer 0, summary 3",
    ]


def test_older_ranges_are_used_and_how_far_they_go_is_computed(engine: Engine) -> None:
    store = {"layers": [[older(0, 1), older(2, 3, "Later.")], []], "ghostedIndices": [0, 1, 2, 3]}
    told = [message(one, hidden=one < 4, sc_ghosted=one < 4) for one in range(5)]
    play, done = take(engine, chat(told, summaryception=store))

    assert spans(play) == [("They waited.", 1, 2), ("Later.", 3, 4)]
    assert hidden(play) == []
    assert [(loss.what, loss.why) for loss in done.losses] == [
        ("summarizedUpTo", "its newest summary ends at message 4; that is used")
    ]


def test_an_older_range_that_does_not_fit_the_flags_is_refused(engine: Engine) -> None:
    store = {
        "layers": [[older(0, 1), older(2, 3), older(4, 9)]],
        "summarizedUpTo": 9,
        "ghostedIndices": [0, 1, 2],
    }
    told = [message(one, hidden=one < 3) for one in range(6)]
    play, done = take(engine, chat(told, summaryception=store))

    assert spans(play) == [("They waited.", 1, 2)]
    assert hidden(play) == []
    assert [loss.why for loss in done.losses] == [
        "message 4 in it is not hidden: messages were removed, or shown again",
        "it ends at message 10, and the chat has 6",
    ]


def test_only_the_newest_summary_of_the_client_is_in_force(engine: Engine) -> None:
    told = [message(0), message(1, memory="Old."), message(2), message(3, memory="New.")]
    play, _ = take(engine, chat([*told, message(4)]))

    assert spans(play) == [("New.", 1, 4)]


def test_qvinks_memories_cover_their_own_messages_and_remembered_ones_are_pinned(
    engine: Engine,
) -> None:
    records = [
        {"memory": "He left.", "include": "short", "remember": True},
        {"memory": None, "error": "no answer"},
        {"memory": "Too near.", "lagging": True},
        {"memory": "She stayed.", "include": "long"},
        {"memory": "No.", "exclude": True},
    ]
    told = [message(place, qvink_memory=record) for place, record in enumerate(records)]
    play, _ = take(engine, chat(told))

    assert spans(play) == [("He left.", 1, 1), ("She stayed.", 4, 4)]
    assert len(play.state().pins) == 1


def test_a_chat_that_grew_brings_its_new_summaries_once(engine: Engine) -> None:
    told = [message(one) for one in range(4)]
    one = {"layers": [[snippet(0, 1)]]}
    two = {"layers": [[snippet(0, 1), snippet(2, 3)]]}
    play, _ = take(engine, chat(told, integrity="x", summaryception=one))
    grown = [*told, message(4), message(5)]
    _, done = take(engine, chat(grown, integrity="x", summaryception=two))

    assert (len(done.summaries), done.losses) == (1, ())
    assert spans(play) == [(WAITED, 1, 2), (WAITED, 3, 4)]
    assert play.problems() == ()


def test_any_nonsense_in_the_store_is_survived(engine: Engine) -> None:
    nonsense: list[object] = [
        7, "x", [], {}, {"layers": 1}, {"layers": [1, [2, None, {"turnRange": ["a", 1]}]]},
        {"layers": [[{"text": 7, "sourceMessageIds": [identity(0), 4]}]], "ghostedMessageIds": 3},
        {"layers": [[{"text": "x", "turnRange": [3, 1]}, {"text": "", "turnRange": [0, 0]}]]},
        {"layers": [[older(0, 10**30)]], "ghostedIndices": [True, 10**30]},
    ]  # fmt: skip
    for number, store in enumerate(nonsense):
        told = chat([message(0, hidden=True)], summaryception=store, integrity=str(number))
        play, done = take(engine, told, f"{number}.jsonl")
        assert done.summaries == ()
        assert export(play.engine, play.place, "sillytavern").data == told
