"""EPUBs for tests: a book in a few words, with anything in it bent."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping
from io import BytesIO

CONTAINER = (
    '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
    '<rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/>'
    "</rootfiles></container>"
)
XHTML = "application/xhtml+xml"


def page(body: str, *, head: str = "<title>No words</title>") -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" '
        'xmlns:epub="http://www.idpf.org/2007/ops">'
        f"<head>{head}</head><body>{body}</body></html>"
    )


def package(
    names: Iterable[str],
    *,
    title: str = "Night ferry",
    more: str = "",
    items: Mapping[str, str] | None = None,
) -> str:
    """Return a package document with these pages in this order.

    Args:
        names: in the folder of the document.
        title: of the book.
        more: at the end of the document: a guide.
        items: other attributes of a page, by its name.
    """
    kinds = items or {}
    listed = list(names)
    manifest = "".join(
        f'<item id="i{number}" href="{name}" {kinds.get(name) or f"media-type={XHTML!r}"}/>'
        for number, name in enumerate(listed)
    )
    spine = "".join(f'<itemref idref="i{number}"/>' for number in range(len(listed)))
    return (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{title}</dc:title><dc:creator>Odile Brandt</dc:creator>"
        "<dc:language>en</dc:language></metadata>"
        f"<manifest>{manifest}</manifest><spine>{spine}</spine>{more}</package>"
    )


def archive(files: Mapping[str, bytes | str], *, packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", packing) as made:
        for name, data in files.items():
            made.writestr(name, data, zipfile.ZIP_STORED if name == "mimetype" else packing)
    return out.getvalue()


def epub(pages: Mapping[str, bytes | str], **others: bytes | str) -> bytes:
    """Return a book of pages, by name; `others` are put into META-INF."""
    return book(pages, package(pages), **others)


def book(pages: Mapping[str, bytes | str], opf: str, **others: bytes | str) -> bytes:
    """Return a book with a package document of one's own."""
    files: dict[str, bytes | str] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": opf,
    }
    files |= {f"OEBPS/{name}": text for name, text in pages.items()}
    files |= {f"META-INF/{name}.xml": text for name, text in others.items()}
    return archive(files)
