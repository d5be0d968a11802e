"""Use case: automatic memory, step after step, until nothing is due.

Above: jobs and the doors. Below: planning decides, `steps` carries out. Invariant: every step is
planned from what is committed then; a step whose source changed meanwhile is planned again.

Source: spec/summaryception; DECISIONS, Defaults; issue 5, sections 1 and 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from foreword.domain.calls import Purpose
from foreword.domain.ids import Rev, SummaryId
from foreword.domain.jobs import EventKind, JobProgress
from foreword.domain.ops import OpKind
from foreword.engine import repairing
from foreword.engine.asking import Listen
from foreword.engine.barring import barred_by
from foreword.engine.committing import ATTEMPTS, Made
from foreword.engine.context import MEMORY, Engine, Place, Reading, reading
from foreword.engine.event_log import Log
from foreword.engine.holes import holes_of
from foreword.engine.loading import Loaded, load
from foreword.engine.status import open_stale
from foreword.engine.steps import Carrier, carry_out
from foreword.engine.summary_views import SummaryView
from foreword.errors import StoreConflict
from foreword.planning.budgets import Budgets, budgets
from foreword.planning.layering import Run, still_refused
from foreword.planning.spending import spent_on
from foreword.planning.steps import Condense, Promote, Reason, Rebuild, Roll, Roof, Step, Wait
from foreword.planning.upkeep import Asked, Material, next_step

REFUSED = "promotion"
"""The kind of note that keeps which merges won no room."""

_BY_HAND = {Asked.RECAP: OpKind.RECAP, Asked.BREAKER: OpKind.BREAKER}

FINISHED = Wait(reason=Reason.DONE, sentence="")
Work = Condense | Promote | Roll | Roof | Rebuild
Watch = Callable[[JobProgress], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Where a run ends although there is more to do."""

    money: int | None = None
    """Micro-dollars that this run may cost; the call that passes them is the last."""
    steps: int | None = None


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What a run put into force, and why it ended."""

    made: tuple[SummaryView, ...]
    """Summaries, in the order they were made; some are merged into later ones."""
    repaired: int
    """Of them, those that took the place of stale ones."""
    wait: Wait


async def keep_up(
    engine: Engine,
    place: Place,
    *,
    asked: Asked = Asked.AUTOMATIC,
    watch: Watch | None = None,
    listen: Listen | None = None,
    limits: Limits = NO_LIMITS,
) -> Kept:
    """Summarise what overflows, repair, promote and rebuild, until nothing is due.

    Args:
        engine: the engine.
        place: the branch.
        asked: what memory does by itself, or a command of the user, which is one undo.
        watch: told before each step; steps are committed one by one, so that a run that is
            cancelled keeps those it has made.
        listen: told of every piece of a summary as a model writes it.
        limits: where to end early.

    Raises:
        SpanTooLong: a single turn is longer than the route can read; earlier steps stay.
        ModelError: see `drafting.draft`; earlier steps stay.
        StoreConflict: the turns kept changing meanwhile; earlier steps stay.
    """
    actor = MEMORY if asked is Asked.AUTOMATIC else engine.actor
    run = _Run(
        engine=replace(engine, actor=actor),
        place=place,
        asked=asked,
        watch=watch,
        listen=listen,
        limits=limits,
        since=engine.moment(),
    )
    while await run.step():
        pass
    return Kept(made=tuple(run.made), repaired=run.repaired, wait=run.wait)


def due(engine: Engine, place: Place) -> bool:
    """Say whether automatic memory has something to do on a branch."""
    with reading(engine, place) as at:
        return look(engine, at).due


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """A branch as automatic memory sees it."""

    loaded: Loaded
    budgets: Budgets
    material: Material
    stale: int
    """Stale summaries whose place is taken by none in use."""

    def next(self, asked: Asked) -> Step:
        """Return what to do now, repairs aside."""
        return next_step(self.material, asked=asked)

    @property
    def repairs(self) -> bool:
        """Whether memory has stale summaries to remake by itself."""
        policy = self.loaded.policy
        runs = policy.mode.automatic and policy.memory and not policy.paused
        return runs and self.stale > 0 and bool(repairing.plan_of(self.loaded.at).steps)

    @property
    def sentence(self) -> str:
        """What is to be done next, or why nothing is, for people."""
        return in_words(self.next(Asked.AUTOMATIC))

    @property
    def due(self) -> bool:
        """Whether memory has something to do by itself."""
        return self.repairs or not isinstance(self.next(Asked.AUTOMATIC), Wait)


def look(engine: Engine, at: Reading) -> Looked:
    """Read what the next step is planned from; turns are read as far as the plan needs them."""
    loaded = load(engine, at)
    limits = budgets(loaded.policy, fixed=loaded.load.fixed)
    pile, session = loaded.pile, at.session

    def depth(summary_id: SummaryId) -> int:
        return session.summaries([summary_id])[summary_id].depth

    def blocks(summary_id: SummaryId) -> tuple[SummaryId, ...]:
        summary = session.summaries([summary_id])[summary_id]
        rows = session.cover_of(at.branch.id, summary.children)
        plain = len(rows) == len(summary.children) and all(row.layer == 0 for row in rows)
        return summary.children if plain and not summary.turns else ()

    return Looked(
        loaded=loaded,
        budgets=limits,
        stale=open_stale(loaded),
        material=Material(
            policy=loaded.policy,
            budgets=limits,
            cover=loaded.sent_cover,
            pile_tokens=pile.tokens,
            newest_first=pile.newest_first,
            stretches=pile.stretches,
            barred=lambda: barred_by(at),
            holes=lambda: holes_of(loaded),
            depth=depth,
            blocks=blocks,
            refused=_refused(engine, at),
        ),
    )


def in_words(step: Step) -> str:
    """Return what a step would do, for people."""
    match step:
        case Wait():
            return step.sentence
        case Condense():
            tokens = sum(piece.tokens for piece in step.pieces)
            return f"Turns of {tokens:,} tokens are to be summarised."
        case Roll():
            return f"S{step.row.summary_id} and {step.piece.tokens:,} tokens of turns behind it."
        case Promote():
            return f"{len(step.rows)} summaries of layer {step.rows[0].layer} are to be merged."
        case Roof():
            return f"{len(step.blocks)} blocks are to be summarised into one."
        case Rebuild():
            return "Summaries are to be written anew from their turns."


@dataclass(slots=True, kw_only=True)
class _Run:
    """A run under way."""

    engine: Engine
    place: Place
    asked: Asked
    watch: Watch | None
    listen: Listen | None
    limits: Limits
    since: str
    made: list[SummaryView] = field(default_factory=list)
    repaired: int = 0
    wait: Wait = FINISHED
    group: Rev | None = None
    conflicts: int = 0
    steps: int = 0

    async def step(self) -> bool:
        """Carry the next step out; return whether to go on."""
        if self._over():
            return False
        with reading(self.engine, self.place) as at:
            looked = look(self.engine, at)
            repairs = self.asked is Asked.AUTOMATIC and looked.repairs
            step = looked.next(self.asked)
        if isinstance(step, Wait) and not repairs:
            self.wait = step
            return False
        self.log.debug(EventKind.PLANNED, _planned(looked, step, repairs=repairs))
        try:
            if repairs:
                await self._repair(looked)
            elif not isinstance(step, Wait):
                await self._carry(looked, step)
        except StoreConflict:
            self.conflicts += 1
            if self.conflicts >= ATTEMPTS:
                raise
            self.log.tell(EventKind.REJECTED, "The turns changed meanwhile; the step is made anew.")
            return True
        self.conflicts = 0
        self.steps += 1
        return True

    async def _repair(self, looked: Looked) -> None:
        self._tell(looked, f"remaking {looked.stale} stale summaries")
        done = await repairing.repair(self.engine, self.place, split=True, listen=self.listen)
        self.repaired += len(done)
        self.made += [one.made for one in done]
        why = "The turns of an earlier one had changed."
        self.log.made(EventKind.REPAIRED, [one.made for one in done], why)

    async def _carry(
        self, looked: Looked, step: Condense | Promote | Roll | Roof | Rebuild
    ) -> None:
        carrier = Carrier(
            engine=self.engine,
            place=self.place,
            budgets=looked.budgets,
            by_hand=_BY_HAND.get(self.asked),
            group=self.group,
            listen=self.listen,
            doing=lambda text: self._tell(looked, text),
        )
        made = await carry_out(carrier, step)
        if not made and isinstance(step, Promote | Rebuild):
            _refuse(self.engine, looked, step)
            named = ", ".join(f"S{row.summary_id}" for row in step.rows)
            text = f"A merge of {named} would win no room and is not tried again."
            self.log.tell(EventKind.REJECTED, text)
        self._keep(made)
        self.log.made(_KINDS[type(step)], [one.summary for one in made], _why(looked, step))

    @property
    def log(self) -> Log:
        """Where this run tells what it did."""
        return Log(engine=self.engine, place=self.place)

    def _keep(self, made: tuple[Made, ...]) -> None:
        self.made += [one.summary for one in made]
        if self.group is None and self.asked is not Asked.AUTOMATIC and made:
            self.group = made[0].rev

    def _tell(self, looked: Looked, doing: str) -> None:
        if self.watch is not None:
            left = looked.loaded.pile.tokens - looked.budgets.verbatim
            self.watch(JobProgress(made=len(self.made), left_tokens=max(0, left), doing=doing))

    def _over(self) -> bool:
        """Say whether a limit of the run is reached, and keep it as the reason."""
        limits = self.limits
        if limits.steps is not None and self.steps >= limits.steps:
            self.wait = Wait(
                reason=Reason.LIMIT, sentence=f"The limit of {limits.steps} steps is reached."
            )
            return True
        if limits.money is None:
            return False
        totals = self.engine.ledger.totals(
            self.engine.account, self.place.conversation, since=self.since
        )
        spent = spent_on(total for total in totals if total.purpose is not Purpose.REPLY)
        if spent < limits.money:
            return False
        dollars = limits.money / 1_000_000
        self.wait = Wait(
            reason=Reason.LIMIT, sentence=f"The cap of ${dollars:.2f} for this run is reached."
        )
        return True


def _planned(looked: Looked, step: Step, *, repairs: bool) -> str:
    """Return the numbers that a step was chosen by."""
    pile, budgets = looked.loaded.pile, looked.budgets
    doing = f"{looked.stale} stale summaries are remade" if repairs else in_words(step)
    return (
        f"{pile.tokens:,} tokens are uncovered, {budgets.verbatim:,} stay word for word and "
        f"{budgets.queue:,} may wait; summaries take {looked.loaded.load.summaries:,} of "
        f"{budgets.memory:,}. {doing}"
    )


def _why(looked: Looked, step: Work) -> str:
    """Return why a step was taken, for people."""
    match step:
        case Condense() | Roll():
            over = looked.loaded.pile.tokens - looked.budgets.verbatim
            return f"{over:,} tokens stood before the verbatim turns."
        case Promote():
            return f"Layer {step.rows[0].layer} held more than its share."
        case Roof():
            return f"{len(step.blocks)} blocks came under one roof."
        case Rebuild():
            return "It was written anew from its turns."


_KINDS: Mapping[type[Work], EventKind] = {
    Condense: EventKind.MADE,
    Roll: EventKind.MADE,
    Promote: EventKind.PROMOTED,
    Roof: EventKind.PROMOTED,
    Rebuild: EventKind.REBUILT,
}


def _refused(engine: Engine, at: Reading) -> frozenset[Run]:
    """Return the merges that won no room when they were tried."""
    noted = engine.ledger.note(engine.account, REFUSED, _key(at))
    return frozenset(
        tuple(SummaryId(int(one)) for one in run.split("+"))
        for run in noted.get("runs", "").split()
    )


def _refuse(engine: Engine, looked: Looked, step: Promote | Rebuild) -> None:
    """Keep that a merge won no room, so that it is not paid for again."""
    run = tuple(row.summary_id for row in step.rows)
    tried = still_refused(looked.material.cover, looked.material.refused)
    runs = sorted({*tried, run})
    text = " ".join("+".join(map(str, one)) for one in runs)
    key = _key(looked.loaded.at)
    engine.ledger.set_note(engine.account, REFUSED, key, {"runs": text})


def _key(at: Reading) -> str:
    return f"{at.session.conversation.id}/{at.branch.id}"
