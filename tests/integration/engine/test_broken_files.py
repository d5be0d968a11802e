"""Broken and hostile files of every format: taken in whole, or not at all with a reason."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.integration.engine.test_import_memories import chat, identity, message, older, snippet

from foreword.engine import conversations
from foreword.engine.adding import add_file
from foreword.engine.context import Engine, Place
from foreword.engine.exporting import export
from foreword.engine.importing import import_file
from foreword.engine.verifying import verify
from foreword.errors import ForewordError
from foreword.ports.format import SourceFile
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore

SAMPLES = Path(__file__).parents[2] / "data" / "sillytavern"
FILES = [path.read_bytes() for path in sorted(SAMPLES.rglob("*")) if path.is_file()]
STORE = {"layers": [[snippet(0, 1)]], "ghostedMessageIds": [identity(0)], "mutationEpoch": 1}
OLDER = {"layers": [[older(0, 1)]], "summarizedUpTo": 1, "ghostedIndices": [0, 1]}
FILES += [
    chat([message(one, hidden=one < 2, sc_ghosted=True) for one in range(4)], summaryception=store)
    for store in (STORE, OLDER)
]


def chunk(kind: bytes, body: bytes, length: int) -> bytes:
    return struct.pack(">I", length) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def picture(body: bytes, kind: bytes = b"tEXt", length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    return b"\x89PNG\r\n\x1a\n" + chunk(kind, body, size)


DEEP = b'{"name":"A","mes":"x","extra":' + b"[" * 5000 + b"]" * 5000 + b"}"
HOSTILE = {
    "nothing but a header": b'{"user_name":"A","character_name":"B","chat_metadata":{}}',
    "a message nested too deeply": DEEP,
    "a message cut off": b'{"name":"A","is_user":false,"mes":"x"',
    "an unending number": b'{"name":"A","mes":"x","swipe_id":' + b"9" * 100_000 + b"}",
    "swipes without end": json.dumps(
        {"mes": "x", "swipes": ["x"] * 5000, "swipe_id": 9e99}
    ).encode(),
    "NUL bytes": b'{"name":"\\u0000","mes":"\\u0000"}',
    "half a character": b'{"name":"A","mes":"\\ud800"}',
    "a layer of layers": chat([message(0)], summaryception={"layers": [[[[[]]]]]}),
    "a thousand layers": chat([message(0)], summaryception={"layers": [[snippet(0)]] * 1000}),
    "a range of everything": chat([message(0)], summaryception={"layers": [[older(0, 10**18)]]}),
    "a card that is none": picture(b"chara\x00" + base64.b64encode(b"[]")),
    "a card that is too long by its own word": picture(b"chara\x00e30=", length=2**31 - 1),
    "a card packed badly": picture(b"chara\x00\x00\x78\x9c\xff\xff", b"zTXt"),
    "a book of nothing": b'{"entries":{"0":{"content":7,"key":"x","order":"last"}}}',
    "a book nested too deeply": b'{"entries":{"0":{"content":' + b"[" * 5000 + b"]" * 5000 + b"}}}",
}


def whole_or_not_at_all(engine: Engine, data: bytes) -> None:
    before = conversations.list_conversations(engine)
    try:
        done = import_file(engine, SourceFile(path="x", data=data))
    except ForewordError:
        assert conversations.list_conversations(engine) == before
        return
    assert verify(engine).problems == ()
    place = Place(conversation=done.conversation, branch=done.branch)
    for form in ("sillytavern", "summaryception", "summaryception-5"):
        assert export(engine, place, form).data


@pytest.mark.parametrize("data", HOSTILE.values(), ids=list(HOSTILE))
def test_a_hostile_file_is_taken_in_whole_or_not_at_all(engine: Engine, data: bytes) -> None:
    whole_or_not_at_all(engine, data)


@given(st.sampled_from(FILES), st.data())
def test_a_bent_file_is_taken_in_whole_or_not_at_all(data: bytes, draws: st.DataObject) -> None:
    bent = bytearray(data)
    for _ in range(draws.draw(st.integers(1, 3))):
        at = draws.draw(st.integers(0, len(bent)))
        more = draws.draw(
            st.sampled_from([b"", b"\x00", b"\xff", b'"', b"{", b"\n", b"null", b"9" * 30])
        )
        bent[at : at + draws.draw(st.sampled_from([0, 1, 7, 500]))] = more
    whole_or_not_at_all(engine_on(MemoryStore()), bytes(bent))


@given(st.sampled_from(FILES))
def test_nothing_is_added_to_a_story_by_a_file_that_is_refused(data: bytes) -> None:
    engine = engine_on(MemoryStore())
    done = import_file(engine, SourceFile(path="s", data=chat([message(0), message(1)])))
    place = Place(conversation=done.conversation)
    before = export(engine, place).data
    try:
        add_file(engine, SourceFile(path="x", data=data), place)
    except ForewordError:
        assert export(engine, place).data == before
    assert verify(engine).problems == ()
