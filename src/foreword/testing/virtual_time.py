"""Time that passes when somebody waits: schedules are tested without waiting.

Above: tests. Below: the fixed clock.
"""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

from foreword.testing.fixed_clock import START, FixedClock


class VirtualTime(FixedClock):
    """A clock whose `sleep` moves it on.

    time = VirtualTime()
    await time.sleep(600)
    assert time.slept == [600]
    """

    def __init__(self, start: datetime = START) -> None:
        """Start at an aware point in time."""
        super().__init__(start)
        self.slept: list[float] = []
        """Seconds that were slept, one entry for each call."""

    async def sleep(self, seconds: float) -> None:
        """Let so many seconds pass at once; others get their turn, and it can be cancelled."""
        self.slept.append(seconds)
        self.advance(timedelta(seconds=seconds))
        await asyncio.sleep(0)
