"""Files broken by chance: each is taken in whole or refused with one of our errors, in bounds.

What fails is written to `tests/data/broken/found/`: give the file a name that says its kind and
keep it, with what `python -m tests.integration.formats.corpus` records of it once it is repaired.
"""

from __future__ import annotations

import random
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256

import pytest
from tests.integration.formats.checking import take_in
from tests.integration.formats.corpus import FOUND, files
from tests.integration.formats.mutating import mutated
from tests.integration.formats.samples import samples

MOST_GROWTH = 200 * 1024
"""KiB by which the process may grow for a file; none of these is larger than some megabytes."""
SAMPLES = samples()
BROKEN = files()


@pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning")
@pytest.mark.parametrize("name", SAMPLES)
def test_any_file_is_taken_in_whole_or_refused(name: str, fuzz_files: int, fuzz_seed: str) -> None:
    others = list(SAMPLES.values())
    for number in range(fuzz_files):
        draw = random.Random(f"{fuzz_seed} {name} {number}")
        data = mutated(draw, SAMPLES[name], others)
        with kept_when_it_fails(name, data), within_bounds():
            take_in(data, name.rpartition("/")[2])


@pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning")
@pytest.mark.parametrize("folder", sorted({name.partition("/")[0] for name in BROKEN}))
def test_any_broken_file_can_be_broken_further(
    folder: str, fuzz_files: int, fuzz_seed: str
) -> None:
    names = [name for name in BROKEN if name.startswith(f"{folder}/")]
    others = list(SAMPLES.values())
    for number in range(fuzz_files):
        draw = random.Random(f"{fuzz_seed} broken {folder} {number}")
        name = draw.choice(names)
        data = mutated(draw, BROKEN[name], others)
        with kept_when_it_fails(name, data), within_bounds():
            take_in(data, name.rpartition("/")[2])


@contextmanager
def kept_when_it_fails(name: str, data: bytes) -> Iterator[None]:
    done = False
    try:
        yield
        done = True
    finally:
        if not done:
            folder, _, file = name.partition("/")
            FOUND.mkdir(parents=True, exist_ok=True)
            path = FOUND / f"{folder}-{sha256(data).hexdigest()[:12]}.{file.rpartition('.')[2]}"
            path.write_bytes(data)
            print(f"The file is kept as {path}")  # noqa: T201 - shown with the failure


@contextmanager
def within_bounds() -> Iterator[None]:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert after - before < MOST_GROWTH
