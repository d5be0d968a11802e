"""Killed at some moment of a long life: what was committed is there, whole, and nothing else is.

`test_every_write` kills single commands at each moment. `FOREWORD_KILLS=200` kills more often than
the 10 times of an ordinary run.
"""

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tests.integration.crash.deeds import chat_of, state_of, states_around
from tests.integration.crash.lives import Victims, life, said
from tests.integration.crash.victim import LONG

from foreword.domain.ids import ConversationId
from foreword.domain.turn import Role
from foreword.engine import history, importing, turns, verifying
from foreword.engine.context import Engine, Place
from foreword.storage.sql_store import SqlStore
from foreword.testing.engines import engine_on

KILLS = int(os.environ.get("FOREWORD_KILLS", "10"))
LAST_STATEMENT = 1_500
IMPORT_STATEMENTS = range(3, 27, 4)
FIRST_STATEMENTS = range(1, 60, 8)


def journal(engine: Engine, conversation: ConversationId) -> list[int]:
    with engine.store.read(engine.account, conversation) as session:
        assert session.conversation.rev == next((op.rev for op in session.ops()), 0)
        return [op.rev for op in session.ops()]


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_killed_process_leaves_whole_commands_and_all_it_has_told(
    victims: Victims, database: Path, open_store: Callable[[], SqlStore], seed: int
) -> None:
    statements = Random(seed).randint(1, LAST_STATEMENT)
    ends = life("any", database, seed=seed, statements=statements)
    assert victims.live(ends) == [{"killed": True, "code": -9}]

    engine = engine_on(open_store())
    left = state_of(engine)
    assert left in states_around(seed, len(said(database, seed)))
    assert verifying.verify(engine).problems == ()
    for conversation in map(ConversationId, left):
        revs = journal(engine, conversation)
        assert revs == list(range(len(revs), 0, -1))

        place = Place(conversation=conversation)
        before = turns.list_turns(engine, place)
        turns.append(engine, place, "life goes on", role=Role.USER)
        assert len(turns.list_turns(engine, place)) == len(before) + 1
        history.undo(engine, place)
        assert turns.list_turns(engine, place) == before


@pytest.mark.parametrize("statements", IMPORT_STATEMENTS)
def test_a_killed_import_lists_all_of_the_chat_or_nothing(
    victims: Victims,
    database: Path,
    open_store: Callable[[], SqlStore],
    statements: int,
) -> None:
    ends = life("import a long chat", database, statements=statements)
    (death,) = victims.live(ends)
    assert death["killed"] or len(said(database)) == 1
    engine = engine_on(open_store())
    sizes = [
        len(turns.list_turns(engine, Place(conversation=known.id)))
        for known in engine.store.conversations(engine.account)
    ]
    assert sizes in ([], [LONG])
    again = importing.import_chat(engine, chat_of(LONG, title="Long"))
    assert again.turns == LONG - sum(sizes)
    assert verifying.verify(engine).problems == ()


@pytest.mark.parametrize("statements", FIRST_STATEMENTS)
def test_a_first_start_that_is_killed_does_not_hinder_the_next(
    victims: Victims, tmp_path: Path, statements: int
) -> None:
    path = tmp_path / "new.db"
    victims.live(life("open", path, statements=statements))
    store = SqlStore.open(path)
    engine = engine_on(store)
    done = importing.import_chat(engine, chat_of(3))
    assert (done.turns, verifying.verify(engine).problems) == (3, ())
    store.close()
