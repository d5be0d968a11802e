"""A disk that is full from the first start on."""

import subprocess
import sys
from pathlib import Path

import pytest

from foreword.engine import conversations
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
