"""Every command killed before each statement that it writes with, on SQLite and on PostgreSQL.

Nothing is left to chance: a process does the command once and says what it sends; then one process
after the other dies before the n-th of these statements, and one after the last. Statements that
only read are passed over, since nothing changes between one and the next. Of long commands some
statements are taken, the first and the last commit among them, and all of them with
`FOREWORD_KILLS_EACH=1000`.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.integration.crash.commands import COMMANDS, doing, seen, states, tell
from tests.integration.crash.lives import Victims, life_at
from tests.integration.crash.victim import COMMIT, READING
from tests.postgres import copy_database, drop_database, new_database

from foreword.engine import verifying
from foreword.storage.sql_store import SqlStore
from foreword.testing.engines import engine_on

KILLS = int(os.environ.get("FOREWORD_KILLS_EACH", "9"))
"""Of each command on each database: more than 200 in all on each."""
KILLED = [{"killed": True, "code": -9}]


@dataclass(frozen=True)
class Told:
    """A database with the story, and copies of it."""

    copy: Callable[[Path], str]
    drop: Callable[[str], None]


def spread(numbers: list[int], most: int) -> list[int]:
    """Return so many of the numbers at most: the first, the last, and the same steps between."""
    if len(numbers) <= most:
        return numbers
    return [numbers[round(step * (len(numbers) - 1) / (most - 1))] for step in range(most)]


def moments(sent: list[str]) -> list[int]:
    """Return the numbers of the statements before which to die, and one after them all."""
    writes = [number for number, word in enumerate(sent, 1) if word not in READING]
    commits = [number for number in writes if sent[number - 1] == COMMIT]
    return sorted({*spread(writes, KILLS - 1), commits[0], commits[-1], len(sent) + 1})


def told_in(place: str) -> None:
    store = SqlStore.open(place)
    tell(engine_on(store))
    store.close()


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]
)
def told(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Told]:
    if request.param == "sqlite":
        path = tmp_path_factory.mktemp("told") / "told.db"
        told_in(str(path))
        yield Told(copy=lambda to: str(shutil.copyfile(path, to)), drop=lambda _: None)
        return
    address = new_database()
    told_in(address)
    yield Told(copy=lambda _: copy_database(address), drop=drop_database)
    drop_database(address)


def left_in(place: str, name: str, *, whole: list[bytes]) -> list[bytes]:
    """Return what is left, which must be in order; what is done in part is done to its end."""
    store = SqlStore.open(place)
    engine = engine_on(store)
    left = seen(engine)
    assert verifying.verify(engine).problems == ()
    if left not in (states(name)[0], whole):
        doing(engine, name, ids="m")()
        assert seen(engine) == whole
    store.close()
    return left


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_killed_before_any_write_is_done_whole_or_not_at_all_and_can_be_done_again(
    victims: Victims, told: Told, tmp_path: Path, name: str
) -> None:
    before, *_, whole = states(name)
    log = tmp_path / "log"
    place = told.copy(tmp_path / "told.db")
    assert victims.live(life_at(name, place, log)) == [{"killed": False, "code": 0}]
    sent = log.read_text("utf-8").split()
    left = whole  # of the life that said what it sends
    for number in moments(sent):
        if left != before:
            told.drop(place)
            place = told.copy(tmp_path / f"{number}.db")
        # On what another left as it was, this is the same command again.
        assert victims.live(life_at(name, place, log, statements=number)) == KILLED
        left = left_in(place, name, whole=whole)
        commits = sent[: number - 1].count(COMMIT)
        if commits == 0:
            assert left == before
        elif commits == sent.count(COMMIT):
            assert left == whole
        else:
            assert left in states(name)
    assert left == whole
    told.drop(place)
