"""The corpus of broken files in `tests/data/broken`, and what each has to give.

    python -m tests.integration.formats.corpus

writes the broken files that are not there yet and records, in `expected.json`, what happens with
every file that has no expectation. Read that file before you commit it: each entry is either the
error, or the turns of each conversation and the losses. Nothing that is there is
ever written again. What the fuzzer found stands in `found/`; give it a name that says its kind.
"""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.books import CONTAINER, archive, book, package, page
from tests.integration.engine.play import start
from tests.integration.formats.checking import take_in
from tests.integration.formats.samples import CARD, chunk, packed, picture, samples

from foreword.engine.exporting import export
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore

FOLDER = Path(__file__).parents[2] / "data" / "broken"
EXPECTED = FOLDER / "expected.json"
FOUND = FOLDER / "found"
PAGE = page("<h1>One</h1><p>It was dark.</p>")

Break = Callable[[bytes], bytes]


def files() -> dict[str, bytes]:
    """Return the files of the corpus by their names, `found/` included."""
    paths = sorted(path for path in FOLDER.rglob("*") if path.is_file() and path != EXPECTED)
    return {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in paths}


def outcome(name: str, data: bytes) -> dict[str, Any]:
    """Import a file and return what an expectation says of it."""
    taken = take_in(data, name.rpartition("/")[2])
    found: dict[str, Any] = {}
    if taken.refused is not None:
        # Which error is API, its words are not.
        found["error"] = type(taken.refused).__name__
    if taken.imported:
        found["turns"] = [done.turns for done in taken.imported]
        found["losses"] = [
            f"{loss.where}: {loss.what} ({loss.why})"
            for done in taken.imported
            for loss in done.losses
        ]
    return found


# --- how files break -----------------------------------------------------------------------------


def _middle(data: bytes, more: bytes) -> bytes:
    spaces = [found.start() for found in re.finditer(rb"(?<=[a-z]) (?=[a-z])", data)]
    at = spaces[len(spaces) // 2] if spaces else len(data) // 2
    return data[:at] + more + data[at:]


def _leaves(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, dict):
        return {key: _leaves(one, change) for key, one in value.items()}
    if isinstance(value, list):
        return [_leaves(one, change) for one in value]
    return change(value)


def _in_json(change: Callable[[Any], Any]) -> Break:
    """Change every value that is no list and no object, in a file of JSON or of lines of it."""

    def broken(data: bytes) -> bytes:
        try:
            whole = [json.loads(data)]
        except ValueError:
            whole = [json.loads(line) for line in data.splitlines() if line.strip()]
        return b"\n".join(json.dumps(_leaves(one, change)).encode() for one in whole)

    return broken


def _other_type(value: Any) -> Any:
    match value:
        case str():
            return len(value)
        case bool() | None:
            return "maybe"
        case _:
            return str(value)


def _last_text(data: bytes, more: bytes) -> bytes:
    """Put JSON in the place of the last text in a file."""
    found = list(re.finditer(rb'(?<=: )"[^"\\]*"|(?<=:)"[^"\\]*"', data))[-1]
    return data[: found.start()] + more + data[found.end() :]


TEXT: dict[str, Break] = {
    "empty": lambda _: b"",
    "blank": lambda _: b" \r\n\x00\n",
    "cut-in-half": lambda data: data[: len(data) // 2],
    "last-byte-missing": lambda data: data.rstrip()[:-1],
    "beginning-missing": lambda data: data[len(data) // 3 :],
    "nul-bytes": lambda data: _middle(data, b"\x00\x00"),
    "not-utf-8": lambda data: _middle(data, b" caf\xe9 \x81"),
    "half-a-sequence": lambda data: _middle(data, b" \xf0\x9f\x92"),
    "utf-16": lambda data: data.decode().encode("utf-16"),
    "utf-16-without-mark": lambda data: data.decode().encode("utf-16-be"),
    "two-marks": lambda data: b"\xef\xbb\xbf" * 2 + data,
    "mixed-line-ends": lambda data: data.replace(b"\n", b"\r\n", 1).replace(b"\n", b"\r", 3),
    "twice": lambda data: data + b"\n" + data,
}
JSON: dict[str, Break] = {
    "all-null": _in_json(lambda _: None),
    "other-types": _in_json(_other_type),
    "half-a-character": _in_json(lambda one: "\ud800" if isinstance(one, str) else one),
    "huge-numbers": _in_json(lambda one: one if isinstance(one, str) else 10**40),
    "empty-texts": _in_json(lambda one: "" if isinstance(one, str) else one),
    "too-deep": lambda data: _last_text(data, b"[" * 150 + b"]" * 150),
    "far-too-deep": lambda data: _last_text(data, b"[" * 1500 + b"]" * 1500),
    "endless-number": lambda data: _last_text(data, b"9" * 5000),
    "in-a-list": lambda data: b"[[" + data + b"]]",
}
PNG: dict[str, Break] = {
    "cut-in-half": lambda data: data[: len(data) // 2],
    "only-a-signature": lambda data: data[:8],
    "length-lies": lambda _: picture(chunk(b"tEXt", b"chara\x00" + packed(CARD), 2**32 - 1)),
    "length-short": lambda _: picture(chunk(b"tEXt", b"chara\x00" + packed(CARD), 40)),
    "no-card": lambda _: picture(chunk(b"tEXt", b"Title\x00A boat")),
    "no-base64": lambda _: picture(chunk(b"tEXt", b"chara\x00" + b"?" * 40)),
    "no-json": lambda _: picture(chunk(b"tEXt", b"chara\x00" + b"AAAA")),
    "card-is-a-list": lambda _: picture(chunk(b"tEXt", b"chara\x00" + packed([CARD]))),
    "damaged-packing": lambda _: picture(chunk(b"zTXt", b"chara\x00\x00\x78\x9c\xff\xff")),
    "packing-cut": lambda _: picture(
        chunk(b"zTXt", b"chara\x00\x00" + zlib.compress(packed(CARD))[:60])
    ),
    "keyword-without-end": lambda _: picture(chunk(b"iTXt", b"chara")),
    "fields-missing": lambda _: picture(chunk(b"iTXt", b"chara\x00\x01")),
    "bad-checksum": lambda data: data[:-30] + b"\x00" * 10 + data[-20:],
}


def _lie(data: bytes, mark: bytes, at: int, number: bytes) -> bytes:
    start = data.index(mark) + at
    return data[:start] + number + data[start + len(number) :]


ZIP: dict[str, Break] = {
    "cut-in-half": lambda data: data[: len(data) // 2],
    "only-a-signature": lambda data: data[:4],
    "directory-missing": lambda data: data[: data.index(b"PK\x01\x02")],
    "number-of-files-lies": lambda data: _lie(data, b"PK\x05\x06", 10, b"\xff\xff"),
    "size-of-list-lies": lambda data: _lie(data, b"PK\x05\x06", 12, b"\xff\xff\xff\xff"),
    "start-of-list-lies": lambda data: _lie(data, b"PK\x05\x06", 16, b"\xff\xff\xff\x7f"),
    "size-lies": lambda data: _lie(data, b"PK\x01\x02", 24, struct.pack("<I", 2**32 - 1)),
    "packed-size-lies": lambda data: _lie(data, b"PK\x01\x02", 20, struct.pack("<I", 2**31)),
    "unknown-packing": lambda data: _lie(data, b"PK\x01\x02", 10, b"\x63\x00"),
    "needs-a-password": lambda data: _lie(data, b"PK\x01\x02", 8, b"\x01\x00"),
    "no-container": lambda _: archive({"mimetype": "application/epub+zip", "a.xhtml": PAGE}),
    "container-elsewhere": lambda _: archive({"META-INF/container.xml": CONTAINER}),
    "no-package": lambda _: book({"a.xhtml": PAGE}, ""),
    "package-cut": lambda _: book({"a.xhtml": PAGE}, package(["a.xhtml"])[:300]),
    "page-missing": lambda _: book({"a.xhtml": PAGE}, package(["a.xhtml", "b.xhtml"])),
    "page-outside": lambda _: book({"a.xhtml": PAGE}, package(["../../etc/passwd", "a.xhtml"])),
    "page-of-nul-bytes": lambda _: book({"a.xhtml": b"\x00" * 500}, package(["a.xhtml"])),
    "page-not-closed": lambda _: book({"a.xhtml": PAGE[:-40] + "<p>" * 80}, package(["a.xhtml"])),
    "entities-in-entities": lambda _: book(
        {"a.xhtml": PAGE.replace("html>", "html [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]>", 1)},
        package(["a.xhtml"]),
    ),
}


def _broken() -> Iterator[tuple[str, bytes]]:
    small = start(engine_on(MemoryStore()), 3)
    small.make(2)
    bundle = export(small.engine, small.place).data
    seen: set[tuple[str, str]] = set()
    for name, data in samples().items():
        form, _, file = name.partition("/")
        kind = file.rpartition(".")[2]
        if (form, kind) in seen or (file.startswith("told") and form != "bundle"):
            continue
        seen.add((form, kind))
        ways = _ways(form, kind)
        for way, bend in ways.items():
            yield f"{form}/{way}.{kind}", bend(bundle if form == "bundle" else data)


def _ways(form: str, kind: str) -> dict[str, Break]:
    match kind:
        case "png":
            return PNG
        case "epub":
            return ZIP
        case "txt" | "md":
            return TEXT
        case _ if form in {"groups", "summaryception", "qvink", "summarize"}:
            # Their envelope is SillyTavern's, which is broken in every way.
            return {way: TEXT[way] for way in ("cut-in-half", "last-byte-missing", "twice")} | JSON
        case _:
            return TEXT | JSON


def main() -> None:
    """Write what is missing."""
    for name, data in _broken():
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_bytes(data)
    known = json.loads(EXPECTED.read_bytes()) if EXPECTED.exists() else {}
    for name, data in files().items():
        if name not in known:
            known[name] = outcome(name, data)
            print(name, json.dumps(known[name], ensure_ascii=False))  # noqa: T201 - a program
    text = json.dumps(known, indent=1, ensure_ascii=False, sort_keys=True)
    EXPECTED.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
