"""Archives from strangers: what is read of them, and when no more is."""

from __future__ import annotations

import zipfile

import pytest
from tests.books import archive

from foreword.errors import FileUnreadable
from foreword.formats.zip_archive import LARGEST_ENTRY, Archive, Unpacked, is_zip


def opened(data: bytes) -> Archive:
    return Archive(data, "x.zip")


def test_files_are_found_by_name_whatever_its_case_and_slashes() -> None:
    made = opened(archive({"A/One.txt": "1", "a/one.txt": "2", "B\\Two": "3"}))
    assert [
        made.found(name) for name in ("A/One.txt", "/a/one.txt", "A/ONE.TXT", "b/two", "c")
    ] == [
        "A/One.txt",
        "a/one.txt",
        "A/One.txt",
        "B/Two",
        "",
    ]
    assert made.read("B/Two") == Unpacked(data=b"3")
    assert made.read("c") == Unpacked(problem="the archive has no such file")


def test_no_more_is_unpacked_than_the_limit_for_all_files() -> None:
    made = opened(archive({"a": b"12345", "b": b"12345"}, packing=zipfile.ZIP_STORED))
    made._unpacked = LARGEST_ENTRY - 9
    assert made.read("a").data == b"12345"
    with pytest.raises(FileUnreadable, match=r"x\.zip: 'b' in it unpacks to more than a book"):
        made.read("b")


def test_no_more_is_unpacked_than_the_archives_own_size_explains() -> None:
    text = b"".join(b"%d" % (number % 10) + b" " * 120 for number in range(100_000))
    made = opened(archive(dict.fromkeys(("a", "b", "c"), text)))
    assert made.read("a").data == made.read("b").data == text
    with pytest.raises(FileUnreadable, match="'c' in it unpacks to more than a book can hold"):
        made.read("c")


def test_a_large_file_that_packs_like_text_is_read() -> None:
    text = b"".join(b"%d coins\n" % number for number in range(200_000))
    assert opened(archive({"a": text})).read("a").data == text
    assert len(text) < LARGEST_ENTRY


def test_an_archive_is_known_by_its_first_bytes() -> None:
    assert is_zip(archive({"a": "b"}))
    assert not is_zip(b"PK\x05\x06" + bytes(18))
