"""A small valid file of every format, to be broken: made here, or written by the real program."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from functools import cache
from pathlib import Path
from typing import Any

from tests.books import book, package, page
from tests.integration.engine.play import Play, start
from tests.integration.engine.test_import_memories import chat, identity, message, older, snippet
from tests.unit.formats.test_chatgpt import conversation as chatgpt
from tests.unit.formats.test_chatgpt import line as chatgpt_line
from tests.unit.formats.test_chatgpt import message as chatgpt_message

from foreword.engine import turns
from foreword.engine.exporting import export
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore

Json = dict[str, Any]
TAVERN = Path(__file__).parents[2] / "data" / "sillytavern"
DIGEST = "0a" * 64
CARD: Json = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "Mira",
        "description": "{{char}} keeps the archive.",
        "first_mes": "You're late, {{user}}.",
        "alternate_greetings": ["Again?", "Sit."],
        "character_book": {"entries": [{"keys": ["salt"], "content": "Salt is money."}]},
        "extensions": {"depth_prompt": {"prompt": "Stay calm.", "depth": 4}},
    },
}
OLD_CARD: Json = {"name": "Bram", "description": "A ferryman.", "first_mes": "Where to?"}
LORE: Json = {
    "name": "Salt",
    "entries": {
        "0": {"uid": 0, "key": ["ferry"], "content": "It is late.", "constant": True, "order": 1},
        "1": {
            "uid": 1,
            "key": [],
            "content": "They met on the quay.",
            "stmemorybooks": True,
            "STMB_start": 0,
            "STMB_end": 3,
        },
    },
}
MEMORIES = [
    {
        "summary": "They met.",
        "summaryMessageHash": DIGEST,
        "summaryType": "META_SUMMARY",
        "replacedSummary": {"summary": "He came.", "summaryMessageHash": DIGEST},
    }
]
MARKDOWN = """\
---
title: Night ferry
---

# One

The ferry is *late* again. "Nobody knows why," says Bram.

## Two

| boat | at |
|---|---|
| Heron | 12:04 |

```
not a [link](x)
```

> He waits.
"""
CLAUDE = {
    "uuid": "5b0e0c1a-0000-4000-8000-000000000001",
    "name": "Ferry",
    "created_at": "2026-11-30T10:00:00.000000Z",
    "updated_at": "2026-11-30T10:05:00.000000Z",
    "account": {"uuid": "a"},
    "chat_messages": [
        {
            "uuid": f"m{number}",
            "text": text,
            "content": [{"type": "text", "text": text}],
            "sender": sender,
            "created_at": "2026-11-30T10:00:00.000000Z",
            "attachments": [],
            "files": [],
        }
        for number, (sender, text) in enumerate(
            [("human", "Is the ferry in?"), ("assistant", "Not yet."), ("human", "And now?")]
        )
    ],
}
OPENAI: Json = {
    "messages": [
        {"role": "system", "content": "You know the tides."},
        {"role": "user", "content": [{"type": "text", "text": "Is the ferry in?"}]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "tide", "arguments": '{"at": 9}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "high"},
        {"role": "assistant", "content": "It is."},
    ]
}


def picture(*chunks: bytes) -> bytes:
    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    pixel = zlib.compress(b"\x00\x00")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        [chunk(b"IHDR", head), *chunks, chunk(b"IDAT", pixel), chunk(b"IEND", b"")]
    )


def chunk(kind: bytes, body: bytes, length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    return struct.pack(">I", size) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def packed(value: object) -> bytes:
    return base64.b64encode(json.dumps(value).encode())


def told() -> Play:
    """A conversation with most of what a file can hold."""
    play = start(engine_on(MemoryStore()), 6, system="Be brief.", char="Bo", user="Ann")
    play.make(2)
    turns.add_alternative(play.engine, play.place, "6", "t6 other")
    play.hide(3)
    play.pin(4)
    fork = play.fork(5)
    fork.say("t7 forked")
    return fork


@cache
def samples() -> dict[str, bytes]:
    """Return valid files by `format/name.ending`."""
    ghosts = {"layers": [[snippet(0, 1)]], "ghostedMessageIds": [identity(0)], "mutationEpoch": 1}
    old_ghosts = {"layers": [[older(0, 1)]], "summarizedUpTo": 1, "ghostedIndices": [0, 1]}
    hidden = [message(one, hidden=one < 2, sc_ghosted=one < 2) for one in range(4)]
    remembered = [
        message(one, qvink_memory={"memory": f"M{one}.", "include": "short"}) for one in range(3)
    ]
    play = told()
    return {
        "bundle/told.foreword.json": export(play.engine, play.place).data,
        "sillytavern/greeting.jsonl": (TAVERN / "greeting.jsonl").read_bytes(),
        "sillytavern/told.jsonl": export(play.engine, play.place, "sillytavern").data,
        "groups/branch.jsonl": b"\n".join(
            (TAVERN / "group-branch.jsonl").read_bytes().splitlines()[:2]
        ),
        "summaryception/newer.jsonl": chat(hidden, summaryception=ghosts),
        "summaryception/older.jsonl": chat(hidden, summaryception=old_ghosts),
        "qvink/memories.jsonl": chat(remembered),
        "summarize/memory.jsonl": chat([message(0), message(1, memory="They met."), message(2)]),
        "world-info/salt.json": json.dumps(LORE).encode(),
        "marginalia/records.json": json.dumps(MEMORIES).encode(),
        "cards/mira.json": json.dumps(CARD).encode(),
        "cards/bram.json": json.dumps(OLD_CARD).encode(),
        "cards/text.png": picture(chunk(b"tEXt", b"chara\x00" + packed(CARD))),
        "cards/packed.png": picture(
            chunk(b"zTXt", b"chara\x00\x00" + zlib.compress(packed(OLD_CARD))),
            chunk(b"iTXt", b"ccv3\x00\x01\x00en\x00\x00" + zlib.compress(packed(CARD))),
        ),
        "plain-text/talk.txt": b"Ann: Is the ferry in?\n\nBo: Not yet.\n\nAnn: And now?\n",
        "plain-text/story.txt": "One.\n\n***\n\nÉté, 340 marks. “No.”\n".encode(),
        "openai/messages.json": json.dumps(OPENAI).encode(),
        "openai/lines.jsonl": b"\n".join(json.dumps(one).encode() for one in OPENAI["messages"]),
        "openai/told.json": export(play.engine, play.place, "openai").data,
        "chatgpt/conversations.json": json.dumps(
            [
                chatgpt(
                    chatgpt_line(None, chatgpt_message("Hi."), chatgpt_message("No.", "assistant"))
                )
            ]
        ).encode(),
        "claude/conversations.json": json.dumps([CLAUDE]).encode(),
        "markdown/story.md": MARKDOWN.encode(),
        "markdown/told.md": export(play.engine, play.place, "markdown").data,
        "epub/night.epub": book(
            {"a.xhtml": page("<h1>One</h1><p>It was <em>dark</em>.</p>")}, package(["a.xhtml"])
        ),
    }
