"""Files made worse: by bytes, by lines, by the values in their JSON, by PNG chunks, by ZIP members.

Every choice comes from the `random.Random` that is passed in: a seed gives the same file again.
"""

from __future__ import annotations

import json
import random
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

Mutation = Callable[[random.Random, bytes], bytes]

TOKENS = (
    b"\x00", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b'"', b"\\", b"{", b"}", b"[", b"]", b",",
    b":", b"\n", b"\r", b"\r\n", b"\n\n", b"null", b"true", b"-1", b"1e999", b"NaN", b"9" * 5000,
    b"\\ud800", b"\\u0000", b"\xed\xa0\x80", b"\xf0\x9f\x92", b"---\n", b"# ", b"```\n", b"<", b"&",
    b"[" * 300, b'{"a":' * 300, b"> " * 200, b"\xe2\x80\xae", b"\xc2\x85", b"\xe2\x80\xa8",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, -(2**63) - 1, 10**30, 10**400, 0.5, -0.0,
    1e308, float("inf"), float("nan"), "", " ", "0", "-1", "\x00", "\ud800", "a\udfffb", "\u202e",
    "x" * 3000, "{{user}}", "<|im_end|>", "../../etc", [], {}, [[]], [None], {"": {}}, [[[[[[]]]]]],
    ["x"] * 300, {"a": {"a": {"a": {}}}}, "2026-13-45T99:99:99Z", "null", "\n", [0, 1, 2], {"0": 0},
)  # fmt: skip
CODECS = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "utf-8-sig", "shift_jis", "utf-7")


def mutated(draw: random.Random, data: bytes, others: list[bytes]) -> bytes:
    """Return `data` after one to four mutations that suit it."""
    for _ in range(draw.choice((1, 1, 1, 2, 2, 4))):
        data = draw.choice(_fitting(data))(draw, data)
    if draw.random() < 0.04:
        other = draw.choice(others)
        data = data[: draw.randrange(len(data) + 1)] + other[draw.randrange(len(other) + 1) :]
    return data


def _fitting(data: bytes) -> tuple[Mutation, ...]:
    if data.startswith(b"\x89PNG"):
        return (_chunks, _chunks, _cut, _flip, _token)
    if data.startswith(b"PK\x03\x04"):
        return (_member, _member, _header, _cut, _flip, _token)
    if data.lstrip()[:1] in (b"{", b"["):
        return (_value, _value, _value, _shape, _shape, _lines, _cut, _flip, _token, _recoded)
    return (_lines, _lines, _cut, _flip, _token, _token, _recoded)


def _cut(draw: random.Random, data: bytes) -> bytes:
    """Without its end, its beginning or a piece of the middle."""
    first, last = sorted((draw.randrange(len(data) + 1), draw.randrange(len(data) + 1)))
    return draw.choice((data[:first], data[first:], data[:first] + data[last:]))


def _flip(draw: random.Random, data: bytes) -> bytes:
    bent = bytearray(data)
    for _ in range(draw.choice((1, 1, 3, 10)) if bent else 0):
        bent[draw.randrange(len(bent))] ^= 1 << draw.randrange(8)
    return bytes(bent)


def _token(draw: random.Random, data: bytes) -> bytes:
    at = draw.randrange(len(data) + 1)
    return data[:at] + draw.choice(TOKENS) + data[at + draw.choice((0, 0, 1, 7)) :]


def _lines(draw: random.Random, data: bytes) -> bytes:
    """Lines twice, gone, in another order, ended in another way."""
    lines = data.split(b"\n")
    at, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    match draw.randrange(6):
        case 0:
            lines.insert(other, lines[at])
        case 1:
            del lines[at]
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] *= 40
        case 4:
            lines *= 3
        case _:
            ends = [draw.choice((b"\n", b"\r\n", b"\r", b"\n\n")) for _ in lines]
            return b"".join(line + end for line, end in zip(lines, ends, strict=True))
    return b"\n".join(lines)


def _recoded(draw: random.Random, data: bytes) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(draw.choice(CODECS), draw.choice(("ignore", "replace")))


def _json(data: bytes) -> tuple[list[Any], bool]:
    """The values that a file is made of, and whether each has a line of its own."""
    try:
        return [json.loads(data)], False
    except (ValueError, RecursionError):
        pass
    found = []
    for line in data.split(b"\n"):
        try:
            found.append(json.loads(line))
        except (ValueError, RecursionError):
            continue
    return found, True


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with every key of it."""
    open_: list[Any] = [value]
    while open_:
        one = open_.pop()
        keys = list(one) if isinstance(one, dict) else range(len(one))
        for key in keys:
            yield one, key
            if isinstance(one[key], dict | list):
                open_.append(one[key])


def _changed(
    draw: random.Random, data: bytes, change: Callable[[random.Random, Any, Any], None]
) -> bytes:
    values, by_line = _json(data)
    places = list(_places(values))
    if not places:
        return _token(draw, data)
    change(draw, *draw.choice(places))
    ascii_, spread = draw.random() < 0.8, draw.choice((None, None, 1))
    indent = None if by_line else spread
    written = [json.dumps(one, ensure_ascii=ascii_, indent=indent) for one in values]
    return ("\n".join(written)).encode("utf-8", "surrogatepass")


def _value(draw: random.Random, data: bytes) -> bytes:
    """Another value in the place of one."""

    def change(draw: random.Random, of: Any, key: Any) -> None:
        of[key] = draw.choice(VALUES)

    return _changed(draw, data, change)


def _shape(draw: random.Random, data: bytes) -> bytes:
    """A key or item gone, twice, renamed, wrapped or deep."""

    def change(draw: random.Random, of: Any, key: Any) -> None:
        value = of[key]
        match draw.randrange(6):
            case 0 if isinstance(of, dict):
                del of[key]
            case 0 | 1 if isinstance(of, list):
                of.insert(draw.randrange(len(of) + 1), value)
            case 2:
                of[key] = [value]
            case 3:
                of[key] = {"text": value, "id": value}
            case 4:
                for _ in range(draw.choice((3, 99, 101, 300))):
                    value = [value]
                of[key] = value
            case _ if isinstance(of, dict):
                of[draw.choice((*of, "x", "", "id", "name"))] = of.pop(key)
            case _:
                of[key] = [value] * draw.choice((2, 50))

    return _changed(draw, data, change)


def _chunks(draw: random.Random, data: bytes) -> bytes:
    """PNG chunks whose length, kind, text or order is wrong."""
    chunks: list[tuple[bytes, bytes]] = []
    at = 8
    while at + 8 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        chunks.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    if not chunks:
        return _token(draw, data)
    number = draw.randrange(len(chunks))
    kind, body = chunks[number]
    length = len(body)
    match draw.randrange(6):
        case 0:
            length = draw.choice((0, length - 1, length + 1, 2**31 - 1, 2**31, 2**32 - 1)) % 2**32
        case 1:
            kind = draw.choice((b"tEXt", b"zTXt", b"iTXt", b"IEND", b"\x00\x00\x00\x00"))
        case 2:
            body = draw.choice((_flip, _cut, _token))(draw, body)
            length = len(body)
        case 3:
            chunks.insert(draw.randrange(len(chunks) + 1), (kind, body))
        case 4:
            bomb = zlib.compress(b"A" * draw.choice((10, 100_000, 5_000_000)))
            kind, body = b"zTXt", b"chara\x00\x00" + bomb
            length = len(body)
        case _:
            draw.shuffle(chunks)
    chunks[number] = (kind, body)
    parts = [data[:8]]
    for place, (name, text) in enumerate(chunks):
        said = length if place == number else len(text)
        parts += [struct.pack(">I", said), name, text, struct.pack(">I", zlib.crc32(name + text))]
    return b"".join(parts)


def _member(draw: random.Random, data: bytes) -> bytes:
    """A file of an archive changed, renamed, gone, twice or much too large."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            members = [(name, archive.read(name)) for name in archive.namelist()]
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError,
            ValueError, struct.error):  # fmt: skip
        return _token(draw, data)
    if not members:
        return _token(draw, data)
    number = draw.randrange(len(members))
    name, body = members[number]
    match draw.randrange(6):
        case 0:
            del members[number]
        case 1:
            members[number] = (draw.choice(("../up", "/x", "a\\b", "", name.upper())), body)
        case 2:
            members.append((name, body[: len(body) // 2]))
        case 3:
            members[number] = (name, b"<p>" * draw.choice((300, 200_000)))
        case _:
            bend = draw.choice((_flip, _cut, _token, _lines, _recoded, _tags))
            members[number] = (name, bend(draw, body))
    out = BytesIO()
    with zipfile.ZipFile(out, "w", draw.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as made:
        for called, held in members:
            made.writestr(zipfile.ZipInfo(called or "x", (1980, 1, 1, 0, 0, 0)), held)
    return out.getvalue()


def _tags(draw: random.Random, data: bytes) -> bytes:
    """Markup with a tag gone, twice or another in its place."""
    tags = list(re.finditer(rb"<[^<>]*>", data))
    if not tags:
        return _token(draw, data)
    found = draw.choice(tags)
    new = draw.choice(
        (b"", found[0] * 2, b"<script>", b"<!--", b"<![CDATA[", b"<!DOCTYPE a [<!ENTITY b 'c'>]>",
         b"&b;", b"</html>", b"<table><tr><td>", b"<ul><li>" * 300, b"<?xml version='9'?>")
    )  # fmt: skip
    return data[: found.start()] + new + data[found.end() :]


def _header(draw: random.Random, data: bytes) -> bytes:
    """A number in one of an archive's headers lies."""
    marks = [found.start() for found in re.finditer(rb"PK(?:\x01\x02|\x03\x04|\x05\x06)", data)]
    at = draw.choice(marks or [0]) + draw.randrange(4, 30)
    lie = draw.choice((b"\x00" * 4, b"\xff" * 4, b"\xff\xff", b"\x01", b"\x63\x00", b"\x7f" * 4))
    return data[:at] + lie + data[at + len(lie) :]
