"""Reads passages as sentences: markup, headers and remarks told apart, clauses cut.

Above: `extractive`. Below: `clauses`. Invariant: story order is kept, and every sentence knows
which passage it stands in.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from foreword.domain.summarising import Passage
from foreword.planning.extractive.clauses import Clause, continues, cut

Splitter = Callable[[str], Sequence[str]]


class SentenceKind(StrEnum):
    """What sort of text a sentence is."""

    PROSE = "prose"
    SCENE = "scene"
    """A header line: time, date, place, weather."""
    CODE = "code"
    """Code, a table row, JSON: cut nowhere."""
    REMARK = "remark"
    """Out of character, in double parentheses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence in its place."""

    passage: int
    kind: SentenceKind
    clauses: tuple[Clause, ...]


_HEADER: Final = re.compile(r"[\[(【*_]{1,3}([^\[\]\n]{3,300})[\])】*_]{1,3}\Z")
_FIELD: Final = re.compile(r"\s*[|•·]\s*")
_FIGURE: Final = re.compile(r"\d")
_REMARK: Final = re.compile(r"\(\(([^()]{1,2000}(?:\([^()]{0,200}\)[^()]{0,1000}){0,5})\)\)")
_LEAD: Final = re.compile(r"(?:>\s?)+|#{1,6}\s+|[-*+•]\s+(?=\S)")
_LIST_NUMBER: Final = re.compile(r"\d{1,3}[.)]\Z")
_FENCE: Final = re.compile(r"(?:```|~~~)[\w+-]*\Z|[-*_=]{3,}\Z")
_EMPHASIS: Final = re.compile(
    r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*\n]{1,2000}?)(?<=[^\s*])\1(?![\w*])"
    r"|(?<![\w/])(_{1,2})(?=[^\s_])([^_\n]{1,2000}?)(?<=[^\s_])\3(?![\w.])"
)
_EDGES: Final = re.compile(r"\A\*{1,3}(?=\S)|(?<=\S)\*{1,3}\Z")
_SYMBOLS: Final = re.compile(r"[{}\[\]()<>=/\\|_;:\"#$%&+*@^~-]")
_SPECIFIC_LOOK: Final = re.compile(r"\d+|[A-ZÀ-ÞА-Я]\w+|[^\x00-\u2fff]")
MAX_WEIGHED: Final = 400_000
"""Characters whose specifics are weighed; of longer spans every few sentences give their best."""
_STOPS: Final = (". ", "! ", "? ", "。", "！", "？", "। ", "؟ ")
_MAX_LINE: Final = 4000
_MAX_SENTENCE: Final = 2000
"""Characters; a longer run without a full stop is cut at white space."""


@dataclass(frozen=True, slots=True)
class _Raw:
    passage: int
    kind: SentenceKind
    text: str


def read_passages(passages: Sequence[Passage], split: Splitter) -> tuple[Sentence, ...]:
    """Read passages as sentences in story order.

    Returns:
        Sentences without repetition: of equal ones the first stands, and a header has only what
        changed. Of an enormous span, the most specific-looking of every few.
    """
    raw: dict[tuple[SentenceKind, str], _Raw] = {}
    for index, passage in enumerate(passages):
        for kind, text in _texts(passage.text, split):
            raw.setdefault((kind, text), _Raw(index, kind, text))
    sentences: list[Sentence] = []
    scene: frozenset[str] = frozenset()
    for found in _thin_out(tuple(raw.values())):
        if found.kind is SentenceKind.SCENE:
            fields = [field.strip() for field in _FIELD.split(found.text)]
            changed = [field for field in fields if field and field not in scene]
            scene = frozenset(fields)
            clauses = tuple(clause for field in changed for clause in _whole(field))
        else:
            clauses = _whole(found.text) if found.kind is SentenceKind.CODE else cut(found.text)
        if clauses:
            sentences.append(Sentence(passage=found.passage, kind=found.kind, clauses=clauses))
    return tuple(sentences)


def _texts(text: str, split: Splitter) -> Iterator[tuple[SentenceKind, str]]:
    for line in map(str.strip, text.splitlines()):
        if fields := _header(line):
            yield SentenceKind.SCENE, fields
            continue
        at = 0
        for remark in _REMARK.finditer(line):
            yield from _prose(line[at : remark.start()], split, SentenceKind.PROSE)
            yield from _prose(remark[1], split, SentenceKind.REMARK)
            at = remark.end()
        yield from _prose(line[at:], split, SentenceKind.PROSE)


def _header(line: str) -> str:
    """The inside of a line in brackets that has several fields or a figure; empty for others."""
    found = _HEADER.match(line)
    if found is None:
        return ""
    several = len(_FIELD.split(found[1])) > 1
    return found[1] if several or (line[0] == "[" and _FIGURE.search(found[1])) else ""


def _prose(text: str, split: Splitter, kind: SentenceKind) -> Iterator[tuple[SentenceKind, str]]:
    line = _without_markup(text.strip())
    # Splitters need more than linear time for a very long line.
    found = [sentence for part in _chopped(line, _MAX_LINE) for sentence in split(part)]
    for whole in _joined(found):
        shown = kind if _is_prose(whole) else SentenceKind.CODE
        yield from ((shown, piece) for piece in _chopped(whole, _MAX_SENTENCE))


def _joined(found: Sequence[str]) -> Iterator[str]:
    """Put together what splitters take apart: list numbers, and "she said" after a quotation."""
    held = ""
    for sentence in map(str.strip, found):
        if held and not (_LIST_NUMBER.match(held) or continues(held, sentence)):
            yield held
            held = ""
        held = f"{held} {sentence}".strip()
    if held:
        yield held


def _without_markup(line: str) -> str:
    """Take list and quotation marks, emphasis and rules off a line of Markdown."""
    if _FENCE.match(line):
        return ""
    lead = _LEAD.match(line)
    return _EDGES.sub("", _EMPHASIS.sub(_inside, line[lead.end() if lead else 0 :]))


def _inside(emphasis: re.Match[str]) -> str:
    return emphasis[2] or emphasis[4]


def _chopped(text: str, limit: int) -> Iterator[str]:
    """Cut a long text after a full stop, else at a space, else anywhere."""
    at = 0
    while len(text) - at > limit:
        window = text[at : at + limit]
        stop = max(window.rfind(mark) for mark in _STOPS) + 1
        end = stop or window.rfind(" ") + 1 or limit
        yield window[:end].strip()
        at += end
    if rest := text[at:].strip():
        yield rest


def _is_prose(text: str) -> bool:
    """False for code, tables and JSON, whose commas end no clauses."""
    return len(_SYMBOLS.findall(text)) * 10 < len(text)


def _whole(text: str) -> tuple[Clause, ...]:
    return (Clause(text=text, fresh=True, quote_before="", quote_after=""),)


def _thin_out(sentences: Sequence[_Raw]) -> Sequence[_Raw]:
    """Keep the most specific-looking of every few sentences when a span is enormous."""
    step = -(-sum(len(sentence.text) for sentence in sentences) // MAX_WEIGHED)
    if step <= 1:
        return sentences
    return tuple(
        max(sentences[at : at + step], key=_looks_specific) for at in range(0, len(sentences), step)
    )


def _looks_specific(sentence: _Raw) -> float:
    return len(_SPECIFIC_LOOK.findall(sentence.text)) / (len(sentence.text) + 40)
