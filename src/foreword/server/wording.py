"""Errors in the client's protocol, and what says that a stream is over.

Above: `proxy`. Below: errors.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

_TAIL = 64
"""Bytes that an end may be spread over, beyond one piece."""
_OVER = re.compile(
    rb'data:\s*\[DONE\]|"finish_reason"\s*:\s*"|"type"\s*:\s*"(?:message_stop|error)"'
    rb'|"error"\s*:\s*[{"]'
)
_TYPES = {400: "invalid_request_error", 404: "not_found_error", 413: "request_too_large"}
"""Both protocols' types of errors by status."""


def error_body(message: str, status: int, *, anthropic: bool) -> bytes:
    """Return an error as a whole answer of the client's protocol."""
    return json.dumps(_document(message, status, anthropic=anthropic), ensure_ascii=False).encode()


def error_event(message: str, *, anthropic: bool) -> bytes:
    """Return an error as the last event of a stream."""
    name = b"event: error\n" if anthropic else b""
    return name + b"data: " + error_body(message, 502, anthropic=anthropic) + b"\n\n"


@dataclass(slots=True)
class StreamEnd:
    """Looks for the end of a stream of events in its pieces."""

    seen: bool = False
    tail: bytes = field(default=b"\n\n", repr=False)

    def read(self, piece: bytes) -> None:
        """Read on."""
        self.seen = self.seen or _OVER.search(self.tail + piece) is not None
        self.tail = (self.tail + piece)[-_TAIL:]

    def closing(self) -> bytes:
        """Return what ends the event that was begun, if one was."""
        if re.search(rb"(?:\r\n|\n|\r){2}$|\r\n\r\n$", self.tail):
            return b""
        return b"\n\n"


def _document(message: str, status: int, *, anthropic: bool) -> dict[str, object]:
    kind = _TYPES.get(status, "api_error")
    if anthropic:
        return {"type": "error", "error": {"type": kind, "message": message}}
    return {"error": {"message": message, "type": kind, "param": None, "code": None}}
