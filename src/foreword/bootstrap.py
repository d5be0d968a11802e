"""Puts the parts together: the only place that knows all of them.

Above: the doors. Below: everything. Parts are imported when an engine is opened, so that a door can
say what it does without loading a database.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from foreword.settings.data_dir import data_dir as chosen_dir
from foreword.settings.database import chosen_database

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from foreword.domain.routes import Route
    from foreword.domain.upstreams import UpstreamServer
    from foreword.engine.context import Engine
    from foreword.ports.chat_model import ChatModels
    from foreword.ports.clock import Clock
    from foreword.ports.jobs import JobQueue
    from foreword.ports.ledger import Ledger
    from foreword.ports.store import Store
    from foreword.ports.summariser import Summariser
    from foreword.ports.upstream import Upstream
    from foreword.storage.sql_store import SqlStore

LETTERS = "abcdefghjkmnpqrstvwxyz"
"""What ids begin with, so that none reads as a number or an option: no i, l, o or u."""
SIGNS = LETTERS + "23456789"
ID_LENGTH = 10


class SystemClock:
    """See `ports.clock.Clock`."""

    def now(self) -> datetime:
        """See `Clock.now`."""
        return datetime.now(UTC)  # noqa: TID251 - this is the clock that all others stand for


def new_id() -> str:
    """Return a new id: ten lower-case signs that are hard to confuse, never a number."""
    rest = (secrets.choice(SIGNS) for _ in range(ID_LENGTH - 1))
    return secrets.choice(LETTERS) + "".join(rest)


def worker_name() -> str:
    """Return a name for this process that no other one has."""
    return f"{os.getpid()}-{secrets.token_hex(6)}"


def new_fence() -> str:
    """Return a word that nobody can guess: it stands on the lines around texts that are data."""
    return f"DATA-{secrets.token_hex(6)}"


def open_engine(  # noqa: PLR0913 - any part can be replaced
    data_dir: Path | None = None,
    *,
    database: str | Path | None = None,
    store: Store | None = None,
    ledger: Ledger | None = None,
    jobs: JobQueue | None = None,
    summariser: Summariser | None = None,
    models: ChatModels | None = None,
    clock: Clock | None = None,
) -> Engine:
    """Open everything that use cases stand on.

    Args:
        data_dir: the folder to keep conversations in; by default `FOREWORD_HOME` or the user's.
        database: path of a SQLite file or address of a database, instead of the one in that
            folder; by default `FOREWORD_DATABASE` where no folder is given either.
        store: instead of that database.
        ledger: instead of the one in that database.
        jobs: instead of those in that database.
        summariser: instead of the built-in one.
        models: instead of those that routes name.
        clock: instead of the system's.

    Raises:
        InvalidSetting: `database` is no path or address that we know.
        ExtraMissing: what such a database needs is not installed.
        StoreReadOnly, StoreFull, StoreDamaged, StoreUnavailable, MigrationNeeded: see each.
    """
    from foreword.engine.context import Engine
    from foreword.formats.bundle import write_bundle
    from foreword.formats.memory_settings import read_memory_settings
    from foreword.formats.registry import read_file, write_file
    from foreword.llm.builtin import BuiltinSummariser
    from foreword.llm.models import RoutedModels
    from foreword.llm.tokens import default_counter
    from foreword.settings.templates import builtin_templates

    counter = default_counter()
    if store is None or ledger is None or jobs is None:
        opened = open_database(data_dir, database)
        store, ledger, jobs = store or opened, ledger or opened.ledger, jobs or opened.jobs
    return Engine(
        store=store,
        counter=counter,
        clock=clock or SystemClock(),
        summariser=summariser or BuiltinSummariser(counter),
        ledger=ledger,
        jobs=jobs,
        models=models or RoutedModels(_keys(data_dir), counter),
        sleep=asyncio.sleep,
        new_id=new_id,
        new_fence=new_fence,
        keys=_known_keys(data_dir),
        templates=builtin_templates(),
        read_file=read_file,
        read_settings=read_memory_settings,
        write_bundle=write_bundle,
        write_file=write_file,
    )


def _keys(data_dir: Path | None) -> Callable[[Route], str]:
    from foreword.settings.keys import read_key

    return partial(read_key, environ=os.environ, data_dir=chosen_dir(data_dir, os.environ))


def _known_keys(data_dir: Path | None) -> Callable[[Iterable[Route]], tuple[str, ...]]:
    from foreword.settings.keys import known_keys

    return partial(known_keys, environ=os.environ, data_dir=chosen_dir(data_dir, os.environ))


def open_upstream() -> Upstream:
    """Return what passes the requests of the proxy on."""
    from foreword.llm.forwarding import AioUpstream

    return AioUpstream()


def upstream_keys() -> Callable[[UpstreamServer], str]:
    """Return what reads the keys of upstreams from the environment."""
    from foreword.settings.keys import read_upstream_key

    return partial(read_upstream_key, environ=os.environ)


def open_database(data_dir: Path | None, database: str | Path | None = None) -> SqlStore:
    """Open the store that is chosen so; see `open_engine`."""
    from foreword.storage.sql_store import SqlStore

    return SqlStore.open(chosen_database(database, data_dir, os.environ))
