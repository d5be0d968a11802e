"""Numbers written as words: "three hundred and forty" is 340.

Above: `specifics` finds and normalises numbers with it. Below: nothing. Invariant: a word is a
number word only in the table of the language asked for, so "elf" stays a creature in English.
"""

from collections.abc import Mapping, Sequence
from typing import Final

_EN_UNITS: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_EN_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_EN_ORDINALS: Final = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
).split()
_EN_ORDINAL_TENS: Final = (
    "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth"
).split()
_DE_UNITS: Final = (
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn "
    "fünfzehn sechzehn siebzehn achtzehn neunzehn"
).split()
_DE_TENS: Final = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()
_FR_UNITS: Final = (
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
).split()
_FR_TENS: Final = "vingt trente quarante cinquante soixante".split()
_ES_UNITS: Final = (
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince "
    "dieciséis diecisiete dieciocho diecinueve"
).split()
_ES_TENS: Final = "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()


def _table(units: Sequence[str], tens: Sequence[str], scales: Mapping[str, int]) -> dict[str, int]:
    table = {word.casefold(): value for value, word in enumerate(units)}
    table.update({word.casefold(): 20 + 10 * step for step, word in enumerate(tens)})
    table.update(scales)
    return table


def _german() -> dict[str, int]:
    table = _table(_DE_UNITS, _DE_TENS, {"hundert": 100, "tausend": 1000})
    for step, ten in enumerate(_DE_TENS):
        for value, one in enumerate(("ein", *_DE_UNITS[2:10]), start=1):
            table[f"{one}und{ten}".casefold()] = 20 + 10 * step + value
    return table


def _german_compound(word: str) -> int | None:
    """Value of "dreihundertzwanzig"; None for other words."""
    for scale, size in (("tausend", 1000), ("hundert", 100)):
        left, found, right = word.partition(scale)
        if found:
            times = 1 if left in {"", "ein"} else number_value(left, "de")
            rest = number_value(right.removeprefix("und"), "de") if right else 0
            return None if times is None or rest is None else times * size + rest
    return None


_TABLES: Final[Mapping[str, Mapping[str, int]]] = {
    "en": {
        **_table(_EN_UNITS, _EN_TENS, {"hundred": 100, "thousand": 1000, "million": 1_000_000}),
        **_table(_EN_ORDINALS, _EN_ORDINAL_TENS, {"hundredth": 100, "dozen": 12}),
    },
    "de": _german(),
    "fr": _table(_FR_UNITS, _FR_TENS, {"cent": 100, "cents": 100, "mille": 1000}),
    "es": _table(_ES_UNITS, _ES_TENS, {"cien": 100, "ciento": 100, "mil": 1000}),
}
_VAGUE: Final = frozenset({"one", "first", "second", "un", "uno", "once", "zeroth"})
"""Words that are far more often a pronoun, an article or an adverb than a count."""
_JOINERS: Final = frozenset({"and", "y", "et"})
_HAN_DIGITS: Final = {char: value for value, char in enumerate("〇一二三四五六七八九")} | {
    "两": 2,
    "兩": 2,
    "零": 0,
}
_HAN_SCALES: Final = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "萬": 10_000}
_MAX_COMPOUND: Final = 60
_SCALE: Final = 100


def number_value(word: str, language: str) -> int | None:
    """Value of one word or hyphenated compound, None when it is not a number word."""
    table = _TABLES.get(language, _TABLES["en"])
    folded = word.casefold()
    if folded in table:
        return table[folded]
    if language == "de" and len(folded) <= _MAX_COMPOUND:
        return _german_compound(folded)
    parts = folded.split("-")
    if len(parts) == 1 or not all(part in table or part in _JOINERS for part in parts):
        return None
    return combine([table[part] for part in parts if part in table])


def is_vague(word: str) -> bool:
    """True for number words that rarely count anything when they stand alone."""
    return word.casefold() in _VAGUE


def is_joiner(word: str) -> bool:
    """True for the "and" inside "three hundred and forty"."""
    return word.casefold() in _JOINERS


def combine(values: Sequence[int]) -> int:
    """Value of consecutive number words: 3, 100, 40 is 340; 2, 1000, 5 is 2005."""
    total = current = 0
    for value in values:
        if value >= _SCALE * 10:
            total += max(current, 1) * value
            current = 0
        elif value == _SCALE:
            current = max(current, 1) * value
        else:
            current += value
    return total + current


def han_value(text: str) -> int:
    """Value of a numeral in Han characters: 三百四十 is 340, 一九 is 19."""
    if not any(char in _HAN_SCALES for char in text):
        return int("".join(str(_HAN_DIGITS.get(char, 0)) for char in text) or "0")
    total = section = digit = 0
    for char in text:
        scale = _HAN_SCALES.get(char)
        if scale is None:
            digit = _HAN_DIGITS.get(char, 0)
        elif scale == _HAN_SCALES["万"]:
            total += max(section + digit, 1) * scale
            section = digit = 0
        else:
            section += max(digit, 1) * scale
            digit = 0
    return total + section + digit
