import json
import unicodedata
from hashlib import blake2b
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import contents, texts
from tests.unit.domain.digest_cases import (
    CONTENTS,
    MATCHES,
    SPANS,
    said,
    with_what_no_model_reads,
)

from foreword.domain.digest import DIGEST_VERSION, content_digest, match_key, span_digest
from foreword.domain.turn import Content

VECTORS = json.loads((Path(__file__).parent / "digest_vectors.json").read_text("utf-8"))


def test_every_vector_belongs_to_a_case_and_every_case_has_one() -> None:
    assert DIGEST_VERSION == 1
    assert {kind: list(named) for kind, named in VECTORS.items()} == {
        "contents": list(CONTENTS),
        "spans": list(SPANS),
        "match_keys": list(MATCHES),
    }


@pytest.mark.parametrize("name", CONTENTS)
def test_a_content_has_the_committed_digest(name: str) -> None:
    assert content_digest(CONTENTS[name]).hex() == VECTORS["contents"][name]


@pytest.mark.parametrize("name", SPANS)
def test_a_span_has_the_committed_digest(name: str) -> None:
    digests = [content_digest(CONTENTS[one]) for one in SPANS[name]]
    assert span_digest(digests).hex() == VECTORS["spans"][name]


@pytest.mark.parametrize("name", MATCHES)
def test_a_text_has_the_committed_match_key(name: str) -> None:
    assert match_key(MATCHES[name]).hex() == VECTORS["match_keys"][name]


def test_contents_that_read_differently_have_different_digests() -> None:
    digests = VECTORS["contents"]
    assert len(set(digests.values())) == len(digests)


def test_the_canonical_form_is_the_fields_each_after_its_length() -> None:
    fields = (b"1", b"user", b"a1", b"text", "灯".encode())
    framed = b"".join(len(field).to_bytes(8, "big") + field for field in fields)
    assert content_digest(said("灯")) == blake2b(framed, digest_size=16).digest()


@given(contents())
def test_reasoning_dates_and_unknown_fields_do_not_count(content: Content) -> None:
    assert content_digest(with_what_no_model_reads(content)) == content_digest(content)


@given(contents(), contents())
def test_digests_are_equal_only_where_a_model_reads_the_same(one: Content, other: Content) -> None:
    same = (one.role, one.speaker, one.parts) == (other.role, other.speaker, other.parts)
    assert (content_digest(one) == content_digest(other)) == same


@given(st.lists(texts(max_size=4), max_size=4), st.lists(texts(max_size=4), max_size=4))
def test_texts_cut_into_parts_in_another_way_have_another_digest(
    one: list[str], other: list[str]
) -> None:
    assert (content_digest(said(*one)) == content_digest(said(*other))) == (one == other)


@given(st.text())
def test_a_match_key_is_the_same_in_every_unicode_form(text: str) -> None:
    forms = (unicodedata.normalize(form, text) for form in ("NFC", "NFD", "NFKC", "NFKD"))
    assert {match_key(form) for form in forms} == {match_key(text)}


@pytest.mark.parametrize(
    "text",
    ["the FERRY  left.", "\n The\tferry left. \r\n", "ＴＨＥ ferry left.", "The\u00a0ferry left."],
)
def test_a_match_key_does_not_depend_on_spacing_case_and_width(text: str) -> None:
    assert match_key(text) == match_key("The ferry left.")


@pytest.mark.parametrize("text", ["The ferry left!", "Theferry left.", "The ferry left. Hm."])
def test_other_words_have_another_match_key(text: str) -> None:
    assert match_key(text) != match_key("The ferry left.")
