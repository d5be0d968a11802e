"""A disk that is full from the first start on, or in the middle of any command."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.integration.crash.commands import COMMANDS, doing, seen, states, tell
from tests.integration.crash.lives import Victims, life_at

from foreword.engine import conversations, verifying
from foreword.storage.sql_store import SqlStore
from foreword.testing.engines import engine_on

OPENING = """
import resource, sys
from foreword.errors import StoreFull
from foreword.storage.sql_store import SqlStore

NONE = resource.RLIM_INFINITY
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), NONE))
try:
    SqlStore.open(sys.argv[1])
except StoreFull as full:
    print(full.path)
finally:
    resource.setrlimit(resource.RLIMIT_FSIZE, (NONE, NONE))  # what measures coverage writes a file
"""


@pytest.mark.parametrize("size", [0, 20_000, 100_000])
def test_a_first_start_without_space_says_so_and_the_next_one_works(
    tmp_path: Path, size: int
) -> None:
    path = tmp_path / "foreword.db"
    done = subprocess.run(
        [sys.executable, "-c", OPENING, str(path), str(size)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{path}\n", "")
    store = SqlStore.open(path)
    assert conversations.list_conversations(engine_on(store)) == ()
    store.close()


@pytest.mark.parametrize("size", [0, 25_000])
def test_a_command_without_space_says_so_loses_nothing_and_can_be_done_later(
    victims: Victims, tmp_path: Path, size: int
) -> None:
    store = SqlStore.open(tmp_path / "told.db")
    tell(engine_on(store))
    store.close()
    ended = {name: squeezed(victims, tmp_path, name, size) for name in COMMANDS}
    done = {name for name, how in ended.items() if how == "done"}
    assert bool(done) is (size > 0)


def squeezed(victims: Victims, folder: Path, name: str, size: int) -> str:
    """Do a command without space, look at what is left, and do it again with space."""
    before, *_, whole = states(name)
    log = folder / f"{name}.log"
    path = shutil.copyfile(folder / "told.db", folder / f"{name}.db")
    life = life_at(f"squeezed {name}", str(path), log, seed=size)
    assert victims.live(life) == [{"killed": False, "code": 0}]
    ended = log.read_text("utf-8").strip()
    store = SqlStore.open(path)
    engine = engine_on(store)
    assert verifying.verify(engine).problems == ()
    assert seen(engine) in ([whole] if ended == "done" else states(name)[:-1])
    if seen(engine) == before:
        doing(engine, name, ids="m")()
        assert seen(engine) == whole
    store.close()
    return ended
