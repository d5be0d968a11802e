"""Use cases around automatic memory: recap now, breaker, stop, resume, clear, status, preview.

Above: the doors, which use these words. Below: `upkeep`.

Source: DECISIONS, One vocabulary; spec/summaryception; issue 5, section 2.
"""

from __future__ import annotations

from dataclasses import dataclass

from foreword.domain.choices import Mode, Strategy
from foreword.domain.jobs import EventKind, Job, JobKind
from foreword.domain.ops import OpKind
from foreword.domain.summary import CoverState
from foreword.engine.asking import Listen
from foreword.engine.cache_advising import CacheView, cache_view
from foreword.engine.context import Engine, Place, policy_of, reading, writing
from foreword.engine.conversations import change_setting
from foreword.engine.event_log import Log
from foreword.engine.loading import Loaded, load
from foreword.engine.scene_headers import share_of_branch
from foreword.engine.settling import apply
from foreword.engine.upkeep import Kept, Watch, keep_up, look
from foreword.planning.budgets import Budgets
from foreword.planning.covers import CoverChange
from foreword.planning.layering import LayerUse, layer_uses
from foreword.planning.upkeep import Asked


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryStatus:
    """How automatic memory stands on a branch."""

    mode: Mode
    strategy: Strategy
    on: bool
    """The switch of the conversation."""
    paused: bool
    """Stopped, and not resumed yet."""
    budgets: Budgets
    live_tokens: int
    """Of the uncovered visible turns."""
    live_turns: int
    boundary: int
    """ORDER of the last covered turn; 0 for none."""
    memory_tokens: int
    """Of the summaries in use."""
    layers: tuple[LayerUse, ...]
    stale: int
    """Stale summaries."""
    due: bool
    """Something is to be done now."""
    sentence: str
    """What would be done, or why nothing is, for people."""
    jobs: tuple[Job, ...]
    """Live ones of the conversation."""
    cache: CacheView
    """What summarising now would cost and save."""
    scene_time: float | None
    """Share of the newest replies with a date header that memory can use; None without replies."""
    token_source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleared:
    """What was taken out of use."""

    summaries: int
    """Of every state."""
    rev: int
    """What `undo --id` takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """The memory as the next prompt would hold it."""

    text: str
    tokens: int
    summaries: int
    token_source: str


async def recap_now(
    engine: Engine, place: Place, *, watch: Watch | None = None, listen: Listen | None = None
) -> Kept:
    """Summarise everything before the verbatim turns now, whether it is due or not.

    Raises:
        SpanTooLong, ModelError, StoreConflict: see `keep_up`.
    """
    return await keep_up(engine, place, asked=Asked.RECAP, watch=watch, listen=listen)


async def breaker(
    engine: Engine, place: Place, *, watch: Watch | None = None, listen: Listen | None = None
) -> Kept:
    """Summarise through the last turn of the model, the verbatim ones included; pins stay.

    Raises:
        SpanTooLong, ModelError, StoreConflict: see `keep_up`.
    """
    return await keep_up(engine, place, asked=Asked.BREAKER, watch=watch, listen=listen)


def stop(engine: Engine, place: Place) -> tuple[Job, ...]:
    """Stop what runs in the background, and let nothing start by itself until `resume`.

    Returns:
        The jobs that were live; one that runs ends within a second.
    """
    change_setting(engine, "paused", "on", place.conversation)
    Log(engine=engine, place=place).tell(
        EventKind.STOPPED, "Memory was stopped: nothing starts by itself until it is resumed."
    )
    return engine.jobs.stop(engine.account, place.conversation, at=engine.moment())


def resume(engine: Engine, place: Place) -> bool:
    """Let memory work by itself again; return whether something is due now."""
    change_setting(engine, "paused", "", place.conversation)
    with reading(engine, place) as at:
        if policy_of(at.session).paused:  # paused by default, for all conversations
            change_setting(engine, "paused", "off", place.conversation)
    with reading(engine, place) as at:
        found = look(engine, at).due
        branch = at.branch.id
    Log(engine=engine, place=place).tell(EventKind.RESUMED, "Memory works by itself again.")
    if found:
        engine.jobs.want(
            engine.account, place.conversation, branch, kind=JobKind.UPKEEP, at=engine.moment()
        )
    return found


def clear(engine: Engine, place: Place) -> Cleared:
    """Take every summary of the branch out of use; an undo brings them back.

    Turns, pins and what the user hid stay as they are. Memory does not make the summaries again
    by itself.
    """
    with writing(engine, place) as to:
        rows = to.session.cover_rows(to.branch.id)
        rev = to.begin(OpKind.CLEAR)
        apply(to.session, CoverChange(drop=tuple(row.summary_id for row in rows)))
    Log(engine=engine, place=place).tell(
        EventKind.CLEARED, f"{len(rows)} summaries were taken out of use."
    )
    return Cleared(summaries=len(rows), rev=rev)


def status(engine: Engine, place: Place) -> MemoryStatus:
    """Say how automatic memory stands, and what it would do next."""
    with reading(engine, place) as at:
        looked = look(engine, at)
        loaded, policy = looked.loaded, looked.loaded.policy
        jobs = engine.jobs.jobs(engine.account, place.conversation, live=True)
        return MemoryStatus(
            mode=policy.mode,
            strategy=policy.strategy,
            on=policy.memory,
            paused=policy.paused,
            budgets=looked.budgets,
            live_tokens=loaded.pile.tokens,
            live_turns=loaded.pile.turns,
            boundary=_boundary(loaded),
            memory_tokens=loaded.load.summaries,
            layers=layer_uses(loaded.sent_cover, policy, looked.budgets),
            stale=len(at.session.cover(at.branch.id, CoverState.STALE)),
            due=looked.due,
            sentence=looked.sentence,
            jobs=jobs,
            cache=cache_view(engine, at, looked),
            scene_time=share_of_branch(at),
            token_source=engine.counter.name,
        )


def preview(engine: Engine, place: Place) -> Preview:
    """Return the memory as the next prompt would hold it."""
    with reading(engine, place) as at:
        loaded = load(engine, at)
        return Preview(
            text=loaded.system.memory,
            tokens=loaded.load.summaries,
            summaries=len(loaded.pile.cover),
            token_source=engine.counter.name,
        )


def _boundary(loaded: Loaded) -> int:
    pos = loaded.pile.boundary
    return loaded.at.session.order(loaded.at.branch.id, pos) if pos else 0
