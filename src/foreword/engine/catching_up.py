"""Use case: what bringing the memory of a branch up to date would take.

Above: the doors. Below: `planning.catch_up`, whose plan is priced here.

Source: issue 5, section 2.
"""

from __future__ import annotations

from dataclasses import dataclass

from foreword.domain.routes import RouteName
from foreword.engine.context import Engine, Place, reading
from foreword.engine.pricing import estimate, template_tokens
from foreword.engine.rooms import model_route
from foreword.engine.upkeep import look
from foreword.planning.catch_up import CatchUp, plan_catch_up


@dataclass(frozen=True, slots=True, kw_only=True)
class CatchUpPrice:
    """A plan, and what it would cost."""

    plan: CatchUp
    tokens_in: int
    """What would be read, instructions included."""
    model: str
    """What would write the summaries of turns."""
    money: int | None
    """Micro-dollars, as estimated; None where a price is not known."""
    due: bool
    """Memory would act by itself."""
    sentence: str
    """Why there is nothing to do; empty when there is."""


def price_catch_up(engine: Engine, place: Place, *, money: int | None = None) -> CatchUpPrice:
    """Plan the steps until nothing is due, and price them; nothing is changed.

    Args:
        engine: the engine.
        place: the branch.
        money: micro-dollars after which the plan ends, as `maintain --spend` does.
    """
    summarise = model_route(engine, RouteName.SUMMARISE)
    with reading(engine, place) as at:
        looked = look(engine, at)
        around = template_tokens(engine, at)
        used = [row.summary_id for row in looked.loaded.pile.cover]
        depths = {one: summary.depth for one, summary in at.session.summaries(used).items()}

        def cost(calls: int, tokens_in: int, tokens_out: int) -> int | None:
            read = tokens_in + calls * around
            return estimate(engine, summarise, tokens_in=read, tokens_out=tokens_out)

        def affordable(calls: int, tokens_in: int, tokens_out: int) -> bool:
            spent = cost(calls, tokens_in, tokens_out)
            return money is None or spent is None or spent < max(1, money)

        plan = plan_catch_up(looked.material, depths, affordable=affordable)
        return CatchUpPrice(
            plan=plan,
            tokens_in=plan.tokens_in + plan.calls * around,
            model=engine.summariser.maker if summarise is None else summarise.maker,
            money=cost(plan.calls, plan.tokens_in, plan.tokens_out),
            due=looked.due,
            sentence="" if plan.calls else looked.sentence,
        )
