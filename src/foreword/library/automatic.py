"""Automatic memory of one conversation, in the words that every door uses.

Above: programs, through `Conversation.memory`. Below: the engine; no rule lives here.
"""

from __future__ import annotations

from foreword.domain.ids import SummaryId
from foreword.domain.jobs import Event, EventLevel, Job
from foreword.engine import catching_up, event_log, memory, rebuilding, upkeep
from foreword.engine.asking import Listen
from foreword.engine.committing import Made
from foreword.engine.context import Engine, Place
from foreword.engine.upkeep import Kept, Watch
from foreword.errors import InvalidSetting

MICROS = 1_000_000


class AutomaticMemory:
    """What memory does by itself in the modes `balanced` and `prefix-cache`, and how it is steered.

    `watch` is told of every step before it is taken, `listen` of every piece as a model writes it.
    Cancel a task to stop it: what was made by then stays.
    """

    def __init__(self, engine: Engine, place: Place) -> None:
        """Work at a place."""
        self.engine = engine
        self.place = place

    def status(self) -> memory.MemoryStatus:
        """Say how it stands, what it would do next, and what the provider's cache makes of it."""
        return memory.status(self.engine, self.place)

    def preview(self) -> memory.Preview:
        """Return the memory as the next prompt would hold it."""
        return memory.preview(self.engine, self.place)

    async def keep_up(
        self,
        *,
        dollars: float | None = None,
        watch: Watch | None = None,
        listen: Listen | None = None,
    ) -> Kept:
        """Do everything that is due on this branch now, in this process.

        Args:
            dollars: end when models have cost so many US dollars; None for no cap.
            watch: see the class.
            listen: see the class.

        Raises:
            SpanTooLong, ModelError, StoreConflict: earlier steps stay.
        """
        money = None if dollars is None else round(dollars * MICROS)
        return await upkeep.keep_up(
            self.engine,
            self.place,
            watch=watch,
            listen=listen,
            limits=upkeep.Limits(money=money),
        )

    def catch_up_price(self, *, dollars: float | None = None) -> catching_up.CatchUpPrice:
        """Say what `keep_up` would take, and change nothing."""
        money = None if dollars is None else round(dollars * MICROS)
        return catching_up.price_catch_up(self.engine, self.place, money=money)

    async def recap(self, *, watch: Watch | None = None, listen: Listen | None = None) -> Kept:
        """Summarise everything before the verbatim turns now, due or not; one undo takes it back.

        Raises:
            SpanTooLong, ModelError, StoreConflict: earlier steps stay.
        """
        return await memory.recap_now(self.engine, self.place, watch=watch, listen=listen)

    async def breaker(self, *, watch: Watch | None = None, listen: Listen | None = None) -> Kept:
        """Summarise through the model's last turn, the verbatim ones too; pinned ones stay sent.

        Raises:
            SpanTooLong, ModelError, StoreConflict: earlier steps stay.
        """
        return await memory.breaker(self.engine, self.place, watch=watch, listen=listen)

    def stop(self) -> tuple[Job, ...]:
        """Stop what runs in whatever process, and let nothing start by itself until `resume`."""
        return memory.stop(self.engine, self.place)

    def resume(self) -> bool:
        """Let it work by itself again; return whether something is due."""
        return memory.resume(self.engine, self.place)

    def clear(self) -> memory.Cleared:
        """Take every summary of the branch out of use; an undo brings them back."""
        return memory.clear(self.engine, self.place)

    def log(
        self, *, level: str | EventLevel = EventLevel.PROMPTS, after: int = 0, limit: int = 50
    ) -> tuple[Event, ...]:
        """Return what memory did in this conversation and why: the newest lines, oldest first.

        Args:
            level: up to which lines: normal, debug, trace or prompts; the setting `memory_log`
                says which are written at all.
            after: only lines with a higher id.
            limit: how many at most.

        Raises:
            InvalidSetting: there is no such level.
        """
        try:
            wanted = EventLevel(level)
        except ValueError as error:
            known = f"one of {', '.join(EventLevel)}"
            raise InvalidSetting(name="level", value=level, wanted=known) from error
        return event_log.events(self.engine, self.place, level=wanted, after=after, limit=limit)

    def rebuild_price(
        self, *ids: int, first: int | str = "", last: int | str = ""
    ) -> rebuilding.RebuildPrice:
        """Say what `rebuild` would take, and change nothing."""
        return rebuilding.price(self.engine, self.place, _chosen(ids, first, last))

    async def rebuild(
        self,
        *ids: int,
        first: int | str = "",
        last: int | str = "",
        watch: Watch | None = None,
        listen: Listen | None = None,
    ) -> tuple[Made, ...]:
        """Write summaries in use anew from their turns: those named, or all; one undo.

        Args:
            ids: summaries; all when none is named.
            first: a turn: only summaries that cover it or a later one.
            last: a turn: only summaries that cover it or an earlier one.
            watch: see the class.
            listen: see the class.

        Raises:
            SummaryNotInUse, SummaryNotFound, TurnNotFound: nothing is changed.
            SpanTooLong, ModelError, StoreConflict: earlier ones stay.
        """
        chosen = _chosen(ids, first, last)
        return await rebuilding.rebuild(self.engine, self.place, chosen, watch=watch, listen=listen)


def _chosen(ids: tuple[int, ...], first: int | str, last: int | str) -> rebuilding.Chosen:
    return rebuilding.Chosen(ids=tuple(map(SummaryId, ids)), first=str(first), last=str(last))
