"""An engine on any store, with everything else a fake unless the test says otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from itertools import count
from typing import cast

from foreword.engine.context import Engine
from foreword.formats.bundle import write_bundle
from foreword.formats.memory_settings import read_memory_settings
from foreword.formats.registry import read_file, write_file
from foreword.ports.chat_model import ChatModels
from foreword.ports.jobs import JobQueue
from foreword.ports.ledger import Ledger
from foreword.ports.store import Store
from foreword.ports.summariser import Summariser
from foreword.ports.token_counter import TokenCounter
from foreword.prompts.templates import TemplateName
from foreword.testing.memory_ledger import MemoryLedger
from foreword.testing.memory_store import MemoryStore
from foreword.testing.models import FakeModel, FakeModels
from foreword.testing.summarisers import EchoSummariser
from foreword.testing.virtual_time import VirtualTime
from foreword.testing.word_counter import WordCounter


def engine_on(  # noqa: PLR0913 - any part can be replaced
    store: Store,
    *,
    summariser: Summariser | None = None,
    counter: TokenCounter | None = None,
    templates: Mapping[TemplateName, str] | None = None,
    models: ChatModels | None = None,
    ledger: Ledger | None = None,
    jobs: JobQueue | None = None,
    time: VirtualTime | None = None,
    actor: str = "user",
) -> Engine:
    """Return an engine on a store: words for tokens, echoes for summaries, time standing still.

    Conversations are called `c1`, `c2` and so on. Without routes no model is ever asked; once one
    is set, `models` answers, by default a `FakeModel` with plausible summaries.
    """
    time = VirtualTime() if time is None else time
    return Engine(
        store=store,
        counter=WordCounter() if counter is None else counter,
        clock=time,
        summariser=EchoSummariser() if summariser is None else summariser,
        ledger=MemoryLedger() if ledger is None else ledger,
        jobs=_jobs_of(store) if jobs is None else jobs,
        models=FakeModels(FakeModel()) if models is None else models,
        sleep=time.sleep,
        new_id=_counting_ids(),
        new_fence=_counting_fences(),
        templates=_builtin() if templates is None else templates,
        read_file=read_file,
        read_settings=read_memory_settings,
        write_bundle=write_bundle,
        write_file=write_file,
        actor=actor,
    )


def _jobs_of(store: Store) -> JobQueue:
    """Return the jobs that a store keeps itself; a store that keeps none has its own in memory."""
    found = getattr(store, "jobs", None)
    return MemoryStore().jobs if found is None else cast("JobQueue", found)


def _counting_ids() -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"c{next(numbers)}"


def _counting_fences() -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"FENCE-{next(numbers)}"


@cache
def _builtin() -> Mapping[TemplateName, str]:
    folder = files("foreword.prompts") / "templates"
    return {name: (folder / f"{name.value}.md").read_text("utf-8") for name in TemplateName}
