"""Dialects: what one server takes and another refuses, learnt from what it refuses.

Above: guarding, which rewrites requests, and streaming. Below: messages. Invariant: adapting ends;
each step leaves a dialect for one that was not tried with that server.

Source: issue 3, section 1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final
from urllib.parse import urlsplit

from foreword.domain.message import Message
from foreword.domain.turn import Role

OLD_LIMIT: Final = "max_tokens"
NEW_LIMIT: Final = "max_completion_tokens"
START: Final = "[The conversation begins.]"

_OPENAI_HOSTS: Final = ("api.openai.com", ".openai.azure.com")
_ROLES: Final = re.compile(
    r"(?i)system (?:role|message|prompt)s?\b|only user|roles? must alternate|alternat"
    r"|(?:first|last) message must|role.{0,20}(?:not supported|system)|must be at the beginning"
    r"|raise_exception"
)


class Roles(IntEnum):
    """How free the order of roles is, from free to strict."""

    FREE = 0
    """Any role anywhere."""
    LEADING = 1
    """System messages only at the beginning; user and assistant alternate."""
    NO_SYSTEM = 2
    """No system message at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What a server takes."""

    limit: str = OLD_LIMIT
    """The name of the parameter for the most tokens of an answer."""
    usage_option: bool = True
    """It takes `stream_options`."""
    roles: Roles = Roles.FREE
    limit_refused: bool = False
    """The other name was refused already."""


def first_dialect(url: str) -> Dialect:
    """Return what to try first with the server at an address."""
    host = urlsplit(url).hostname or ""
    new = any(host == known or host.endswith(known) for known in _OPENAI_HOSTS)
    return Dialect(limit=NEW_LIMIT if new else OLD_LIMIT)


def adapted(dialect: Dialect, said: str) -> Dialect | None:
    """Return the dialect to try after a refusal in these words; None when they name no reason."""
    if dialect.usage_option and re.search(r"(?i)stream_options|include_usage", said):
        return replace(dialect, usage_option=False)
    if not dialect.limit_refused and dialect.limit in said:
        other = OLD_LIMIT if dialect.limit == NEW_LIMIT else NEW_LIMIT
        return replace(dialect, limit=other, limit_refused=True)
    if dialect.roles < Roles.NO_SYSTEM and _ROLES.search(said):
        return replace(dialect, roles=Roles(dialect.roles + 1))
    return None


def rewritten(body: bytes, dialect: Dialect) -> bytes:
    """Return a request's JSON in the words of a dialect; other bodies as they are."""
    try:
        asked = json.loads(body)
    except ValueError:
        return body
    if not isinstance(asked, dict):
        return body
    for name in (OLD_LIMIT, NEW_LIMIT):
        if name in asked and name != dialect.limit:
            asked[dialect.limit] = asked.pop(name)
    if "stream_options" in asked:
        asked["stream_options"] = {"include_usage": True}
        if not dialect.usage_option:
            del asked["stream_options"]
    return json.dumps(asked, ensure_ascii=False).encode("utf-8", "replace")


def shaped(messages: Sequence[Message], roles: Roles) -> tuple[Message, ...]:
    """Return messages in an order of roles that a server takes; all of their text is kept."""
    if roles is Roles.FREE:
        return tuple(messages)
    count = _leading(messages)
    leading = "\n\n".join(message.content for message in messages[:count])
    rest = _merged(_noted(message) for message in messages[count:])
    if not rest or rest[0].role is not Role.USER:
        rest = (Message(role=Role.USER, content=START), *rest)
    if not leading:
        return rest
    if roles is Roles.LEADING:
        return (Message(role=Role.SYSTEM, content=leading), *rest)
    first = Message(role=Role.USER, content=f"{leading}\n\n{rest[0].content}")
    return (first, *rest[1:])


def _leading(messages: Sequence[Message]) -> int:
    for number, message in enumerate(messages):
        if message.role is not Role.SYSTEM:
            return number
    return len(messages)


def _noted(message: Message) -> Message:
    if message.role is Role.SYSTEM:
        return Message(role=Role.USER, content=f"[System note: {message.content}]")
    return message


def _merged(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Join neighbours of one role; messages without text are left out."""
    merged: list[Message] = []
    for message in messages:
        if not message.content.strip():
            continue
        if merged and merged[-1].role is message.role:
            content = f"{merged[-1].content}\n\n{message.content}"
            merged[-1] = Message(role=message.role, content=content)
        else:
            merged.append(message)
    return tuple(merged)
