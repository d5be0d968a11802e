"""Taking keys and passwords out of texts that are kept or shown.

Above: logs. Below: nothing. Invariant: words of a story stay as they are unless they look like a
key of a provider, a password in an address, or what stands behind such a name.
"""

from __future__ import annotations

import re
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


def without_secrets(text: str) -> str:
    """Return a text with every key and password in it replaced."""
    return _KEYS.sub(GONE, text)
