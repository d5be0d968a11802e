"""Does the draft name anybody or anything that neither its source nor its context knows?

Above: `gates`. Below: specifics and wording. Invariant: a name passes when its words, an inflected
form of them, or its letters run together stand anywhere in what the model read.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from foreword.domain.language import guess_language
from foreword.domain.specifics import Specific, SpecificKind, specifics
from foreword.quality.findings import Draft, Finding, Gate, Source
from foreword.quality.wording import KEPT, folded, plain, words

_HEADING: Final = re.compile(
    r"^[^\S\n]{0,12}(?:#{1,6}[^\S\n].*$|(?:[-*•][^\S\n]{0,4})?(?:\*\*[^*\n]{1,60}\*\*:?[^\S\n]*$|"
    r"\*\*[^*\n:]{1,40}(?::\*\*|\*\*:)|[^\W\d_]{1,30}(?: [^\W\d_]{1,30}){0,3} ?:(?=\s|$)))"
    r"|<[^>\n]{1,40}>",
    re.MULTILINE,
)
_PARTS: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_NAME_WORD: Final = re.compile(r"(?<![\w'’])[^\W\d_a-zа-яà-ÿ][^\W\dA-Z_]{3,}")
_TITLES: Final = frozenset(
    "mr mrs ms miss dr prof sir lord lady dame king queen prince princess captain capt major "
    "colonel general sergeant lieutenant master mistress madam father mother brother sister aunt "
    "uncle saint st duke duchess count countess baron baroness emperor empress doctor professor "
    "president minister inspector detective officer herr frau graf konig konigin onkel tante "
    "monsieur madame mademoiselle m mme mlle senor senora don dona signor signora pan pani "
    "the of and a an in on at to for from by with de la le der die das von du des del al el il "
    "assistant user narrator model tool system human operator benutzer nutzer".split()
)
_EVERYDAY: Final = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december spring summer autumn winter christmas "
    "day night chapter act scene part english german french spanish italian russian chinese "
    "japanese korean latin god gods internet ai api json html http https url sql python markdown "
    "later meanwhile then after before when while although now today tomorrow yesterday he she "
    "they it his her their its this that these those there here also but so both each earlier "
    "finally eventually next first second third one two three four five six ten open current key "
    "status goals threads events characters state summary situation location relationships "
    "unresolved present setting time place plot montag dienstag mittwoch donnerstag freitag "
    "samstag sonntag januar februar marz mai juni juli oktober dezember".split()
)
_FUNCTION: Final = (
    _EVERYDAY
    | _TITLES
    | frozenset(
        (
            "er sie es wir ihr ich du man nach als dann doch aber und oder wenn weil dass dort "
            "hier jetzt spater danach vorher seit bei mit ohne fur gegen um zu auf aus an in was "
            "wer wie wo warum nun dabei trotzdem schliesslich niemand jemand alle beide diese "
            "dieser dieses jene sein seine il elle ils elles on nous vous je tu ce cela cette "
            "apres puis quand mais dans sur pour avec sans les une un ses son sa leur leurs qui "
            "que el ella ellos ellas los las una uno su sus con sin por para pero cuando luego "
            "despues entonces ele ela eles elas um uma seu sua com sem mas quando depois entao "
            "lui lei loro egli essi gli lo i un dopo poi ma on ona oni ono kiedy potem ale nie po "
            "gdy jej jego you we i my your our some many most all no not only if as because since "
            "once until nobody everyone someone nothing everything what who how why where another "
            "other several neither either he's she's it's они она он оно мы вы когда потом но "
            "после затем его ее их как что это все так если "
        ).split()
    )
)
_ENDINGS: Final = frozenset(
    " s es n en ns ens er ern em e a i o u y x 's z an ian ese ish as is us um os ae am "
    "а у ы и е я ю ой ей ом ем ою ею ов ев ий ого ому ым ых ами ах ам ям ях ями ин ина "
    "owi em ie ego emu ach ami om ow iem owie ka ek ke ku kow in den ul ului nen ssa lla n ta "
    "a la da de ta te nin nun in un dan den ya ye man men woman women kiem kowi ец ца цу цем це "
    "ek ka ка ко ку ки ке кой".split(" ")
)
_PLAIN_ENDINGS: Final = frozenset({"en", "fr", "es", "it", "pt", "nl"})
"""Languages in which a name keeps its vowels: Mara is not Maru there."""
_CJK: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_KATAKANA: Final = re.compile("[\u30a0-\u30ff]+")
_NAMED: Final = re.compile(r"(?<=\s)[^\W\d_a-zа-я][^\W\d_]{2,}")
_STEM: Final = 3
_JOINED: Final = 5
_GERMAN_FRAME: Final = re.compile(
    r"\b(?:d(?:er|ie|as|en|em|es)|ein\w{0,2}|kein\w{0,2}|[ms]ein\w{0,2}|ihr\w{0,2}|unser\w{0,2}|"
    r"im|am|zum|zur|vom|beim|ins|ans|\w+e[nrms]?)\s+\Z",
    re.IGNORECASE,
)
_DIRECTION: Final = "Name only people, places and things that the text names, as it names them."


@dataclass(frozen=True, slots=True)
class _Candidate:
    text: str
    doubtful: bool
    """More likely a noun or the like than a person or a place."""


def check(draft: Draft, source: Source) -> Finding | None:
    """Find names that nothing the model read has; one mentioned once beside known ones is soft."""
    speakers = tuple(passage.speaker for passage in source.passages)
    read = (*source.texts, *source.context, *speakers)
    known = _known(read)
    strict = guess_language(draft.text) in _PLAIN_ENDINGS
    text = _HEADING.sub(lambda match: " " if "\n" not in match.group() else "\n", plain(draft.text))
    unknown: Counter[str] = Counter()
    doubtful: set[str] = set()
    familiar = 0
    for candidate in (*_candidates(text), *known.misspelt(text, strict=strict)):
        strangers = known.strangers(candidate.text, strict=strict)
        if not strangers:
            familiar += 1
            continue
        name = " ".join(strangers)
        unknown[name] += 1
        slip = candidate.doubtful and unknown[name] == 1
        if slip or len(strangers) < len(_content(candidate.text)):
            doubtful.add(name)
    if not unknown:
        return None
    firm = {name: count for name, count in unknown.items() if name not in doubtful}
    hard = any(count > 1 for count in firm.values()) or len(firm) > 2 or (firm and not familiar)
    listed = ", ".join(name for name, _ in unknown.most_common(4))
    return Finding(
        gate=Gate.UNKNOWN_NAMES,
        detail=f"neither the text nor its context names {listed[:80]}",
        direction=_DIRECTION,
        soft=not hard,
    )


@lru_cache(maxsize=2)
def _specifics(text: str) -> tuple[Specific, ...]:
    return specifics(text)


def _candidates(text: str) -> Iterator[_Candidate]:
    german = guess_language(text) == "de"
    lower = {folded(word) for word in _PARTS.findall(text) if word[0].islower()}
    for specific in _specifics(text):
        if specific.kind is SpecificKind.NAME:
            if not _content(specific.text) or folded(specific.text) in lower:
                continue
            loan = bool(_KATAKANA.fullmatch(specific.text))
            yield _Candidate(specific.text, doubtful=loan or _is_shouted(specific.text))
        elif specific.kind is SpecificKind.OBJECT and not german:
            for match in _NAMED.finditer(specific.text):
                yield _Candidate(match.group(), doubtful=False)
    if german:
        yield from _german(text)
    else:
        yield from _opening(text, lower)


def _german(text: str) -> Iterator[_Candidate]:
    """Capital words that never stand behind an article or an adjective: hardly common nouns."""
    free: dict[str, list[bool]] = {}
    for match in _PARTS.finditer(text):
        word = match.group()
        if word[0].isupper() and len(word) > 2:
            framed = bool(_GERMAN_FRAME.search(text, max(0, match.start() - 16), match.start()))
            free.setdefault(word, []).append(framed)
    for word, frames in free.items():
        opens = re.search(rf"(?:\A|[.!?\n]\s*){word} [a-zäöü]+t(?:e|en)?\b", text)
        if not any(frames) and opens and folded(word) not in _FUNCTION:
            for _ in frames:
                yield _Candidate(word, doubtful=False)


def _opening(text: str, lower: set[str]) -> Iterator[_Candidate]:
    """Words that only ever open a sentence, yet several: "Marek took …. Marek left …."."""
    opened = Counter(
        match.group(1)
        for match in re.finditer(
            r"(?:\A|[.!?…]\s+|\n\s*(?:[-*•]\s*)?)([^\W\d_]{3,}) [a-zа-я]", text
        )
    )
    inside = {
        word
        for specific in _specifics(text)
        if specific.kind is SpecificKind.NAME
        for word in specific.text.split()
    }
    for word, count in opened.items():
        plain_word = folded(word) in lower or folded(word) in _FUNCTION or word in inside
        if word[0].isupper() and count > 1 and not plain_word:
            for _ in range(count):
                yield _Candidate(word, doubtful=False)


def _is_shouted(text: str) -> bool:
    return all(word.isupper() and len(word) <= 5 for word in text.split())


def _content(name: str) -> tuple[str, ...]:
    """Words of a name that carry it: no titles, links, initials or everyday words."""
    return tuple(
        word
        for word in _PARTS.findall(plain(name))
        if len(word) > 1 and not {folded(word), folded(word).removesuffix("'s")} & _FUNCTION
    )


class _Known:
    """Every word that the model read, in its forms."""

    def __init__(self, texts: tuple[str, ...]) -> None:
        text = "\n".join(texts)
        split = re.sub(r"(?<=[a-zа-я])(?=[A-ZА-Я])|[_\d]", " ", plain(text))
        self._words = frozenset(
            part for word in (*words(text), *words(split)) for part in (word, *word.split("'"))
        )
        self._by_stem: dict[str, list[str]] = {}
        for word in self._words:
            self._by_stem.setdefault(word[:_STEM], []).append(word)
        self._joined = re.sub(r"[\W_]+", "", folded(text))
        self._capital = frozenset(
            folded(word) for word in _NAME_WORD.findall(text) if folded(word) not in _FUNCTION
        )

    def misspelt(self, text: str, *, strict: bool) -> Iterator[_Candidate]:
        """Capital words that are one letter off a name: likely a slip, wherever they stand."""
        for word in dict.fromkeys(_NAME_WORD.findall(text)):
            bare = folded(word)
            if bare in _FUNCTION or self._has(bare, strict=strict):
                continue
            if any(_one_off(bare, name) for name in self._capital):
                yield _Candidate(word, doubtful=True)

    def strangers(self, name: str, *, strict: bool) -> tuple[str, ...]:
        """The words of `name` that are unknown in every form."""
        if _run_together(name) in self._joined and len(_run_together(name)) >= _JOINED:
            return ()
        return tuple(word for word in _content(name) if not self._has(folded(word), strict=strict))

    def _has(self, word: str, *, strict: bool) -> bool:
        word = word.removesuffix("'s").removesuffix("'")
        least = 2 if _CJK.match(word) else _JOINED
        if word in self._words or (len(word) >= least and word in self._joined):
            return True
        near = self._by_stem.get(word[:_STEM], ())
        return any(_same(word, other, strict=strict) for other in near)


@lru_cache(maxsize=KEPT)
def _known(texts: tuple[str, ...]) -> _Known:
    return _Known(texts)


def _run_together(name: str) -> str:
    return re.sub(r"[\W_]+", "", folded(name))


def _one_off(one: str, other: str) -> bool:
    """Whether one letter was changed, added or left out, in a name of four letters or more."""
    if min(len(one), len(other)) < 4 or abs(len(one) - len(other)) > 1 or one[0] != other[0]:
        return False
    if len(one) == len(other):
        return sum(left != right for left, right in zip(one, other, strict=True)) == 1
    short, long = sorted((one, other), key=len)
    return any(long[:at] + long[at + 1 :] == short for at in range(len(long)))


def _same(one: str, other: str, *, strict: bool = False) -> bool:
    """Whether two words differ by endings only: "Mareks" and "Marek", "Анну" and "Анна"."""
    shared = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        shared += 1
    shortest = min(len(one), len(other))
    if shared < max(_STEM, shortest - 2):
        return False
    ends = (one[shared:], other[shared:])
    if strict and all(len(end) == 1 for end in ends):
        return False
    return all(end in _ENDINGS for end in ends)
