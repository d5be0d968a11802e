from collections.abc import Sequence
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.calls import CallTotal, Outcome, Purpose
from foreword.errors import PriceUnknown, SpendCapReached
from foreword.planning.spending import (
    CostLine,
    CostTable,
    cost_table,
    refuse_over_cap,
    spent_on,
)

DAY = "spend_per_day"


def refuse(cap: float | None, spent: int, estimate: int | None) -> None:
    refuse_over_cap(setting=DAY, cap=cap, spent=spent, estimate=estimate, route="chat")


@pytest.mark.parametrize(
    ("cap", "spent", "estimate"),
    [
        (None, 10**12, 10**12),
        (None, 0, None),
        (1.0, 0, 1_000_000),
        (1.0, 400_000, 600_000),
        (0.29, 290_000 - 1, 1),
        (0.000001, 0, 1),
        (0.0, 0, 0),
        (1.0, 5_000_000, 0),
    ],
)
def test_what_stays_within_the_cap_or_costs_nothing_is_not_refused(
    cap: float | None, spent: int, estimate: int | None
) -> None:
    refuse(cap, spent, estimate)


@pytest.mark.parametrize(
    ("cap", "spent", "estimate"),
    [(1.0, 0, 1_000_001), (1.0, 400_000, 600_001), (0.29, 290_000, 1), (0.0, 0, 1)],
)
def test_a_call_that_could_go_over_the_cap_is_refused(
    cap: float, spent: int, estimate: int
) -> None:
    with pytest.raises(SpendCapReached) as raised:
        refuse(cap, spent, estimate)
    assert vars(raised.value) == {
        "setting": DAY,
        "spent": spent / 10**6,
        "estimate": estimate / 10**6,
        "cap": cap,
    }


@pytest.mark.parametrize("cap", [0.0, 5.0])
def test_a_cap_needs_a_known_price(cap: float) -> None:
    with pytest.raises(PriceUnknown) as raised:
        refuse(cap, 0, None)
    assert vars(raised.value) == {"setting": DAY, "route": "chat"}


micros = st.integers(0, 10**15 - 1)


@given(micros, st.lists(st.integers(0, 10**9), max_size=8))
def test_calls_never_cost_more_than_the_cap(cap: int, prices: Sequence[int]) -> None:
    spent = 0
    for price in prices:
        try:
            refuse(cap / 10**6, spent, price)
        except SpendCapReached:
            assert spent + price > cap
        else:
            spent += price
    assert spent <= cap


def total(purpose: Purpose, outcome: Outcome = Outcome.USED, *, times: int = 1) -> CallTotal:
    return CallTotal(
        purpose=purpose,
        route="chat",
        model="m",
        outcome=outcome,
        calls=1 * times,
        unpriced=2 * times,
        tokens_in=3 * times,
        tokens_cached=4 * times,
        tokens_out=5 * times,
        money=6 * times,
        milliseconds=7 * times,
    )


def line(times: int, *, lost: int = 0) -> CostLine:
    return CostLine(
        calls=1 * times,
        unpriced=2 * times,
        tokens_in=3 * times,
        tokens_cached=4 * times,
        tokens_out=5 * times,
        money=6 * times,
        milliseconds=7 * times,
        lost=1 * lost,
        lost_money=6 * lost,
    )


def test_without_calls_nothing_was_spent() -> None:
    assert cost_table([]) == CostTable(chat=CostLine(), memory=CostLine())
    assert cost_table([]).total == CostLine()
    assert spent_on([]) == 0


def test_replies_are_chat_and_everything_else_is_memory() -> None:
    totals = [total(purpose, times=10**place) for place, purpose in enumerate(Purpose)]
    assert cost_table(iter(totals)) == CostTable(chat=line(1), memory=line(11110))


@pytest.mark.parametrize("purpose", list(Purpose))
@pytest.mark.parametrize("outcome", list(Outcome))
def test_calls_that_nothing_came_of_are_counted_again_as_lost(
    purpose: Purpose, outcome: Outcome
) -> None:
    lost = outcome in {Outcome.REJECTED, Outcome.WASTED, Outcome.FAILED, Outcome.STOPPED}
    found = cost_table([total(purpose, outcome, times=2), total(purpose, times=3)])
    assert found.total == line(5, lost=2 if lost else 0)


totals_of_calls = st.lists(
    st.builds(
        total, st.sampled_from(Purpose), st.sampled_from(Outcome), times=st.integers(0, 10**9)
    )
)


@given(totals_of_calls)
def test_both_parts_together_are_everything(totals: Sequence[CallTotal]) -> None:
    table = cost_table(totals)
    for entry in fields(CostLine):
        parts = getattr(table.chat, entry.name) + getattr(table.memory, entry.name)
        assert getattr(table.total, entry.name) == parts
    assert table.total.money == spent_on(totals) == sum(total.money for total in totals)
    assert table.total.lost <= table.total.calls
