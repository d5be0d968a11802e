"""All formats: those that are read, tried by content in order, and those that are written, by name.

Above: the engine and `bootstrap`. Below: one module a format. Invariant: a file is read by the
first format that recognises it, and only errors of `foreword.errors` come out.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from foreword.domain.ids import BranchId
from foreword.domain.interchange import Bundle, FileContents
from foreword.errors import ExportFormatUnknown, FileUnreadable, FormatUnknown
from foreword.formats.bundle import BundleFormat, BundleWriter
from foreword.formats.character_card import CharacterCardFormat
from foreword.formats.chatgpt import ChatGPTFormat
from foreword.formats.claude import ClaudeFormat
from foreword.formats.decoding import decode
from foreword.formats.epub import EpubFormat
from foreword.formats.json_lines import parse
from foreword.formats.marginalia import MarginaliaFormat
from foreword.formats.markdown import MarkdownFormat
from foreword.formats.markdown_export import MarkdownWriter
from foreword.formats.openai import OpenAIFormat
from foreword.formats.openai_export import OpenAILinesWriter, OpenAIWriter
from foreword.formats.plain_text import PlainTextFormat
from foreword.formats.sillytavern import SillyTavernFormat
from foreword.formats.sillytavern_export import SillyTavernWriter
from foreword.formats.summaryception_export import (
    OlderSummaryceptionWriter,
    SummaryceptionWriter,
)
from foreword.formats.world_info import WorldInfoFormat
from foreword.ports.format import Format, SourceFile, Writer, Written

FORMATS: tuple[Format, ...] = (
    EpubFormat(),
    BundleFormat(),
    ChatGPTFormat(),
    ClaudeFormat(),
    OpenAIFormat(),
    SillyTavernFormat(),
    CharacterCardFormat(),
    WorldInfoFormat(),
    MarginaliaFormat(),
    MarkdownFormat(),
    PlainTextFormat(),
)
_JSON = re.compile(r'(?:\[\s*)*\{\s*"[^"\n]*"\s*:')
WRITERS: tuple[Writer, ...] = (
    BundleWriter(),
    SillyTavernWriter(),
    SummaryceptionWriter(),
    OlderSummaryceptionWriter(),
    OpenAIWriter(),
    OpenAILinesWriter(),
    MarkdownWriter(),
)


def read_file(file: SourceFile, formats: Sequence[Format] = FORMATS) -> FileContents:
    """Read `file` with the first of `formats` that recognises it.

    Raises:
        FileUnreadable: it is empty, or nothing in it can be used.
        FormatUnknown: no format recognises it.
        BundleTooNew: a later Foreword wrote it.
    """
    if not file.data.strip(b"\x00\t\n\r \xef\xbb\xbf\xff\xfe"):
        raise FileUnreadable(path=file.path, reason="the file is empty.")
    with _collector_paused():
        for candidate in formats:
            if candidate.recognises(file):
                return candidate.read(file)
    _refuse_broken_json(file)
    raise FormatUnknown(path=file.path, known=[known.name for known in formats])


def _refuse_broken_json(file: SourceFile) -> None:
    """Say what is wrong with a file that nobody knows since its JSON is cut off or damaged."""
    text = decode(file.data).text.strip()
    if _JSON.match(text) is None:
        return
    try:
        parse(text)
    except ValueError as error:
        reason = f"its JSON cannot be read: {error}. Get it again from where it came."
        raise FileUnreadable(path=file.path, reason=reason) from error


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep Python from looking for circles among the values of a file.

    JSON makes none, and a file of a hundred megabytes takes twice as long with it.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def writer_named(name: str, writers: Sequence[Writer] = WRITERS) -> Writer:
    """Return the writer of a format, whatever the case of its name.

    Raises:
        ExportFormatUnknown: no writer has that name.
    """
    for writer in writers:
        if writer.name == name.strip().lower():
            return writer
    raise ExportFormatUnknown(name=name, known=[writer.name for writer in writers])


def write_file(name: str, bundle: Bundle, branch: BranchId) -> Written:
    """Return a conversation in the format of that name, see `Writer.write`.

    Raises:
        ExportFormatUnknown: no writer has that name.
    """
    return writer_named(name).write(bundle, branch)
