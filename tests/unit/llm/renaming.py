"""A text with every name and number exchanged, the same way wherever it is applied."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

Shape = Callable[[random.Random, str], str]

UNITS = "zero one two three four five six seven eight nine".split()
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split()
CARDINALS = {
    **{number: word for number, word in enumerate(UNITS) if number > 1},
    **{10 + number: word for number, word in enumerate(TEENS)},
    **{10 * number: word for number, word in enumerate(TENS) if number > 1},
}
"""Without zero and one, which are other words as well."""
ORDINALS = {
    **dict(zip(range(4, 10), "fourth fifth sixth seventh eighth ninth".split(), strict=True)),
    **{10 + number: f"{word}th" for number, word in enumerate(TEENS) if number != 2},
    12: "twelfth",
    **{10 * number: f"{word[:-1]}ieth" for number, word in enumerate(TENS) if number > 1},
}
"""Without first to third, which are other words as well."""
VALUES = {word: number for names in (CARDINALS, ORDINALS) for number, word in names.items()}
NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(VALUES)})\b", re.IGNORECASE)
WORD = re.compile(r"[^\W\d_]{2,}")
NO_NAMES = frozenset(
    "Mr Dr St Mistress Monsieur Sister Sunday Monday Mondays Tuesday Wednesday Thursday Friday "
    "Saturday January February March April June July August September October November "
    "December".split()
)
"""Titles and calendars: shared by all stories, so no story's names."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Another digit or part of a number word in the place of each."""

    units: Mapping[int, int]
    teens: Mapping[int, int]
    tens: Mapping[int, int]
    zeros: int = 0
    """So many are added to figures of two digits and more."""

    def __call__(self, text: str) -> str:
        text = re.sub(r"\d+", lambda found: self._digits(found[0]), text)
        text = re.sub(r"(\d+)(?:st|nd|rd|th)\b", lambda found: _ordinal(found[1]), text)
        return NUMBER_WORD.sub(lambda found: self._word(found[0]), text)

    def _digits(self, digits: str) -> str:
        if len(digits) == 2 and digits[0] == "1":
            return str(self.teens[int(digits)]) + "0" * self.zeros
        places = (self.tens if place == 2 else self.units for place in range(len(digits), 0, -1))
        moved = "".join(str(of[int(digit)]) for of, digit in zip(places, digits, strict=True))
        return moved + "0" * (self.zeros if len(digits) > 1 else 0)

    def _word(self, word: str) -> str:
        folded = word.casefold()
        value = VALUES[folded]
        if value < 10:
            new = self.units[value]
        else:
            new = self.teens[value] if value < 20 else 10 * self.tens[value // 10]
        written = (CARDINALS if folded in CARDINALS.values() else ORDINALS)[new]
        return written.capitalize() if word[0].isupper() else written


def _ordinal(digits: str) -> str:
    if digits.endswith(("11", "12", "13")):
        return f"{digits}th"
    return digits + {"1": "st", "2": "nd", "3": "rd"}.get(digits[-1], "th")


def other_numbers(seed: int, *, zeros: int = 0) -> Numbers:
    """Numbers by other numbers of the same kind, so that equal ones stay equal."""
    draw = random.Random(seed)
    return Numbers(
        units={0: 0, 1: 1, **_exchanged(draw, range(2, 4)), **_exchanged(draw, range(4, 10))},
        teens=_exchanged(draw, range(10, 20)),
        tens={0: 0, 1: 1, **_exchanged(draw, range(2, 10))},
        zeros=zeros,
    )


def _exchanged(draw: random.Random, values: range) -> dict[int, int]:
    return dict(zip(values, draw.sample(values, len(values)), strict=True))


def names_of(texts: Iterable[str]) -> list[str]:
    """Words that stand inside sentences with one capital, and nowhere without it.

    `KeyError` and `README` are no names: no person's name could stand in their place.
    """
    inside: set[str] = set()
    small: set[str] = set()
    for text in texts:
        for found in WORD.finditer(text):
            word, before = found[0], text[: found.start()].rstrip(" \"'“”‘’*([-–—")
            if word[0].islower():
                small.add(word)
            elif word.istitle() and before and before[-1] not in ".!?:…\n":
                inside.add(word)
    return sorted(word for word in inside if word.casefold() not in small and word not in NO_NAMES)


def other_names(seed: int, names: Iterable[str], shape: Shape) -> Callable[[str], str]:
    """Exchange names for invented ones of one shape."""
    draw = random.Random(seed)
    taken = set(names)
    others: dict[str, str] = {}
    for name in sorted(taken):
        while name not in others or others[name] in taken:
            others[name] = shape(draw, name)
        taken.add(others[name])
    return lambda text: WORD.sub(lambda found: others.get(found[0], found[0]), text)


def alike(draw: random.Random, name: str) -> str:
    """As long, with vowels where the name has them."""
    letters = (
        draw.choice("aeiou" if c in "aeiouyéöäåüø" else "bdfgklmnprstv") for c in name.lower()
    )
    word = "".join(letters)
    return word.upper() if name.isupper() else word.capitalize()


def spelled(consonants: str, vowels: str, syllables: int) -> Shape:
    """So many syllables of these letters."""

    def shape(draw: random.Random, _: str) -> str:
        letters = (draw.choice(consonants) + draw.choice(vowels) for _ in range(syllables))
        return "".join(letters).capitalize()

    return shape


SHORT = spelled("BDFGKLMNPRSTVZ", "aeiou", 1)
LONG = spelled("bdfgklmnprstvz", "aeiou", 6)
ACCENTED = spelled("ðþçñšžłřďģ", "åéöøýüłāő", 3)
CYRILLIC = spelled("бвгджзклмнпрст", "аеиоуыя", 3)
GREEK = spelled("βγδζκλμνπρστφχ", "αεηιου", 3)
ARABIC = spelled("بتجدرزسشعفقكلم", "اوي", 2)
HEBREW = spelled("בגדזחטכלמנסעפק", "אוי", 2)
KATAKANA = spelled("カキサシタチナハマミ", "アイルンロラ", 2)
HAN = spelled("李王张陈林赵周吴郑冯蒋沈韩杨", "雷芳娜敏静强磊洋婷宇浩欣", 1)
OTHER_SHAPES = {
    "short": SHORT,
    "long": LONG,
    "accented": ACCENTED,
    "cyrillic": CYRILLIC,
    "greek": GREEK,
    "arabic": ARABIC,
    "hebrew": HEBREW,
    "katakana": KATAKANA,
    "han": HAN,
}
