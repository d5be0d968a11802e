from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.planning.pacing import WINDOW_SECONDS, wait_before

NOW = datetime(2026, 12, 1, 10, tzinfo=UTC)


def ago(*seconds: float) -> list[datetime]:
    return [NOW - timedelta(seconds=one) for one in seconds]


@pytest.mark.parametrize(
    ("starts", "rpm", "wait"),
    [
        ((), 1, 0.0),
        ((5,), None, 0.0),
        ((5,), 2, 0.0),
        ((5,), 1, 55.0),
        ((0,), 1, 60.0),
        ((59.5,), 1, 0.5),
        ((60,), 1, 0.0),
        ((61,), 1, 0.0),
        ((50, 30, 10), 3, 10.0),
        ((10, 50, 30), 3, 10.0),
        ((50, 30, 10), 2, 30.0),
        ((50, 30, 10), 1, 50.0),
        ((50, 50, 50), 1, 10.0),
        ((90, 70, 10), 2, 0.0),
        ((-20,), 1, 80.0),
        ((-60, -3600), 1, 0.0),
    ],
)
def test_a_request_waits_until_the_minute_has_room(
    starts: Sequence[float], rpm: int | None, wait: float
) -> None:
    assert wait_before(ago(*starts), rpm, NOW) == wait


gaps = st.lists(st.floats(0, 90), max_size=40)


@given(gaps, st.integers(1, 10))
def test_no_minute_has_more_requests_than_allowed(gaps: Sequence[float], rpm: int) -> None:
    now, made = NOW, list[datetime]()
    for gap in gaps:
        now += timedelta(seconds=gap)
        now += timedelta(seconds=wait_before(made, rpm, now))
        made.append(now)
    for first in made:
        minute = [one for one in made if first <= one < first + timedelta(seconds=WINDOW_SECONDS)]
        assert len(minute) <= rpm


@given(gaps, st.integers(1, 10))
def test_nobody_waits_longer_than_needed(gaps: Sequence[float], rpm: int) -> None:
    now, made = NOW, list[datetime]()
    for gap in gaps:
        now += timedelta(seconds=gap)
        wait = wait_before(made, rpm, now)
        assert 0 <= wait <= WINDOW_SECONDS
        if wait:
            sooner = now + timedelta(seconds=wait) - timedelta(microseconds=2)
            assert wait_before(made, rpm, sooner) > 0
        now += timedelta(seconds=wait)
        made.append(now)
