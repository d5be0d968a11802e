"""Taking keys and passwords out of texts that are kept or shown.

Above: logs. Below: nothing. Invariant: words of a story stay as they are unless they look like a
key of a provider, a password in an address, or what stands behind such a name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Final

GONE: Final = "[key removed]"

_KEYS: Final = re.compile(
    r"""(?x)
    (?<![A-Za-z0-9])(?:sk|pk|rk|gsk|hf|xai|r8|ghp|AIza)[-_][A-Za-z0-9_-]{12,}
    | (?<![A-Za-z0-9])(?:Bearer|Basic)[ ]+[A-Za-z0-9._~+/=-]{12,}
    | (?<=://)[^\s/@:]{1,200}:[^\s/@]{1,200}(?=@)
    | (?<=api_key=)[^\s&]{6,} | (?<=api-key:[ ])\S{6,} | (?<=key=)[A-Za-z0-9_-]{16,}
    """,
)


_PLAIN: Final = re.compile(r"[A-Za-z0-9_.~-]")
_ESCAPE: Final = re.compile("%[0-9A-F]{2}")
LEAST: Final = 8
"""Signs of a key that is looked for: a shorter one may be a word, and guards nothing."""


def without_secrets(text: str, known: Iterable[str] = ()) -> str:
    """Return a text with every key and password in it replaced.

    Args:
        text: the text.
        known: keys that are in use, whatever they look like; they are found also where they are
            percent-encoded or stand in JSON, and left alone where they are shorter than `LEAST`.
    """
    forms = {form for key in known if len(key) >= LEAST for form in _forms(key)}
    for form in sorted(forms, key=lambda one: (-len(one), one)):
        text = text.replace(form, GONE)
    return _KEYS.sub(GONE, text)


def _forms(key: str) -> tuple[str, ...]:
    """Return how a key is written in addresses, in JSON, and in JSON within JSON."""
    quoted = _quoted(key)
    inside = json.dumps(key)[1:-1]
    twice = json.dumps(inside)[1:-1]
    addresses = (quoted, quoted.replace("%", "%25"), _quoted(key, safe="/"))
    lower = tuple(_ESCAPE.sub(lambda hit: hit[0].lower(), one) for one in addresses)
    return (key, *addresses, *lower, inside, inside.replace("/", "\\/"), twice)


def _quoted(key: str, safe: str = "") -> str:
    """Return a key percent-encoded, as addresses hold it."""
    return "".join(one if one in safe or _PLAIN.fullmatch(one) else _percent(one) for one in key)


def _percent(sign: str) -> str:
    return "".join(f"%{byte:02X}" for byte in sign.encode("utf-8", "surrogatepass"))
