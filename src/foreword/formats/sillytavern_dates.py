"""The four forms in which SillyTavern has written times over the years.

Below `sillytavern_export`. Invariant: a time that was read is written again in the form of its
neighbour, to the precision that the form has; times without a zone are taken as UTC.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from foreword.formats.json_lines import JsonValue

_MONTHS: Final = (
    "January February March April May June July August September October November December"
).split()
_ENGLISH: Final = re.compile(
    r"\s*([A-Za-z]{3,9})\s+(\d{1,2}),?\s+(\d{4})\s+(\d{1,2}):(\d\d)\s*([ap]m)?\s*", re.IGNORECASE
)
_HUMANISED: Final = re.compile(
    r"\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*@\s*(\d{1,2})h\s*(\d{1,2})m\s*(?:(\d{1,2})s)?"
    r"\s*(?:(\d{1,3})ms)?\s*"
)
_FAR: Final = 253_402_300_799_000
"""Milliseconds to the end of the year 9999."""


def instant_of(value: JsonValue) -> datetime | None:
    """Return the time that a `send_date` of any form says, or None where it says none."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _epoch(value)
    if not isinstance(value, str):
        return None
    try:
        if value.strip().isascii() and value.strip().isdigit():
            return _epoch(int(value.strip()[:20]))
        return _english(value) or _humanised(value) or _iso(value)
    except ValueError:
        return None


def written_like(instant: datetime, neighbour: JsonValue) -> JsonValue:
    """Return a time in the form of a neighbouring `send_date`; ISO 8601 where that has none."""
    instant = instant.astimezone(UTC)
    if isinstance(neighbour, int | float) and not isinstance(neighbour, bool):
        return int(instant.timestamp() * 1000)
    text = neighbour if isinstance(neighbour, str) else ""
    if _ENGLISH.fullmatch(text):
        clock = f"{(instant.hour + 11) % 12 + 1}:{instant:%M}{'pm' if instant.hour > 11 else 'am'}"
        return f"{_MONTHS[instant.month - 1]} {instant.day}, {instant.year} {clock}"
    if _HUMANISED.fullmatch(text):
        thousandths = f"{instant.microsecond // 1000}ms" if text.strip().endswith("ms") else ""
        return f"{instant:%Y-%m-%d@%Hh%Mm%Ss}{thousandths}"
    return instant.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _epoch(value: float) -> datetime | None:
    if not 0 < value < _FAR:
        return None
    return datetime.fromtimestamp(value / 1000, UTC)


def _english(text: str) -> datetime | None:
    found = _ENGLISH.fullmatch(text)
    if not found:
        return None
    months = [month for month in _MONTHS if month[:3].lower() == found[1][:3].lower()]
    if not months:
        return None
    hour = int(found[4])
    if found[6]:
        hour = hour % 12 + (12 if found[6].lower() == "pm" else 0)
    month = _MONTHS.index(months[0]) + 1
    return datetime(int(found[3]), month, int(found[2]), hour, int(found[5]), tzinfo=UTC)


def _humanised(text: str) -> datetime | None:
    found = _HUMANISED.fullmatch(text)
    if not found:
        return None
    year, month, day, hour, minute, second, thousandths = (int(one or 0) for one in found.groups())
    return datetime(year, month, day, hour, minute, second, thousandths * 1000, tzinfo=UTC)


def _iso(text: str) -> datetime:
    found = datetime.fromisoformat(text.strip())
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found
