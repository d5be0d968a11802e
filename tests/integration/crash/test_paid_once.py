"""A process that dies between a model's answer and its use: the answer is not paid twice."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

import pytest
from tests.integration.crash.lives import Victims, life
from tests.integration.engine.play import start
from tests.integration.engine.stage import GOOD, STORY

from foreword.domain.calls import Call
from foreword.domain.ids import DEFAULT_ACCOUNT
from foreword.engine import routes
from foreword.engine.context import Place
from foreword.engine.summary_views import list_summaries
from foreword.engine.turns import list_turns
from foreword.engine.verifying import verify
from foreword.storage.sql_store import SqlStore
from foreword.testing.engines import engine_on
from foreword.testing.model_server import ModelServer, Say

KILLS = 100
ROUTES = {"let a model summarise": "summarise", "let a model answer": "chat"}


@dataclass(frozen=True)
class Round:
    """One process killed before its n-th statement, and one that does the same after it."""

    killed: bool
    recorded: bool
    """The first one had written the answer down."""
    committed: bool
    """The first one had used it too."""


def calls(database: Path) -> tuple[Call, ...]:
    store = SqlStore.open(database)
    found = store.ledger.calls(DEFAULT_ACCOUNT)
    store.close()
    return found


def results(database: Path) -> list[str]:
    """Return what the conversation got from the model; it must be in order."""
    store = SqlStore.open(database)
    engine = engine_on(store, ledger=store.ledger)
    (known,) = store.conversations(DEFAULT_ACCOUNT)
    place = Place(conversation=known.id)
    made = [view.text for view in list_summaries(engine, place)]
    said = [turn.content.text for turn in list_turns(engine, place)][len(STORY) :]
    problems = verify(engine, known.id).problems
    store.close()
    assert problems == ()
    return made + said


def told(folder: Path, deed: str, url: str) -> Path:
    """Make a database with the story, whose route leads to the server."""
    path = folder / "told.db"
    store = SqlStore.open(path)
    engine = engine_on(store, ledger=store.ledger)
    start(engine).say(*STORY)
    routes.set_route(engine, ROUTES[deed], {"url": url, "model": "m-1"})
    store.close()
    return path


def rounds(victims: Victims, folder: Path, deed: str) -> Iterator[Round]:
    """Kill one process at each statement it sends; then only while an answer waits to be used."""
    with ModelServer([Say(GOOD)]) as server:
        original = told(folder, deed, server.url)
        statement = first = 0
        for number in count(1):
            statement += 1
            database = folder / f"{number}.db"
            shutil.copyfile(original, database)
            before = server.completed
            (death,) = victims.live(life(deed, database, seed=number, statements=statement))
            answered = [call for call in calls(database) if call.answer is not None]
            committed = bool(results(database))
            if not committed:
                (second,) = victims.live(life(deed, database, seed=number))
                assert second == {"killed": False, "code": 0}
            paid = server.completed - before
            # An answer that was on its way when the process died may be asked for again.
            assert paid == 1 if answered else paid in {1, 2}
            assert len([call for call in calls(database) if call.answer is not None]) == 1
            assert results(database) == [GOOD]
            database.unlink()
            if answered and not first:
                first = statement
            if committed:
                statement = first - 1
            yield Round(death["killed"], bool(answered), committed)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("deed", ROUTES)
def test_an_answer_on_record_is_never_paid_again(
    victims: Victims, tmp_path: Path, deed: str
) -> None:
    between = (
        one
        for one in rounds(victims, tmp_path, deed)
        if one.killed and one.recorded and not one.committed
    )
    assert len(list(islice(between, KILLS // len(ROUTES)))) == KILLS // len(ROUTES)
