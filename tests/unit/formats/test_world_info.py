import json
from pathlib import Path
from typing import Any

import pytest

from foreword.domain.interchange import Chat, ChatSummary
from foreword.errors import FileUnreadable
from foreword.formats.registry import FORMATS, read_file
from foreword.ports.format import SourceFile

CARDS = Path(__file__).parents[2] / "data" / "sillytavern" / "cards"


def read(*entries: Any, **more: Any) -> Chat:
    book = {"entries": {str(uid): one for uid, one in enumerate(entries)}, **more}
    found = read_file(SourceFile(path="salt.json", data=json.dumps(book).encode()))
    assert isinstance(found, Chat)
    return found


def entry(content: str, **fields: object) -> dict[str, Any]:
    return {"key": ["ferry"], "content": content, "constant": True, "order": 100, **fields}


def memory(first: object, last: object, **fields: object) -> dict[str, Any]:
    marks = {"stmemorybooks": True, "STMB_start": first, "STMB_end": last}
    return entry(f"From {first} to {last}.", **{**marks, **fields})


def test_entries_become_system_text_in_their_order_and_keep_what_they_are() -> None:
    found = read(entry("Second.", comment="B"), entry("First.", order=1), entry("", order=0))
    assert found.settings == {"system": "ferry: First.\n\nB: Second."}
    assert (found.title, found.losses, found.turns) == ("salt", (), ())
    assert json.loads(found.source)["book"]["entries"]["0"]["comment"] == "B"


def test_a_lorebook_without_any_text_is_refused() -> None:
    with pytest.raises(FileUnreadable, match="no entry of the lorebook has text"):
        read(entry(""), entry("  "))


def test_what_the_text_cannot_say_is_reported() -> None:
    found = read(
        entry("Keyed.", constant=False),
        entry("Rare.", useProbability=True, probability=5, group="g"),
        entry("Off.", disable=True),
        entry("For one.", characterFilter={"names": ["Bram"]}),
    )
    assert [loss.what for loss in found.losses] == [
        "1 entries",
        "the keywords of 'Keyed.'",
        "probability, group, character filter of 'Rare.', 'For one.'",
    ]


def test_memories_become_summaries_and_nothing_else() -> None:
    found = read(
        entry("Lore."),
        memory(2, 3),
        memory(0, 1, stmbSummaryTier=1),
        memory(4, 5, disable=True),
        memory("a", 5),
        memory(3, 2),
    )
    assert found.summaries == (
        ChatSummary(text="From 0 to 1.", turns=(0, 1), layer=1, maker="memorybooks"),
        ChatSummary(text="From 2 to 3.", turns=(2, 3), maker="memorybooks"),
    )
    assert "Lore." in found.settings["system"]
    assert "From 2" not in found.settings["system"]


def test_memories_of_more_messages_than_any_chat_has_are_refused() -> None:
    with pytest.raises(FileUnreadable, match="more messages"):
        read(*[memory(0, 900_000)] * 2)


def test_a_real_book_is_read_by_one_format_only() -> None:
    file = SourceFile(path="x", data=(CARDS / "saltmarrow.json").read_bytes())
    assert [one.name for one in FORMATS if one.recognises(file)] == ["world info"]
    found = read_file(file)
    assert isinstance(found, Chat)
    assert "Gannet Rock" in found.settings["system"]
