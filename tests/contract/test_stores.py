"""Every store keeps the whole contract."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.register_assert_rewrite("foreword.testing.store_contract")

from tests.contract.databases import STORES, new_sql_store  # noqa: E402

from foreword.ports.store import Store  # noqa: E402 - asserts must be rewritten first
from foreword.testing.memory_store import MemoryStore  # noqa: E402
from foreword.testing.store_contract import CHECKS  # noqa: E402


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    opened: Store = (
        MemoryStore() if request.param == "memory" else new_sql_store(request.param, tmp_path)
    )
    yield opened
    opened.close()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("test_"))
def test_a_store_keeps_the_contract(store: Store, check: Callable[[Store], None]) -> None:
    check(store)
