"""The ledger on a database: the one that the store is on.

Above: bootstrap, which takes it from `SqlStore.ledger`. Below: `calls`, `ledger_texts`. Invariant:
each method is one transaction of the store's own kind, committed when it returns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager

from sqlalchemy import Connection

from foreword.domain.calls import Call, CallId, CallTotal, ModelAnswer, NewCall, Outcome
from foreword.domain.ids import AccountId, ConversationId, SummaryId
from foreword.domain.storable import storable_text
from foreword.errors import CallNotFound
from foreword.ports.ledger import Ending
from foreword.storage import calls as rows
from foreword.storage import ledger_texts
from foreword.storage.portions import portions
from foreword.storage.views import Views

Transaction = Callable[[], AbstractContextManager[Connection]]


class SqlLedger:
    """See `ports.ledger.Ledger`."""

    def __init__(self, *, reading: Transaction, writing: Transaction, views: Views) -> None:
        """Use transactions of a store: they wait, fail and commit as its own do."""
        self._reading = reading
        self._writing = writing
        self._views = views

    def begin(self, account: AccountId, call: NewCall) -> CallId:
        """See `Ledger.begin`."""
        with self._writing() as connection:
            made = connection.execute(rows.ADD, rows.new_values(account, call)).scalar_one()
        return CallId(made)

    def answer(
        self, account: AccountId, call: CallId, answer: ModelAnswer, *, ms: int, money: int | None
    ) -> None:
        """See `Ledger.answer`."""
        self._change(account, call, rows.answer_values(answer, ms, money))

    def end(self, account: AccountId, call: CallId, ending: Ending) -> None:
        """See `Ledger.end`."""
        self._change(account, call, rows.ending_values(ending))

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
        values: rows.Values = {
            "outcome": outcome.value,
            "detail": storable_text(detail),
            "summary_id": summary,
        }
        self._change(account, call, values)

    def close(self, account: AccountId, calls: Collection[CallId]) -> None:
        """See `Ledger.close`."""
        if not calls:
            return
        with self._writing() as connection:
            for portion in portions(set(calls)):
                connection.execute(rows.CLOSE, {"of_account": account, "of_calls": portion})

    def recorded(
        self, account: AccountId, conversation: ConversationId, digest: bytes
    ) -> Call | None:
        """See `Ledger.recorded`."""
        wanted = {"of_account": account, "of_conversation": conversation, "of_request": digest}
        with self._reading() as connection:
            row = connection.execute(rows.RECORDED, wanted).one_or_none()
        return None if row is None else rows.call_from(row)

    def call(self, account: AccountId, call: CallId) -> Call:
        """See `Ledger.call`."""
        with self._reading() as connection:
            found = connection.execute(rows.ONE, {"of_account": account, "of_call": call})
            row = found.one_or_none()
        if row is None:
            raise CallNotFound(str(call))
        return rows.call_from(row)

    def calls(
        self, account: AccountId, conversation: ConversationId | None = None, *, limit: int = 100
    ) -> tuple[Call, ...]:
        """See `Ledger.calls`."""
        query = rows.NEWEST if conversation is None else rows.NEWEST_OF_CONVERSATION
        wanted = {"of_account": account, "of_conversation": conversation, "most": limit}
        with self._reading() as connection:
            return tuple(rows.call_from(row) for row in connection.execute(query, wanted))

    def totals(
        self,
        account: AccountId,
        conversation: ConversationId | None = None,
        *,
        since: str = "",
    ) -> tuple[CallTotal, ...]:
        """See `Ledger.totals`."""
        if conversation is None:
            query = rows.TOTALS_SINCE if since else rows.TOTALS
        else:
            query = rows.TOTALS_OF_CONVERSATION_SINCE if since else rows.TOTALS_OF_CONVERSATION
        wanted = {"of_account": account, "of_conversation": conversation, "since": since}
        with self._reading() as connection:
            found = [rows.total_from(row) for row in connection.execute(query, wanted)]
        # Databases order texts differently, so they are not asked to.
        return tuple(
            sorted(found, key=lambda one: (one.purpose, one.route, one.model, one.outcome))
        )

    def starts(self, account: AccountId, route: str, since: str) -> tuple[str, ...]:
        """See `Ledger.starts`."""
        wanted = {"of_account": account, "of_route": storable_text(route), "since": since}
        with self._reading() as connection:
            return tuple(connection.scalars(rows.STARTS, wanted))

    def routes(
        self, account: AccountId, *, as_of: int | None = None
    ) -> Mapping[str, Mapping[str, str]]:
        """See `Ledger.routes`."""
        texts = None if as_of is None else self._views.texts(as_of)
        if texts is not None and account in texts.routes:
            return texts.routes[account]
        with self._reading() as connection:
            routes = ledger_texts.routes_of(connection, account)
        if texts is not None:
            texts.routes[account] = routes
        return routes

    def set_route(self, account: AccountId, name: str, values: Mapping[str, str] | None) -> None:
        """See `Ledger.set_route`."""
        with self._writing() as connection:
            ledger_texts.save_route(connection, account, name, values)

    def note(self, account: AccountId, kind: str, key: str) -> dict[str, str]:
        """See `Ledger.note`."""
        with self._reading() as connection:
            return ledger_texts.find_note(connection, account, kind, key)

    def notes(self, account: AccountId, kind: str) -> dict[str, dict[str, str]]:
        """See `Ledger.notes`."""
        with self._reading() as connection:
            return ledger_texts.notes_of(connection, account, kind)

    def set_note(self, account: AccountId, kind: str, key: str, values: Mapping[str, str]) -> None:
        """See `Ledger.set_note`."""
        with self._writing() as connection:
            ledger_texts.save_note(connection, account, kind, key, values)

    def _change(self, account: AccountId, call: CallId, values: rows.Values) -> None:
        wanted = {"of_account": account, "of_call": call}
        with self._writing() as connection:
            changed = connection.execute(rows.CHANGE.values(**values), wanted)
            if changed.rowcount == 0:
                raise CallNotFound(str(call))
