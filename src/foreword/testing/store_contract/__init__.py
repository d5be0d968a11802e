"""What every store does, as plain checks that need nothing but an empty store.

With pytest: parametrise a test over `CHECKS` and call each with a fresh store.
"""

from __future__ import annotations

from collections.abc import Callable

from foreword.ports.store import Store
from foreword.testing.store_contract import (
    accounts,
    covers,
    forks,
    heirs,
    records,
    revisions,
    turns,
    words,
)

CHECKS: tuple[Callable[[Store], None], ...] = tuple(
    value
    for module in (accounts, covers, forks, heirs, records, revisions, turns, words)
    for name, value in vars(module).items()
    if name.startswith("test_")
)
