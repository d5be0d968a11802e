"""Cards, lorebooks and memories: conversations of their own, or more of one that is there."""

from __future__ import annotations

import json
from hashlib import sha512
from pathlib import Path
from typing import Any

import pytest
from tests.integration.engine.play import Play
from tests.integration.engine.test_import_memories import chat, message, spans, take

from foreword.engine import conversations, history, turns
from foreword.engine.adding import add_file
from foreword.engine.context import Engine, Place
from foreword.engine.importing import import_file
from foreword.errors import FileUnreadable
from foreword.ports.format import SourceFile

CARDS = Path(__file__).parents[2] / "data" / "sillytavern" / "cards"


def card(name: str = "tobin.png") -> SourceFile:
    return SourceFile(path=name, data=(CARDS / name).read_bytes())


def book(**entries: Any) -> SourceFile:
    data = json.dumps({"entries": entries}).encode()
    return SourceFile(path="book.json", data=data)


def memory(first: int, last: int) -> dict[str, Any]:
    marks = {"stmemorybooks": True, "STMB_start": first, "STMB_end": last}
    return {"key": [], "content": f"From {first} to {last}.", **marks}


def told(engine: Engine, count: int = 5) -> Play:
    return take(engine, chat([message(one) for one in range(count)]))[0]


def settings(play: Play) -> dict[str, str]:
    return conversations.show_settings(play.engine, play.place.conversation)


def test_a_card_opens_a_conversation_with_its_greeting_and_texts(engine: Engine) -> None:
    done = import_file(engine, card())

    assert (done.title, done.turns, done.created) == ("Tobin Ash", 1, True)
    play = Play(engine, Place(conversation=done.conversation, branch=done.branch))
    assert "pilots the last ferry" in settings(play)["personas"]
    assert settings(play)["char"] == "Tobin Ash"
    assert turns.list_turns(engine, play.place)[0].speaker_name == "Tobin Ash"
    assert play.problems() == ()
    assert import_file(engine, card()).turns == 0


def test_a_card_adds_its_texts_to_a_story_that_is_there_and_only_once(engine: Engine) -> None:
    play = told(engine)
    conversations.change_setting(engine, "system", "Be brief.", play.place.conversation)

    done = add_file(engine, card(), play.place)
    again = add_file(engine, card(), play.place)

    assert (done.settings, again.settings) == (("system", "personas"), ())
    assert settings(play)["system"].startswith("Be brief.\n\nYou are Tobin Ash.")
    assert settings(play)["system"].count("You are Tobin Ash.") == 1
    assert len(turns.list_turns(engine, play.place)) == 5
    assert "the greetings" in [loss.what for loss in done.losses]


def test_memories_are_put_over_their_messages_and_undone_as_one(engine: Engine) -> None:
    play = told(engine)
    play.hide(3)

    done = add_file(engine, book(a=memory(0, 1), b=memory(2, 2), c=memory(3, 9)), play.place)

    assert spans(play) == [("From 0 to 1.", 1, 2)]
    assert [loss.why for loss in done.losses] == [
        "it does not stand for all visible turns between its first and its last",
        "the conversation has fewer turns",
    ]
    assert play.problems() == ()
    play.undo()
    assert spans(play) == []


def test_a_chat_or_a_bundle_is_not_added_to_another(engine: Engine) -> None:
    play = told(engine)
    file = SourceFile(path="c.jsonl", data=chat([message(1)]))
    with pytest.raises(FileUnreadable, match="without --into"):
        add_file(engine, file, play.place)


def sha(*texts: str) -> str:
    return sha512("".join(texts).encode()).hexdigest()


def records(*found: dict[str, Any]) -> SourceFile:
    return SourceFile(path="marginalia.json", data=json.dumps(found).encode())


def record(text: str, digest: str, **more: object) -> dict[str, Any]:
    return {"summary": text, "summaryTokens": 3, "summaryMessageHash": digest, **more}


SAID = [f"Message {number}." for number in range(6)]


def test_marginalias_summaries_find_their_turns_by_what_they_read(engine: Engine) -> None:
    play = told(engine, 6)
    file = records(
        record("Second.", sha(*SAID[2:4]), summaryType="SUMMARY"),
        record("First.", sha(*SAID[:2])),
        record("Edited since.", sha("Something else.")),
    )
    done = add_file(engine, file, play.place)

    assert spans(play) == [("First.", 1, 2), ("Second.", 3, 4)]
    assert [(loss.what, loss.why) for loss in done.losses] == [
        ("the summary 'Edited since.'", "no turns here read as those it was made from")
    ]
    assert play.problems() == ()


def test_a_meta_summary_of_marginalia_stands_for_all_that_it_merged(engine: Engine) -> None:
    play = told(engine, 6)
    replaced = record("Second.", sha(*SAID[2:4]))
    whole = sha(*SAID[:2], "First.", *SAID[2:4])
    meta = record("Both.", whole, summaryType="META_SUMMARY", replacedSummary=json.dumps(replaced))
    done = add_file(engine, records(meta, record("First.", sha(*SAID[:2]))), play.place)

    assert spans(play) == [("Both.", 1, 4)]
    assert done.losses == ()
    assert add_file(engine, records(meta), play.place).summaries == ()
    assert [one.kind for one in history.history(engine, play.place)] == ["import", "import"]


def test_records_alone_are_of_no_story(engine: Engine) -> None:
    with pytest.raises(FileUnreadable, match="--into"):
        import_file(engine, records(record("First.", sha("x"))))
