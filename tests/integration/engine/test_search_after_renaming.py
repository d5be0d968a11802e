"""Search finds a story's turns by what they say, not by what its people are called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files

from tests.unit.llm.renaming import alike, names_of, other_names, other_numbers

from foreword.domain.interchange import Chat
from foreword.domain.probes import Probe
from foreword.domain.turn import TextPart, part_text
from foreword.engine.context import Engine, Place
from foreword.engine.importing import import_chat
from foreword.engine.searching import search
from foreword.formats.probes import read_probes
from foreword.formats.sillytavern import SillyTavernFormat
from foreword.ports.format import SourceFile
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore

FOLDER = files("foreword") / "data" / "lantern_road"
ASKED = 40
"""So many of the questions: each is a search over the whole story."""


def story() -> tuple[Chat, tuple[Probe, ...]]:
    def file(name: str) -> SourceFile:
        return SourceFile(path=name, data=(FOLDER / f"lantern-road.{name}").read_bytes())

    return SillyTavernFormat().read(file("jsonl")), read_probes(file("probes.json"))[:ASKED]


def told_as(chat: Chat, change: Callable[[str], str]) -> Chat:
    turns = tuple(
        replace(
            turn,
            speaker=change(turn.speaker),
            texts=tuple(
                replace(
                    text, parts=tuple(TextPart(text=change(part_text(one))) for one in text.parts)
                )
                for text in turn.texts
            ),
        )
        for turn in chat.turns
    )
    return replace(chat, turns=turns, title="Renamed", source="", user=change(chat.user))


def found(engine: Engine, place: Place, question: str) -> list[int]:
    return [hit.order for hit in search(engine, place, question, limit=3)]


def test_the_same_turns_answer_once_everybody_is_called_something_else() -> None:
    chat, probes = story()
    texts = [part_text(part) for turn in chat.turns for part in turn.texts[turn.chosen].parts]
    rename, renumber = other_names(1, names_of(texts), alike), other_numbers(1)

    def change(text: str) -> str:
        return renumber(rename(text))

    engine = engine_on(MemoryStore())
    before, after = (
        Place(conversation=import_chat(engine, one).conversation)
        for one in (chat, told_as(chat, change))
    )
    unlike = {
        probe.question: (asked, again)
        for probe in probes
        if (asked := found(engine, before, probe.question))
        != (again := found(engine, after, change(probe.question)))
    }
    assert unlike == {}
