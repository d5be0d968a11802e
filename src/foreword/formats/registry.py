"""All formats, tried by content in the order of this table.

Above: the engine and `bootstrap`. Below: one module a format. Invariant: a file is read by the
first format that recognises it, and only errors of `foreword.errors` come out.
"""

from __future__ import annotations

from collections.abc import Sequence

from foreword.domain.interchange import Bundle, Chat
from foreword.errors import FileUnreadable, FormatUnknown
from foreword.formats.bundle import BundleFormat
from foreword.formats.plain_text import PlainTextFormat
from foreword.formats.sillytavern import SillyTavernFormat
from foreword.ports.format import Format, SourceFile

FORMATS: tuple[Format, ...] = (BundleFormat(), SillyTavernFormat(), PlainTextFormat())


def read_file(file: SourceFile, formats: Sequence[Format] = FORMATS) -> Chat | Bundle:
    """Read `file` with the first of `formats` that recognises it.

    Raises:
        FileUnreadable: it is empty, or nothing in it can be used.
        FormatUnknown: no format recognises it.
        BundleTooNew: a later Foreword wrote it.
    """
    if not file.data.strip(b"\x00\t\n\r \xef\xbb\xbf\xff\xfe"):
        raise FileUnreadable(path=file.path, reason="the file is empty.")
    for candidate in formats:
        if candidate.recognises(file):
            return candidate.read(file)
    raise FormatUnknown(path=file.path, known=[known.name for known in formats])
