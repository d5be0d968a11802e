"""Which headers pass the proxy, and whose key a request carries.

Above: `proxy`. Below: the standard library. Invariant: what belongs to one connection stays there;
everything else passes unchanged and in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

Raw = Sequence[tuple[bytes, bytes]]

OWN = b"x-foreword-"
"""What headers begin with that are said to or by Foreword."""
SAID = ((b"x-foreword-recognised", b"none"), (b"x-foreword-state", b"off"))
"""Stands on every answer: there is no memory here yet."""

_HOP = frozenset(
    (
        b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization",
        b"proxy-connection", b"te", b"trailer", b"transfer-encoding", b"upgrade",
    )
)  # fmt: skip
_OF_REQUEST = _HOP | {b"host", b"content-length", b"expect"}
_KEYS = frozenset((b"authorization", b"x-api-key", b"api-key"))
_HERE = re.compile(rb"https?://(?:localhost|127\.[0-9.]+|\[::1\])(?::[0-9]+)?", re.IGNORECASE)


def forwarded(
    headers: Raw, *, key: str = "", anthropic: bool = False
) -> tuple[tuple[str, str], ...]:
    """Return the headers of a request as the upstream gets them.

    Args:
        headers: as they came.
        key: stands instead of the client's own; empty: that is passed on.
        anthropic: the key is sent as Anthropic's servers read it.
    """
    dropped = _OF_REQUEST | _named(headers) | (_KEYS if key else frozenset())
    kept = [
        (_text(name), _text(value))
        for name, value in headers
        if name.lower() not in dropped and not name.lower().startswith(OWN)
    ]
    if key:
        kept.append(("x-api-key", key) if anthropic else ("authorization", f"Bearer {key}"))
    return tuple(kept)


def returned(headers: Raw, *, sized: bool) -> list[tuple[bytes, bytes]]:
    """Return the headers of an answer as the client gets them.

    Args:
        headers: as they came.
        sized: whether its length is as the upstream said.
    """
    dropped = _HOP | _named(headers) | (frozenset() if sized else {b"content-length"})
    kept = [
        (name.lower(), value)
        for name, value in headers
        if name.lower() not in dropped and not name.lower().startswith(OWN)
    ]
    return [*kept, *SAID]


def value_of(headers: Raw, name: bytes) -> bytes:
    """Return a header's value; empty when it did not come."""
    return next((value for key, value in headers if key.lower() == name), b"")


def from_elsewhere(headers: Raw) -> bool:
    """Say whether a page of another site sends this request: it gets no stored key."""
    origin = value_of(headers, b"origin")
    return bool(origin) and not _HERE.fullmatch(origin)


def _named(headers: Raw) -> frozenset[bytes]:
    """Return the headers that `Connection` names: they belong to it too."""
    lines: Iterable[bytes] = (value for key, value in headers if key.lower() == b"connection")
    return frozenset(word.strip().lower() for line in lines for word in line.split(b","))


def _text(value: bytes) -> str:
    """Return a header as text that is sent as the same bytes where that can be."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")
