"""Bytes to text: byte order marks, UTF-16 without one, and files that are not UTF-8 after all.

Below the formats, above nothing. Invariant: every file decodes to text that a database can store
once it went through `storable_text`, and each guess is reported.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from foreword.domain.interchange import Loss

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BINARY_STARTS = (b"\x89PNG", b"PK\x03\x04", b"\x1f\x8b", b"%PDF-", b"SQLite format 3\x00", b"GIF8")
_SAMPLE = 65_536
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufffd]")
_UNDEFINED_1252 = frozenset(b"\x81\x8d\x8f\x90\x9d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """The text of a file and how it was found."""

    text: str
    encoding: str
    marked: bool = False
    """It began with a byte order mark."""
    losses: tuple[Loss, ...] = ()


def decode(data: bytes) -> Decoded:
    """Return the text of `data`, without a byte order mark.

    Returns:
        Text without lone surrogates. What is neither Unicode nor marked as such is read as
        Windows-1252, or with U+FFFD where other parts of the same line are valid UTF-8.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            at = len(mark)
            while data.startswith(mark, at):  # each program that wrote it put one before
                at += len(mark)
            return _decode_as(data[at:], encoding, marked=True)
    unmarked = _unmarked_utf16(data)
    if unmarked:
        return _decode_as(data, unmarked, marked=False)
    return _decode_as(data, "utf-8", marked=False)


def is_binary(data: bytes, text: str) -> bool:
    """Say whether `data`, decoded to `text`, is no text at all."""
    if data.startswith(_BINARY_STARTS):
        return True
    sample = text[:_SAMPLE]
    controls = len(_CONTROL.findall(sample))
    return controls > 3 and controls * 20 > len(sample)


def _unmarked_utf16(data: bytes) -> str:
    """Name the byte order of UTF-16 without a mark, seen by where its zero bytes are."""
    sample = data[:_SAMPLE]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    few = max(1, len(sample) // 20)
    if odd > few and odd > 20 * even:
        return "utf-16-le"
    if even > few and even > 20 * odd:
        return "utf-16-be"
    return ""


def _decode_as(data: bytes, encoding: str, *, marked: bool) -> Decoded:
    try:
        return Decoded(text=data.decode(encoding), encoding=encoding, marked=marked)
    except UnicodeDecodeError as error:
        if encoding == "utf-8":
            return _decode_lines(data, marked=marked)
        loss = Loss(
            where=f"byte {error.start + 1}",
            what="characters that cannot be read; U+FFFD stands in their place",
            why=f"the file claims to be {encoding.upper()} and is not throughout",
        )
        text = data.decode(encoding, "replace")
        return Decoded(text=text, encoding=encoding, marked=marked, losses=(loss,))


def _decode_lines(data: bytes, *, marked: bool) -> Decoded:
    """Decode what is not UTF-8 as a whole, each line by itself."""
    texts: list[str] = []
    losses: list[Loss] = []
    unicode_lines = 0
    for number, line in enumerate(data.split(b"\n"), start=1):
        try:
            text = line.decode("utf-8")
            unicode_lines += not text.isascii()
        except UnicodeDecodeError:
            text, loss = _guess(line, number)
            unicode_lines += REPLACEMENT in text
            losses.append(loss)
        texts.append(text)
    if not unicode_lines:
        losses = [Loss(where="the whole file", what=losses[0].what, why="it is not UTF-8")]
    encoding = "utf-8" if unicode_lines else "windows-1252"
    return Decoded(text="\n".join(texts), encoding=encoding, marked=marked, losses=tuple(losses))


def _guess(line: bytes, number: int) -> tuple[str, Loss]:
    where, why = f"line {number}", "it is not UTF-8"
    if not line.decode("utf-8", "ignore").isascii():
        what = "characters that cannot be read; U+FFFD stands in their place"
        return line.decode("utf-8", "replace"), Loss(where=where, what=what, why=why)
    what = "certainty about accented letters and quotes: read as Windows-1252"
    return _windows_1252(line), Loss(where=where, what=what, why=why)


def _windows_1252(line: bytes) -> str:
    """Decode as browsers do: the five open bytes of Windows-1252 are control characters."""
    try:
        return line.decode("windows-1252")
    except UnicodeDecodeError:
        chars = (
            chr(byte) if byte in _UNDEFINED_1252 else bytes((byte,)).decode("windows-1252")
            for byte in line
        )
        return "".join(chars)
