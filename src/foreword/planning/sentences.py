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
from foreword.planning.clauses import Clause, cut

Splitter = Callable[[str], Sequence[str]]


class SentenceKind(StrEnum):
    """What sort of text a sentence is."""

    PROSE = "prose"
    SCENE = "scene"
    """A header line: time, date, place, weather."""
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
_REMARK: Final = re.compile(r"\(\((.{1,2000}?)\)\)")
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
MAX_WEIGHED: Final = 500_000
"""Characters whose specifics are weighed; of longer spans every few sentences give their best."""
_MAX_SENTENCE: Final = 2000
"""Characters; a longer run without a full stop is cut at white space."""


def read_passages(passages: Sequence[Passage], split: Splitter) -> tuple[Sentence, ...]:
    """Read passages as sentences in story order; a header repeats only what changed."""
    sentences: list[Sentence] = []
    scene: frozenset[str] = frozenset()
    for index, passage in enumerate(passages):
        for kind, text in _texts(passage.text, split):
            if kind is SentenceKind.SCENE:
                fields = [field.strip() for field in _FIELD.split(text)]
                changed = [field for field in fields if field and field not in scene]
                scene = frozenset(fields)
                clauses = tuple(
                    Clause(text=field, fresh=True, quote_before="", quote_after="")
                    for field in changed
                )
            else:
                clauses = cut(text) if _is_prose(text) else _whole(text)
            if clauses:
                sentences.append(Sentence(passage=index, kind=kind, clauses=clauses))
    return tuple(sentences)


def _texts(text: str, split: Splitter) -> Iterator[tuple[SentenceKind, str]]:
    for line in text.splitlines():
        line = line.strip()
        header = _HEADER.match(line)
        if header and len(_FIELD.split(header[1])) > 1:
            yield SentenceKind.SCENE, header[1]
            continue
        at = 0
        for remark in _REMARK.finditer(line):
            yield from _prose(line[at : remark.start()], split, SentenceKind.PROSE)
            yield from _prose(remark[1], split, SentenceKind.REMARK)
            at = remark.end()
        yield from _prose(line[at:], split, SentenceKind.PROSE)


def _prose(
    line: str, split: Splitter, kind: SentenceKind
) -> Iterator[tuple[SentenceKind, str]]:
    line = line.strip()
    if not line or _FENCE.match(line):
        return
    if lead := _LEAD.match(line):
        line = line[lead.end() :]
    line = _EDGES.sub("", _EMPHASIS.sub(lambda m: m[2] or m[4], line))
    number = ""
    for sentence in split(line):
        text = f"{number} {sentence.strip()}".strip()
        if _LIST_NUMBER.match(text):
            number = text
            continue
        number = ""
        for piece in _chopped(text):
            yield kind, piece


def _chopped(sentence: str) -> Iterator[str]:
    while len(sentence) > _MAX_SENTENCE:
        at = sentence.rfind(" ", 1, _MAX_SENTENCE)
        at = at if at > 0 else _MAX_SENTENCE
        yield sentence[:at].rstrip()
        sentence = sentence[at:].lstrip()
    if sentence:
        yield sentence


def _is_prose(text: str) -> bool:
    """False for code, tables and JSON, whose commas end no clauses."""
    return len(_SYMBOLS.findall(text)) * 10 < len(text)


def _whole(text: str) -> tuple[Clause, ...]:
    return (Clause(text=text, fresh=True, quote_before="", quote_after=""),)


def thin_out(sentences: Sequence[Sentence]) -> Sequence[Sentence]:
    """Keep the most specific-looking of every few sentences when a span is enormous.

    Source: all text is looked at; weighing costs about a microsecond a character and stays bounded.
    """
    size = sum(len(clause.text) for sentence in sentences for clause in sentence.clauses)
    step = -(-size // MAX_WEIGHED)
    if step <= 1:
        return sentences
    return tuple(
        max(sentences[at : at + step], key=_looks_specific)
        for at in range(0, len(sentences), step)
    )


def _looks_specific(sentence: Sentence) -> float:
    text = " ".join(clause.text for clause in sentence.clauses)
    return len(_SPECIFIC_LOOK.findall(text)) / (len(text) + 40)
