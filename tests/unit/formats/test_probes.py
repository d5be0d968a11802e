"""Probe files."""

from __future__ import annotations

import json

import pytest

from foreword.domain.probes import Probe
from foreword.errors import FileUnreadable
from foreword.formats.probes import read_probes
from foreword.ports.format import SourceFile


def read(data: bytes) -> tuple[Probe, ...]:
    return read_probes(SourceFile(path="probes.json", data=data))


def test_evidence_is_counted_from_one() -> None:
    row = {
        "id": "lr-1",
        "question": "Which bird?",
        "answer": "a goose",
        "aliases": ["Parsnip"],
        "evidence": [0, 4],
        "kind": "name",
    }
    assert read(json.dumps([row]).encode()) == (
        Probe(
            id="lr-1",
            question="Which bird?",
            answer="a goose",
            aliases=("Parsnip",),
            evidence=(1, 5),
        ),
    )


def test_aliases_and_evidence_may_be_missing() -> None:
    (probe,) = read(b'[{"id": 7, "question": "?", "answer": 12}]')
    assert probe == Probe(id="7", question="?", answer="12")


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff\xfe", b"{}x", b"7", b'[{"id": 1}]', b"[1]", b"[" * 100_000],
    ids=["empty", "binary", "broken", "number", "no answer", "no probe", "deep"],
)
def test_a_file_without_probes_is_refused(data: bytes) -> None:
    with pytest.raises(FileUnreadable):
        read(data)
