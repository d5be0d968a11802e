import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import chat_lines

from foreword.domain.interchange import Bundle, Chat
from foreword.errors import (
    ExportFormatUnknown,
    FileUnreadable,
    ForewordError,
    FormatUnknown,
)
from foreword.formats.paths import title_of
from foreword.formats.registry import FORMATS, WRITERS, read_file, writer_named
from foreword.ports.format import SourceFile

SAMPLES = sorted((Path(__file__).parents[2] / "data" / "sillytavern").glob("*.jsonl"))
CHATS = [path.read_bytes() for path in SAMPLES]
MESSAGES = [json.loads(line) for data in CHATS for line in data.decode().split("\n")[:12]]


def reads_or_refuses(data: bytes) -> None:
    """Read `data`: a value or an error of ours, and nothing in it that cannot be stored."""
    try:
        found = read_file(SourceFile(path="x.jsonl", data=data))
    except ForewordError:
        return
    for one in found if isinstance(found, tuple) else (found,):
        assert isinstance(one, Chat | Bundle)
        if isinstance(one, Chat):
            repr(one).encode()
            for text in stored_texts(one):
                assert "\0" not in text
                text.encode()


def stored_texts(chat: Chat) -> list[str]:
    found = [chat.title, chat.char, chat.user, chat.source]
    for turn in chat.turns:
        assert 0 <= turn.chosen < len(turn.texts)
        assert turn.speaker
        found.append(turn.speaker)
        for text in turn.texts:
            found += [text.reasoning, text.sent_at, text.extra]
            found += [str(getattr(part, name)) for part in text.parts for name in part.__slots__]
    return found


@pytest.mark.parametrize("data", [b"", b"\n \t\r\n", b"\xef\xbb\xbf", b"\xff\xfe", b"\x00" * 9])
def test_an_empty_file_says_so(data: bytes) -> None:
    with pytest.raises(FileUnreadable, match=r"x\.jsonl: the file is empty\."):
        read_file(SourceFile(path="x.jsonl", data=data))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"spec": "chara_card_v2", "data": {', "it is cut off"),
        ('[{"messages": 1}] [', "it is not valid JSON"),
        ('{"a": ' + "[" * 120 + "]" * 120 + "}", "nested more than 100 levels deep"),
    ],
)
def test_broken_json_that_nobody_knows_is_called_broken(text: str, said: str) -> None:
    with pytest.raises(FileUnreadable, match=f"its JSON cannot be read: .*{said}"):
        read_file(SourceFile(path="x.json", data=text.encode()))


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(FormatUnknown) as caught:
        read_file(SourceFile(path="x.png", data=b"\x89PNG\r\n\x1a\n"))
    assert caught.value.known == tuple(known.name for known in FORMATS)


def test_an_unknown_name_to_export_to_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ExportFormatUnknown, match="no format 'docx'") as caught:
        writer_named("docx")
    assert caught.value.known == tuple(writer.name for writer in WRITERS)


def test_every_writer_is_found_by_its_name_and_each_name_is_there_once() -> None:
    assert [writer_named(writer.name.upper()) for writer in WRITERS] == list(WRITERS)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_a_chat_is_recognised_by_one_format_only(path: Path) -> None:
    file = SourceFile(path="renamed.txt", data=path.read_bytes())
    assert [known.name for known in FORMATS if known.recognises(file)] == ["sillytavern"]


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_chat_in_another_encoding_reads_the_same(codec: str) -> None:
    text = SAMPLES[0].read_text("utf-8")
    plain = read_file(SourceFile(path="x", data=text.encode()))
    other = read_file(SourceFile(path="x", data=text.encode(codec)))
    assert isinstance(plain, Chat)
    assert isinstance(other, Chat)
    assert other.turns == plain.turns


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("chats/Mira Voss - 2026-11-30@20h38m55s933ms - Branch #1.jsonl", None),
        ("C:\\stories\\night.txt", "night"),
        ("night", "night"),
        (".jsonl", ".jsonl"),
        ("Vol. 2. The ferry", "Vol. 2. The ferry"),
        ("-", "Bram"),
        ("", "Bram"),
        ("a\udcffb.txt", "a\N{REPLACEMENT CHARACTER}b"),
    ],
)
def test_a_title_is_the_name_of_the_file(path: str, title: str | None) -> None:
    expected = title or "Mira Voss - 2026-11-30@20h38m55s933ms - Branch #1"
    assert title_of(path, "Bram") == expected


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    reads_or_refuses(data)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    reads_or_refuses(text.encode())


@given(st.data())
def test_a_damaged_chat_is_read_or_refused(data: st.DataObject) -> None:
    chat = bytearray(data.draw(st.sampled_from(CHATS))[:4000])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(chat) - 1))
        end = at + data.draw(st.integers(0, 30))
        chat[at:end] = data.draw(st.binary(max_size=8))
    reads_or_refuses(bytes(chat))


@given(chat_lines(MESSAGES), chat_lines(MESSAGES), st.booleans())
def test_a_field_of_any_type_is_read_or_refused(
    first: dict[str, Any], second: dict[str, Any], ascii_only: bool
) -> None:
    lines = [json.dumps(line, ensure_ascii=ascii_only) for line in (first, second)]
    reads_or_refuses("\n".join(lines).encode("utf-8", "surrogatepass"))


def test_a_message_of_ten_megabytes_is_read_whole() -> None:
    text = "eleven coins " * 800_000
    line = json.dumps({"name": "Odile", "is_user": True, "mes": text})
    found = read_file(SourceFile(path="x", data=line.encode()))
    assert isinstance(found, Chat)
    assert [len(part.text) for part in found.turns[0].texts[0].parts if hasattr(part, "text")] == [
        len(text)
    ]
