"""Specifics that a pattern alone can tell: addresses, dates, times, versions, quotes, figures.

Above: `specifics`. Below: nothing. Invariant: every quantifier is bounded or single, so that a scan
stays linear in the text; patterns stand in order of precedence, an earlier one wins an overlap.
"""

import re
from collections.abc import Iterator
from typing import Final

from foreword.domain.specific_kinds import SpecificKind

_D: Final = r"\d{1,2}"
_CLOCK: Final = (
    rf"(?<![\d:.]){_D}:\d{{2}}(?::\d{{2}})?(?:[ \u00a0]?[ap]\.?m\b\.?|[ \u00a0]Uhr\b)?(?![\d:])"
    rf"|(?<![\d:.]){_D}[ \u00a0]?(?:[ap]\.m\.|[ap]m\b|Uhr\b|o['’]clock\b|h\d\d\b)"
    r"|(?:\d{1,2}|[一二三四五六七八九十两兩]{1,3})[点點时時](?:半|[一二三四五六七八九十\d]{1,3}分)?"
)
_MONTH: Final = (
    r"(?:[Jj]an|[Ff]eb|[Ff]év|[Mm]ar|[Mm]är|[Aa]pr|[Aa]vr|[Aa]br|[Mm]a[yiío]|[Jj]u[nlií]|[Aa]ug"
    r"|[Aa]oû|[Aa]go"
    r"|[Ss]ep|[Oo][ck]t|[Oo]tt|[Nn]o[vw]|[Dd][eéi][czs]|[Ee]ne|[Gg]iu|[Gg]en)[^\W\d_]{0,8}"
)
_STAMP: Final = (
    r"(?<!\d)\d{4}-\d{2}-\d{2}"
    r"(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d{1,6})?(?:Z|[+-]\d{2}:?\d{2})?)?(?!\d)"
)
_DATE: Final = (
    r"(?<![\d./])\d{1,2}[./]\d{1,2}[./]\d{2,4}(?![\d./])"
    r"|(?:\d{2,4}|[〇零一二三四五六七八九]{2,4})年"
    r"(?:[\d一二三四五六七八九十]{1,3}月(?:[\d一二三四五六七八九十]{1,3}[日号號])?)?"
    r"|[\d一二三四五六七八九十]{1,3}月[\d一二三四五六七八九十]{1,3}[日号號]"
    r"|\b\d{1,2}(?:st|nd|rd|th|º|er)(?:[ \u00a0]day)?(?:[ \u00a0](?:of|de))?"
    r"[ \u00a0][A-ZÀ-ÞА-Я][^\W\d_]{2,11}"
    r"(?:,?[ \u00a0]\d{3,4})?\b"
    rf"|\b\d{{1,2}}\.?(?:[ \u00a0](?:of|de))?[ \u00a0]{_MONTH}"
    r"(?:,?[ \u00a0](?:de[ \u00a0])?\d{3,4})?\b"
    r"|\b\d{1,2}\.?[ \u00a0][A-ZÀ-ÞА-Я][^\W\d_]{2,11},?[ \u00a0]\d{3,4}\b"
    rf"|\b{_MONTH}[ \u00a0]\d{{1,2}}(?:st|nd|rd|th)?(?:,?[ \u00a0]\d{{4}})?\b"
    r"|\b(?:Day|Tag|Jour|Día|Giorno|Dag)[ \u00a0]\d{1,5}\b"
)
_HEADER_PLACE: Final = (
    r"(?<=\| )[A-ZÀ-ÞА-Я][\w'’]{1,30}(?: (?!-)[\w'’]{1,30}){0,3}(?= [-–—] [^\n|]{1,80}[|\]]| \|)"
    r"|(?<![\w.-])[A-ZÀ-Þ][^\W\d_]{2,30}(?=, (?:the |den |le |el )?\d{1,2}(?:st|nd|rd|th|\.|er)? )"
)
"""Where a scene plays, in a header that has its parts between bars; where a letter was written."""
_WEB: Final = (
    r"\b[a-z][a-z0-9+.-]{1,15}://[^\s<>\"'“”()\[\]{}|\\^`]+[^\s<>\"'“”()\[\]{}|\\^`.,;:!?]"
)
_MAIL: Final = r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}"
_PATH: Final = (
    r"(?<![\w/.])(?:~|\.{1,2})?/[\w.@+~-]+(?:/[\w.@+~*-]+){0,40}/?(?<![.~*+-])"
    r"|(?<![\w/])[\w.@+-]{1,80}(?:/[\w.@+*-]{1,80}){1,40}\.[A-Za-z]\w{0,9}"
    r"|\b[A-Za-z]:\\[^\s\"'<>|]{1,200}"
    r"|(?<![\w./])[\w-]{1,60}(?:\.[\w-]{1,20}){0,3}\."
    r"(?:[ch]|py|rs|go|js|ts|tsx|md|txt|json|jsonl|toml|ya?ml|csv|ini|cfg|conf|service|sql|html?|css"
    r"|ics|log|sh|lock|zip|gz|png|jpe?g|pdf|xml|java|cpp|hpp|rb|php|ipynb|db)\b"
)
_VERSION: Final = (
    r"\bv\d{1,5}(?:\.\d{1,5}){0,3}\b"
    r"|(?<![\d.])\d{1,5}(?:\.\d{1,5}){2,3}"
    r"(?:[-+.]?(?:rc|a|b|alpha|beta|dev|post)\d{0,4})?(?![\d.]\d)"
)
_ERROR: Final = (
    r"\b[A-Z]\w{0,60}(?:Error|Exception|Warning|Fault)\b(?::[ \u00a0][^\n]{1,80})?"
    r"|\b(?:exit|status|error)[ \u00a0](?:code|status)[ \u00a0]\d{1,4}\b|\bHTTP[ \u00a0][1-5]\d\d\b"
    r"|\bE[A-Z]{3,15}\b(?=[:)\]])"
)
_CODE: Final = (
    r"`[^`\n]{1,120}`"
    r"|(?<![\w-])--?[a-z][a-z0-9]*(?:-[a-z0-9]+){0,6}(?==|\b)(?:=[\w./-]{1,60})?"
    r"|\b[a-z][a-z0-9]{0,40}(?:_[a-z0-9]{1,40}){1,8}\b(?:\(\))?"
    r"|\b[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8}\b"
    r"|\b[a-z]{1,40}[A-Z][a-z0-9]\w{0,60}\b(?:\(\))?"
    r"|\b(?=[a-f]{0,40}\d)(?=\d{0,40}[a-f])[0-9a-f]{7,40}\b"
    r"|(?<!\w)#\d{1,7}\b"
)
_MONEY: Final = (
    r"(?:[$€£¥₹₽₩]|\b(?:USD|EUR|GBP|CHF|JPY|CNY)[ \u00a0])[ \u00a0]?"
    r"\d[\d.,'’\u00a0]{0,20}(?<![.,'’])(?:[ \u00a0](?:million|billion|k|m|bn)\b)?"
    r"|(?<![\d.,])\d[\d.,'’]{0,20}[ \u00a0]?(?:[€£$¥₹₽₩]|(?:USD|EUR|GBP|CHF|JPY|CNY|Euro"
    r"|euros?|dollars?|pounds?|cents?)\b|元|円)"
)
_QUOTE: Final = (
    r"“[^“”\n]{2,200}”|„[^„“”\n]{2,200}[“”]|«[^«»\n]{2,200}»|»[^«»\n]{2,200}«"
    r"|「[^「」\n]{2,80}」|『[^『』\n]{1,80}』|《[^《》\n]{1,80}》|\"[^\"\n]{2,200}\""
    r"|(?<![\w*])\*(?![\s*])[^*\n]{2,120}\*(?![\w*])|(?<![\w_])_(?![\s_])[^_\n]{2,120}_(?![\w_])"
)
_SPEECH_END: Final = frozenset(".,?!…:;—–-。，！？、~")
"""What dialogue ends with inside its quotation marks; a title or an inscription does not."""
_TITLE_MARKS: Final = frozenset("《『")

_PATTERNS: Final = (
    (SpecificKind.URL, re.compile(_WEB)),
    (SpecificKind.URL, re.compile(_MAIL)),
    (SpecificKind.ERROR, re.compile(_ERROR)),
    (SpecificKind.PATH, re.compile(_PATH)),
    (SpecificKind.DATE, re.compile(_STAMP)),
    (SpecificKind.TIME, re.compile(_CLOCK)),
    (SpecificKind.DATE, re.compile(_DATE)),
    (SpecificKind.NAME, re.compile(_HEADER_PLACE)),
    (SpecificKind.MONEY, re.compile(_MONEY)),
    (SpecificKind.VERSION, re.compile(_VERSION)),
    (SpecificKind.CODE, re.compile(_CODE)),
)
_QUOTED: Final = re.compile(_QUOTE)


def shaped(text: str) -> Iterator[tuple[SpecificKind, int, int]]:
    """Every pattern's matches with their place; may overlap, in order of precedence."""
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            yield kind, match.start(), match.end()


def quotes(text: str) -> Iterator[tuple[int, int]]:
    """Places of titles, inscriptions and emphasised words, marks excluded; no dialogue."""
    for match in _QUOTED.finditer(text):
        start, end = match.start() + 1, match.end() - 1
        inner = text[start:end].strip()
        if inner and (inner[-1] not in _SPEECH_END or text[match.start()] in _TITLE_MARKS):
            yield start, end
