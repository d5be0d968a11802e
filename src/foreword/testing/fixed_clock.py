"""A clock that stands still until it is told to go on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 1, tzinfo=UTC)


class FixedClock:
    """See `ports.clock.Clock`; the time is whatever the test says."""

    def __init__(self, start: datetime = START) -> None:
        """Start at an aware point in time.

        Raises:
            ValueError: `start` has no time zone.
        """
        if start.tzinfo is None:
            raise ValueError("a clock tells aware times: give the start a time zone")
        self._now = start.astimezone(UTC)

    def now(self) -> datetime:
        """See `Clock.now`."""
        return self._now

    def advance(self, by: timedelta) -> None:
        """Let time pass."""
        self._now += by
