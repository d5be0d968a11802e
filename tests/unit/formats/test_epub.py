"""Books: their pages in order become turns, and whatever an archive holds, nothing else happens."""

from __future__ import annotations

import json
import re
import struct
import zipfile
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.books import CONTAINER, archive, book, epub, package, page

from foreword.domain.interchange import Chat
from foreword.domain.turn import Role, TextPart
from foreword.errors import FileUnreadable, ForewordError, FormatUnknown
from foreword.formats.registry import FORMATS, read_file
from foreword.formats.zip_archive import LARGEST_ENTRY, MOST_ENTRIES
from foreword.ports.format import SourceFile

SENTENCE = "The ferry is late again and nobody knows why. "
ONE = page("<h1>One</h1><p>It was dark.</p>")
TWO = page("<h1>Two</h1><p>It was late.</p>")
DRM = (
    '<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>'
    '<enc:EncryptionMethod Algorithm="{}"/><enc:CipherData>'
    '<enc:CipherReference URI="OEBPS/a.xhtml"/></enc:CipherData></enc:EncryptedData></encryption>'
)


def file(data: bytes) -> SourceFile:
    return SourceFile(path="books/night.epub", data=data)


def read(data: bytes) -> Chat:
    found = read_file(file(data))
    assert isinstance(found, Chat)
    return found


def texts(data: bytes | Chat) -> list[str]:
    chat = data if isinstance(data, Chat) else read(data)
    return [
        part.text
        for turn in chat.turns
        for part in turn.texts[0].parts
        if isinstance(part, TextPart)
    ]


def losses(data: bytes) -> list[tuple[str, str]]:
    return [(loss.where, loss.what) for loss in read(data).losses]


def refusal(data: bytes) -> str:
    with pytest.raises(FileUnreadable) as caught:
        read(data)
    assert caught.value.path == "books/night.epub"
    return caught.value.reason


# --- books that follow the rules -----------------------------------------------------------------


def test_a_book_becomes_turns_by_chapter_in_the_order_of_reading() -> None:
    data = book({"b.xhtml": TWO, "a.xhtml": ONE}, package(["a.xhtml", "b.xhtml"]))
    chat = read(data)
    assert texts(chat) == ["# One\n\nIt was dark.", "# Two\n\nIt was late."]
    assert {(turn.role, turn.speaker) for turn in chat.turns} == {(Role.ASSISTANT, "Narrator")}
    assert (chat.title, chat.char, chat.losses) == ("Night ferry", "Narrator", ())
    assert json.loads(chat.source) == {
        "title": "Night ferry",
        "author": "Odile Brandt",
        "language": "en",
        "foreword": {"format": "epub"},
    }


def test_only_one_format_owns_a_book() -> None:
    packed = archive({"x": "y", "mimetype": "application/epub+zip"})
    for data in (epub({"a.xhtml": ONE}), archive({"META-INF/container.xml": CONTAINER}), packed):
        assert [known.name for known in FORMATS if known.recognises(file(data))] == ["epub"]


def test_a_long_chapter_is_cut_and_a_short_page_joins_the_one_before() -> None:
    long = page(f"<h1>One</h1>{f'<p>{SENTENCE * 6}</p>' * 9}")
    found = texts(epub({"a.xhtml": long, "b.xhtml": page("<p>The end.</p>")}))
    assert [len(re.findall(r"\w+", text)) for text in found] == [217, 216, 56]
    assert found[-1].endswith("why.\n\nThe end.")


def test_the_cover_and_the_contents_are_left_out_and_named() -> None:
    links = "".join(f'<p><a href="c{number}.xhtml">Chapter {number}</a></p>' for number in range(9))
    pages = {
        "cover.xhtml": page("<p>Night ferry</p>"),
        "front.xhtml": page('<section epub:type="cover"><p>by Odile</p></section>'),
        "nav.xhtml": page("<nav epub:type='toc'><ol><li><a href='a.xhtml'>1</a></li></ol></nav>"),
        "toc.xhtml": page(f"<h1>Contents</h1>{links}"),
        "list.xhtml": page("<h1>Contents</h1><nav><a href='a.xhtml'>1</a></nav>"),
        "a.xhtml": ONE,
        "map.svg": "<svg/>",
    }
    guide = '<guide><reference type="cover" href="cover.xhtml"/></guide>'
    kinds = {
        "nav.xhtml": 'media-type="application/xhtml+xml" properties="nav"',
        "list.xhtml": 'media-type="application/xhtml+xml" properties="scripted nav"',
        "map.svg": 'media-type="image/svg+xml"',
    }
    data = book(pages, package(pages, more=guide, items=kinds))
    assert texts(data) == ["# One\n\nIt was dark."]
    assert losses(data) == [
        ("OEBPS/cover.xhtml", "the cover"),
        ("OEBPS/front.xhtml", "the cover"),
        ("OEBPS/nav.xhtml", "1 lists of contents"),
        ("OEBPS/toc.xhtml", "the table of contents"),
        ("OEBPS/list.xhtml", "1 lists of contents"),
        ("OEBPS/list.xhtml", "the table of contents"),
        ("OEBPS/map.svg", "the whole page"),
    ]


def test_a_long_page_that_is_called_a_cover_is_read() -> None:
    guide = '<guide><reference type="cover" href="a.xhtml"/></guide>'
    pages = {"a.xhtml": page(f"<p>{SENTENCE * 30}</p>")}
    assert texts(book(pages, package(pages, more=guide)))[0].startswith("The ferry")


def test_pictures_are_named_with_what_is_said_of_them() -> None:
    pictures = "".join(f'<img src="{n}.png" alt="map {n}"/>' for n in range(7)) + "<img src='x'/>"
    data = epub({"a.xhtml": page(f"<p>Dark.</p>{pictures}")})
    assert losses(data) == [
        ("OEBPS/a.xhtml", "8 pictures: 'map 0', 'map 1', 'map 2', 'map 3', 'map 4'")
    ]


def test_names_with_spaces_capitals_and_folders_are_found() -> None:
    opf = package(["Text/My%20One.XHTML#top", "../two.xhtml", "/OEBPS/three.xhtml"])
    pages = {"text/my one.xhtml": ONE, "../two.xhtml": TWO, "three.xhtml": page("<p>Three.</p>")}
    files = {f"OEBPS/{name}": text for name, text in pages.items()}
    files["two.xhtml"] = files.pop("OEBPS/../two.xhtml")
    data = archive({"META-INF/container.xml": CONTAINER, "OEBPS/book.opf": opf, **files})
    assert texts(data) == ["# One\n\nIt was dark.", "# Two\n\nIt was late.\n\nThree."]


@pytest.mark.parametrize(
    ("codec", "declared"),
    [
        ("utf-8", "iso-8859-1"),
        ("utf-8-sig", "utf-8"),
        ("utf-16", "utf-16"),
        ("windows-1251", "windows-1251"),
        ("windows-1251", "WINDOWS-1251"),
        ("gb18030", "gb2312"),
    ],
)
def test_pages_in_any_encoding_are_read(codec: str, declared: str) -> None:
    word = "夜渡之船" if codec == "gb18030" else "Ночь"
    text = f'<?xml version="1.0" encoding="{declared}"?><html><body><p>{word}</p></body></html>'
    assert texts(epub({"a.xhtml": text.encode(codec)})) == [word]


@pytest.mark.parametrize("declared", ["no-such", "unicode_escape", "iso-9999-9"])
def test_a_page_with_an_encoding_that_is_none_is_read(declared: str) -> None:
    text = f'<?xml version="1.0" encoding="{declared}"?><p>caf'.encode() + b"\xe9</p>"
    assert texts(epub({"a.xhtml": text})) == ["caf\xe9"]


def test_a_page_of_html_that_says_its_encoding_in_a_meta_tag_is_read() -> None:
    head = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">'
    text = f"<html><head>{head}</head><body><p>Ночь".encode("windows-1251")
    assert texts(epub({"a.xhtml": text})) == ["Ночь"]


# --- books that do not ---------------------------------------------------------------------------


def test_a_page_that_is_missing_or_damaged_is_named_and_the_others_are_read() -> None:
    opf = package(["a.xhtml", "gone.xhtml", "b.xhtml"]).replace(
        '<itemref idref="i0"/>', '<itemref idref="i0"/><itemref idref="i0"/><itemref idref="i9"/>'
    )
    pages = {"a.xhtml": ONE, "b.xhtml": TWO * 9}
    data = bytearray(book(pages, opf))
    at = data.index(b"OEBPS/b.xhtml") + len("OEBPS/b.xhtml")
    data[at + 20 : at + 24] = b"\xff\xff\xff\xff"
    assert texts(bytes(data)) == ["# One\n\nIt was dark."]
    assert losses(bytes(data)) == [
        ("the order of pages", "a page 'i9'"),
        ("OEBPS/gone.xhtml", "the whole page"),
        ("OEBPS/b.xhtml", "the whole page"),
    ]


def test_a_book_without_an_order_is_read_in_the_order_of_its_list() -> None:
    opf = re.sub("<spine>.*</spine>", "", package(["b.xhtml", "a.xhtml"]))
    data = book({"a.xhtml": ONE, "b.xhtml": TWO}, opf)
    assert [text[:5] for text in texts(data)] == ["# Two", "# One"]
    assert losses(data) == [("the book", "certainty about the order")]


def test_a_package_that_no_container_names_is_found() -> None:
    files = {"mimetype": "application/epub+zip", "x/b.opf": package(["a.html"]), "x/a.html": ONE}
    assert texts(archive(files)) == ["# One\n\nIt was dark."]


def test_a_broken_package_document_is_read_as_far_as_it_goes() -> None:
    opf = package(["a.xhtml"], title="Salt & Smoke <").replace("</manifest>", "")
    chat = read(book({"a.xhtml": ONE}, opf.removesuffix("</spine></package>")))
    assert (chat.title, texts(chat)) == ("Salt & Smoke <", ["# One\n\nIt was dark."])


def test_a_book_without_a_title_has_the_name_of_its_file() -> None:
    assert read(epub({"a.xhtml": ONE})).title == "Night ferry"
    assert read(book({"a.xhtml": ONE}, package(["a.xhtml"], title=" "))).title == "night"


def test_the_last_of_two_files_of_one_name_counts() -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = archive_of(
            [
                ("META-INF/container.xml", CONTAINER),
                ("OEBPS/book.opf", package(["a.xhtml"])),
                ("OEBPS/a.xhtml", ONE),
                ("OEBPS/a.xhtml", TWO),
            ]
        )
    assert texts(data) == ["# Two\n\nIt was late."]
    assert losses(data) == [("the archive", "1 file")]


def archive_of(files: list[tuple[str, str]]) -> bytes:
    """Return an archive with these files, the same name more than once if given so."""
    from io import BytesIO

    out = BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name, text in files:
            made.writestr(name, text)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (archive({"mimetype": "application/epub+zip"}), "no file in it says what the book holds"),
        (epub({"a.xhtml": ONE})[:-30], "the archive is damaged or cut off"),
        (epub({"a.xhtml": ONE})[:200], "the archive is damaged or cut off"),
        (epub({"a.xhtml": page("<img src='x'/>")}), "it holds no text"),
        (epub({}), "it holds no text"),
        (book({}, package(["a.xhtml"])), "it holds no text"),
    ],
)
def test_a_book_without_text_is_refused_with_the_reason(data: bytes, reason: str) -> None:
    assert refusal(data).startswith(reason)


@pytest.mark.parametrize(
    "others",
    [
        {"encryption": DRM.format("http://www.w3.org/2001/04/xmlenc#aes128-cbc")},
        {"encryption": DRM.format("")},
        {"encryption": "<encryption><EncryptedData/></encryption>"},
        {"sinf": "<x/>"},
    ],
)
def test_a_locked_book_is_refused_as_drm(others: Mapping[str, str]) -> None:
    assert "protected by DRM" in refusal(epub({"a.xhtml": ONE}, **others))


@pytest.mark.parametrize(
    "algorithm", ["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"]
)
def test_a_book_whose_fonts_alone_are_locked_is_read(algorithm: str) -> None:
    assert texts(epub({"a.xhtml": ONE}, encryption=DRM.format(algorithm)))


def test_a_book_with_a_password_is_refused() -> None:
    data = bytearray(epub({"a.xhtml": ONE}))
    for at in [found.start() for found in re.finditer(b"PK\x01\x02", data)]:
        data[at + 8] |= 1
    assert "password" in refusal(bytes(data))


@pytest.mark.parametrize(
    "data",
    [
        archive({"word/document.xml": "<x/>"}),
        b"PK\x03\x04" + bytes(100),
        archive({"a.txt": "x"})[:-10],
    ],
)
def test_another_archive_is_no_book(data: bytes) -> None:
    with pytest.raises(FormatUnknown):
        read(data)


# --- hostile books -------------------------------------------------------------------------------


def test_a_page_that_unpacks_without_end_is_refused() -> None:
    bomb = epub({"a.xhtml": page("<p>" + "a" * (LARGEST_ENTRY // 8) + "</p>")})
    assert len(bomb) < 20_000
    assert "unpacks to more than a book can hold" in refusal(bomb)
    assert "unpacks to more" in refusal(book({}, package([]) + " " * LARGEST_ENTRY))


def test_an_archive_of_too_many_files_is_refused_before_its_list_is_read() -> None:
    data = bytearray(epub({"a.xhtml": ONE}))
    end = data.rindex(b"PK\x05\x06")
    struct.pack_into("<H", data, end + 10, MOST_ENTRIES + 1)
    assert refusal(bytes(data)).startswith(f"the archive lists {MOST_ENTRIES + 1} files")


def test_an_archive_that_lies_about_its_number_of_files_is_refused_too() -> None:
    many = archive(
        {"mimetype": "application/epub+zip"} | {f"{n}": "" for n in range(MOST_ENTRIES)},
        packing=zipfile.ZIP_STORED,
    )
    data = bytearray(many)
    struct.pack_into("<HH", data, data.rindex(b"PK\x05\x06") + 8, 1, 1)
    assert "no book has so many" in refusal(bytes(data))


def test_files_that_are_packed_as_books_never_are_are_passed_over() -> None:
    pages = {"OEBPS/a.xhtml": ONE, "OEBPS/book.opf": package(["a.xhtml"])}
    data = archive({"META-INF/container.xml": CONTAINER, **pages}, packing=zipfile.ZIP_BZIP2)
    assert "packed in a way that books do not use" in refusal(data)


def test_entities_are_not_expanded_and_nothing_outside_is_read() -> None:
    head = (
        '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">'
        '<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    )
    data = epub({"a.xhtml": f"{head}<html><body><p>&b; &x; &eacute;</p></body></html>"})
    assert texts(data) == ["&b; &x; é"]


def test_names_that_lead_out_of_the_archive_lead_to_nothing() -> None:
    opf = package(["../../../../etc/passwd.xhtml", "a.xhtml"])
    data = book({"a.xhtml": ONE}, opf)
    assert texts(data) == ["# One\n\nIt was dark."]
    assert losses(data) == [("../../../etc/passwd.xhtml", "the whole page")]


@given(st.binary(max_size=200))
def test_any_bytes_behind_the_signature_are_read_or_refused(data: bytes) -> None:
    with pytest.raises(ForewordError):
        read(b"PK\x03\x04" + data)
    with pytest.raises(ForewordError):
        read(archive({"mimetype": "application/epub+zip", "META-INF/container.xml": data}))


@given(st.data())
def test_a_damaged_book_is_read_or_refused(data: st.DataObject) -> None:
    packing = data.draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))
    files = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": package(["a.xhtml", "b.xhtml"]),
        "OEBPS/a.xhtml": ONE,
        "OEBPS/b.xhtml": TWO,
    }
    made = bytearray(archive(files, packing=packing))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(4, len(made) - 1))
        made[at : at + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=9))
    try:
        found = read_file(file(bytes(made)))
    except ForewordError:
        return
    assert isinstance(found, Chat)
    assert found.turns


# --- any book ------------------------------------------------------------------------------------

WORDS = st.integers(0, 10**6).map(lambda number: f"w{number}")


@st.composite
def bodies(draw: st.DrawFn, depth: int = 0) -> list[tuple[str, list[str]]]:
    """Elements of a page, each as its markup and its words in order."""
    return draw(st.lists(elements(depth), max_size=4))


@st.composite
def elements(draw: st.DrawFn, depth: int) -> tuple[str, list[str]]:
    kinds = ["p", "h2", "div", "em", "li", "table", "br", "hr", "bare", "script", "pre"]
    kind = draw(st.sampled_from(kinds + (["blockquote", "section", "ul"] if depth < 2 else [])))
    words = draw(st.lists(WORDS, min_size=1, max_size=5))
    text = " ".join(words)
    if kind in {"blockquote", "section", "ul"}:
        inner = draw(bodies(depth + 1))
        item = "li" if kind == "ul" else "div"
        markup = "".join(f"<{item}>{one}</{item}>" for one, _ in inner)
        return f"<{kind}>{markup}</{kind}>", [word for _, told in inner for word in told]
    cells = "".join(f"<td>{word}</td>" for word in words)
    shapes = {
        "em": f"<p><em>{text}</em></p>",
        "li": f"<ol><li>{text}</li></ol>",
        "table": f"<table><tr>{cells}</tr></table>",
        "br": f"<p>{'<br/>'.join(words)}</p>",
        "bare": f"{text}<p/>",
        "hr": "<hr/>",
        "script": f"<script>{text}</script><!-- {text} -->",
    }
    seen = words if kind not in {"hr", "script"} else []
    return shapes.get(kind, f"<{kind}>{text}</{kind}>"), seen


@given(st.lists(bodies(), min_size=1, max_size=4))
def test_every_word_of_a_book_is_told_once_and_in_order(
    pages: list[list[tuple[str, list[str]]]],
) -> None:
    told = [word for body in pages for _, words in body for word in words]
    files = {
        f"{number}.xhtml": page("".join(markup for markup, _ in body))
        for number, body in enumerate(pages)
    }
    files["end.xhtml"] = page("<p>The end.</p>")
    assert re.findall(r"w\d+", " ".join(texts(epub(files)))) == told
