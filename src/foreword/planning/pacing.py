"""Pacing: how long to wait so that no minute has more requests than a route may make.

Above: engine, which waits. Below: nothing.

Source: issue 3, section 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

WINDOW_SECONDS = 60.0


def wait_before(starts: Sequence[datetime], rpm: int | None, now: datetime) -> float:
    """Return the seconds until one more request may be made.

    Args:
        starts: when earlier requests were made, in any order; what is more than `WINDOW_SECONDS`
            ahead was noted by a clock that was wrong and does not count.
        rpm: most requests in any `WINDOW_SECONDS`; None for any number.
        now: the time now.
    """
    if rpm is None:
        return 0.0
    window = timedelta(seconds=WINDOW_SECONDS)
    recent = sorted(start for start in starts if now - window < start < now + window)
    if len(recent) < rpm:
        return 0.0
    return (recent[-rpm] + window - now).total_seconds()
