import json

import pytest

from foreword.domain.interchange import Chat, ChatSummary
from foreword.errors import FileUnreadable
from foreword.formats.registry import read_file
from foreword.ports.format import SourceFile

DIGEST = "0a" * 64


def read(value: object) -> Chat:
    found = read_file(SourceFile(path="m.json", data=json.dumps(value).encode()))
    assert isinstance(found, Chat)
    return found


def summary(text: str, layer: int = 0) -> ChatSummary:
    return ChatSummary(text=text, turns=(), layer=layer, maker="marginalia", sha512=DIGEST)


@pytest.mark.parametrize(
    "wrap", [lambda one: one, lambda one: [one], lambda one: {"summaries": [one]}]
)
def test_a_record_is_read_alone_or_in_a_list(wrap: type) -> None:
    found = read(wrap({"summary": " They met. ", "summaryMessageHash": DIGEST.upper()}))
    assert found.summaries == (summary("They met."),)


def test_what_a_meta_summary_replaced_is_a_record_of_its_own() -> None:
    inner = {"summary": "a", "summaryMessageHash": DIGEST}
    middle = {**inner, "summary": "b", "summaryType": "META_SUMMARY", "replacedSummary": inner}
    outer = {**middle, "summary": "c", "replacedSummary": json.dumps(middle)}
    assert read([outer]).summaries == (summary("a"), summary("b", 1), summary("c", 2))


def test_records_without_text_or_digest_are_reported() -> None:
    good = {"summary": "a", "summaryMessageHash": DIGEST, "replacedSummary": "{cut"}
    found = read(
        [good, {"summaryMessageHash": DIGEST}, {"summary": "x", "summaryMessageHash": "0"}]
    )
    assert found.summaries == (summary("a"),)
    assert [loss.where for loss in found.losses] == ["record 2", "record 3"]


def test_records_of_which_none_can_be_used_are_refused() -> None:
    with pytest.raises(FileUnreadable, match="none of its summaries"):
        read([{"summary": "", "summaryMessageHash": DIGEST}])
    with pytest.raises(FileUnreadable, match="its JSON cannot be read: it is cut off"):
        read_file(SourceFile(path="m", data=b'[{"summaryMessageHash": '))
