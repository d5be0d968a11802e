"""What a text still tells of a specific, however it writes it.

Above: `survival`. Below: domain's specifics, number words and calendar. Invariant: what is traced
in a text is traced in every text that has it as its first lines, and looking takes time linear in
the text.

Source: issue 5, section 4.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Final

from foreword.domain.number_words import combine, han_value, is_joiner, number_value
from foreword.domain.specific_kinds import SpecificKind
from foreword.quality.dated import clock_minutes, days_written, month_number

Tokens = tuple[str, ...]

_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_TOKEN: Final = re.compile(
    r"(?P<digits>\d+(?:[.,'’\u00a0\u202f]\d+){0,12})"
    r"|(?P<han>[〇零一二两兩三四五六七八九十百千万萬]{1,16})"
    rf"|(?P<char>[{_UNSPACED}])|(?P<word>(?:(?![{_UNSPACED}])[^\W\d_]){{1,80}})"
    r"|(?P<sign>[$€£¥₹₽₩元円])"
)
_SIGNS: Final = {
    "$": "dollar",
    "€": "euro",
    "£": "pound",
    "¥": "yen",
    "円": "yen",
    "元": "yuan",
    "₽": "rubel",
    "₩": "won",
    "₹": "rupee",
    "usd": "dollar",
    "eur": "euro",
    "gbp": "pound",
    "jpy": "yen",
    "cny": "yuan",
}
_GROUPS: Final = re.compile(r"(?<=\d)[,.'’\u00a0\u202f](?=\d{3}(?!\d))")
_CYRILLIC_END: Final = re.compile(
    "(?<=[а-я]{3})(?:ами|ями|ого|его|ому|ему|ой|ей|ом|ем|ах|ях|ов|ев|ам|ям|ую|юю|ая|яя|ые|ие|ый|ий"
    "|ых|их|ым|им|[аоеыиуюяьй])$"
)
_PART: Final = re.compile(r"[\s・\-–.]+")
_NO_PART: Final = frozenset(
    "mr mrs ms dr st prof mme hr herr frau señor señora don doña of the de la von van der den di "
    "da des du le el al old sir lord lady capt captain".split()
)
_FILLERS: Final = frozenset(
    "a an the of de la le el der die das den ein eine einen um at in on per and th st nd rd".split()
)
_JOINED: Final = frozenset({" ", "-", "\u2010", "\u00a0"})
"""What may stand between the words of one number."""
_LONGEST_NUMBER: Final = 12
"""Words of one number."""
_NEAR: Final = 3
"""How many words may stand between two that belong together."""
_LEAST_PART: Final = 3
_SHARE_OF_PAIRS: Final = 0.5
"""Of the neighbouring characters of a thing that is written without spaces."""


@lru_cache(maxsize=8192)
def folded_word(word: str) -> str:
    """Return a word without case, accents and the endings that number and case put on it."""
    low = word.casefold()
    plain = low if low.isascii() else "".join(map(_bare, low))
    plain = _SIGNS.get(plain, plain)
    if month := month_number(plain):
        return f"month {month}"
    if len(plain) > _LEAST_PART and plain.endswith("s") and not plain.endswith("ss"):
        return plain[:-1]
    return _CYRILLIC_END.sub("", plain)


def _bare(char: str) -> str:
    if char == "ё":
        return "е"
    first = unicodedata.normalize("NFD", char)[0]
    return first if first < "\u0250" else char


def tokens_of(text: str, language: str) -> Tokens:
    """Return the words of a text, numbers as digits, signs and spaces left out."""
    found: list[str] = []
    run: list[int] = []
    end = 0
    for match in _TOKEN.finditer(text):
        kind, piece = match.lastgroup or "", match.group()
        value = number_value(piece, language) if kind == "word" else None
        joined = text[end : match.start()] in _JOINED
        if run and joined and value is None and is_joiner(piece):
            end = match.end()
            continue
        if run and (value is None or not joined or len(run) == _LONGEST_NUMBER):
            found.append(str(combine(run)))
            run = []
        end = match.end()
        if value is None:
            found.append(_token(kind, piece))
        else:
            run.append(value)
    return tuple([*found, str(combine(run))] if run else found)


def _token(kind: str, piece: str) -> str:
    match kind:
        case "digits":
            plain = _GROUPS.sub("", piece).replace(",", ".")
            plain = "".join(str(int(one)) if one.isdecimal() else one for one in plain)
            return plain.lstrip("0") or "0"
        case "han":
            return str(han_value(piece))
        case "sign":
            return _SIGNS[piece]
        case _:
            return folded_word(piece)


@dataclass(slots=True)
class _Words:
    """The words of a text in one language of number words."""

    lines: list[Tokens]
    near: set[tuple[str, str]] = field(default_factory=set)
    runs: dict[int, set[Tokens]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for line in self.lines:
            for at, first in enumerate(line):
                for second in line[at + 1 : at + 2 + _NEAR]:
                    self.near.add((first, second))
                    self.near.add((second, first))

    def has(self, wanted: Tokens) -> bool:
        """Say whether the words stand there one after the other, on one line."""
        size = min(len(wanted), _LONGEST)
        if size not in self.runs:
            self.runs[size] = {
                line[at : at + size] for line in self.lines for at in range(len(line) - size + 1)
            }
        known = self.runs[size]
        return all(wanted[at : at + size] in known for at in range(len(wanted) - size + 1))


_LONGEST: Final = 8
"""Of a longer run of words every stretch of so many has to be there."""


class Traces:
    """A text in which specifics are looked for."""

    def __init__(self, text: str, languages: Collection[str]) -> None:
        lines = [line for line in text.splitlines() if line.strip()]
        self._words = [
            _Words([tokens_of(line, language) for line in lines]) for language in sorted(languages)
        ]
        capital = (word for line in lines for word in _capitals(line))
        self._capital = {folded_word(word) for word in capital}
        self._days = {day for line in lines for day in days_written(line)}
        self._clocks = {minutes for line in lines for minutes in clock_minutes(line)}

    def has(self, wanted: Tokens) -> bool:
        """Say whether words stand there one after the other."""
        return bool(wanted) and any(words.has(wanted) for words in self._words)

    def near(self, first: str, second: str) -> bool:
        """Say whether two words stand near each other."""
        return any((first, second) in words.near for words in self._words)

    def tells(self, kind: SpecificKind, text: str, language: str) -> bool:
        """Say whether the text tells a specific, perhaps in another way."""
        wanted = tokens_of(text, language)
        if self.has(wanted):
            return True
        match kind:
            case SpecificKind.NUMBER | SpecificKind.MONEY:
                return self._counts(wanted)
            case SpecificKind.DATE:
                return self._dates(text, wanted)
            case SpecificKind.TIME:
                return any(minutes in self._clocks for minutes in clock_minutes(text))
            case SpecificKind.OBJECT:
                return self._shows(wanted)
            case SpecificKind.PATH | SpecificKind.URL | SpecificKind.ERROR:
                return self.has(tokens_of(_in_short(kind, text), language))
            case _:
                return False

    def names(self, part: Tokens) -> bool:
        """Say whether a part of a name stands there as a name."""
        plain = all(not token[:1].islower() or token in self._capital for token in part)
        return (plain or _caseless(part)) and self.has(part)

    def _counts(self, wanted: Tokens) -> bool:
        """A number and what it counts, however much stands between them."""
        numbers = [token for token in wanted if token[0].isdigit()]
        things = [token for token in wanted if not token[0].isdigit() and token not in _FILLERS]
        return bool(numbers and things) and self.near(numbers[0], things[0])

    def _dates(self, text: str, wanted: Tokens) -> bool:
        """A day and its month; the year may be missing."""
        numbers = [token for token in wanted if token[0].isdigit()][:1]
        named = [token for token in wanted if not token[0].isdigit() and token not in _FILLERS]
        months = [name for name in named if name != "day"] or named
        days = [*days_written(text), *((number, month) for number in numbers for month in months)]
        return any(day in self._days or self.near(*day) for day in days)

    def _shows(self, wanted: Tokens) -> bool:
        """The thing itself and one word about it."""
        words = [token for token in wanted if token not in _FILLERS]
        if len(words) > 1 and all(len(token) == 1 for token in words):
            words = words[2 * words[0].isdigit() :]
            pairs = list(pairwise(words))
            found = sum(self.has(pair) for pair in pairs)
            return found > 0 and found >= _SHARE_OF_PAIRS * len(pairs)
        if len(words) < 2:
            return self.has(tuple(words))
        return any(self.near(*pair) for pair in combinations(words, 2))


def name_parts(text: str, language: str) -> tuple[Tokens, ...]:
    """Return the parts of a name by which a text may call its bearer; none for a single word."""
    parts = [part for part in _PART.split(text) if part]
    if len(parts) < 2:
        return ()
    kept = (part for part in parts if part.casefold() not in _NO_PART and len(part) >= 2)
    folded = (tokens_of(part, language) for part in kept)
    return tuple(
        part for part in folded if sum(map(len, part)) >= (2 if _caseless(part) else _LEAST_PART)
    )


def _in_short(kind: SpecificKind, text: str) -> str:
    """Return a file without its folders, an address without its scheme, an error without more."""
    if kind is SpecificKind.PATH:
        return re.split(r"[/\\]", text.rstrip("/\\"))[-1]
    return text.partition("://")[2] if kind is SpecificKind.URL else text.partition(":")[0]


def _caseless(part: Sequence[str]) -> bool:
    return all(not token[:1].islower() for token in part)


def _capitals(line: str) -> Iterator[str]:
    for match in _TOKEN.finditer(line):
        if match.lastgroup == "word" and match.group()[0].isupper():
            yield match.group()
