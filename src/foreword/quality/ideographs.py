"""Takes Chinese characters out of a draft without leaving holes.

Above: engine, where a setting asks for it. Below: nothing. Invariant: a draft whose source has
Chinese characters or kana stays as it is, and so does one of which nothing would be left.

Source: DECISIONS, script clean-up; research c.3.
"""

import re
from collections.abc import Iterable
from typing import Final

_HAN: Final = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA: Final = "\u3041-\u30ff"
_SIGNS: Final = "\u3000-\u3004\u3008-\u301f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
_OWN: Final = re.compile(f"[{_HAN}{_KANA}]")
_RUN: Final = re.compile(f"[{_SIGNS}]*[{_HAN}](?:[{_HAN}{_SIGNS}])*")
_STOPS: Final = {"。": ".", "！": "!", "？": "?"}
_MARKS: Final = tuple(map(chr, range(0xFDD0, 0xFDF0)))
"""Characters that stand for nothing; one that the text does not have marks a hole."""
_PAIRS: Final = (("(", ")"), ("[", "]"), ("“", "”"), ("‘", "’"), ("«", "»"), ('"', '"'), ("*", "*"))
_SOFT: Final = ",;:–—-"
_STOP: Final = ".!?…"


def without_ideographs(text: str, source: Iterable[str]) -> str:
    """Return a draft without Chinese characters, unless its source has some."""
    if not _RUN.search(text) or any(_OWN.search(one) for one in source):
        return text
    mark = next((mark for mark in _MARKS if mark not in text), "")
    if not mark:
        return text
    marked = _RUN.sub(lambda run: mark + _STOPS.get(run[0][-1], ""), text)
    for opening, closing in _PAIRS:
        left, right = re.escape(opening), re.escape(closing)
        marked = re.sub(f"{left}[ \t]{{0,9}}{mark}[ \t]{{0,9}}{right}", mark, marked)
    marked = re.sub(f"{mark}(?:[ \t]{{0,9}}{mark})+", mark, marked)
    lines = (_closed(line, mark) for line in marked.split("\n"))
    left_over = "\n".join(line for line in lines if line is not None)
    return left_over if any(map(str.isalnum, left_over)) else text


def _closed(line: str, mark: str) -> str | None:
    """Return a line with its holes closed; None when it was nothing but holes."""
    if mark not in line:
        return line
    if not any(map(str.isalnum, line)):
        return None
    parts = [part.strip(" \t") if number else part for number, part in enumerate(line.split(mark))]
    spaced = line.split(mark)
    whole = spaced[0]
    for before, after, part in zip(spaced, spaced[1:], parts[1:], strict=False):
        gap = before[-1:] in {" ", "\t"} or after[:1] in {" ", "\t"} or _words(before, after)
        whole = _joined(whole.rstrip(" \t"), part, gap=gap)
    return whole if line[-1:] != mark else whole.rstrip(" \t")


def _words(before: str, after: str) -> bool:
    return before[-1:].isalnum() and after[:1].isalnum()


def _joined(left: str, right: str, *, gap: bool) -> str:
    """Join what stood on both sides of a hole, with one sign of punctuation and one space."""
    if not right:
        return left.rstrip(_SOFT + " \t") if left[-1:] in _SOFT else left
    opens = not any(map(str.isalnum, left)) and left[-1:] not in {"“", '"', "("}
    if opens and right[0] in _SOFT + _STOP:
        right = right.lstrip(_SOFT + _STOP + " \t")
        return f"{left} {right}" if left.strip() else left + right
    if right[0] in _SOFT + _STOP and left[-1:] in tuple(_SOFT):
        return left.rstrip(_SOFT + " \t") + right
    if right[0] in _SOFT + _STOP and left[-1:] in tuple(_STOP):
        return left + right[1:]
    tight = right[0] in ",.;:!?…)]”’»" or left[-1:] in {"(", "[", "“", "‘", "«", ""}
    return left + right if tight or not gap else f"{left} {right}"
