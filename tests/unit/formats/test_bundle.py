import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from tests.strategies import bundles

from foreword.domain.conversation import Branch
from foreword.domain.digest import content_digest, span_digest
from foreword.domain.ids import BranchId, Pos, SpeakerId, SummaryId, TurnId, VersionId
from foreword.domain.interchange import BranchState, Bundle
from foreword.domain.summary import CoverRow, CoverState, SourceTurn, Summary
from foreword.domain.turn import Alternative, Content, Entry, Role, TextPart, Version
from foreword.errors import BundleTooNew, FileUnreadable
from foreword.formats.bundle import BundleFormat, write_bundle
from foreword.formats.registry import read_file
from foreword.ports.format import SourceFile

ODILE = SpeakerId("0d11e")
WORDS = ("The ferry is late again.", "I count the coins twice: eleven.")

Document = dict[str, Any]


def version(number: int, text: str) -> Version:
    content = Content(role=Role.USER, speaker=ODILE, parts=(TextPart(text=text),))
    return Version(
        id=VersionId(number),
        turn_id=TurnId(number),
        alt_no=1,
        content=content,
        tokens=8,
        digest=content_digest(content),
    )


def entry(source: Version) -> Entry:
    return Entry(
        pos=Pos(source.id * 1024),
        turn_id=source.turn_id,
        version_id=source.id,
        role=source.content.role,
        speaker=source.content.speaker,
        tokens=source.tokens,
        digest=source.digest,
    )


def summary(source: Version) -> Summary:
    return Summary(
        id=SummaryId(source.id),
        layer=0,
        depth=1,
        text="Late.",
        tokens=2,
        first_digest=source.digest,
        n_turns=1,
        span_digest=span_digest([source.digest]),
        maker="user",
        turns=(SourceTurn(turn_id=source.turn_id, digest=source.digest),),
        context_digest=bytes(16),
    )


def row(source: Version) -> CoverRow:
    return CoverRow(
        summary_id=SummaryId(source.id),
        state=CoverState.USED,
        layer=0,
        from_pos=Pos(source.id * 1024),
        to_pos=Pos(source.id * 1024),
        n_turns=1,
        src_tokens=12,
        tokens=2,
    )


def bundle() -> Bundle:
    """Two turns, each under a summary of its own."""
    stored = tuple(version(number, text) for number, text in enumerate(WORDS, start=1))
    state = BranchState(
        branch=Branch(
            id=BranchId(1), name="main", tip_pos=Pos(2048), visible_turns=2, visible_tokens=24
        ),
        entries=tuple(entry(item) for item in stored),
        pins=(TurnId(2),),
        alternatives=tuple(
            Alternative(turn_id=item.turn_id, alt_no=1, version_id=item.id) for item in stored
        ),
        cover=tuple(row(item) for item in stored),
    )
    return Bundle(
        title="Night ferry",
        settings={"mode": "advised", "context": "4096"},
        source="",
        created_at="2026-11-30T12:00:00+00:00",
        current_branch=BranchId(1),
        speakers={ODILE: "Odile"},
        versions=stored,
        summaries=tuple(summary(item) for item in stored),
        branches=(state,),
    )


def file(data: bytes | Document) -> SourceFile:
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return SourceFile(path="night.json", data=raw)


def document() -> Document:
    loaded: Document = json.loads(write_bundle(bundle()))
    return loaded


@given(bundles())
def test_a_bundle_reads_as_it_was_written(written: Bundle) -> None:
    assert read_file(file(write_bundle(written))) == written


def test_equal_bundles_give_equal_bytes() -> None:
    other = replace(bundle(), settings={"context": "4096", "mode": "advised"})
    assert write_bundle(other) == write_bundle(bundle())


def test_a_bundle_is_lines_of_readable_utf8() -> None:
    written = write_bundle(replace(bundle(), title="Ночь\N{CROISSANT}")).decode()
    assert ' "title": "Ночь\N{CROISSANT}",\n' in written
    assert written.startswith('{\n "foreword_bundle": 1,\n')
    assert written.endswith("\n}\n")


def test_a_bundle_with_its_keys_in_another_order_is_recognised() -> None:
    turned = dict(reversed(document().items()))
    assert read_file(file(turned)) == bundle()


def test_other_json_with_the_word_in_it_is_no_bundle() -> None:
    reader = BundleFormat()
    assert not reader.recognises(file({"about": ["foreword_bundle"]}))
    assert not reader.recognises(file(b'{"mes":"\\"foreword_bundle\\""}\n{"mes":"x"}'))
    assert not reader.recognises(file(b'["foreword_bundle"]'))
    assert not reader.recognises(file(b'{"about":1,"foreword_bundle" 1'))


def test_a_bundle_of_a_later_format_says_so() -> None:
    with pytest.raises(BundleTooNew) as caught:
        read_file(file({**document(), "foreword_bundle": 2, "new": [1]}))
    assert (caught.value.found, caught.value.known) == (2, 1)


@pytest.mark.parametrize("number", [0, "1", True, None, 1.0])
def test_a_bundle_without_a_format_number_is_refused(number: object) -> None:
    with pytest.raises(FileUnreadable, match="its format is no number"):
        read_file(file({**document(), "foreword_bundle": number}))


def test_a_bundle_that_is_cut_off_says_where() -> None:
    data = write_bundle(bundle())
    with pytest.raises(FileUnreadable, match=r"damaged: it is cut off \(.*line \d+, column \d+\)"):
        read_file(file(data[: len(data) // 2]))


def test_a_list_is_no_bundle() -> None:
    with pytest.raises(FileUnreadable, match="no JSON object"):
        BundleFormat().read(file(b"[1]"))


def set_at(*path: str | int, to: object) -> Callable[[Document], None]:
    def change(found: Document) -> None:
        inner: Any = found
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = to

    return change


ENTRY = ("branches", 0, "entries", 0)
COVER = ("branches", 0, "cover", 0)
DAMAGE = {
    "versions.0.id: Input should be a valid integer": set_at("versions", 0, "id", to="1"),
    "versions.0.parts.0: Input tag 'song'": set_at("versions", 0, "parts", 0, "type", to="song"),
    "extra_field: Extra inputs": set_at("extra_field", to=1),
    "summaries.0: Value error, a summary has turns or summaries": set_at(
        "summaries", 0, "turns", to=[]
    ),
    "tokens: the number is too large": set_at("versions", 0, "tokens", to=2**70),
    "title: the text holds a NUL": set_at("title", to="a\0"),
    "a key: the text holds a NUL": set_at("speakers", "\0", to="x"),
    "versions: id 7 stands where 1 should": set_at("versions", 0, "id", to=7),
    "summaries: id 7 stands where 1 should": set_at("summaries", 0, "id", to=7),
    "version 1: its numbers": set_at("versions", 0, "alt_no", to=0),
    "version 1: there is no speaker": set_at("versions", 0, "speaker", to="who"),
    "version 2: its text was changed": set_at("versions", 1, "parts", 0, "text", to="ten"),
    "summary 1: its numbers": set_at("summaries", 0, "depth", to=-1),
    "summary 1: a digest has the wrong length": set_at("summaries", 0, "span_digest", to="00"),
    "summary 1: there is no turn 9": set_at("summaries", 0, "turns", 0, "turn_id", to=9),
    "summary 2: there is no earlier summary 2": set_at("summaries", 1, "edited_from", to=2),
    "current_branch: there is no branch 4": set_at("current_branch", to=4),
    "branches: their ids do not rise": set_at("branches", to=[]),
    "branch 1: there is no earlier branch 1": set_at("branches", 0, "branch", "parent", to=1),
    "branch 1, position 1024: there is no version 5": set_at(*ENTRY, "version_id", to=5),
    "branch 1, position 1024: it differs from version 1": set_at(*ENTRY, "tokens", to=9),
    "branch 1: its positions do not rise": set_at(*ENTRY, "pos", to=4096),
    "branch 1: it pins a turn twice": set_at("branches", 0, "pins", to=[2, 2]),
    "branch 1: its counts are not": set_at("branches", 0, "branch", "hidden_turns", to=1),
    "alternative 1 of turn 1: there is no version 0": set_at(
        "branches", 0, "alternatives", 0, "version_id", to=0
    ),
    "alternative 1 of turn 1: version 2 belongs": set_at(
        "branches", 0, "alternatives", 0, "version_id", to=2
    ),
    "alternative 1 of turn 9: it stands twice": set_at(
        "branches", 0, "alternatives", 0, "turn_id", to=9
    ),
    "branch 1, summary 3: there is no such summary": set_at(*COVER, "summary_id", to=3),
    "branch 1, summary 1: its layer is 0, not 1": set_at(*COVER, "layer", to=1),
    "branch 1, summary 1: its span is empty": set_at(*COVER, "to_pos", to=1),
    "branch 1, summary 1: its numbers": set_at(*COVER, "n_turns", to=-1),
    "branch 1: summaries 1 and 2 overlap": set_at(*COVER, "to_pos", to=2048),
}


@pytest.mark.parametrize("message", DAMAGE)
def test_a_bundle_that_does_not_fit_together_is_refused_with_the_place(message: str) -> None:
    damaged = document()
    DAMAGE[message](damaged)
    with pytest.raises(FileUnreadable) as caught:
        read_file(file(damaged))
    assert message in str(caught.value)
    assert str(caught.value).endswith("Export it again.")


def test_a_turn_that_stands_twice_is_refused() -> None:
    twice = document()
    entries = twice["branches"][0]["entries"]
    entries[1] = {**entries[0], "pos": 2048}
    with pytest.raises(FileUnreadable, match="branch 1: a turn stands on it twice"):
        read_file(file(twice))
