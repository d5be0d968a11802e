"""When a scene happens: the date and time that replies carry in their header lines.

Above: `prompts.memory_format`, `quality` and engine. Below: `calendar`. No format is asked for: a
header is a line that is nothing but fields, and one of them is a date in whatever calendar.
Invariants: what is found stands in the text, in the story's own words (only a wrong weekday of a
Gregorian date is put right); prose never counts, whatever it tells of days.

Source: spec/summaryception; issue 5, section 1.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from foreword.domain.calendar import with_right_weekday
from foreword.domain.scene_time_words import (
    BRACKETS,
    CLOCK,
    DATE,
    DAY_LABELS,
    FIELD_ENDS,
    LABEL,
    LINE_ENDS,
    NO_TIME_SIGNS,
    OF_DAY,
    OUT_OF_CHARACTER,
    TIME_LABELS,
    TIME_SIGNS,
    YEAR_ALONE,
)

MOST_CHARS: Final = 120
"""Of a scene time that is kept."""
_LONGEST_LINE: Final = 400
_HEAD_LINES: Final = 3
"""So many lines at the beginning of a reply may be a header without brackets or signs."""
_LAST_LINES: Final = 6
"""So many at the end may, where they have labels or several fields."""
_MARKUP: Final = re.compile(
    r"</?(?:div|span|small|center|b|i|em|strong|p|br|sub|sup|font|code|details|summary|u|h[1-6])\b"
    r"[^<>]{0,200}>",
    re.IGNORECASE,
)
_SHORT_LINE: Final = 80
_FIELD_WORDS: Final = 5
"""So many words of a field without brackets around it may be no part of a date."""
_WORD: Final = re.compile("[\u3041-\u30ff\u3400-\u9fff]|[^\\W\\d_\u3041-\u30ff\u3400-\u9fff]{2,}")
"""Scripts that put no spaces between words count by the letter."""
_PIECE_ENDS: Final = re.compile(r"(,\s|\s[–—-]\s)")
_SPEECH: Final = re.compile('["“”«»„「『]')
DATE_LINE: Final = "current_date_time"
"""What the line is called that holds the time of a summary."""
_DATE_LINE: Final = re.compile(rf"\s*^[ \t]*{DATE_LINE}[ \t]*:([^\n]*)\s*\Z", re.MULTILINE)


@lru_cache(maxsize=2048)
def header_time(text: str) -> str:
    """Return the date and time of the last usable header of a reply; empty when it has none.

    A header without a date (a clock alone) is not usable.
    """
    found = ""
    group: list[_Field] = []
    for line in _lines(text):
        fields = _header_fields(line)
        if fields:
            group.extend(fields)
            continue
        found, group = _time_of(group) or found, []
    return _time_of(group) or found


def last_time(texts: Sequence[str], *, carried: str = "") -> str:
    """Return the time that the last usable header of several replies has, else the one carried.

    Args:
        texts: replies, oldest first.
        carried: the last time known before them.
    """
    return next(filter(None, map(header_time, reversed(texts))), carried)


def first_time(texts: Iterable[str]) -> str:
    """Return the time that the first usable header of several replies has; empty for none."""
    return next(filter(None, map(header_time, texts)), "")


def header_share(texts: Iterable[str]) -> float:
    """Return the share of replies with a usable header, from 0 to 1; 0 where there are none."""
    has = [bool(header_time(text)) for text in texts]
    return sum(has) / len(has) if has else 0.0


def parted(text: str) -> tuple[str, str]:
    """Return a summary's words and the time that its last line names, empty without one."""
    found = _DATE_LINE.search(text)
    if found is None or not text[: found.start()].strip():
        return text, ""
    return text[: found.start()].rstrip(), tidy_time(found[1])


def tidy_time(text: str) -> str:
    """Return a scene time as it is kept: one line, not too long, with the right weekday."""
    line = " ".join(text.split())
    if len(line) > MOST_CHARS:
        line = line[: MOST_CHARS - 1].rstrip() + "…"
    return with_right_weekday(line)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A line that may be a header."""

    text: str
    """Without quote marks, emphasis and headings around it."""
    bracketed: bool
    marked: bool
    """Emphasised as a whole, or a heading."""
    head: bool
    """Among the first of its reply."""
    edge: bool
    """Among the first or the last."""


_NO_LINE: Final = _Line(text="", bracketed=False, marked=False, head=False, edge=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Field:
    """A part of a header line."""

    text: str
    """In the story's words; empty where it is no time."""
    dated: bool = False


def _lines(text: str) -> Iterator[_Line]:
    """Yield the lines of a reply that hold something; what cannot be a header is empty."""
    raw = [line for line in map(str.strip, text.splitlines()) if line]
    lines = [line for line in raw if not line.startswith(("```", "~~~", "---"))]
    for number, line in enumerate(lines, start=1):
        head, last = number <= _HEAD_LINES, number > len(lines) - _LAST_LINES
        row = number > 1 and line.startswith("|") and line.endswith("|")  # of a table
        if len(line) > _LONGEST_LINE or row or (line.startswith(">") and not head):
            yield _NO_LINE
        else:
            yield _line(_MARKUP.sub("", line.lstrip("> \t")), head=head, edge=head or last)


def _line(line: str, *, head: bool, edge: bool) -> _Line:
    inner = line.lstrip("#").strip().strip("*_`~").strip()
    bracketed = len(inner) > 2 and BRACKETS.get(inner[0]) == inner[-1]
    return _Line(
        text=inner[1:-1].strip() if bracketed else inner,
        bracketed=bracketed,
        marked=inner != line,
        head=head,
        edge=edge,
    )


def _header_fields(line: _Line) -> tuple[_Field, ...]:
    """Return the fields of a header line; none for any other line."""
    text = line.text
    signed = text.startswith(TIME_SIGNS)
    if not text or not (line.edge or line.bracketed or signed):
        return ()
    if OUT_OF_CHARACTER.match(text) or text[-1] in "?!？！":
        return ()
    ends = FIELD_ENDS if line.bracketed else LINE_ENDS
    parts = [part for part in ends.split(text) if part.strip()]
    if signed or len(parts) > 1 or any(map(_is_time_label, parts)):
        fields = tuple(map(_field, parts))
        return fields if line.bracketed or signed else tuple(map(_short, fields))
    if line.head and len(text) <= _SHORT_LINE:
        return _plain(text, 5 if line.bracketed else 3 if line.marked else 1)
    return ()


def _field(part: str) -> _Field:
    if any(sign in part for sign in NO_TIME_SIGNS):
        return _Field(text="")
    signed = any(sign in part for sign in TIME_SIGNS)
    shown = _words(part)
    label = LABEL.match(shown)
    is_time = label is not None and label["label"].casefold() in TIME_LABELS
    if label is not None and is_time and label["label"].casefold() not in DAY_LABELS:
        shown = shown[label.end() :].strip()
    elif label is not None and label["colon"] and not is_time and not _signals(label["label"]):
        return _Field(text="")
    dated = _signals(shown) or ((is_time or signed) and not _only_clock(shown))
    of_day = OF_DAY.search(shown) is not None and not _leftover(shown)
    if dated or is_time or signed or of_day or CLOCK.search(shown):
        return _Field(text=shown, dated=dated)
    return _Field(text="")


def _short(field: _Field) -> _Field:
    """Return a field of a line without brackets, empty where it may well be prose."""
    return field if _leftover(field.text) <= _FIELD_WORDS else _Field(text="")


def _plain(text: str, allowed: int) -> tuple[_Field, ...]:
    """Return the time of a line without fields: its pieces up to the last that is a time.

    Args:
        text: the line.
        allowed: so many words of its first piece may be no part of a date.
    """
    words = _words(text)
    pieces = [piece for piece in _PIECE_ENDS.split(words) if piece]
    if not pieces or text.endswith((".", "。", ":", "…")) or _SPEECH.search(text):
        return ()
    dated = sum(map(_signals, pieces))
    starts = any(pattern.match(pieces[0]) for pattern in (DATE, CLOCK, OF_DAY))
    if starts and dated > 1:
        allowed = max(allowed, 4)
    if not _temporal(pieces[0]) or _leftover(pieces[0]) > allowed or not (starts or allowed > 1):
        return ()
    last = max(at for at, piece in enumerate(pieces) if _temporal(piece))
    if len("".join(pieces[last + 1 :]).split()) > 2 * allowed + 2:
        return ()
    return (_Field(text="".join(pieces[: last + 1]), dated=dated > 0),)


def _temporal(piece: str) -> bool:
    return bool(
        _signals(piece)
        or CLOCK.search(piece)
        or YEAR_ALONE.fullmatch(piece.strip())
        or (OF_DAY.search(piece) and _leftover(piece) <= 1)
    )


def _is_time_label(part: str) -> bool:
    label = LABEL.match(_words(part))
    return bool(label and label["colon"] and label["label"].casefold() in TIME_LABELS)


def _signals(text: str) -> bool:
    return DATE.search(text) is not None


def _only_clock(text: str) -> bool:
    return bool(CLOCK.search(text) or OF_DAY.search(text)) and not _leftover(text)


def _leftover(text: str) -> int:
    """Return how many words are no part of a date or a time."""
    rest = OF_DAY.sub(" ", CLOCK.sub(" ", DATE.sub(" ", text)))
    return len(_WORD.findall(rest))


def _words(part: str) -> str:
    """Return a part without emoji and what is left around them."""
    kept = "".join(" " if _is_sign(letter) else letter for letter in part)
    return " ".join(kept.split()).strip(" -–—:,;*_`#")


def _is_sign(letter: str) -> bool:
    return not letter.isascii() and (
        unicodedata.category(letter) in ("So", "Sk", "Cf") or letter in "\ufe0e\ufe0f\u20e3"
    )


def _time_of(group: Sequence[_Field]) -> str:
    """Return the time of neighbouring header lines; empty when none of them has a date."""
    if not any(field.dated for field in group):
        return ""
    return tidy_time(", ".join(dict.fromkeys(field.text for field in group if field.text)))
