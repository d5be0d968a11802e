"""Did the draft stop before it was complete?

Above: gates. Below: domain. Invariant: lines of a list, of a table and of names with values need
no full stop.
"""

import re
import unicodedata
from typing import Final

from foreword.domain.calls import Finish
from foreword.quality.findings import Draft, Finding, Gate, Source
from foreword.quality.wording import shortened

_DATE_LINE: Final = re.compile(r"\n?[ \t]*current_date_time:[^\n]*\s*\Z")
_TRAILING_TAG: Final = re.compile(r"\s*</[\w-]{1,40}>\s*\Z")
_LISTED: Final = re.compile(
    r"\s*(?:[-*+•–—·▪◦#>|]|\d{1,3}[.)]|\(?[a-z\d]\)"
    r"|(?:[^\s:：]{1,30}[ \t]){0,4}[^\s:：]{1,30}[:：])"
)
_DANGLING: Final = re.compile(
    r"(?:[,;，、；:：(\[{„「『‐-]|(?<!\S)[“«‹]|(?<!\w)[-–—]|\b(?:and|or|but|because|the|a|an|of|with|that|which"
    r"|to|und|oder|aber|weil|der|die|das|mit|et|ou|mais|de|la|le|y|o|pero|el|e|ma|и|но|или))\Z",
    re.IGNORECASE,
)
_BRACKETS: Final = (("(", ")"), ("[", "]"), ("«", "»"), ("「", "」"), ("『", "』"))
_PAIRS: Final = (*_BRACKETS, ("“", "”"))
_GERMAN_PAIRS: Final = (*_BRACKETS, ("„", "“”"))
"""Where `„` opens, `“` closes."""
_CLOSERS: Final = "\"'”’»›」』)]}*_`~“‹》〉】）"
_ENDS: Final = ".!?…。！？।॥۔؟։።᙮‽⁇⁈⁉~|～♪"
_STOPPED: Final = re.compile(
    r"(?<![^\W\d_])[^\W\d_A-ZÀ-Þ][^\W\d_]{3,}[.!?][\"'”’»)]{0,2}\s+\S|[。！？]"
)
"""A full stop that is none of an abbreviation: this writer ends sentences."""
_SENTENCE: Final = re.compile(r"[.!?。！？]\s+|\n")


def check(draft: Draft, _source: Source) -> Finding | None:
    """Find a draft that was cut off by a limit, by a filter or in the middle of a sentence."""
    if draft.finish is Finish.LENGTH:
        return _finding("the answer ran into the limit of its length")
    if draft.finish is Finish.FILTER:
        return _finding("the provider's content filter stopped the answer")
    text = _TRAILING_TAG.sub("", draft.text.rstrip())
    text = _DATE_LINE.sub("", text).rstrip()
    text = _TRAILING_TAG.sub("", text).rstrip()
    if not text:
        return None
    if text.count("```") % 2:
        return _finding("a code fence is opened and never closed")
    return _unfinished(text)


def _unfinished(text: str) -> Finding | None:
    last = text.rsplit("\n", 1)[-1]
    tail = f"“{shortened(last[-60:], 60)}”"
    if _DANGLING.search(text):
        return _finding(f"the last sentence is not finished: {tail}")
    listed = _LISTED.match(last)
    sentence = _SENTENCE.split(last)[-1]
    for left, rights in _PAIRS if "„" not in last else _GERMAN_PAIRS:
        if sentence.count(left) > sum(map(last.count, rights)):
            return _finding(f"{left} is opened in the last sentence and never closed: {tail}")
    if sentence.count('"') % 2 and last.count('"') % 2:
        return _finding(f"a quotation is opened in the last sentence and never closed: {tail}")
    if _is_closed(last) or _without_stops(text) or (listed and not _STOPPED.search(last)):
        return None
    return _finding(f"the last sentence does not end: {tail}")


def _is_closed(line: str) -> bool:
    if unicodedata.category(line[-1]) in {"So", "Sk", "Mn", "Cf"}:
        return True
    return line[-1] in _CLOSERS or line[-1] in _ENDS


def _without_stops(text: str) -> bool:
    """Whether the writer ends no lines with full stops."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    return len(lines) >= 3 and sum(map(_is_closed, lines)) * 3 <= len(lines)


def _finding(detail: str) -> Finding:
    return Finding(
        gate=Gate.TRUNCATED,
        detail=detail,
        direction="Write a complete summary that fits the limit and ends with a whole sentence.",
    )
