"""How the conversations of the golden prompts are told: through the engine's use cases alone."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tests.integration.engine.play import Play

from foreword.domain.interchange import Chat
from foreword.engine import conversations, repairing
from foreword.engine.context import Engine, Place
from foreword.engine.importing import import_chat
from foreword.llm.tokens import ScriptEstimator
from foreword.ports.store import Store
from foreword.testing.engines import engine_on
from foreword.testing.summarisers import FixedSummariser


def engine_for(store: Store) -> Engine:
    return engine_on(store, counter=ScriptEstimator())


def written(play: Play, text: str) -> Play:
    """Let somebody write the summaries whose text is known, so that no algorithm matters here."""
    return replace(play, engine=replace(play.engine, summariser=FixedSummariser(text)))


def begun(engine: Engine, **settings: str) -> Play:
    known = conversations.create(engine, "Story", settings)
    return Play(engine, Place(conversation=known.id, branch=known.current_branch))


def told(engine: Engine, text: str, **settings: str) -> Play:
    """Tell a story: the user and the narrator in turn, an empty line between two turns."""
    turns = [" ".join(turn.splitlines()) for turn in text.split("\n\n") if turn]
    return begun(engine, **settings).say(*turns)


def brought(engine: Engine, chat: Chat) -> Play:
    """Take in a chat that some file held."""
    done = import_chat(engine, chat)
    return Play(engine, Place(conversation=done.conversation, branch=done.branch))


def repaired(play: Play, text: str) -> Play:
    asyncio.run(repairing.repair(written(play, text).engine, play.place))
    return play
