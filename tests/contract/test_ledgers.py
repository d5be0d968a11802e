"""Every ledger keeps the whole contract, and whatever two are told, they tell the same."""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

pytest.register_assert_rewrite("foreword.testing.store_contract")

from tests.contract.databases import STORES, new_sql_store  # noqa: E402

from foreword.domain.calls import CallId, Outcome, Purpose  # noqa: E402
from foreword.domain.ids import AccountId, ConversationId, SummaryId  # noqa: E402
from foreword.errors import CallNotFound  # noqa: E402
from foreword.ports.ledger import Ledger  # noqa: E402 - asserts must be rewritten first
from foreword.testing.memory_ledger import MemoryLedger  # noqa: E402
from foreword.testing.store_contract.ledger import (  # noqa: E402
    ANSWER,
    FAILURE,
    LEDGER_CHECKS,
    MINE,
    NEW,
    OTHERS,
    STORY,
    TALE,
)

ACCOUNTS = st.sampled_from([MINE, OTHERS])
PLACES = st.sampled_from([STORY, TALE, None])
DIGESTS = (b"a", b"b")
TIMES = ("", "1", "2")
MAYBE = st.none() | st.integers(0, 99)
VALUES = st.dictionaries(st.sampled_from("xy"), st.text(max_size=3))


@pytest.fixture(params=STORES)
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ledger]:
    if request.param == "memory":
        yield MemoryLedger()
        return
    store = new_sql_store(request.param, tmp_path)
    yield store.ledger
    store.close()


@pytest.mark.parametrize(
    "check", LEDGER_CHECKS, ids=lambda check: check.__name__.removeprefix("test_")
)
def test_a_ledger_keeps_the_contract(ledger: Ledger, check: Callable[[Ledger], None]) -> None:
    check(ledger)


class Ledgers(RuleBasedStateMachine):
    kind = "sqlite"

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.store = new_sql_store(self.kind, Path(self.folder.name))
        self.memory: Ledger = MemoryLedger()
        self.database: Ledger = self.store.ledger
        self.made = 0

    def teardown(self) -> None:  # type: ignore[explicit-override]  # @override is in typing from 3.12
        self.store.close()
        self.folder.cleanup()

    def on_both(self, change: Callable[[Ledger], object]) -> None:
        told: list[object] = []
        for ledger in (self.memory, self.database):
            try:
                told.append(change(ledger))
            except CallNotFound as error:
                told.append(str(error))
        assert told[0] == told[1]

    @rule(
        account=ACCOUNTS, place=PLACES, number=st.integers(0, 99), purpose=st.sampled_from(Purpose)
    )
    def begin(
        self, account: AccountId, place: ConversationId | None, number: int, purpose: Purpose
    ) -> None:
        new = replace(
            NEW,
            conversation=place,
            purpose=purpose,
            digest=DIGESTS[number % 2],
            started_at=TIMES[number % 3],
            model="mo"[number % 2],
            tokens_in=number,
        )
        self.on_both(lambda ledger: ledger.begin(account, new))
        self.made += 1

    @rule(account=ACCOUNTS, number=st.integers(0, 99), money=MAYBE, text=st.text(max_size=4))
    def answer(self, account: AccountId, number: int, money: int | None, text: str) -> None:
        answer = replace(ANSWER, text=text)
        call = self.some(number)
        self.on_both(lambda ledger: ledger.answer(account, call, answer, ms=number, money=money))

    @rule(account=ACCOUNTS, number=st.integers(0, 99), money=MAYBE, out=st.integers(0, 2))
    def end(self, account: AccountId, number: int, money: int | None, out: int) -> None:
        ending = replace(FAILURE, money=money, tokens_out=out)
        call = self.some(number)
        calls = {one.id: one for one in self.memory.calls(account)}
        if call in calls and calls[call].answer is not None:
            return  # only a call without an answer ends without one
        self.on_both(lambda ledger: ledger.end(account, call, ending))

    @rule(account=ACCOUNTS, number=st.integers(0, 99), outcome=st.sampled_from(Outcome), to=MAYBE)
    def mark(self, account: AccountId, number: int, outcome: Outcome, to: int | None) -> None:
        call, summary = self.some(number), None if to is None else SummaryId(to)
        self.on_both(
            lambda ledger: ledger.mark(account, call, outcome, detail=f"{to}", summary=summary)
        )

    @rule(account=ACCOUNTS, numbers=st.lists(st.integers(0, 99), max_size=3))
    def close(self, account: AccountId, numbers: list[int]) -> None:
        calls = [self.some(number) for number in numbers]
        self.on_both(lambda ledger: ledger.close(account, calls))

    @rule(account=ACCOUNTS, name=st.sampled_from("ab"), values=st.none() | VALUES)
    def learn(self, account: AccountId, name: str, values: dict[str, str] | None) -> None:
        self.on_both(lambda ledger: ledger.set_route(account, name, values))
        self.on_both(lambda ledger: ledger.set_note(account, "breaker", name, values or {}))

    def some(self, number: int) -> CallId:
        """One of the calls, or one that was never made."""
        return CallId(number % (self.made + 1) + 1)

    @invariant()
    def both_tell_the_same(self) -> None:
        for account in (MINE, OTHERS):
            assert told_by(self.database, account) == told_by(self.memory, account)


def told_by(ledger: Ledger, account: AccountId) -> list[object]:
    """All that a ledger says of an account."""
    told: list[object] = [
        ledger.routes(account),
        ledger.notes(account, "breaker"),
        ledger.starts(account, NEW.route, "1"),
    ]
    for place in (None, STORY, TALE):
        told += [ledger.calls(account, place, limit=5), ledger.totals(account, place)]
        told.append(ledger.totals(account, place, since="1"))
    for place in (STORY, TALE):
        told += [ledger.recorded(account, place, digest) for digest in DIGESTS]
    return told


TestLedgersAgree = pytest.mark.slow(pytest.mark.timeout(600)(Ledgers.TestCase))
TestLedgersAgree.settings = settings(
    stateful_step_count=20, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


class PostgresLedgers(Ledgers):
    kind = "postgres"


TestPostgresLedgersAgree = pytest.mark.postgres(
    pytest.mark.slow(pytest.mark.timeout(600)(PostgresLedgers.TestCase))
)
TestPostgresLedgersAgree.settings = settings(TestLedgersAgree.settings, max_examples=5)
