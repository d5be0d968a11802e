"""Days and hours, however they are written.

Above: `traces`. Below: nothing. Invariant: patterns are bounded, so that reading is linear.

Source: issue 5, section 4.
"""

import re
from collections.abc import Iterator
from typing import Final

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january januar janvier enero gennaio janeiro января jan",
            "february februar fevrier febrero febbraio fevereiro февраля feb",
            "march marz mars marzo marco марта mar",
            "april avril abril aprile апреля apr",
            "may mai mayo maggio maio мая",
            "june juni juin junio giugno junho июня jun",
            "july juli juillet julio luglio julho июля jul",
            "august aout agosto августа aug",
            "september septembre septiembre settembre setembro сентября sep sept",
            "october oktober octobre octubre ottobre outubro октября oct okt",
            "november novembre noviembre novembro ноября nov",
            "december dezember decembre diciembre dicembre dezembro декабря dec dez",
        ),
        start=1,
    )
    for name in names.split()
}
_ISO: Final = re.compile(r"(?<!\d)\d{4}-(\d{2})-(\d{2})(?!\d)")
_FIGURES: Final = re.compile(r"(?<![\d./])(\d{1,2})[./](\d{1,2})[./]\d{2,4}(?![\d/])")
_EAST: Final = re.compile(r"(?<!\d)(\d{1,2})月(\d{1,2})[日号號]")
_CLOCK: Final = re.compile(
    r"(?<![\d:.])(\d{1,2})(?::(\d{2})|[ \u00a0]?[點点時时]|(?=[ \u00a0]?[ap]\.?m\b)"
    r"|(?=[ \u00a0]Uhr\b)|(?=[ \u00a0]o['’]clock\b))(?!\d)"
)
_HALF_DAY: Final = 720


def month_number(word: str) -> int:
    """Return the number of a month by its name, without accents and case; 0 for other words."""
    return _MONTHS.get(word, 0)


def days_written(line: str) -> Iterator[tuple[str, str]]:
    """Yield the day and the month of each date in figures; both ways where the order is open."""
    for found in _ISO.finditer(line):
        yield _day(found[2], found[1])
    for found in _EAST.finditer(line):
        yield _day(found[2], found[1])
    for found in _FIGURES.finditer(line):
        yield _day(found[1], found[2])
        yield _day(found[2], found[1])


def clock_minutes(line: str) -> Iterator[int]:
    """Yield the minutes since noon or midnight of each hour in figures."""
    for found in _CLOCK.finditer(line):
        yield (60 * int(found[1]) + int(found[2] or 0)) % _HALF_DAY


def _day(day: str, month: str) -> tuple[str, str]:
    return str(int(day)), f"month {int(month)}"
