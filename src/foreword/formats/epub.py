"""EPUB 2 and 3: a book's pages in the order of reading become turns.

Above: `registry`. Below: `zip_archive`, `epub_package`, `markup_text`, `chapters`. Invariant: each
page is read once; a page that cannot be read costs that page, and what is left out is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from foreword.domain.amounts import counted
from foreword.domain.interchange import Chat, Loss
from foreword.domain.turn import Role
from foreword.errors import FileUnreadable
from foreword.formats.chapters import Block, Kind, parts_of
from foreword.formats.epub_package import (
    CONTAINER,
    Item,
    Package,
    package_of,
    refuse_locked,
)
from foreword.formats.json_lines import JsonObject, to_json
from foreword.formats.markup import text_of_document
from foreword.formats.markup_text import Page, page_of
from foreword.formats.paths import title_of
from foreword.formats.prose import word_count
from foreword.formats.telling import NARRATOR, text_turn
from foreword.formats.zip_archive import Archive, is_zip
from foreword.ports.format import SourceFile

_TYPE: Final = b"application/epub+zip"
_HEAD: Final = 120
"""Bytes in which the type stands, in books that follow the rules."""
MOST_COVER_WORDS: Final = 200
"""A page that is called a cover and has more is read."""
SHOWN_PICTURES: Final = 5
"""How many pictures of a page are named."""


class EpubFormat:
    """Reads a book as a story that one voice tells."""

    @property
    def name(self) -> str:
        """See Format.name."""
        return "epub"

    def recognises(self, file: SourceFile) -> bool:
        """See Format.recognises: an archive that says it is a book, or has a book's container."""
        if not is_zip(file.data):
            return False
        if _TYPE in file.data[:_HEAD]:
            return True
        try:
            archive = Archive(file.data, file.path)
            return archive.read("mimetype").data.startswith(_TYPE) or bool(archive.found(CONTAINER))
        except FileUnreadable:
            return False

    def read(self, file: SourceFile) -> Chat:
        """See Format.read."""
        archive = Archive(file.data, file.path)
        refuse_locked(archive, file.path)
        package = package_of(archive, file.path)
        book = _Book(archive=archive, package=package)
        parts = tuple(parts_of(book.blocks()))
        if not parts:
            reason = "it holds no text: its pages are pictures, empty or damaged."
            raise FileUnreadable(path=file.path, reason=reason)
        return Chat(
            title=package.title or title_of(file.path),
            turns=tuple(text_turn(Role.ASSISTANT, NARRATOR, part) for part in parts),
            char=NARRATOR,
            source=_source(package),
            losses=tuple(book.losses),
        )


@dataclass(slots=True, kw_only=True)
class _Book:
    """A book under way."""

    archive: Archive
    package: Package
    losses: list[Loss] = field(default_factory=list)

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks of all pages; what is left out is in `losses` at the end."""
        self._lose_order()
        for item in self.package.spine:
            page = self._page(item)
            if page is not None:
                yield Block(kind=Kind.START, text="")
                yield from page.blocks

    def _page(self, item: Item) -> Page | None:
        if not item.is_page:
            self._lose(item.name, "the whole page", f"it is {item.media_type or 'no text'}")
            return None
        found = self.archive.read(item.name)
        if found.problem:
            self._lose(item.name, "the whole page", found.problem)
            return None
        page = page_of(text_of_document(found.data))
        self._lose_parts(item.name, page)
        role = self._role(item, page)
        if role:
            self._lose(item.name, role, "it is no part of the story")
            return None
        return page

    def _role(self, item: Item, page: Page) -> str:
        """Return what a page is when it is no part of the story; empty for a page of it."""
        words = sum(word_count(block.text) for block in page.blocks)
        if not words:
            return ""
        cover = item.name in self.package.covers or "cover" in page.kinds
        if cover and words <= MOST_COVER_WORDS:
            return "the cover"
        contents = item.name in self.package.contents or "toc" in page.kinds
        bare = contents and words <= MOST_COVER_WORDS and bool(page.left["lists of contents"])
        return "the table of contents" if page.is_contents or bare else ""

    def _lose_order(self) -> None:
        for key in self.package.missing:
            self._lose("the order of pages", f"a page {key[:80]!r}", "the book lists no such file")
        if self.package.unordered:
            why = "the book does not say it; pages stand as its list of files has them"
            self._lose("the book", "certainty about the order", why)
        if self.archive.repeated:
            what = counted(self.archive.repeated, "file")
            self._lose("the archive", what, "others have the same names; the last of each counts")

    def _lose_parts(self, where: str, page: Page) -> None:
        if page.pictures:
            named = [repr(alt[:80]) for alt in page.pictures if alt][:SHOWN_PICTURES]
            what = counted(len(page.pictures), "picture") + (
                f": {', '.join(named)}" if named else ""
            )
            self._lose(where, what, "only text is taken")
        for what, number in page.left.items():
            if number:
                self._lose(where, f"{number} {what}", "they are no part of the text")

    def _lose(self, where: str, what: str, why: str) -> None:
        self.losses.append(Loss(where=where, what=what, why=why))


def _source(package: Package) -> str:
    kept: JsonObject = {"title": package.title, "author": ", ".join(package.authors)}
    kept |= package.fields
    known: JsonObject = {name: text for name, text in kept.items() if text}
    return to_json({**known, "foreword": {"format": "epub"}})
