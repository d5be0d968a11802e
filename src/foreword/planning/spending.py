"""Spending: caps on what calls may cost, and the ledger added up for people.

Above: engine. Below: calls. Money is counted in whole micro-dollars; people read dollars.

Source: issue 3, sections 1 and 4; DESIGN rule 10.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from foreword.domain.calls import CallTotal, Outcome, Purpose
from foreword.domain.routes import MICROS
from foreword.errors import PriceUnknown, SpendCapReached

LOST = frozenset({Outcome.REJECTED, Outcome.WASTED, Outcome.FAILED, Outcome.STOPPED})
"""Outcomes of calls that nothing came of."""


def refuse_over_cap(
    *, setting: str, cap: float | None, spent: int, estimate: int | None, route: str
) -> None:
    """Refuse a call that could go over a cap.

    Args:
        setting: name of the cap.
        cap: US dollars; None for no cap.
        spent: micro-dollars so far.
        estimate: most that the call may cost, in micro-dollars; None where no price is known.
        route: what would be asked.

    Raises:
        SpendCapReached: it could.
        PriceUnknown: nobody can say.
    """
    if cap is None or estimate == 0:
        return
    if estimate is None:
        raise PriceUnknown(setting=setting, route=route)
    if spent + estimate > round(cap * MICROS):
        raise SpendCapReached(
            setting=setting, spent=spent / MICROS, estimate=estimate / MICROS, cap=cap
        )


def spent_on(totals: Iterable[CallTotal]) -> int:
    """Return what calls cost together, in micro-dollars, as far as it is known."""
    return sum(total.money for total in totals)


@dataclass(frozen=True, slots=True, kw_only=True)
class CostLine:
    """Calls added up."""

    calls: int = 0
    unpriced: int = 0
    """Calls whose price is not known."""
    tokens_in: int = 0
    tokens_cached: int = 0
    tokens_out: int = 0
    money: int = 0
    """Micro-dollars of those with a known price."""
    milliseconds: int = 0
    lost: int = 0
    """Calls that nothing came of: refused, wasted, failed or stopped."""
    lost_money: int = 0
    """Micro-dollars of those."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CostTable:
    """What chatting cost, and what memory cost."""

    chat: CostLine
    memory: CostLine
    """Summaries, merges, repairs of drafts, and tests of routes."""

    @property
    def total(self) -> CostLine:
        """Both together."""
        return _sum([self.chat, self.memory])


def cost_table(totals: Iterable[CallTotal]) -> CostTable:
    """Return the ledger's totals with the cost of chatting and of memory apart."""
    known = list(totals)
    chat = [_line(total) for total in known if total.purpose is Purpose.REPLY]
    memory = [_line(total) for total in known if total.purpose is not Purpose.REPLY]
    return CostTable(chat=_sum(chat), memory=_sum(memory))


def _line(total: CallTotal) -> CostLine:
    lost = total.outcome in LOST
    return CostLine(
        calls=total.calls,
        unpriced=total.unpriced,
        tokens_in=total.tokens_in,
        tokens_cached=total.tokens_cached,
        tokens_out=total.tokens_out,
        money=total.money,
        milliseconds=total.milliseconds,
        lost=total.calls if lost else 0,
        lost_money=total.money if lost else 0,
    )


def _sum(lines: Iterable[CostLine]) -> CostLine:
    known = list(lines)
    return CostLine(
        calls=sum(line.calls for line in known),
        unpriced=sum(line.unpriced for line in known),
        tokens_in=sum(line.tokens_in for line in known),
        tokens_cached=sum(line.tokens_cached for line in known),
        tokens_out=sum(line.tokens_out for line in known),
        money=sum(line.money for line in known),
        milliseconds=sum(line.milliseconds for line in known),
        lost=sum(line.lost for line in known),
        lost_money=sum(line.lost_money for line in known),
    )
