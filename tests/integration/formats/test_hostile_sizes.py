"""Files that say they are huge, or that unpack to more than anybody's: refused within bounds."""

from __future__ import annotations

import json
import struct
import tracemalloc
import zlib

import pytest
from tests.books import CONTAINER, archive, book, package, page
from tests.integration.formats.checking import take_in
from tests.integration.formats.samples import CARD, chunk, packed, picture
from tests.unit.formats.test_chatgpt import conversation as chatgpt
from tests.unit.formats.test_chatgpt import line as chatgpt_line
from tests.unit.formats.test_chatgpt import message as chatgpt_message

from foreword.errors import FileUnreadable, ForewordError, FormatUnknown

MEGABYTE = 1024 * 1024
MOST = 200 * MEGABYTE


def peak(data: bytes, path: str = "x") -> tuple[ForewordError | None, int]:
    """Return what refused the file, and the most bytes that were held meanwhile."""
    tracemalloc.start()
    try:
        taken = take_in(data, path)
        return taken.refused, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def bomb(size: int) -> bytes:
    packing = zlib.compressobj(9)
    block = b"A" * MEGABYTE
    return b"".join(packing.compress(block) for _ in range(size // MEGABYTE)) + packing.flush()


@pytest.mark.parametrize(
    ("kind", "before"), [(b"zTXt", b"chara\x00\x00"), (b"iTXt", b"ccv3\x00\x01\x00en\x00\x00")]
)
def test_a_card_that_unpacks_to_a_hundred_megabytes_is_refused(kind: bytes, before: bytes) -> None:
    refused, held = peak(picture(chunk(kind, before + bomb(128 * MEGABYTE))))
    assert isinstance(refused, FileUnreadable)
    assert held < MOST


def test_a_hundred_packed_texts_are_not_unpacked_together() -> None:
    text = b"\x00\x00" + bomb(30 * MEGABYTE)
    chunks = [chunk(b"zTXt", f"Text{number}".encode() + text) for number in range(100)]
    card = chunk(b"tEXt", b"chara\x00" + packed(CARD))
    refused, held = peak(picture(*chunks, card))
    assert refused is None
    assert held < MOST


@pytest.mark.parametrize("length", [2**31 - 1, 2**31, 2**32 - 1])
def test_a_chunk_that_says_it_is_gigabytes_long_costs_nothing(length: int) -> None:
    refused, held = peak(picture(chunk(b"tEXt", b"chara\x00" + packed(CARD), length)))
    assert isinstance(refused, FormatUnknown)
    assert held < 20 * MEGABYTE


def test_a_picture_of_thousands_of_empty_chunks_is_passed_over() -> None:
    refused, held = peak(b"\x89PNG\r\n\x1a\n" + chunk(b"tEXt", b"") * 20_000)
    assert isinstance(refused, FormatUnknown)
    assert held < MOST


def test_a_page_that_unpacks_to_a_hundred_megabytes_is_refused() -> None:
    refused, held = peak(book({"a.xhtml": b" " * 100 * MEGABYTE}, package(["a.xhtml"])))
    assert isinstance(refused, FileUnreadable)
    assert held < MOST


def test_a_book_of_a_page_named_a_thousand_times_is_read_within_bounds() -> None:
    pages = {"a.xhtml": page("<p>" + "It was dark. " * 20_000 + "</p>")}
    opf = package(["a.xhtml"]).replace("</spine>", "<itemref idref='i0'/>" * 1000 + "</spine>")
    _, held = peak(book(pages, opf))
    assert held < MOST


def test_an_archive_that_lists_more_files_than_it_has_is_refused() -> None:
    data = book({"a.xhtml": page("<p>x</p>")}, package(["a.xhtml"]))
    at = data.index(b"PK\x05\x06")
    lying = data[: at + 8] + struct.pack("<HHI", 65_535, 65_535, 2**32 - 1) + data[at + 16 :]
    refused, held = peak(lying)
    assert isinstance(refused, FileUnreadable)
    assert held < 20 * MEGABYTE


def test_an_archive_of_archives_is_not_opened_further() -> None:
    inner = archive({"a": b"\x00" * 10 * MEGABYTE})
    for _ in range(3):
        inner = archive({f"{number}.zip": inner for number in range(10)})
    refused, held = peak(archive({"mimetype": "application/epub+zip", "x.zip": inner}))
    assert isinstance(refused, ForewordError)
    assert held < MOST


def test_entities_that_grow_in_one_another_are_not_expanded() -> None:
    names = "abcdefghij"
    entities = "".join(
        f"<!ENTITY {name} '{f'&{names[at - 1]};' * 10 if at else 'lol'}'>"
        for at, name in enumerate(names)
    )
    text = page("<p>&j;</p>").replace("<!DOCTYPE html>", f"<!DOCTYPE html [{entities}]>")
    _, held = peak(book({"a.xhtml": text}, package(["a.xhtml"])))
    assert held < 50 * MEGABYTE


def test_conversations_that_unpack_to_a_hundred_megabytes_are_refused() -> None:
    said = json.dumps([chatgpt(chatgpt_line(chatgpt_message("Hi.")))]).encode()
    data = archive({"conversations.json": said + b" " * 100 * MEGABYTE})
    refused, held = peak(data, "export.zip")
    assert isinstance(refused, FileUnreadable)
    assert held < MOST


def test_pages_that_unpack_to_much_together_are_refused() -> None:
    # No page is a bomb by itself: each packs to a hundredth.
    text = page("<p>" + "".join(f"<b>{n % 10}</b>" + " " * 600 for n in range(8_000)) + "</p>")
    names = [f"{number}.xhtml" for number in range(12)]
    refused, held = peak(book(dict.fromkeys(names, text), package(names)))
    assert isinstance(refused, FileUnreadable)
    assert held < MOST


@pytest.mark.parametrize(
    "data",
    [
        b"[" * MEGABYTE,
        b'{"a":' * 200_000,
        b'{"name":"A","mes":"x","extra":' + b"[" * MEGABYTE,
        b'{"mes":' + b"9" * MEGABYTE + b"}",
        b'{"mes":"' + b"\\u0000" * 170_000 + b'"}',
        b"\xef\xbb\xbf" * 100_000 + b"x",
        b"\n" * 200_000 + b"x",
        b"\r" * 200_000 + b"x",
        b"> " * 500_000,
        b"#" * MEGABYTE,
        b"A:\n" * 60_000,
        b"```\n" * 20_000,
        b"|a" * 100_000 + b"\n|-" * 20_000,
        b"*" * MEGABYTE,
        b"[" * 500_000 + b"](x)" * 100_000,
        b"<" * MEGABYTE,
        b"&" * MEGABYTE,
        "\u202e".encode() * 350_000,
        json.dumps({"messages": [{"role": "user", "content": "x"}] * 300}).encode(),
        json.dumps({"entries": {str(n): {"content": "x"} for n in range(2_000)}}).encode(),
    ],
    ids=range(20),
)
def test_much_of_anything_stays_within_two_hundred(data: bytes) -> None:
    _, held = peak(data)
    assert held < MOST


def test_a_container_that_points_at_itself_is_refused() -> None:
    files = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER.replace("OEBPS/book.opf", "META-INF/container.xml"),
    }
    refused, _ = peak(archive(files))
    assert isinstance(refused, FileUnreadable)
