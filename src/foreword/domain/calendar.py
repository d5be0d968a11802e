"""The Gregorian calendar as stories write it: names of months and weekdays, and the right weekday.

Above: `scene_time`. Below: nothing. Invariant: a date that is not surely Gregorian, because of its
month, its year or the era behind it, is left as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Final

FIRST_YEAR: Final = 1583
"""The first whole year of the Gregorian calendar."""

WEEKDAYS: Final = tuple(
    tuple(words.split())
    for words in (
        "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
        "Mon Tue Wed Thu Fri Sat Sun",
        "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
        "lunes martes miércoles jueves viernes sábado domingo",
        "lunedì martedì mercoledì giovedì venerdì sabato domenica",
        "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
        "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
        "poniedziałek wtorek środa czwartek piątek sobota niedziela",
        "pondělí úterý středa čtvrtek pátek sobota neděle",
        "måndag tisdag onsdag torsdag fredag lördag söndag",
        "mandag tirsdag onsdag torsdag fredag lørdag søndag",
        "pazartesi salı çarşamba perşembe cuma cumartesi pazar",
        "понедельник вторник среда четверг пятница суббота воскресенье",
        "понеділок вівторок середа четвер п'ятниця субота неділя",
        "月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日",
        "星期一 星期二 星期三 星期四 星期五 星期六 星期日",
        "周一 周二 周三 周四 周五 周六 周日",
        "월요일 화요일 수요일 목요일 금요일 토요일 일요일",
        "الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد",
        "सोमवार मंगलवार बुधवार गुरुवार शुक्रवार शनिवार रविवार",
    )
)
"""From Monday on, in one language and one length each."""

_MONTHS: Final = (
    "January February March April May June July August September October November December",
    "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października "  # noqa: ISC004
    "listopada grudnia",
    "ledna února března dubna května června července srpna září října listopadu prosince",
    "januari februari mars april maj juni juli augusti september oktober november december",
    "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
    "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
)

MONTHS: Final[Mapping[str, int]] = {
    word.casefold(): number
    for words in _MONTHS
    for number, word in enumerate(words.split(), start=1)
} | {"sept": 9, "jänner": 1}
"""The number of every month by its name, case folded."""


def one_of(words: Mapping[str, object] | tuple[str, ...]) -> str:
    """Return a pattern for any of some words, the longest first."""
    return "(?:" + "|".join(map(re.escape, sorted(words, key=len, reverse=True))) + ")"


MONTH: Final = one_of(MONTHS)
_WEEKDAY_AT: Final[Mapping[str, tuple[int, int]]] = {
    word.casefold(): (family, number)
    for family, words in reversed(list(enumerate(WEEKDAYS)))
    for number, word in enumerate(words)
}
WEEKDAY: Final = one_of(_WEEKDAY_AT)
_A_WEEKDAY: Final = re.compile(rf"(?<![^\W\d_]){WEEKDAY}(?![^\W\d_])", re.IGNORECASE)

_ISO: Final = re.compile(r"(?<!\d)(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})(?!\d)")
_SIGNS: Final = re.compile(r"(?P<y>\d{4})[年년] ?(?P<m>\d{1,2})[月월] ?(?P<d>\d{1,2})[日일號号]")
_MONTH_FIRST: Final = re.compile(
    rf"(?<![^\W\d_])(?P<m>{MONTH})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{4}})(?!\d)",
    re.IGNORECASE,
)
_DAY_FIRST: Final = re.compile(
    r"(?<!\d)(?P<d>\d{1,2})(?:st|nd|rd|th|er|º|\.)? (?:of |de |d['’])?"
    rf"(?P<m>{MONTH})\.?,? (?:de )?(?P<y>\d{{4}})(?!\d)",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(
    r"\s*(?:$|[,;|()\[\]–—-]|\d"
    r"|(?:A\.?D|C\.?E|n\. ?Chr|d\. ?C|apr?\. J\.?-?C|н\. ?э)\.?(?![^\W_])"
    rf"|(?:at|um|à|г|року?|года)\b|{WEEKDAY}(?![^\W\d_]))",
    re.IGNORECASE,
)
"""What may stand behind a Gregorian date; any other word could be the era of another calendar."""


def with_right_weekday(text: str) -> str:
    """Return `text` with the weekday that its Gregorian date really has.

    A text with no such date, with several, or with other than one weekday comes back unchanged.
    """
    days = list(_A_WEEKDAY.finditer(text))
    known = _gregorian(text)
    if len(days) != 1 or known is None:
        return text
    found = days[0]
    family, number = _WEEKDAY_AT[found[0].casefold()]
    if number == known.weekday():
        return text
    right = _written_like(WEEKDAYS[family][known.weekday()], found[0])
    return text[: found.start()] + right + text[found.end() :]


def _gregorian(text: str) -> date | None:
    """Return the one Gregorian date of a text."""
    found = [
        match
        for pattern in (_ISO, _SIGNS, _MONTH_FIRST, _DAY_FIRST)
        for match in pattern.finditer(text)
    ]
    if len(found) != 1 or _BEHIND.match(text, found[0].end()) is None:
        return None
    year, day = int(found[0]["y"]), int(found[0]["d"])
    month = found[0]["m"].casefold()
    try:
        known = date(year, MONTHS[month] if month in MONTHS else int(month), day)
    except ValueError:
        return None
    return known if year >= FIRST_YEAR else None


def _written_like(word: str, model: str) -> str:
    if model.isupper() and len(model) > 1:
        return word.upper()
    return word[0].upper() + word[1:] if model[:1].isupper() else word.lower()
