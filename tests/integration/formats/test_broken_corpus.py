"""Every file in `tests/data/broken` gives the error or the losses that are written beside it."""

from __future__ import annotations

import json

import pytest
from tests.integration.formats.checking import take_in
from tests.integration.formats.corpus import EXPECTED, files, outcome
from tests.integration.formats.samples import samples

from foreword.formats.registry import FORMATS
from foreword.ports.format import SourceFile

FILES = files()
EXPECTATIONS = json.loads(EXPECTED.read_bytes())
FOLDERS = sorted({name.partition("/")[0] for name in FILES})


def test_every_broken_file_has_an_expectation_and_every_expectation_a_file() -> None:
    assert FILES.keys() == EXPECTATIONS.keys()


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_broken_file_gives_what_is_expected_of_it(folder: str) -> None:
    names = [name for name in FILES if name.startswith(f"{folder}/")]
    found = {name: outcome(name, FILES[name]) for name in names}
    assert found == {name: EXPECTATIONS[name] for name in names}


def test_what_is_broken_was_whole_before() -> None:
    refused = {
        name: taken.refused
        for name, data in samples().items()
        if (taken := take_in(data, name)).refused is not None and "marginalia" not in name
    }
    assert refused == {}


def test_every_format_has_a_sample_and_broken_files() -> None:
    read = {
        known.name
        for known in FORMATS
        for name, data in samples().items()
        if known.recognises(SourceFile(path=name, data=data))
    }
    assert read == {known.name for known in FORMATS}
    assert {name.partition("/")[0] for name in samples()} <= set(FOLDERS)
