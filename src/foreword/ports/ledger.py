"""The ledger: every call of a model, recorded before it is used; and what was learnt from them.

Each method is one transaction of its own, committed when it returns. Nothing here belongs to the
history of a conversation: undo takes back no call.

Every implementation passes `foreword.testing.store_contract`.

Source: DECISIONS D4; DESIGN rule 10.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from foreword.domain.calls import Call, CallId, CallTotal, ModelAnswer, NewCall, Outcome
from foreword.domain.ids import AccountId, ConversationId, SummaryId


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a call ended without an answer."""

    outcome: Outcome
    """`failed` or `stopped`."""
    milliseconds: int
    failure: str = ""
    detail: str = ""
    tokens_out: int = 0
    """Of what had come until then, counted here."""
    money: int | None = None


class Ledger(Protocol):
    """Calls, routes, breakers and calibrations of accounts."""

    def begin(self, account: AccountId, call: NewCall) -> CallId:
        """Write down that a call is about to be made."""
        ...

    def answer(
        self, account: AccountId, call: CallId, answer: ModelAnswer, *, ms: int, money: int | None
    ) -> None:
        """Commit an answer; from now on it is not paid twice."""
        ...

    def end(self, account: AccountId, call: CallId, ending: Ending) -> None:
        """Write down that a call ended without an answer."""
        ...

    def mark(
        self,
        account: AccountId,
        call: CallId,
        outcome: Outcome,
        *,
        detail: str = "",
        summary: SummaryId | None = None,
    ) -> None:
        """Say what became of an answer."""
        ...

    def close(self, account: AccountId, calls: Collection[CallId]) -> None:
        """Say that what these calls were made for has ended: their answers are not taken again."""
        ...

    def recorded(
        self, account: AccountId, conversation: ConversationId, digest: bytes
    ) -> Call | None:
        """Return the newest open call of that request that has an answer, or None."""
        ...

    def call(self, account: AccountId, call: CallId) -> Call:
        """Return one call.

        Raises:
            CallNotFound: the account made none of that id.
        """
        ...

    def calls(
        self, account: AccountId, conversation: ConversationId | None = None, *, limit: int = 100
    ) -> tuple[Call, ...]:
        """Return calls, newest first: of a conversation, or of the account."""
        ...

    def totals(
        self,
        account: AccountId,
        conversation: ConversationId | None = None,
        *,
        since: str = "",
    ) -> tuple[CallTotal, ...]:
        """Return the calls added up, in the order of purpose, route, model and outcome.

        Args:
            account: whose.
            conversation: None for all of the account's.
            since: only calls started at or after this, ISO 8601, UTC.
        """
        ...

    def starts(self, account: AccountId, route: str, since: str) -> tuple[str, ...]:
        """Return when the calls of a route were started, from `since` on, oldest first."""
        ...

    def routes(
        self, account: AccountId, *, as_of: int | None = None
    ) -> Mapping[str, Mapping[str, str]]:
        """Return the values of every route that is set, by name.

        Args:
            account: whose.
            as_of: `ReadSession.text_changes` of a session that is open: nothing that was read at
                the same number of changes needs to be read again.
        """
        ...

    def set_route(self, account: AccountId, name: str, values: Mapping[str, str] | None) -> None:
        """Store the values of a route instead of what it had; None takes the route away."""
        ...

    def note(self, account: AccountId, kind: str, key: str) -> Mapping[str, str]:
        """Return what was learnt under a key; empty for nothing.

        Args:
            account: whose.
            kind: `breaker`, `calibration` or `upstream`.
            key: what it is about; see `planning.breaker`, `planning.calibration` and
                `domain.upstreams`.
        """
        ...

    def notes(self, account: AccountId, kind: str) -> Mapping[str, Mapping[str, str]]:
        """Return everything learnt of a kind, by key."""
        ...

    def set_note(self, account: AccountId, kind: str, key: str, values: Mapping[str, str]) -> None:
        """Store what was learnt under a key; no values take it away."""
        ...
