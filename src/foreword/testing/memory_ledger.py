"""The ledger in memory: a list of calls and two dictionaries, obviously right.

Other ledgers are compared with it. Each method does what its name says, without any index.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace

from foreword.domain.calls import Call, CallId, CallTotal, ModelAnswer, NewCall, Outcome
from foreword.domain.ids import AccountId, ConversationId, SummaryId
from foreword.domain.storable import storable_text, storable_texts
from foreword.errors import CallNotFound
from foreword.ports.ledger import Ending


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A call, whose it is, and the tokens it is added up with."""

    account: AccountId
    call: Call
    tokens_in: int
    tokens_out: int = 0


class MemoryLedger:
    """See `ports.ledger.Ledger`."""

    def __init__(self) -> None:
        """Start without calls, routes and notes."""
        self._kept: list[_Kept] = []
        self._routes: dict[tuple[AccountId, str], dict[str, str]] = {}
        self._notes: dict[tuple[AccountId, str, str], dict[str, str]] = {}

    def begin(self, account: AccountId, call: NewCall) -> CallId:
        """See `Ledger.begin`."""
        given = {entry.name: getattr(call, entry.name) for entry in fields(NewCall)}
        texts = {"route": storable_text(call.route), "model": storable_text(call.model)}
        made = Call(id=CallId(len(self._kept) + 1), **{**given, **texts})
        self._kept.append(_Kept(account=account, call=made, tokens_in=call.tokens_in))
        return made.id

    def answer(
        self, account: AccountId, call: CallId, answer: ModelAnswer, *, ms: int, money: int | None
    ) -> None:
        """See `Ledger.answer`."""
        kept = self._find(account, call)
        stored = replace(
            answer,
            text=storable_text(answer.text),
            reasoning=storable_text(answer.reasoning),
            raw=storable_text(answer.raw),
            model=storable_text(answer.model),
        )
        answered = replace(
            kept.call, outcome=Outcome.ANSWERED, answer=stored, milliseconds=ms, money=money
        )
        usage = answer.usage
        self._keep(
            replace(kept, call=answered, tokens_in=usage.tokens_in, tokens_out=usage.tokens_out)
        )

    def end(self, account: AccountId, call: CallId, ending: Ending) -> None:
        """See `Ledger.end`."""
        kept = self._find(account, call)
        ended = replace(
            kept.call,
            outcome=ending.outcome,
            milliseconds=ending.milliseconds,
            failure=storable_text(ending.failure),
            detail=storable_text(ending.detail),
            money=ending.money,
        )
        tokens_in = kept.tokens_in if ending.tokens_out else 0
        self._keep(replace(kept, call=ended, tokens_in=tokens_in, tokens_out=ending.tokens_out))

    def mark(
        self,
        account: AccountId,
        call: CallId,
        outcome: Outcome,
        *,
        detail: str = "",
        summary: SummaryId | None = None,
    ) -> None:
        """See `Ledger.mark`."""
        kept = self._find(account, call)
        marked = replace(kept.call, outcome=outcome, detail=storable_text(detail), summary=summary)
        self._keep(replace(kept, call=marked))

    def close(self, account: AccountId, calls: Collection[CallId]) -> None:
        """See `Ledger.close`."""
        for kept in list(self._kept):
            if kept.account == account and kept.call.id in calls:
                self._keep(replace(kept, call=replace(kept.call, open=False)))

    def recorded(
        self, account: AccountId, conversation: ConversationId, digest: bytes
    ) -> Call | None:
        """See `Ledger.recorded`."""
        for kept in reversed(self._of(account, conversation)):
            if kept.call.digest == digest and kept.call.open and kept.call.answer is not None:
                return kept.call
        return None

    def call(self, account: AccountId, call: CallId) -> Call:
        """See `Ledger.call`."""
        return self._find(account, call).call

    def calls(
        self, account: AccountId, conversation: ConversationId | None = None, *, limit: int = 100
    ) -> tuple[Call, ...]:
        """See `Ledger.calls`."""
        return tuple(kept.call for kept in reversed(self._of(account, conversation)))[:limit]

    def totals(
        self,
        account: AccountId,
        conversation: ConversationId | None = None,
        *,
        since: str = "",
    ) -> tuple[CallTotal, ...]:
        """See `Ledger.totals`."""
        alike: dict[tuple[str, str, str, str], list[_Kept]] = {}
        for kept in self._of(account, conversation):
            call = kept.call
            if call.started_at >= since:
                key = (call.purpose.value, call.route, call.model, call.outcome.value)
                alike.setdefault(key, []).append(kept)
        return tuple(_total(alike[key]) for key in sorted(alike))

    def starts(self, account: AccountId, route: str, since: str) -> tuple[str, ...]:
        """See `Ledger.starts`."""
        calls = [kept.call for kept in self._of(account)]
        return tuple(
            sorted(
                call.started_at
                for call in calls
                if call.route == storable_text(route) and call.started_at >= since
            )
        )

    def routes(self, account: AccountId, *, as_of: int | None = None) -> dict[str, dict[str, str]]:
        """See `Ledger.routes`; everything is at hand, so `as_of` saves nothing."""
        del as_of
        return {name: dict(values) for (of, name), values in self._routes.items() if of == account}

    def set_route(self, account: AccountId, name: str, values: Mapping[str, str] | None) -> None:
        """See `Ledger.set_route`."""
        key = (account, storable_text(name))
        self._routes.pop(key, None)
        if values is not None:
            self._routes[key] = storable_texts(values)

    def note(self, account: AccountId, kind: str, key: str) -> dict[str, str]:
        """See `Ledger.note`."""
        return dict(self._notes.get((account, storable_text(kind), storable_text(key)), {}))

    def notes(self, account: AccountId, kind: str) -> dict[str, dict[str, str]]:
        """See `Ledger.notes`."""
        wanted = (account, storable_text(kind))
        return {key: dict(values) for (*of, key), values in self._notes.items() if wanted == (*of,)}

    def set_note(self, account: AccountId, kind: str, key: str, values: Mapping[str, str]) -> None:
        """See `Ledger.set_note`."""
        place = (account, storable_text(kind), storable_text(key))
        self._notes.pop(place, None)
        if values:
            self._notes[place] = storable_texts(values)

    def _find(self, account: AccountId, call: CallId) -> _Kept:
        for kept in self._of(account):
            if kept.call.id == call:
                return kept
        raise CallNotFound(str(call))

    def _keep(self, kept: _Kept) -> None:
        self._kept[kept.call.id - 1] = kept

    def _of(self, account: AccountId, conversation: ConversationId | None = None) -> list[_Kept]:
        return [
            kept
            for kept in self._kept
            if kept.account == account and conversation in {None, kept.call.conversation}
        ]


def _total(alike: list[_Kept]) -> CallTotal:
    calls = [kept.call for kept in alike]
    first = calls[0]
    return CallTotal(
        purpose=first.purpose,
        route=first.route,
        model=first.model,
        outcome=first.outcome,
        calls=len(calls),
        unpriced=sum(call.money is None for call in calls),
        tokens_in=sum(kept.tokens_in for kept in alike),
        tokens_cached=sum(call.answer.usage.tokens_cached for call in calls if call.answer),
        tokens_out=sum(kept.tokens_out for kept in alike),
        money=sum(call.money or 0 for call in calls),
        milliseconds=sum(call.milliseconds or 0 for call in calls),
    )
