"""Every job queue keeps the whole contract."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.register_assert_rewrite("foreword.testing.store_contract")

from tests.contract.databases import STORES, new_sql_store  # noqa: E402

from foreword.ports.jobs import JobQueue  # noqa: E402 - asserts must be rewritten first
from foreword.ports.store import Store  # noqa: E402
from foreword.testing.memory_store import MemoryStore  # noqa: E402
from foreword.testing.store_contract.jobs import JOB_CHECKS, Queued  # noqa: E402


@dataclass(frozen=True, slots=True)
class Both:
    store: Store
    jobs: JobQueue


@pytest.fixture(params=STORES)
def queued(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Both]:
    if request.param == "memory":
        memory = MemoryStore()
        yield Both(memory, memory.jobs)
        return
    store = new_sql_store(request.param, tmp_path)
    yield Both(store, store.jobs)
    store.close()


@pytest.mark.parametrize(
    "check", JOB_CHECKS, ids=lambda check: check.__name__.removeprefix("test_")
)
def test_a_queue_keeps_the_contract(queued: Queued, check: Callable[[Queued], None]) -> None:
    check(queued)
