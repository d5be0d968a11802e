"""Rows of the ledger's calls, and the statements that write, find and add them up.

Above: `sql_ledger`. Below: `tables`. Invariant: every statement names the account.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Row, bindparam, func, insert, select, update

from foreword.domain.calls import (
    Call,
    CallId,
    CallTotal,
    Finish,
    ModelAnswer,
    NewCall,
    Outcome,
    Purpose,
    Usage,
)
from foreword.domain.ids import AccountId, BranchId, ConversationId, SummaryId
from foreword.domain.storable import storable_text
from foreword.ports.ledger import Ending
from foreword.storage.tables import model_call

_C = model_call.c
_OF_ACCOUNT = _C.account_id == bindparam("of_account")
_OF_CONVERSATION = _C.conversation_id == bindparam("of_conversation")
_SINCE = _C.started_at >= bindparam("since")

ADD: Final = insert(model_call).returning(_C.id)
CHANGE: Final = update(model_call).where(_OF_ACCOUNT, _C.id == bindparam("of_call"))
CLOSE: Final = (
    update(model_call)
    .where(_OF_ACCOUNT, _C.id.in_(bindparam("of_calls", expanding=True)))
    .values(is_open=0)
)
ONE: Final = select(model_call).where(_OF_ACCOUNT, _C.id == bindparam("of_call"))
RECORDED: Final = (
    select(model_call)
    .where(
        _OF_ACCOUNT,
        _OF_CONVERSATION,
        _C.request_digest == bindparam("of_request"),
        _C.is_open == 1,
        _C.finish.is_not(None),
    )
    .order_by(_C.id.desc())
    .limit(1)
)
NEWEST: Final = (
    select(model_call).where(_OF_ACCOUNT).order_by(_C.id.desc()).limit(bindparam("most"))
)
NEWEST_OF_CONVERSATION: Final = NEWEST.where(_OF_CONVERSATION)
STARTS: Final = (
    select(_C.started_at)
    .where(_OF_ACCOUNT, _C.route == bindparam("of_route"), _SINCE)
    .order_by(_C.started_at, _C.id)
)
TOTALS: Final = (
    select(
        _C.purpose,
        _C.route,
        _C.model,
        _C.outcome,
        func.count().label("calls"),
        func.count(_C.money).label("priced"),
        func.sum(_C.tokens_in).label("tokens_in"),
        func.sum(_C.tokens_cached).label("tokens_cached"),
        func.sum(_C.tokens_out).label("tokens_out"),
        func.coalesce(func.sum(_C.money), 0).label("money"),
        func.coalesce(func.sum(_C.milliseconds), 0).label("milliseconds"),
    )
    .where(_OF_ACCOUNT)
    .group_by(_C.purpose, _C.route, _C.model, _C.outcome)
)
TOTALS_SINCE: Final = TOTALS.where(_SINCE)
# SQLite would take a lower bound, even an empty one, as the reason to look through the account.
TOTALS_OF_CONVERSATION: Final = TOTALS.where(_OF_CONVERSATION)
TOTALS_OF_CONVERSATION_SINCE: Final = TOTALS_OF_CONVERSATION.where(_SINCE)

Values = dict[str, str | int | bytes | None]


def new_values(account: AccountId, call: NewCall) -> Values:
    """Return the row of a call that is about to be made."""
    return {
        "account_id": account,
        "conversation_id": call.conversation,
        "branch_id": call.branch,
        "purpose": call.purpose.value,
        "route": storable_text(call.route),
        "model": storable_text(call.model),
        "request_digest": call.digest,
        "outcome": Outcome.STARTED.value,
        "is_open": 1,
        "started_at": call.started_at,
        "tokens_counted": call.tokens_in,
        "tokens_in": call.tokens_in,
        **dict.fromkeys(("tokens_cached", "tokens_out", "tokens_reasoning"), 0),
        **dict.fromkeys(("failure", "detail", "answered_by", "answer", "reasoning", "raw"), ""),
    }


def answer_values(answer: ModelAnswer, milliseconds: int, money: int | None) -> Values:
    """Return what an answer changes in the row of its call."""
    usage = answer.usage
    return {
        "outcome": Outcome.ANSWERED.value,
        "milliseconds": milliseconds,
        "finish": answer.finish.value,
        "reported": int(usage.reported),
        "tokens_in": usage.tokens_in,
        "tokens_cached": usage.tokens_cached,
        "tokens_out": usage.tokens_out,
        "tokens_reasoning": usage.tokens_reasoning,
        "money": money,
        "answered_by": storable_text(answer.model),
        "answer": storable_text(answer.text),
        "reasoning": storable_text(answer.reasoning),
        "raw": storable_text(answer.raw),
    }


def ending_values(ending: Ending) -> Values:
    """Return what an ending changes in the row of its call."""
    values: Values = {
        "outcome": ending.outcome.value,
        "milliseconds": ending.milliseconds,
        "failure": storable_text(ending.failure),
        "detail": storable_text(ending.detail),
        "tokens_out": ending.tokens_out,
        "money": ending.money,
    }
    return values if ending.tokens_out else {**values, "tokens_in": 0}


def call_from(row: Row[tuple[object, ...]]) -> Call:
    """Return the call that a row describes."""
    return Call(
        id=CallId(row.id),
        purpose=Purpose(row.purpose),
        route=row.route,
        model=row.model,
        digest=bytes(row.request_digest),
        started_at=row.started_at,
        tokens_in=row.tokens_counted,
        conversation=None if row.conversation_id is None else ConversationId(row.conversation_id),
        branch=None if row.branch_id is None else BranchId(row.branch_id),
        outcome=Outcome(row.outcome),
        open=bool(row.is_open),
        answer=None if row.finish is None else _answer_from(row),
        milliseconds=row.milliseconds,
        money=row.money,
        failure=row.failure,
        detail=row.detail,
        summary=None if row.summary_id is None else SummaryId(row.summary_id),
    )


def _answer_from(row: Row[tuple[object, ...]]) -> ModelAnswer:
    usage = Usage(
        tokens_in=row.tokens_in,
        tokens_cached=row.tokens_cached,
        tokens_out=row.tokens_out,
        tokens_reasoning=row.tokens_reasoning,
        reported=bool(row.reported),
    )
    return ModelAnswer(
        text=row.answer,
        reasoning=row.reasoning,
        raw=row.raw,
        finish=Finish(row.finish),
        usage=usage,
        model=row.answered_by,
    )


def total_from(row: Row[tuple[object, ...]]) -> CallTotal:
    """Return the total that a row of `TOTALS` describes."""
    return CallTotal(
        purpose=Purpose(row.purpose),
        route=row.route,
        model=row.model,
        outcome=Outcome(row.outcome),
        calls=row.calls,
        unpriced=row.calls - row.priced,
        tokens_in=int(row.tokens_in),  # PostgreSQL adds 64 bits up to a decimal
        tokens_cached=int(row.tokens_cached),
        tokens_out=int(row.tokens_out),
        money=int(row.money),
        milliseconds=int(row.milliseconds),
    )
