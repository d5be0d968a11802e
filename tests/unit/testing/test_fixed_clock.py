from datetime import UTC, datetime, timedelta, timezone

import pytest

from foreword.ports.clock import Clock
from foreword.testing.fixed_clock import START, FixedClock


def test_a_fixed_clock_stands_until_it_is_told_to_go_on() -> None:
    clock = FixedClock()
    told: Clock = clock
    assert (told.now(), told.now()) == (START, START)
    clock.advance(timedelta(hours=2))
    assert told.now() == datetime(2026, 1, 1, 2, tzinfo=UTC)


def test_a_fixed_clock_tells_the_time_in_utc() -> None:
    start = datetime(2026, 1, 1, 12, tzinfo=timezone(timedelta(hours=2)))
    assert FixedClock(start).now().isoformat() == "2026-01-01T10:00:00+00:00"


def test_a_fixed_clock_wants_an_aware_time() -> None:
    with pytest.raises(ValueError, match="time zone"):
        FixedClock(datetime(2026, 1, 1))  # noqa: DTZ001 - the naive time that is refused
