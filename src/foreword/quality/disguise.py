"""Sees through marks in disguise: wide, invisible, turned, borrowed and escaped characters.

Above: gates, markup. Below: wording. Invariant: `undisguised` is for looking only, what
is remembered is the draft itself, without the characters that turn the order of its letters.

Source: UAX 9 and UTS 39.
"""

import html
import re
import unicodedata
from functools import lru_cache
from typing import Final

from foreword.quality.findings import Source
from foreword.quality.wording import KEPT

_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e01ef]"
)
_ESCAPED: Final = re.compile(r"&(?:lt|gt|quot|amp|vert|#\d{1,6}|#x[\da-f]{1,5});", re.IGNORECASE)
"""Short ones only: the number of a character has few digits."""
_TURNS: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")
_LOOKALIKES: Final = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0445\u0443\u0456\u0455\u0458\u0501\u04bb"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0423\u0406\u0405\u0408"
    "\u0391\u0392\u0395\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u03bf\u03c5\u0131\u025b\u25c1\u25b7\u2223\u01c0\u2758",
    "aeopcxyisjdhABEKMHOPCTXYISJABEHIKMNOPTYXouie<>|||",
)
"""Letters and signs that look like a Latin one."""


def undisguised(text: str) -> str:
    """Write `text` as a reader sees it, with Latin letters for those that look like them."""
    if "&" in text:
        text = _ESCAPED.sub(_unescaped, text)
    if text.isascii():
        return text
    return _UNSEEN.sub("", unicodedata.normalize("NFKC", text)).translate(_LOOKALIKES)


def _unescaped(escaped: re.Match[str]) -> str:
    return html.unescape(escaped[0])


@lru_cache(maxsize=2 * KEPT)
def told_undisguised_folded(texts: tuple[str, ...]) -> str:
    """What a source says, as a reader sees it, with its case folded."""
    return undisguised("\n".join(texts)).casefold()


def without_turns(text: str, source: Source) -> str:
    """Take out the characters that turn the order of letters, unless the source has such."""
    if text.isascii() or not _TURNS.search(text):
        return text
    if any(map(_TURNS.search, (*source.texts, *source.context))):
        return text
    return _TURNS.sub("", text)
