"""What must hold for any file at all."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from tests.integration.engine.play import start

from foreword.engine import conversations
from foreword.engine.adding import add_file
from foreword.engine.context import Engine, Place
from foreword.engine.exporting import export
from foreword.engine.importing import Imported, import_each
from foreword.engine.verifying import verify
from foreword.errors import ForewordError
from foreword.formats.registry import WRITERS
from foreword.ports.format import SourceFile
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What an import made of a file."""

    imported: tuple[Imported, ...]
    refused: ForewordError | None = None


def take_in(data: bytes, path: str, engine: Engine | None = None) -> Taken:
    """Import a file into an empty store, and prove that what came of it is whole.

    Each conversation in it verifies clean, is written in every format, and comes back from its
    bundle; a refusal is one of ours and leaves nothing of what it refused.
    """
    engine = engine_on(MemoryStore()) if engine is None else engine
    imported: list[Imported] = []
    refused: ForewordError | None = None
    try:
        imported.extend(import_each(engine, SourceFile(path=path, data=data)))
    except ForewordError as error:
        refused = error
    made = {done.conversation for done in imported}
    assert {view.id for view in conversations.list_conversations(engine)} == made
    assert verify(engine).problems == ()
    for done in imported:
        _comes_back(engine, Place(conversation=done.conversation, branch=done.branch))
    if not any(done.turns for done in imported):
        _is_added_whole(data, path)
    return Taken(imported=tuple(imported), refused=refused)


def _is_added_whole(data: bytes, path: str) -> None:
    """Add a card, a lorebook or memories to a story: all of it, or nothing."""
    play = start(engine_on(MemoryStore()), 4)
    before = export(play.engine, play.place).data
    with suppress(ForewordError):
        add_file(play.engine, SourceFile(path=path, data=data), play.place)
        before = export(play.engine, play.place).data
    assert export(play.engine, play.place).data == before
    assert play.problems() == ()


def _comes_back(engine: Engine, place: Place) -> None:
    written = {writer.name: export(engine, place, writer.name).data for writer in WRITERS}
    again = engine_on(MemoryStore())
    (done,) = import_each(again, SourceFile(path="again", data=written["bundle"]))
    back = Place(conversation=done.conversation, branch=place.branch)
    assert verify(again).problems == ()
    assert export(again, back).data == written["bundle"]
