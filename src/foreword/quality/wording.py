"""Sentences, quotations and folded words, as the gates on wording need them.

Above: every gate. Below: nothing. Invariant: every function takes any string and needs time linear
in its length; what is kept of a source is dropped when `KEPT` others were met since.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

_BREAK: Final = re.compile(r"(?<=[.!?…])[\"'”’»)\]*_]{0,3}\s+|(?<=[。！？])[」』”]{0,2}|\n+")
_QUOTED: Final = re.compile(
    r"\"[^\"\n]{1,500}\"|“[^”\n]{1,500}”|„[^“”\n]{1,500}[“”]|«[^»\n]{1,500}»|»[^«\n]{1,500}«"
    r"|「[^」\n]{1,500}」|『[^』\n]{1,500}』|‘[^\n]{1,300}?’(?!\w)|(?<![\w'])'[^\n]{1,300}?'(?!\w)"
    r"|`[^`\n]{1,300}`"
)
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_APOSTROPHES: Final = str.maketrans({"’": "'", "ʼ": "'", "\u00a0": " ", "\u202f": " "})
KEPT: Final = 16
"""Sources of which something is remembered between two drafts."""
_HIDDEN: Final = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")

_LETTERS: Final = re.compile(r"[^\W\d_]+")
_ASCII: Final = re.compile("[A-Za-z]")
_ALIKE: Final = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u0432\u043a\u043c\u043d\u0442"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0423\u0406"
    "\u03b1\u03bf\u03c1\u03bd\u03b9\u03ba\u03c4\u03c5\u03c7\u0391\u0392\u0395\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a7\u03a5"
    "\u0251\u0261",
    "aeopcyxijshdqwbkmhtABEKMHOPCTXYIaopviktuxABEHIKMNOPTXYag",
)
"""Cyrillic, Greek and other letters that a reader takes for Latin ones."""


def plain(text: str) -> str:
    """Write compatibility forms, odd apostrophes and invisible characters the ordinary way."""
    if text.isascii():
        return text
    return _HIDDEN.sub("", unicodedata.normalize("NFKC", text)).translate(_APOSTROPHES)


def unmasked(text: str) -> str:
    """Write `text` plainly, with letters that pass for Latin ones inside a Latin word as those."""
    written = plain(text)
    return written if written.isascii() else _LETTERS.sub(_latin, written)


def _latin(word: re.Match[str]) -> str:
    """The word in Latin letters when it has one of those and others that look alike."""
    letters = word.group()
    return letters.translate(_ALIKE) if _ASCII.search(letters) else letters


def sentences(text: str) -> tuple[str, ...]:
    """Cut `text` at the ends of sentences and of lines; none of the pieces is blank."""
    return tuple(piece.strip() for piece in _BREAK.split(text) if piece.strip())


def unquoted(text: str) -> str:
    """Leave out what stands in quotation marks or code: others say that."""
    return _QUOTED.sub(" … ", text)


def folded(text: str) -> str:
    """Fold case and take the accents off."""
    if text.isascii():
        return text.casefold()
    return unicodedata.normalize("NFKD", plain(text).casefold()).translate(_BARE)


class _Bare(dict[int, int | None]):
    """What each character is without accents, worked out when first met: for `str.translate`."""

    def __missing__(self, code: int) -> int | None:
        self[code] = None if unicodedata.combining(chr(code)) else code
        return self[code]


_BARE: Final = _Bare()


def words(text: str) -> tuple[str, ...]:
    """The folded words of `text` in order; a possessive belongs to its word."""
    return tuple(match.group() for match in _WORD.finditer(folded(text)))


@lru_cache(maxsize=KEPT)
def told(texts: tuple[str, ...]) -> str:
    """The plain text of a source."""
    return plain("\n".join(texts))


@lru_cache(maxsize=KEPT)
def told_folded(texts: tuple[str, ...]) -> str:
    """The plain text of a source with its case folded."""
    return told(texts).casefold()


def shortened(text: str, limit: int = 80) -> str:
    """`text` on one line, cut to `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
