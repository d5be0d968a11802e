import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from foreword.domain.interchange import Loss
from foreword.domain.storable import storable_text
from foreword.formats.decoding import Decoded, decode, is_binary

TEXT = "The ferry is late.\r\n“Éleven coins,” says Odile.\n"


@pytest.mark.parametrize(
    ("codec", "encoding"),
    [
        ("utf-8-sig", "utf-8"),
        ("utf-16", "utf-16-le"),
        ("utf-32", "utf-32-le"),
    ],
)
def test_a_byte_order_mark_decides(codec: str, encoding: str) -> None:
    assert decode(TEXT.encode(codec)) == Decoded(text=TEXT, encoding=encoding, marked=True)


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-32-be"])
def test_several_byte_order_marks_are_as_good_as_one(codec: str) -> None:
    data = ("\N{ZERO WIDTH NO-BREAK SPACE}" * 3 + TEXT).encode(codec)
    assert decode(data) == Decoded(text=TEXT, encoding=codec, marked=True)


@pytest.mark.parametrize("codec", ["utf-16-be", "utf-32-be"])
def test_big_endian_text_with_a_mark_is_read(codec: str) -> None:
    data = ("\N{ZERO WIDTH NO-BREAK SPACE}" + TEXT).encode(codec)
    assert decode(data) == Decoded(text=TEXT, encoding=codec, marked=True)


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be"])
def test_unicode_without_a_mark_is_recognised(codec: str) -> None:
    assert decode(TEXT.encode(codec)) == Decoded(text=TEXT, encoding=codec)


def test_a_file_in_windows_1252_is_read_and_reported_once() -> None:
    loss = Loss(
        where="the whole file",
        what="certainty about accented letters and quotes: read as Windows-1252",
        why="it is not UTF-8",
    )
    assert decode(TEXT.encode("windows-1252")) == Decoded(
        text=TEXT, encoding="windows-1252", losses=(loss,)
    )


def test_bytes_that_windows_1252_leaves_open_are_kept_as_control_characters() -> None:
    assert decode(b"\x81caf\xe9").text == "\x81café"


def test_one_line_in_another_encoding_costs_only_its_certainty() -> None:
    found = decode("é\n".encode() + b"caf\xe9\n" + "é".encode())
    assert found.text == "é\ncafé\né"
    assert [loss.where for loss in found.losses] == ["line 2"]


def test_a_character_cut_in_two_is_replaced() -> None:
    found = decode("Ночь".encode()[:-1])
    assert (found.text, found.encoding) == ("Ноч\N{REPLACEMENT CHARACTER}", "utf-8")
    assert [loss.where for loss in found.losses] == ["line 1"]


def test_broken_utf_16_says_at_which_byte() -> None:
    found = decode(TEXT.encode("utf-16") + b"\x00\xd8\x20\x00")
    assert found.text == TEXT + "\N{REPLACEMENT CHARACTER}" + " "
    assert [loss.where for loss in found.losses] == [f"byte {2 * len(TEXT) + 1}"]


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n", b"PK\x03\x04words", bytes(range(256)), b"\x00" * 50 + b"\x01"]
)
def test_what_is_no_text_is_seen(data: bytes) -> None:
    assert is_binary(data, decode(data).text)


@pytest.mark.parametrize("text", [TEXT, "a\0b", "\x1b[1mbold\x1b[0m\x0c", ""])
def test_text_with_a_few_strange_characters_is_text(text: str) -> None:
    assert not is_binary(text.encode(), text)


@given(st.binary())
@example(b"\xff\xfe\x00\xd8")
@example(b"\x00\x00\xfe\xff\xff")
def test_any_bytes_decode_to_text_that_can_be_stored(data: bytes) -> None:
    text = storable_text(decode(data).text)
    assert "\0" not in text
    assert text.encode().decode() == text


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_utf_8_is_read_as_it_stands(text: str) -> None:
    data = b"\xef\xbb\xbf" + text.encode()
    assert decode(data).text == text
