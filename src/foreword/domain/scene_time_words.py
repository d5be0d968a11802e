"""Words, signs and patterns by which a date or a time is told from other text.

Above: `scene_time`. Below: `calendar`. Invariant: every quantifier is bounded or single, so that a
line is read in linear time.
"""

from __future__ import annotations

import re
from typing import Final

from foreword.domain.calendar import MONTH, WEEKDAY, one_of

BRACKETS: Final = {
    "[": "]", "【": "】", "(": ")", "（": "）", "{": "}", "〔": "〕", "「": "」", "《": "》",
    "<": ">", "⟦": "⟧", "［": "］",
}  # fmt: skip

TIME_SIGNS: Final = (
    *"🕰⏰⏱⏲⌚⌛⏳🗓📅📆🌅🌇🌆",
    *map(chr, range(0x1F550, 0x1F568)),
)
"""Emoji that stand before a time or a date."""
NO_TIME_SIGNS: Final = tuple("📍🗺🏠🏛🌍🌎🌏🧭🏰🌡☁🌧⛈🌩🌨❄🌫🌬👗👤👥💭❤💬🎒💰⚔🎭")

_BEFORE_SIGN: Final = "(?=[" + "".join(map(re.escape, (*TIME_SIGNS, *NO_TIME_SIGNS))) + "])"
LINE_ENDS: Final = re.compile(rf"\s*[|｜¦│‖•]\s*|{_BEFORE_SIGN}")
"""Part the fields of any header line."""
FIELD_ENDS: Final = re.compile(rf"\s*[|｜¦│‖•]\s*|\s+[·/]\s+|[;；]\s*|{_BEFORE_SIGN}")
"""Part the fields of one in brackets, where sentences are not to be expected."""
OUT_OF_CHARACTER: Final = re.compile(r"\W{0,4}(?:OOC|out of character|note|a/n)\b", re.IGNORECASE)

TIME_LABELS: Final = frozenset(
    "time date day when clock calendar datetime current_date_time zeit datum uhrzeit tag wann "
    "heure jour quand hora fecha día cuándo ora data giorno quando dia tijd dag czas dzień čas den "
    "tid dato saat tarih gün время дата день час когда 時間 时间 時刻 日付 日期 日時 时刻 "
    "시간 날짜 الوقت التاريخ اليوم समय दिनांक तारीख thời ngày waktu tanggal".split()
)
DAY_LABELS: Final = frozenset(
    "day tag jour día giorno dia dag dzień den gün день اليوم ngày hari".split()
)
"""Labels that belong to what follows: a number of a day says nothing alone."""
LABEL: Final = re.compile(
    r"(?P<label>[^\W\d]{1,20}(?: [^\W\d]{1,12})?)(?:(?P<colon>\s?[:：=])\s*|\s(?=\d))"
)

_UNITS: Final = (
    "day night week month moon year season winter summer spring autumn cycle age turn tenday "
    "tag nacht woche monat jahr jour nuit semaine mois année día noche semana mes año giorno notte "
    "settimana mese anno dia noite mês ano dag nacht week maand jaar dzień noc tydzień miesiąc rok "
    "den noc dag natt vecka gün gece день ночь неделя месяц год ніч рік hari ngày اليوم يوم दिन"
)
_ORDINALS: Final = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth twentieth thirtieth last "
    "erster zweiter dritter erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte "
    "premier première deuxième troisième quatrième primer primera segundo tercero tercera primo "
    "terzo primeiro terceiro pierwszy drugi trzeci první druhý třetí первый второй третий"
)
_NUMBERS: Final = (
    "one two three four five six seven eight nine ten eleven twelve "
    "eins zwei drei vier fünf sechs sieben acht neun zehn un deux trois quatre cinq dix "
    "uno dos tres cuatro cinco due tre quattro один два три четыре пять"
)
_UNIT: Final = one_of(tuple(_UNITS.split()))
_ORDINAL: Final = one_of(tuple(_ORDINALS.split()))
_NUMBER: Final = one_of(tuple(_NUMBERS.split()))
_KANJI: Final = "[一二三四五六七八九十百千〇零元初\\d]{1,6}"
_L: Final = r"(?<![^\W\d_])"
_R: Final = r"(?![^\W\d_])"

DATE: Final = re.compile(
    r"(?<!\d)\d{3,4}-\d{1,2}-\d{1,2}(?!\d)"
    r"|(?<![\d./-])\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?![\d./-])"
    rf"|{_KANJI}[年月년월] ?(?:{_KANJI}[月月월] ?)?(?:{_KANJI}[日號号일])?|第{_KANJI}[天日夜年]"
    rf"|{_KANJI}日目"
    rf"|{_L}{_UNIT} {{0,2}}(?:[#№] ?|no\.? |nr\.? )?(?:\d{{1,6}}(?!\d|:)|{_NUMBER}{_R})"
    rf"|{_L}{_ORDINAL} {_UNIT}{_R}"
    rf"|(?<!\d)\d{{1,5}}(?:st|nd|rd|th|er|ème|\.|-й|-го|ª|º)? {_UNIT}{_R}"
    rf"|{_L}{WEEKDAY}{_R}"
    rf"|{_L}{MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?(?!\d|:)(?:,? \d{{2,5}}(?!\d|:))?"
    rf"|(?<!\d)\d{{1,2}}(?:st|nd|rd|th|er|º|\.)? (?:of |de |d['’])?{MONTH}{_R}\.?"
    r"(?:,? (?:de )?\d{2,5}(?!\d|:))?"
    r"|(?<!\d)\d{1,2}(?:st|nd|rd|th|\.)? (?:of |de )?(?:the )?[^\W\d_]{3,20},? "
    r"\d{2,5}(?!\d|[:.]\d)"
    r"|(?<!\d)\d{1,2}(?:st|nd|rd|th) (?:of )?(?:the )?[^\W\d_]{3,20}"
    r"|(?<![^\W\d_])[A-ZÀ-ÞА-Я][^\W\d_]{2,20} \d{1,2}(?:st|nd|rd|th)?,? \d{2,5}(?!\d|:)",
    re.IGNORECASE,
)
"""A day, a date or a year, as far as figures or known words tell."""

CLOCK: Final = re.compile(
    r"(?<![\d:：.])\d{1,2}[:：]\d{2}(?:[:：]\d{2})?(?![\d:：])"
    r"(?: ?[ap]\.? ?m\b\.?| (?:uhr|часов)\b)?"
    r"|(?<![\d:.])\d{1,2}(?: ?[ap]\.m\.| ?[ap]m\b| uhr\b| ?h ?\d{0,2}\b| o['’]clock\b| hours\b)"
    rf"|(?:{_KANJI}|\d{{1,2}})[時时点點시](?:半|{_KANJI}[分분])?|[午]?[前后後](?={_KANJI}[時时点])",
    re.IGNORECASE,
)
OF_DAY: Final = re.compile(
    rf"{_L}(?:(?:{_ORDINAL}|{_NUMBER}|\d{{1,2}}(?:st|nd|rd|th)?) )?(?:early |late |mid-?|the )?"
    r"(?:dawn|daybreak|sunrise|morning|noon|midday|afternoon|dusk|twilight|sunset|evening|night|"
    r"midnight|bells?|watch|hours?|morgen|morgens|vormittag|mittag|nachmittag|abend|abends|nacht|"
    r"mitternacht|glocke|stunde|matin|midi|après-midi|soir|nuit|minuit|heures?|mañana|tarde|noche|"
    r"mediodía|medianoche|mattina|sera|notte|manhã|noite|ochtend|avond|rano|wieczór|noc|утро|"
    r"утра|вечер|вечера|ночь|ночи|дня|полдень|полночь|صباحا|مساء|صباحًا|مساءً|सुबह|शाम|रात)"
    rf"{_R}(?: of the [^\W\d_]{{2,12}})?"
    r"|[早朝午前後后夜晚晨深]{1,3}(?=\W|$)|上午|下午|早上|晚上|오전|오후",
    re.IGNORECASE,
)
"""Parts of a day, which are no date by themselves."""
YEAR_ALONE: Final = re.compile(r"\d{1,5}(?: ?[^\W\d_]\.?[^\W\d_]?\.?)?(?: [^\W\d_]{1,12})?")
