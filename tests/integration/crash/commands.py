"""Every command that writes, on a story that lets all of them do something."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from itertools import count

from tests.integration.crash.deeds import WatchedStore, chat_of, state_of
from tests.integration.engine.play import Play

from foreword.domain.ids import MAIN_BRANCH, BranchId, SummaryId
from foreword.engine import (
    branches,
    conversations,
    exporting,
    importing,
    repairing,
    summaries,
    templates,
    turns,
)
from foreword.engine.context import Engine, Place
from foreword.ports.format import SourceFile
from foreword.prompts.templates import TemplateName
from foreword.testing.engines import engine_on

Command = Callable[[Play], object]
LENGTH = 12
"""Turns of the story."""


def tell(engine: Engine) -> None:
    """Make the story: imported, edited, with summaries in two layers, a fork, and things undone."""
    made = importing.import_chat(engine, chat_of(LENGTH, title="Story"))
    play = Play(engine, Place(conversation=made.conversation, branch=made.branch))
    play.set(context="640")
    for through in (2, 4, 5, 6, 8):
        play.make(through)
    play.merge(1, 2)
    play.fork(9)
    play.hide(11)
    play.pin(10)
    play.edit(8, "changed, so that the fifth summary is stale")
    turns.add_alternative(engine, play.place, "12", "told otherwise")
    play.edit(9, "taken back")
    play.undo()


COMMANDS: dict[str, Command] = {
    "append": lambda play: play.say("one more"),
    "edit": lambda play: play.edit(1, "told another way"),
    "hide": lambda play: play.hide(2, 7),
    "unhide": lambda play: play.unhide(11),
    "pin": lambda play: play.pin(3),
    "unpin": lambda play: play.unpin(10),
    "alternative": lambda play: turns.add_alternative(play.engine, play.place, "7", "or so"),
    "choose": lambda play: turns.choose(play.engine, play.place, "12", 1),
    "delete": lambda play: play.delete(5),
    "delete following": lambda play: play.delete(4, following=True),
    "fork": lambda play: play.fork(3),
    "rename a branch": lambda play: branches.rename(play.engine, play.place, BranchId(2), "other"),
    "switch": lambda play: branches.switch(play.engine, play.place, MAIN_BRANCH),
    "summarise": lambda play: play.make(7),
    "recap": lambda play: play.recap(anyway=True, merge=True),
    "merge": lambda play: play.merge(3, 4),
    "unwind": lambda play: play.unwind(6),
    "repair": lambda play: asyncio.run(repairing.repair(play.engine, play.place)),
    "edit a summary": lambda play: summaries.edit(play.engine, play.place, SummaryId(3), "by hand"),
    "delete a summary": lambda play: play.delete_summary(3),
    "undo": lambda play: play.undo(),
    "redo": lambda play: play.redo(),
    "import again": lambda play: importing.import_chat(
        play.engine, chat_of(LENGTH + 5, title="Story")
    ),
    "import": lambda play: importing.import_chat(play.engine, chat_of(30, title="N", word="new")),
    "import a bundle": lambda play: importing.import_file(
        play.engine,
        SourceFile(
            path="story.json",
            data=exporting.export_bundle(play.engine, play.place.conversation),
        ),
    ),
    "set": lambda play: play.set(char="Mira", context="700"),
    "set a template": lambda play: templates.save(
        play.engine, TemplateName.SUMMARY, "Sum up: {{ text }}", play.place.conversation
    ),
    "delete the conversation": lambda play: conversations.delete(
        play.engine, play.place.conversation
    ),
}


def doing(engine: Engine, name: str, *, ids: str) -> Callable[[], object]:
    """Return the command, ready to be done on the only conversation that is listed.

    Args:
        engine: on a store with the story.
        name: of the command.
        ids: what the ids of conversations that it makes begin with.
    """
    numbers = count(1)
    engine = replace(engine, new_id=lambda: f"{ids}{next(numbers)}")
    known, *_ = engine.store.conversations(engine.account)
    play = Play(engine, Place(conversation=known.id, branch=MAIN_BRANCH))
    return partial(COMMANDS[name], play)


def seen(engine: Engine) -> list[bytes]:
    """Return everything that is there to see, whatever ids conversations have."""
    return sorted(state_of(engine).values())


@cache
def states(name: str) -> list[list[bytes]]:
    """Do a command in memory, where nobody is killed.

    Returns:
        What there was before it, after each commit of it, and at the end.
    """
    store = WatchedStore()
    engine = engine_on(store)
    tell(engine)
    command = doing(engine, name, ids="n")
    found = [seen(engine)]
    store.watch = lambda: found.append(seen(engine))
    command()
    return [*found, seen(engine)]
