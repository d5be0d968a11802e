"""Use cases on the ledger: what was spent, and what models wrote.

Source: DESIGN rule 10.
"""

from __future__ import annotations

from dataclasses import dataclass

from foreword.domain.calls import Call, CallId
from foreword.domain.ids import ConversationId
from foreword.engine.context import Engine
from foreword.errors import CallNotFound
from foreword.planning.spending import CostTable, cost_table


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """What a conversation, or everything, has cost so far."""

    table: CostTable
    today: int
    """Micro-dollars since midnight, UTC, of all conversations, as far as prices are known."""
    today_unpriced: int
    """Calls since then whose price is not known."""


def costs(engine: Engine, conversation: ConversationId | None = None) -> Costs:
    """Add up the calls of a conversation, or of all."""
    today = engine.clock.now().date().isoformat()
    since = cost_table(engine.ledger.totals(engine.account, since=today)).total
    return Costs(
        table=cost_table(engine.ledger.totals(engine.account, conversation)),
        today=since.money,
        today_unpriced=since.unpriced,
    )


def list_calls(
    engine: Engine, conversation: ConversationId | None = None, *, limit: int = 50
) -> tuple[Call, ...]:
    """Return calls, newest first."""
    return engine.ledger.calls(engine.account, conversation, limit=limit)


def show_call(engine: Engine, call: int, conversation: ConversationId | None = None) -> Call:
    """Return one call with what the model wrote, word for word.

    Raises:
        CallNotFound: there is none of that number, or it belongs to another conversation.
    """
    found = engine.ledger.call(engine.account, CallId(call))
    if conversation is not None and found.conversation != conversation:
        raise CallNotFound(str(call))
    return found
