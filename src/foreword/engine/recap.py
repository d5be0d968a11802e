"""Use case: recap the oldest stretch of the pile, piece by piece, each committed by itself.

Source: DECISIONS, Recaps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from foreword.domain.ids import Rev, TurnId
from foreword.domain.ops import OpKind
from foreword.domain.routes import RouteName
from foreword.domain.turn import Entry
from foreword.engine.asking import Listen
from foreword.engine.committing import ATTEMPTS, Made, commit_span, commit_stack
from foreword.engine.context import Engine, Place, reading
from foreword.engine.drafting import Asking, Drafted
from foreword.engine.holes import holes_of
from foreword.engine.loading import Loaded, load, load_for_run
from foreword.engine.portions import portions_of, read_first_portion
from foreword.engine.pricing import estimate, template_tokens
from foreword.engine.remembering import fitting, remember
from foreword.engine.rooms import Room, model_route, room_of
from foreword.engine.spans import Span, Stack, read_stack
from foreword.engine.status import advice_sentence
from foreword.engine.summary_views import SummaryView
from foreword.errors import StoreConflict
from foreword.planning.pieces import Piece
from foreword.planning.promotion import to_merge
from foreword.planning.recap import Advice, forced_piece, next_piece, would_block
from foreword.planning.recap_run import RunPlan, load_after, plan_run
from foreword.planning.recap_states import State
from foreword.planning.sizes import span_target

MERGE_FIRST = "The next recap would leave no room to win: merge first (or use --merge)."
ALL_KEPT = "All of the pile is among the newest turns, which stay word for word."
QUIET = (State.CHAT_MORE, State.NO_ROOM)
"""States in which a run makes nothing unless told to."""
NOTHING_TO_MERGE = "The next recap would leave no room, and there is nothing left to merge."


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run is; given to whoever watches it."""

    made: int
    """Summaries so far."""
    piece_tokens: int
    """Tokens of the source that is being read now."""
    left_tokens: int
    """Tokens of the pile that this run is still to cover, this piece included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecapRun:
    """What a run made, and how things stand after it."""

    made: tuple[SummaryView, ...]
    """Summaries and meta summaries, in the order they were made."""
    before: Advice
    after: Advice
    reason: str
    """Why it stopped, or made nothing; empty when all there was to cover is covered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a run would read and write."""

    advice: Advice
    pieces: tuple[tuple[int, int, int], ...]
    """First ORDER, last ORDER and tokens of each piece."""
    tokens_in: int
    tokens_out: int
    model: str
    """What would write it."""
    money: int | None
    """Micro-dollars, as estimated; None where the price is not known."""
    reason: str
    """Why it would make nothing, or stop early."""

    @property
    def calls(self) -> int:
        """Number of calls of the summariser."""
        return len(self.pieces)


Watch = Callable[[Progress], None]


async def recap(
    engine: Engine,
    place: Place,
    *,
    anyway: bool = False,
    merge: bool = False,
    watch: Watch | None = None,
    listen: Listen | None = None,
) -> RecapRun:
    """Recap everything compressible, oldest first.

    Args:
        engine: the engine.
        place: the branch.
        anyway: make one piece although there is not enough, or no room to win; where the whole
            pile stands in the reserve, all but its newest exchange may be taken.
        merge: merge the oldest summaries whenever the next piece would leave no room.
        watch: told before each piece; pieces are committed one by one, so that a run that is
            cancelled keeps those it has made.
        listen: told of every piece of a summary as a model writes it.

    Raises:
        SpanTooLong: one exchange, or two summaries, are longer than the route can read.
        ModelError: see `drafting.draft`; earlier pieces stay.
        StoreConflict: the turns kept changing meanwhile; earlier pieces stay.
    """
    run = _Run(engine=engine, place=place, merge=merge, anyway=anyway, watch=watch, listen=listen)
    with reading(engine, place) as at:
        before = load(engine, at).advice()
    while await run.step():
        pass
    with reading(engine, place) as at:
        after = load(engine, at).advice()
    return RecapRun(made=tuple(run.made), before=before, after=after, reason=run.reason)


def price(engine: Engine, place: Place) -> Price:
    """Say what a run would make, read and write, and change nothing."""
    with reading(engine, place) as at:
        loaded = load(engine, at)
        advice = loaded.advice()
        refusal = advice_sentence(loaded, advice) if advice.state in QUIET else ""
        plan = RunPlan(pieces=(), blocked=False)
        if not refusal:
            plan = plan_run(
                load_for_run(engine, loaded),
                [list(stretch) for stretch in loaded.pile.stretches()],
                cut=advice.cut,
                cadence=loaded.policy.cadence,
                resolution=loaded.policy.resolution,
                pinned=_pinned(loaded),
            )
        route = model_route(engine, RouteName.SUMMARISE)
        portions = [
            portion
            for piece in plan.pieces
            for portion in portions_of(
                engine,
                at,
                piece.entries,
                target_tokens=advice.target,
                room=room_of(engine, route),
            )
        ]
        sizes = [sum(entry.cost for entry in portion) for portion in portions]
        written = sum(span_target(advice.target, size) for size in sizes)
        return Price(
            advice=advice,
            pieces=tuple(_orders(loaded, portion) for portion in portions),
            tokens_in=plan.source_tokens,
            tokens_out=written,
            model=engine.summariser.maker if route is None else route.maker,
            money=estimate(
                engine,
                route,
                tokens_in=plan.source_tokens + len(sizes) * template_tokens(engine, at),
                tokens_out=written,
            ),
            reason=refusal or (MERGE_FIRST if plan.blocked else ""),
        )


@dataclass(slots=True)
class _Run:
    """A run under way."""

    engine: Engine
    place: Place
    merge: bool
    anyway: bool
    watch: Watch | None
    listen: Listen | None
    made: list[SummaryView] = field(default_factory=list)
    reason: str = ""
    group: Rev | None = None
    conflicts: int = 0

    async def step(self) -> bool:
        """Make the next summary; return whether to go on."""
        asking = Asking(listen=self.listen)
        return await fitting(self.engine, RouteName.SUMMARISE, asking, self._attempt)

    async def _attempt(self, asking: Asking) -> bool:
        with reading(self.engine, self.place) as at:
            loaded = load(self.engine, at)
            advice = loaded.advice()
            source = self._next(loaded, advice, asking.room)
        if source is None:
            return False
        try:
            made = await self._make(source, asking)
        except StoreConflict:
            self.conflicts += 1
            if self.conflicts >= ATTEMPTS:
                raise
            return True
        if made is None:
            self.reason = NOTHING_TO_MERGE
            return False
        self.made.append(made.summary)
        self.group = made.rev if self.group is None else self.group
        return not self.anyway or advice.state not in QUIET

    async def _make(self, source: Span | Stack, asking: Asking) -> Made | None:
        """Condense and commit; None for a merge that wins no room, which changes nothing."""
        return await remember(
            self.engine, self.place, source, lambda drafted: self._commit(source, drafted), asking
        )

    def _commit(self, source: Span | Stack, drafted: Drafted) -> Made | None:
        engine, place, kind, group = self.engine, self.place, OpKind.RECAP, self.group
        if isinstance(source, Span):
            return commit_span(engine, place, source, drafted, kind, group=group)
        if engine.counter.count(drafted.draft.text.strip()) >= _tokens(source):
            return None
        return commit_stack(engine, place, source, drafted, kind, group=group)

    def _next(self, loaded: Loaded, advice: Advice, room: Room) -> Span | Stack | None:
        """Return what to condense next, or None with the reason."""
        insisted = self.anyway and not self.made
        merging = self.merge and advice.state is State.NO_ROOM
        if not self.made and not insisted and not merging and advice.state in QUIET:
            self.reason = advice_sentence(loaded, advice)
            return None
        choose = forced_piece if insisted else next_piece
        piece = choose(
            loaded.load,
            loaded.pile.stretches(),
            cut=advice.cut,
            cadence=loaded.policy.cadence,
            resolution=loaded.policy.resolution,
        )
        if piece is None:
            return self._without_piece(loaded, advice)
        after = load_after(load_for_run(self.engine, loaded), piece, pinned=_pinned(loaded))
        blocked = would_block(after)
        if blocked and self.merge:
            return self._stack(loaded)
        if blocked and not insisted:
            self.reason = MERGE_FIRST
            return None
        self._tell(piece, advice)
        return read_first_portion(
            self.engine, loaded.at, piece.entries, target_tokens=advice.target, room=room
        )

    def _without_piece(self, loaded: Loaded, advice: Advice) -> Stack | None:
        if self.merge and advice.state is State.NO_ROOM:
            return self._stack(loaded)
        if advice.pile_tokens > advice.room:
            self.reason = advice_sentence(loaded, advice)
        elif not self.made:
            self.reason = ALL_KEPT
        return None

    def _stack(self, loaded: Loaded) -> Stack | None:
        rows = to_merge(loaded.pile.cover, holes_of(loaded))
        if rows is None:
            self.reason = NOTHING_TO_MERGE
            return None
        room = room_of(self.engine, model_route(self.engine, RouteName.MERGE))
        return read_stack(self.engine, loaded.at, rows, room=room)

    def _tell(self, piece: Piece, advice: Advice) -> None:
        if self.watch is not None:
            self.watch(
                Progress(
                    made=len(self.made),
                    piece_tokens=piece.tokens,
                    left_tokens=advice.compressible,
                )
            )


def _pinned(loaded: Loaded) -> set[TurnId]:
    return {pin.turn_id for pin in loaded.pins}


def _tokens(stack: Stack) -> int:
    return sum(row.tokens for row in stack.rows)


def _orders(loaded: Loaded, portion: Sequence[Entry]) -> tuple[int, int, int]:
    session, branch = loaded.at.session, loaded.at.branch
    first = session.order(branch.id, portion[0].pos)
    tokens = sum(entry.cost for entry in portion)
    return first, session.order(branch.id, portion[-1].pos), tokens
