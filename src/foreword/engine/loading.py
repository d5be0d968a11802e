"""What a branch is loaded with: settings, cover, pins, pile and fixed texts, read once."""

from __future__ import annotations

from dataclasses import dataclass, replace

from foreword.domain.policy import Policy
from foreword.domain.summary import CoverRow
from foreword.domain.turn import Entry
from foreword.engine.context import Engine, Reading
from foreword.engine.pile import Pile, covered_pins, pile_of
from foreword.engine.sizing import sized_policy
from foreword.engine.system import SystemText, beside_summaries, system_text
from foreword.planning.recap import Advice, Load, PileTail, advise


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """An opened branch with everything that advice and prompts are made from."""

    at: Reading
    policy: Policy
    """Its context is what surely fits, in tokens as they are counted here."""
    context: int
    """Size of the model's context, in the model's tokens."""
    context_source: str
    """Where it comes from: `given`, `setting`, `route` or `default`."""
    pile: Pile
    system: SystemText
    pins: tuple[Entry, ...]
    """Visible pinned turns, oldest first."""

    @property
    def sent_cover(self) -> tuple[CoverRow, ...]:
        """The rows in use with the tokens that their summaries take as they are sent."""
        pairs = zip(self.pile.cover, self.system.each, strict=True)
        return tuple(replace(row, tokens=tokens) for row, tokens in pairs)

    @property
    def load(self) -> Load:
        """What the context is filled with beside the pile."""
        return Load(
            context=self.policy.context,
            reply=self.policy.reply_reserve,
            fixed=self.system.fixed,
            summaries=self.system.summaries,
            summary_times=self.system.times,
            pins=sum(pin.cost for pin in covered_pins(self.pins, self.pile.cover)),
        )

    def advice(self) -> Advice:
        """Say whether a recap is worth writing."""
        tail = PileTail(
            tokens=self.pile.tokens,
            newest_first=self.pile.newest_first(),
            covered=[row.to_pos for row in self.pile.cover],
        )
        return advise(
            self.load, tail, cadence=self.policy.cadence, resolution=self.policy.resolution
        )


def load_for_run(engine: Engine, loaded: Loaded) -> Load:
    """Return the load with what summaries that are still to be made take beside their texts."""
    beside = beside_summaries(engine, loaded.at, loaded.policy, loaded.pile.cover)
    return replace(loaded.load, beside_next=beside[0], beside_later=beside[1])


def load(engine: Engine, at: Reading, *, context: int | None = None) -> Loaded:
    """Read what advice and prompts need of an opened branch."""
    sized = sized_policy(engine, at.session, context=context)
    policy = sized.policy
    pile = pile_of(at)
    return Loaded(
        at=at,
        policy=policy,
        context=sized.context,
        context_source=sized.source,
        pile=pile,
        system=system_text(engine, at, policy, pile.cover),
        pins=tuple(pin for pin in at.session.pins(at.branch.id) if not pin.hidden),
    )
