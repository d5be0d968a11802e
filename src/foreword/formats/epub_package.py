"""What an EPUB says of itself: its title, its pages in order, and whether they can be read.

Below `epub`, above `zip_archive` and `markup`. Invariant: names lead to files of the archive or to
nothing, and what is locked is refused before any page is opened.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote

from foreword.errors import FileUnreadable
from foreword.formats.markup import Side, Tag, tags_of, text_of_document
from foreword.formats.zip_archive import Archive

CONTAINER: Final = "META-INF/container.xml"
ENCRYPTION: Final = "META-INF/encryption.xml"
_FONT_LOCKS: Final = frozenset(
    {"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"}
)
"""Algorithms that only make fonts hard to take out; the text stays open."""
_LICENCES: Final = ("META-INF/license.lcpl", "META-INF/sinf.xml")
_PAGES: Final = frozenset(
    {"application/xhtml+xml", "text/html", "text/x-oeb1-document", "application/xml", "text/xml"}
)
_PAGE_ENDINGS: Final = (".xhtml", ".html", ".htm", ".xml")
_LOCKED: Final = (
    "it is protected by DRM (digital rights management), which locks its text. "
    "Get a copy without it, from the seller or the author."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A file that the book lists."""

    name: str
    """In the archive, or where it would be."""
    media_type: str
    properties: tuple[str, ...]

    @property
    def is_page(self) -> bool:
        """Whether it holds text for readers."""
        return self.media_type in _PAGES or (
            not self.media_type and self.name.lower().endswith(_PAGE_ENDINGS)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """What the package document of a book says."""

    title: str = ""
    authors: tuple[str, ...] = ()
    fields: dict[str, str] = field(default_factory=dict)
    """Other facts of the book, by their names in Dublin Core."""
    spine: tuple[Item, ...] = ()
    """In the order of reading, each once."""
    unordered: bool = False
    """The book names no order: it is the order of its list of files."""
    covers: frozenset[str] = frozenset()
    contents: frozenset[str] = frozenset()
    """Names of files that the book calls its cover and its table of contents."""
    missing: tuple[str, ...] = ()
    """Places in the order that lead to nothing."""


def refuse_locked(archive: Archive, path: str) -> None:
    """Refuse a book whose text is encrypted.

    Raises:
        FileUnreadable: it is.
    """
    if any(archive.found(name) for name in _LICENCES):
        raise FileUnreadable(path=path, reason=_LOCKED)
    if not archive.found(ENCRYPTION):
        return
    listed = fonts = 0
    for tag in _tags(archive, ENCRYPTION):
        if tag.side is not Side.CLOSE:
            listed += tag.name in {"encrypteddata", "encryptedkey"}
            fonts += tag.attributes.get("algorithm", "") in _FONT_LOCKS
    if listed > fonts:
        raise FileUnreadable(path=path, reason=_LOCKED)


def package_of(archive: Archive, path: str) -> Package:
    """Return what a book says of itself.

    Raises:
        FileUnreadable: nothing in the archive says so.
    """
    name = _package_name(archive)
    if not name:
        reason = "no file in it says what the book holds. Get it again from where it came."
        raise FileUnreadable(path=path, reason=reason)
    found = archive.read(name)
    if found.problem:
        reason = f"{name!r} in it cannot be read: {found.problem}. Get it again from where it came."
        raise FileUnreadable(path=path, reason=reason)
    return _Reading(archive, posixpath.dirname(name)).package(text_of_document(found.data))


def _package_name(archive: Archive) -> str:
    """Return the package document: the one that the container names, else the only one."""
    for tag in _tags(archive, CONTAINER):
        if tag.name == "rootfile":
            name = archive.found(unquote(tag.attributes.get("full-path", "")))
            if name:
                return name
    return next((name for name in archive.names if name.lower().endswith(".opf")), "")


def _tags(archive: Archive, name: str) -> Iterator[Tag]:
    text = text_of_document(archive.read(name).data)
    return (one for one in tags_of(text) if isinstance(one, Tag))


class _Reading:
    """Reads a package document."""

    def __init__(self, archive: Archive, folder: str) -> None:
        self._archive = archive
        self._folder = folder
        self._items: dict[str, Item] = {}
        self._order: list[str] = []
        self._facts: dict[str, list[str]] = {}
        self._marked: dict[str, set[str]] = {"cover": set(), "toc": set()}

    def package(self, text: str) -> Package:
        """Return what the document says."""
        name = ""
        for one in tags_of(text):
            if isinstance(one, str):
                self._facts.setdefault(name, []).append(" ".join(one.split()))
                continue
            name = one.name if one.side is Side.OPEN else ""
            if one.side is not Side.CLOSE:
                self._takes(one)
        return self._told()

    def _takes(self, tag: Tag) -> None:
        known = tag.attributes
        match tag.name:
            case "item" if known.get("id"):
                self._items.setdefault(
                    known["id"],
                    Item(
                        name=self._name(known.get("href", "")),
                        media_type=known.get("media-type", "").split(";")[0].strip().lower(),
                        properties=tuple(known.get("properties", "").lower().split()),
                    ),
                )
            case "itemref":
                self._order.append(known.get("idref", ""))
            case "reference" if known.get("type", "").lower() in self._marked:
                self._marked[known["type"].lower()].add(self._name(known.get("href", "")))
            case _:
                pass

    def _told(self) -> Package:
        items = [self._items.get(key) for key in self._order]
        missing = tuple(key for key in self._order if key not in self._items)
        spine = dict.fromkeys(item for item in items if item is not None)
        unordered = not spine
        if unordered:
            spine = dict.fromkeys(item for item in self._items.values() if item.is_page)
        navigation = {item.name for item in self._items.values() if "nav" in item.properties}
        titles, authors = self._known("title"), self._known("creator")
        facts = {
            name: self._known(name) for name in ("language", "publisher", "date", "identifier")
        }
        return Package(
            title=titles[0] if titles else "",
            authors=tuple(authors),
            fields={name: texts[0] for name, texts in facts.items() if texts},
            spine=tuple({item.name: item for item in spine}.values()),
            unordered=unordered,
            covers=frozenset(self._marked["cover"]),
            contents=frozenset(self._marked["toc"] | navigation),
            missing=missing,
        )

    def _known(self, name: str) -> list[str]:
        return [text for text in self._facts.get(name, []) if text]

    def _name(self, reference: str) -> str:
        """Return the file that a reference leads to; one that leads out leads nowhere."""
        target = unquote(reference.partition("#")[0])
        joined = posixpath.normpath(posixpath.join(self._folder, target))
        return self._archive.found(joined) or joined
