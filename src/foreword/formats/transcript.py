"""Text with speakers: lines that begin with `Name:`.

Below `plain_text`. Invariant: every word that is not a label or a time stamp stays in some
utterance, in order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_LABEL = re.compile(
    r"""
    [ \t]*
    (?: \[ [\d.:,\-/ \tT]{3,25} \] [ \t]* )?            # a time stamp
    (?: (?P<mark> \*\*|__|\* ) | \#{1,6}[ ] )?           # bold, italic, heading
    (?P<name> [^\W\d_] [^\n::<>{}\[\]()"“”«»?!;*=/\\]{0,39}? )
    [ \t]* (?P<closed> (?: \*\*|__|\* ) [ \t]* )? [::] (?!//)
    (?(closed) | (?(mark) [ \t]* (?: \*\*|__|\* (?=[ \t\n]) )? ) )   # no marks of the words
    [ \t]*
    """,
    re.VERBOSE,
)
_PARAGRAPH = re.compile(r"\n[ \t]*\n+")
_REMARKS = frozenset(
    "author chapter date edit note notes part ps setting source subject tags time title".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """What somebody said at a stretch; an empty name stands for text before the first label."""

    name: str
    text: str


def speakers_of(text: str) -> frozenset[str]:
    """Return the names that speak in `text`, or none when it is no transcript.

    It is one when at least two names speak, most paragraphs begin with a name, and some name
    recurs (or the text is short and all its labels are names).
    """
    paragraphs = [part for part in _PARAGRAPH.split(text) if part.strip()]
    labelled = sum(1 for part in paragraphs if _name_at(part.lstrip("\n")))
    if not paragraphs or labelled * 2 <= len(paragraphs):
        return frozenset()
    counts = Counter(name for line in text.split("\n") if (name := _name_at(line)))
    names = frozenset(name for name, count in counts.items() if count > 1 or _is_name(name))
    recur = any(counts[name] > 1 for name in names)
    short = counts.total() <= 4 and names == counts.keys()
    return names if len(names) > 1 and (recur or short) else frozenset()


def utterances(text: str, speakers: frozenset[str]) -> Iterator[Utterance]:
    """Yield what each of `speakers` said, also nothing; other lines belong to the last one."""
    name, lines = "", list[str]()
    for line in text.split("\n"):
        found = _LABEL.match(line)
        if found and found["name"].strip() in speakers:
            yield from _said(name, lines)
            name, lines = found["name"].strip(), [line[found.end() :]]
        else:
            lines.append(line)
    yield from _said(name, lines)


def _said(name: str, lines: Sequence[str]) -> Iterator[Utterance]:
    text = "\n".join(lines).strip()
    if text or name:
        yield Utterance(name=name, text=text)


def _name_at(line: str) -> str:
    found = _LABEL.match(line)
    return found["name"].strip() if found else ""


def _is_name(text: str) -> bool:
    """Say whether a label that occurs once looks like a name."""
    words = text.split()
    return (
        len(words) <= 3
        and words[0].casefold() not in _REMARKS
        and all(not word[0].islower() for word in words)
    )
