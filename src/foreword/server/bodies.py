"""Finds and changes the model's name in a request without touching any other byte of it.

Above: `proxy`. Below: the standard library. A body may be 64 MB and need not be JSON, so it is
never parsed as a whole.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+"|[{}\[\]:]', re.DOTALL)
_STREAM = re.compile(rb'(?<!\\)"stream"\s*:\s*true')


@dataclass(frozen=True, slots=True)
class ModelName:
    """The text of the field `model`, and where it stands in the body."""

    text: str
    start: int
    end: int


def model_of(body: bytes) -> ModelName | None:
    """Return the model's name of a request; None where it has none or is no JSON object."""
    depth, key, value = 0, b"", -1
    for token in _TOKEN.finditer(body):
        sign = token.group()
        if sign in b"{[":
            depth += 1
        elif sign in b"}]":
            depth -= 1
        elif sign == b":":
            value = token.end() if depth == 1 and key == b'"model"' else -1
            continue
        elif value >= 0 and not body[value : token.start()].strip():
            return _name(token)
        key, value = sign, -1
    return None


def with_model(body: bytes, found: ModelName, text: str) -> bytes:
    """Return the body with another model's name."""
    return body[: found.start] + json.dumps(text).encode() + body[found.end :]


def asks_stream(body: bytes) -> bool:
    """Say whether a request asks for a stream."""
    return _STREAM.search(body) is not None


def _name(token: re.Match[bytes]) -> ModelName | None:
    try:
        text = json.loads(token.group())
    except ValueError:
        return None
    return ModelName(text, token.start(), token.end()) if isinstance(text, str) else None
