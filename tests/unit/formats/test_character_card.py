import base64
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.interchange import Chat
from foreword.errors import FileUnreadable, ForewordError, FormatUnknown
from foreword.formats import png_text
from foreword.formats.character_card import CharacterCardFormat
from foreword.formats.registry import FORMATS, read_file
from foreword.ports.format import SourceFile

CARDS = Path(__file__).parents[2] / "data" / "sillytavern" / "cards"
Json = dict[str, Any]


def card(**fields: object) -> Json:
    data = {"name": "Bram", "description": "{{char}} is a ferryman.", "first_mes": "Late again."}
    return {"spec": "chara_card_v2", "spec_version": "2.0", "data": {**data, **fields}}


def chunk(kind: bytes, body: bytes, length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    return struct.pack(">I", size) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def picture(*chunks: bytes) -> bytes:
    return png_text.SIGNATURE + chunk(b"IHDR", bytes(13)) + b"".join(chunks) + chunk(b"IEND", b"")


def packed(value: Json) -> bytes:
    return base64.b64encode(json.dumps(value).encode())


def text(value: Json, keyword: bytes = b"chara") -> bytes:
    return chunk(b"tEXt", keyword + b"\x00" + packed(value))


def read(data: bytes, path: str = "bram.png") -> Chat:
    found = read_file(SourceFile(path=path, data=data))
    assert isinstance(found, Chat)
    return found


def prose(chat: Chat) -> list[str]:
    return [
        getattr(part, "text", "") for turn in chat.turns for one in turn.texts for part in one.parts
    ]


def test_a_card_becomes_settings_and_its_greetings_a_turn_with_alternatives() -> None:
    found = read(
        picture(
            text(
                card(
                    personality="grim",
                    system_prompt="Stay brief.",
                    alternate_greetings=["No {{char}} tonight.", "", 7],
                    creator_notes="n",
                )
            )
        )
    )

    assert (found.title, found.char) == ("Bram", "Bram")
    assert found.settings == {
        "personas": "Bram\nBram is a ferryman.\n\nPersonality: grim",
        "system": "Stay brief.",
    }
    assert prose(found) == ["Late again.", "No Bram tonight."]
    assert [loss.what for loss in found.losses] == ["creator_notes"]
    assert json.loads(found.source)["card"]["data"]["creator_notes"] == "n"


@pytest.mark.parametrize(
    "packing",
    [
        lambda body: chunk(b"tEXt", b"chara\x00" + body),
        lambda body: chunk(b"zTXt", b"chara\x00\x00" + zlib.compress(body)),
        lambda body: chunk(b"iTXt", b"chara\x00\x00\x00\x00\x00" + body),
        lambda body: chunk(b"iTXt", b"chara\x00\x01\x00\x00\x00" + zlib.compress(body)),
    ],
)
def test_every_kind_of_text_chunk_is_read(packing: Any) -> None:
    assert prose(read(picture(packing(packed(card()))))) == ["Late again."]


def test_the_newer_of_two_cards_counts() -> None:
    newer = {**card(first_mes="Newer."), "spec": "chara_card_v3", "spec_version": "3.0"}
    assert prose(read(picture(text(card()), text(newer, b"ccv3")))) == ["Newer."]


def test_a_card_of_the_first_version_has_its_fields_at_the_top() -> None:
    old = card()["data"]
    assert prose(read(json.dumps(old).encode(), "bram.json")) == ["Late again."]


def test_a_cards_book_goes_into_the_system_text_in_its_order() -> None:
    book = {
        "entries": [
            {"keys": ["coin"], "content": "Eleven.", "insertion_order": 2, "enabled": True},
            {"keys": [], "content": "It rains.", "insertion_order": 1, "comment": "Weather"},
            {"keys": ["x"], "content": "Never.", "enabled": False},
            "nonsense",
        ]
    }
    found = read(json.dumps(card(character_book=book)).encode())
    assert found.settings["system"] == "Weather: It rains.\n\ncoin: Eleven."
    assert [(loss.where, loss.what) for loss in found.losses] == [
        ("the card's lorebook", "1 entries"),
        ("the card's lorebook", "the keywords of 'Eleven.'"),
    ]


@pytest.mark.parametrize("name", ["tobin.png", "mira-source.png", "mira.json"])
def test_real_cards_are_read_by_one_format_only(name: str) -> None:
    file = SourceFile(path="x", data=(CARDS / name).read_bytes())
    assert [one.name for one in FORMATS if one.recognises(file)] == ["character card"]
    found = read(file.data)
    assert found.settings["personas"].startswith(found.title)
    assert prose(found)[0]


def test_a_picture_without_a_card_is_no_format() -> None:
    with pytest.raises(FormatUnknown):
        read((CARDS / "map.png").read_bytes())


@pytest.mark.parametrize(
    "body",
    [
        b"!!!",
        base64.b64encode(b"\xff\xfe"),
        base64.b64encode(b"{"),
        base64.b64encode(b"[1]"),
        base64.b64encode(b'{"spec":"chara_card_v2","data":3}'),
        base64.b64encode(b'{"a":' * 5000),
    ],
)
def test_a_damaged_card_says_so(body: bytes) -> None:
    with pytest.raises(FileUnreadable):
        read(picture(chunk(b"tEXt", b"chara\x00" + body)))


def test_a_text_that_unpacks_to_far_too_much_is_refused() -> None:
    bomb = zlib.compress(bytes(png_text.LARGEST_TEXT + 1))
    assert len(bomb) < 64 * 1024
    with pytest.raises(FileUnreadable, match="too large"):
        read(picture(chunk(b"zTXt", b"chara\x00\x00" + bomb)))


def test_a_length_that_lies_costs_its_chunk_and_no_more() -> None:
    lying = chunk(b"tEXt", b"chara\x00" + packed(card()), 2**31)
    with pytest.raises(FormatUnknown):
        read(picture(lying))
    assert prose(read(picture(text(card()), lying))) == ["Late again."]


@given(
    st.dictionaries(
        st.sampled_from(
            "name description first_mes alternate_greetings character_book system_prompt".split()
        ),
        st.one_of(
            st.none(),
            st.integers(),
            st.text(max_size=5),
            st.lists(st.none() | st.text(max_size=3), max_size=3),
            st.dictionaries(st.sampled_from(["entries", "0"]), st.lists(st.none()), max_size=2),
        ),
    )
)
def test_any_field_of_any_kind_is_survived(fields: Json) -> None:
    found = CharacterCardFormat().read(
        SourceFile(path="x.json", data=json.dumps(card(**fields)).encode("utf-8", "replace"))
    )
    assert found.title


@given(st.integers(0, 400), st.binary(min_size=1, max_size=8))
def test_a_bent_picture_is_read_or_refused(at: int, bent: bytes) -> None:
    data = bytearray(picture(text(card())))
    data[at : at + len(bent)] = bent
    try:
        read(bytes(data))
    except ForewordError:
        return
