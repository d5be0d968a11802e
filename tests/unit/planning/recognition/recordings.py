"""Requests that real clients sent, read as messages, with what is known about them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foreword.domain.client_message import ClientMessage
from foreword.domain.turn import Role, ToolCallPart

TRAFFIC = Path(__file__).parents[3] / "data" / "traffic"
PLAYER_CHATS = tuple(sorted((TRAFFIC / "sillytavern").glob("*.jsonl")))
OTHER_CLIENTS = tuple(sorted((TRAFFIC / "clients").glob("*.jsonl")))
ROLES = {role.value: role for role in Role}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One request for an answer, and the answer."""

    seq: int
    body: Mapping[str, Any]
    messages: tuple[ClientMessage, ...]
    answer: str
    chat: str
    """The chat that it is from; empty where the recording does not say."""
    kind: str
    """What the client generated for, in its own words."""
    turns_after: int
    """How many messages the chat has after the answer; 0 where nobody knows."""


def recorded(path: Path) -> Iterator[Recorded]:
    """Yield the chat requests of a recording in order."""
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        body = row.get("body")
        if row.get("method") != "POST" or not isinstance(body, dict) or "messages" not in body:
            continue
        truth = row.get("truth") or {}
        yield Recorded(
            seq=row["seq"],
            body=body,
            messages=tuple(client_message(message) for message in body["messages"]),
            answer=(row.get("response") or {}).get("text") or "",
            chat=truth.get("chat_id") or "",
            kind=truth.get("st_type") or "",
            turns_after=truth.get("chat_len_after") or 0,
        )


def client_message(message: Mapping[str, Any]) -> ClientMessage:
    """Read a message of the chat completions protocol."""
    content = message.get("content") or ""
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    return ClientMessage(
        role=ROLES.get(message["role"], Role.SYSTEM),
        text="\n\n".join(part["text"] for part in parts if part["type"] == "text"),
        name=message.get("name") or "",
        calls=tuple(
            ToolCallPart(
                call_id=call["id"],
                name=call["function"]["name"],
                arguments=call["function"]["arguments"],
            )
            for call in message.get("tool_calls") or ()
        ),
        answers=message.get("tool_call_id") or "",
        media=tuple(json.dumps(part) for part in parts if part["type"] != "text"),
    )
