"""Words for what a server did: short, plain, and without secrets.

Above: everything in `llm` that makes a `detail`. Below: nothing. Invariant: what `excerpt` returns
holds no key that it was given, nothing that looks like one, and no address with a password in it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote

MOST_CHARS: Final = 300
_LEAST_SECRET: Final = 4
_READ_CHARS: Final = 20_000

_CREDENTIALS: Final = re.compile(
    r"(?i)(://)[^\s/@]+@"
    r"|(\bbearer\s+)[^\s\"',;]+"
    r"|((?:authorization|x-api-key|api[-_]?key|access[-_]?token|secret)[\"']?\s*[:=]\s*[\"']?)"
    r"(?:bearer\s+|basic\s+)?[^\s\"',;&<>]+"
    r"|\b(?:sk|pk|rk|gsk|hf|xai|ak)[-_][\w*.…-]{6,}"
    r"|\bAIza[\w-]{10,}"
)
_TITLE: Final = re.compile(r"(?is)<title[^>]*>(.*?)</title")
_HEADING: Final = re.compile(r"(?is)<h1[^>]*>(.*?)</h1")
_TAG: Final = re.compile(r"<[^>]*>")
_HTML: Final = re.compile(
    r"(?i)\A\s*(?:<!--.*?-->\s*)?<(?:!doctype|html|head|body|title|h1|center)\b"
)
_CONTROL: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]+"
)


def excerpt(text: str, secrets: Iterable[str] = (), *, most: int = MOST_CHARS) -> str:
    """Return the beginning of a text on one line, without secrets.

    Args:
        text: what a server or a library said.
        secrets: keys that must not be shown, whatever they look like.
        most: how long it may be, in characters.
    """
    shown = " ".join(_CONTROL.sub(" ", text[:_READ_CHARS]).split())
    for secret in secrets:
        for form in {secret, quote(secret, safe="")}:
            if len(form) >= _LEAST_SECRET:
                shown = shown.replace(form, "…")
    shown = _CREDENTIALS.sub(lambda found: f"{''.join(filter(None, found.groups()))}…", shown)
    return shown if len(shown) <= most else shown[: most - 1].rstrip() + "…"


def is_html(text: str) -> bool:
    """Say whether a text is a web page."""
    return bool(_HTML.match(text[:_READ_CHARS]))


def html_words(text: str, secrets: Iterable[str] = ()) -> str:
    """Return what a web page is about, in words."""
    beginning = text[:_READ_CHARS]
    found = _TITLE.search(beginning) or _HEADING.search(beginning)
    title = excerpt(html.unescape(_TAG.sub(" ", found[1])), secrets, most=80) if found else ""
    return f"an HTML page titled {title!r}" if title else "an HTML page"
