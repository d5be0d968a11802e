"""Specifics that stand in words: names, counted things, named days, objects.

Above: `specifics`. Below: number words. Invariant: one pass over the words collects what is
known of each (seen in lower case, seen with a capital inside a sentence), a second one decides;
texts without capital letters still yield numbers and objects, and words of such a script that are
few in a text of another one are names.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from foreword.domain.number_words import is_joiner, is_vague, number_value
from foreword.domain.specific_kinds import SpecificKind

Span = tuple[SpecificKind, int, int]

_INDIC: Final = (
    "\u0900-\u0963\u0966-\u0df3\u0e00-\u0e3e\u0e40-\u0e4e\u0e50-\u0eff\u0f00-\u109f\u1780-\u17d3"
)
_MARKS: Final = (
    "\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u0669\u0670\u06d6-\u06dc"
)
_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3005"
_KATA: Final = "\u30a1-\u30fa\u30fc"
_WORD: Final = re.compile(
    rf"(?P<han>[{_HAN}\u3007]+)|(?P<kata>[{_KATA}]+(?:・[{_KATA}]+){{0,5}})|[\u3040-\u309f]+"
    rf"|(?P<digits>\d+(?:[.,'’\u00a0\u202f:]\d+){{0,8}})"
    rf"|(?P<word>(?:[^\W\d_{_HAN}\u3040-\u30ff]|[{_INDIC}{_MARKS}])+"
    rf"(?:['’-](?:[^\W_{_HAN}\u3040-\u30ff]|[{_INDIC}{_MARKS}])+){{0,6}})"
)
_SENTENCE_END: Final = frozenset('.!?…:|\n。！？।؟([{*_>"“«„「『')
_SKIPPED: Final = frozenset(" \t\u00a0\"'“”‘’«»„*_-–—")
_LINKS: Final = frozenset(
    "of the de la le les du des von van der den di da del della dos al el bin ibn ten zu y".split()
)
_TITLES: Final = frozenset("mr mrs ms dr st prof mme hr fr sr sra capt lt sgt".split())
_ARTICLES: Final = {
    "en": frozenset({"a", "an"}),
    "de": frozenset("ein eine einen einem einer eines".split()),
    "fr": frozenset({"un", "une"}),
    "es": frozenset({"un", "una", "unos", "unas"}),
    "it": frozenset({"un", "uno", "una", "un'"}),
    "pt": frozenset({"um", "uma"}),
    "nl": frozenset({"een"}),
    "sv": frozenset({"en", "ett"}),
    "da": frozenset({"en", "et"}),
}
_PHRASE_END: Final = frozenset(
    "of with in on at to and or that which who is was for from as by than the but if when so it "
    "he she i you they we into like under over his her its my your their our not be are were had "
    "has because while until where through out down up off onto upon behind beneath after "
    "und oder mit in im am an auf zu der die das von aus für als wie et ou avec dans sur en "
    "de du des que qui pour y o con por para e di da che per och med på i till som".split()
)
_OPENERS: Final = frozenset(
    "then now there here once today yesterday tomorrow later soon perhaps maybe still yet only "
    "even dann jetzt heute gestern morgen später bald da luego entonces ayer hoy mañana puis alors "
    "aujourd'hui demain потом затем тогда вчера сегодня завтра теперь".split()
)
"""Adverbs that open a sentence with a capital, often right before a name."""
_NOT_PLURAL: Final = re.compile(
    r".*(?:ss|us|is|as|['’]s)|lens|series|species|crossroads|gallows|means|works"
)
_GLUE: Final = frozenset({" ", "  ", "\u00a0", "' ", "’ ", "\u202f"})
_RATE: Final = frozenset({"a", "an", "per", "pro", "je", "each", "par"})
_DAY_LINKS: Final = frozenset({"of", "de"})
_CLOCK_LINKS: Final = frozenset({"to", "past", "before"})
_PRONOUN: Final = re.compile(r"I(?:['’](?:m|d|ll|ve|s))?\Z")
_HAN_FUNCTION: Final = re.compile(
    "[的了是在我你您他她它们們这這那哪不没沒和与與就也都还還又很着著过過到从從对對把被给給"
    "让讓向往跟但而却卻因为為所以如果吗嗎呢吧啊么麼什怎会會能可要想说說道去来來上下里裡"
    "个個只有人之其并並且再才已经經叫]+"
)
_HAN_COUNT: Final = re.compile(r"[〇零一二两兩三四五六七八九十百千万萬]{1,12}")
_HAN_CALLED: Final = "叫"
_HAN_PLACES: Final = frozenset("镇鎮村城县縣市楼樓州省国國寺庙廟宫宮街岛島湖")
_HAN_NAME: Final = 4
_HAN_UNIT: Final = 3
_HAN_PHRASE: Final = 4
_LONG_NOUN: Final = 9
_MIN_UNCASED: Final = 4
_MAX_HAN: Final = 8
_MAX_RUN: Final = 6
_MAX_PHRASE: Final = 3
_RARE: Final = 3
_FEW: Final = 5
"""Less than one word in so many: the script is not the text's own."""


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    folded: str
    start: int
    end: int
    opens: bool
    """First word of a sentence, a line or a quotation, where a capital says nothing."""
    glued: bool
    """Only spaces stand between this word and the one before."""

    @property
    def capital(self) -> bool:
        return self.text[0].isupper() and not _PRONOUN.match(self.text)

    @property
    def cased(self) -> bool:
        return self.text[0].isupper() or self.text[0].islower()


def worded(text: str, language: str) -> Iterator[Span]:
    """Names, counted things and objects of `text` in text order within each script."""
    words: list[_Word] = []
    runs: list[re.Match[str]] = []
    for match in _WORD.finditer(text):
        if match.lastgroup == "kata":
            yield from _katakana(match)
        elif match.lastgroup == "han":
            runs.append(match)
        elif match.lastgroup is not None:
            words.append(_word(text, match, words))
    foreign = len(runs) * _FEW < len(words)
    for run in runs:
        yield from _han(run.group(), run.start(), foreign=foreign)
    yield from _Reader(words, language).read()


def _word(text: str, match: re.Match[str], before: Sequence[_Word]) -> _Word:
    start = match.start()
    gap = text[before[-1].end : start] if before else "\n"
    title = bool(before) and before[-1].folded in _TITLES and gap == ". "
    opens = not title and any(char in _SENTENCE_END for char in gap)
    return _Word(
        text=match.group(),
        folded=match.group().casefold(),
        start=start,
        end=match.end(),
        opens=opens,
        glued=title or gap in _GLUE,
    )


def _katakana(match: re.Match[str]) -> Iterator[Span]:
    if len(match.group()) > 1:
        yield SpecificKind.NAME, match.start(), match.end()


def _han(run: str, offset: int, *, foreign: bool) -> Iterator[Span]:
    """Counted things, and what stands between them and function characters.

    A short run in a text of another script is a name.
    """
    if foreign and 2 <= len(run) <= _HAN_NAME and _HAN_COUNT.match(run) is None:
        yield SpecificKind.NAME, offset, offset + len(run)
        return
    at = 0
    for count in _HAN_COUNT.finditer(run):
        # One alone is an article: "one bit", "one copper box".
        single = count.group() == "一"
        end = _han_noun_end(run, count.end(), _HAN_PHRASE if single else _HAN_UNIT)
        if count.start() < at or end == count.end() or (single and end - count.end() < _HAN_UNIT):
            continue
        yield from _han_between(run, at, count.start(), offset)
        kind = SpecificKind.OBJECT if single else SpecificKind.NUMBER
        yield kind, offset + count.start(), offset + end
        at = end
    yield from _han_between(run, at, len(run), offset)


def _han_noun_end(run: str, start: int, limit: int) -> int:
    """End of a measure word and its noun; the first character may be one of any kind."""
    end = min(start + 1, len(run))
    while end < min(start + limit, len(run)) and not _HAN_FUNCTION.match(run, end):
        end += 1
    return end


def _han_between(run: str, start: int, end: int, offset: int) -> Iterator[Span]:
    at = start
    for gap in _HAN_FUNCTION.finditer(run, start, end):
        yield from _han_words(run, at, gap.start(), offset)
        at = gap.end()
    yield from _han_words(run, at, end, offset)


def _han_words(run: str, start: int, end: int, offset: int) -> Iterator[Span]:
    if not 2 <= end - start <= _MAX_HAN:
        return
    called = start > 0 and run[start - 1] in _HAN_CALLED and end - start <= _HAN_NAME
    place = run[end - 1] in _HAN_PLACES and end - start <= _HAN_NAME
    if called or place:
        yield SpecificKind.NAME, offset + start, offset + end
    elif end - start > 2:  # two characters are an everyday word
        yield SpecificKind.OBJECT, offset + start, offset + end


class _Reader:
    """Decides, word by word, what stands there."""

    def __init__(self, words: Sequence[_Word], language: str) -> None:
        self._words = words
        self._language = language
        self._articles = _ARTICLES.get(language, frozenset())
        self._nouns_are_capital = language == "de"
        self._lower = {word.folded for word in words if word.text[0].islower()}
        self._inner = {word.folded for word in words if word.capital and not word.opens}
        self._counts = Counter(word.folded for word in words if not word.cased)
        letters = sum(self._uncased(at) for at in range(len(words)))
        self._foreign = letters * _FEW < len(words)

    def read(self) -> Iterator[Span]:
        at = 0
        while at < len(self._words):
            kind, after = self._at(at)
            if kind is None:
                at += 1
                continue
            first = at + 1 if kind is SpecificKind.OBJECT and self._is_article(at) else at
            last = self._words[after - 1]
            owned = kind is SpecificKind.NAME and last.text.endswith(("'s", "’s"))
            yield kind, self._words[first].start, last.end - 2 * owned
            at = after

    def _at(self, at: int) -> tuple[SpecificKind | None, int]:
        word = self._words[at]
        if (after := self._number_end(at)) > at:
            return self._counted(after)
        if word.capital and (after := self._name_end(at)) > at:
            single = after == at + 1
            if self._nouns_are_capital and single:
                long = len(word.text) >= _LONG_NOUN
                return (SpecificKind.OBJECT if long else None), after
            return SpecificKind.NAME, after
        if self._is_article(at) and (after := self._phrase_end(at + 1)) > at + 1:
            return SpecificKind.OBJECT, after
        if not self._uncased(at):
            return None, at
        if self._foreign and (after := self._foreign_name_end(at)) > at:
            return SpecificKind.NAME, after
        if len(word.text) >= _MIN_UNCASED:
            return (SpecificKind.OBJECT if self._counts[word.folded] <= _RARE else None), at + 1
        return None, at

    def _uncased(self, at: int) -> bool:
        return not self._words[at].cased and self._words[at].text[0].isalpha()

    def _foreign_name_end(self, at: int) -> int:
        """Index after a few words of a script without capitals; `at` within a longer quotation."""
        if self._follows(at) and self._uncased(at - 1):
            return at
        after = at + 1
        while self._follows(after) and self._uncased(after):
            after += 1
            if after - at > _MAX_PHRASE:
                return at
        return after

    def _is_article(self, at: int) -> bool:
        return self._words[at].folded in self._articles

    def _follows(self, at: int) -> bool:
        return at < len(self._words) and self._words[at].glued

    def _value(self, at: int) -> int | None:
        word = self._words[at]
        if word.text[0].isdecimal():
            return 0
        return number_value(word.text, self._language)

    def _number_end(self, at: int) -> int:
        """Index after the number words from `at` on; `at` when there are none that count."""
        if self._value(at) is None:
            return at
        after = at + 1
        while self._follows(after) and after - at < _MAX_RUN:
            joined = is_joiner(self._words[after].text) and self._follows(after + 1)
            step = 2 if joined else 1
            if self._value(after + step - 1) is None:
                break
            after += step
        return at if after == at + 1 and is_vague(self._words[at].text) else after

    def _counted(self, after: int) -> tuple[SpecificKind, int]:
        """A number with its day or its noun: "ninth of Frost", "four groats a night"."""
        if not self._follows(after):
            return SpecificKind.NUMBER, after
        link = self._words[after].folded
        if link in _DAY_LINKS and self._follows(after + 1) and self._words[after + 1].capital:
            return SpecificKind.DATE, after + 2
        if link in _CLOCK_LINKS and self._follows(after + 1):
            if (end := self._number_end(after + 1)) > after + 1:
                return SpecificKind.TIME, end
            return SpecificKind.NUMBER, after
        if link in _PHRASE_END:
            return SpecificKind.NUMBER, after
        if self._words[after].capital and not self._nouns_are_capital:
            return SpecificKind.NUMBER, max(self._name_end(after), after + 1)
        rated = self._follows(after + 1) and self._words[after + 1].folded in _RATE
        return SpecificKind.NUMBER, after + 3 if rated and self._follows(after + 2) else after + 1

    def _name_end(self, at: int) -> int:
        """Index after the name from `at` on; `at` when the capital is only a sentence's."""
        word = self._words[at]
        if word.opens and word.folded not in self._inner:
            if not (self._follows(at + 1) and self._words[at + 1].capital):
                return at
            if word.folded in self._lower or word.folded in _PHRASE_END | _OPENERS:
                return at
        if word.opens and word.folded in self._lower:
            return at
        after = at + 1
        while self._follows(after) and after - at < _MAX_RUN:
            step = 1
            while (
                step <= 2
                and self._words[after + step - 1].folded in _LINKS
                and self._follows(after + step)
            ):
                step += 1
            if not self._words[after + step - 1].capital:
                break
            after += step
        return after

    def _is_verb(self, at: int) -> bool:
        """Behind an English "a" comes no plural: "a door leans"."""
        word = self._words[at].folded
        return self._language == "en" and word.endswith("s") and not _NOT_PLURAL.fullmatch(word)

    def _phrase_end(self, at: int) -> int:
        after = at
        while (
            self._follows(after)
            and after - at < _MAX_PHRASE
            and self._words[after].folded not in _PHRASE_END
            and not self._is_article(after)
            and not (after > at and self._is_verb(after))
        ):
            after += 1
        return after
